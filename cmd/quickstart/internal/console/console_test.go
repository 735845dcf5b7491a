package console

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const update = `{"before":{"ID":1,"STATUS":"NEW","NOTE":null},"after":{"ID":1,"STATUS":"PAID","NOTE":null},"op":"u","source":{"txId":"1.2.3","commit_scn":"77"}}`

func TestWithoutATerminalThereAreLinesOnly(t *testing.T) {
	var stdout, stderr bytes.Buffer
	c := New(Detect(&stdout, &stderr, func(string) string { return "" }), &stdout, &stderr)
	c.Say("pipeline %s", "killed")
	c.Show(Progress{Transactions: 3, Changes: 9, Records: 11, Switches: 2})
	c.Record("shop.T", []byte(`{"ID":1}`), []byte(update))
	c.Close()
	lines := strings.Split(strings.TrimSuffix(stderr.String(), "\n"), "\n")
	if len(lines) != 2 || !strings.HasSuffix(lines[0], "s  pipeline killed") ||
		!strings.HasSuffix(lines[1], "s  3 transactions, 9 changes, 11 records, 2 log switches") || strings.ContainsAny(stderr.String(), "\r\x1b") {
		t.Errorf("standard error: %q", stderr.String())
	}
	if stdout.Len() > 0 {
		t.Errorf("standard output belongs to the closing line, and has %q", stdout.String())
	}
}

func TestProgressIsRewrittenOnATerminal(t *testing.T) {
	var stdout, stderr bytes.Buffer
	c := New(Screen{Rewrites: true, Records: true}, &stdout, &stderr)
	c.Show(Progress{Records: 1})
	c.Say("broker restarted, and a long text behind that, which would wrap on a screen of eighty characters")
	c.Show(Progress{Records: 2})
	shown := stderr.String()
	if strings.Count(shown, "\n") != 1 || strings.Count(shown, "\r\x1b[K") != 2 {
		t.Errorf("%q", shown)
	}
	last := shown[strings.LastIndex(shown, "\x1b[K")+3:]
	if !strings.Contains(last, " 2 records") || !strings.Contains(last, "| broker re") || len([]rune(last)) > width {
		t.Errorf("last line %q", last)
	}
	c.Close()
	if !strings.HasSuffix(stderr.String(), "\r\x1b[K") {
		t.Error("the line is still on the screen")
	}
}

func TestRecordsAreShownInColourWhereWanted(t *testing.T) {
	for _, colour := range []bool{true, false} {
		var stdout bytes.Buffer
		c := New(Screen{Records: true, Colour: colour}, &stdout, &bytes.Buffer{})
		c.Record("shop.T", []byte(`{"ID":1}`), []byte(update))
		c.Record("shop.T", []byte(`{"ID":1}`), nil)
		c.Record("shop.T", []byte(`{"ID":1}`), []byte(`no JSON`))
		shown := stdout.String()
		order := []string{"update", "shop.T", `{"ID":1}`, "1.2.3", "77", "ID", "STATUS", `"NEW" → "PAID"`, "NOTE"}
		at := 0
		for _, part := range order {
			next := strings.Index(shown[at:], part)
			if next < 0 {
				t.Fatalf("%q does not follow in %q", part, shown)
			}
			at += next
		}
		if strings.Contains(shown, "\x1b[33m") != colour || strings.Count(shown, "\n") != 6 {
			t.Errorf("colour %v: %q", colour, shown)
		}
	}
}

func TestOnlyTerminalsAreForPeople(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if got := Detect(f, f, func(string) string { return "" }); got != (Screen{}) {
		t.Errorf("a file is %+v", got)
	}
}
