package stop

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestMessageHasTheFormOfTheContracts(t *testing.T) {
	err := New(RedoGap, "thread 1 sequence 7", "a redo log is missing").Doing("restore it")
	if got, want := err.Error(), "[CDC-2001] a redo log is missing: thread 1 sequence 7. Do: restore it. Runbook: CDC-2001"; got != want {
		t.Fatalf("%q, want %q", got, want)
	}
}

func TestMessageIsOneLineWhateverTheCause(t *testing.T) {
	err := Wrap(Privilege, errors.New("ORA-01017: invalid username/password\n error occur at position: 0"), "db:1521", "log-on refused")
	if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "ORA-01017") {
		t.Fatalf("%q", err.Error())
	}
}

func TestErrorIsFoundInAChain(t *testing.T) {
	cause := errors.New("cause")
	err := fmt.Errorf("mine: %w", Wrap(Stalled, cause, "x", "y"))
	if !Is(err, Stalled) || Is(err, RedoGap) || !errors.Is(err, cause) {
		t.Fatalf("%v", err)
	}
	if _, ok := As(cause); ok {
		t.Fatal("an error without a code was taken for one")
	}
}

func TestEveryCodeIsInTheTableOnceAndSaysWhatToDo(t *testing.T) {
	last := Code(0)
	for _, e := range Codes() {
		if e.Code <= last || e.Meaning == "" || e.Action == "" {
			t.Errorf("%+v after %d", e, last)
		}
		last = e.Code
	}
}
