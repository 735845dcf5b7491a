package engine

import (
	"strings"
	"testing"
	"time"
)

func TestBarIsWrittenOverUntilTheTableIsDone(t *testing.T) {
	var out strings.Builder
	b := bar{to: &out}
	at := time.Unix(1000, 0)
	b.show(at, "APP.T", 500, 50, 90*time.Second, false)
	b.show(at.Add(barInterval/2), "APP.T", 600, 60, 80*time.Second, false) // too soon
	b.show(at.Add(barInterval/2), "APP.T", 1000, 100, 0, true)
	want := "\rAPP.T [###############...............]  50.0% 500 rows, 1m30s left" +
		"\rAPP.T [##############################] 100.0% 1000 rows           \n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	none := bar{}
	none.show(at, "APP.T", 1, 1, 0, true)
}
