package console

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
)

// Screen says what the two outputs can show.
type Screen struct {
	// Rewrites: the progress line on standard error is rewritten in place. Records: records are shown on standard output, for
	// people and not for programs that read it. Colour: in colour.
	Rewrites, Records, Colour bool
}

// Detect finds out: only terminals are for people, and NO_COLOR says what its name does (no-color.org).
func Detect(stdout, stderr io.Writer, getenv func(string) string) Screen {
	dumb := getenv("TERM") == "dumb"
	return Screen{
		Rewrites: terminal(stderr) && !dumb,
		Records:  terminal(stdout),
		Colour:   terminal(stdout) && !dumb && getenv("NO_COLOR") == "",
	}
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// Console is both outputs; on a terminal they share a screen. Errors of writing are left alone: the run does not depend on it.
type Console struct {
	Screen
	begin time.Time

	mu             sync.Mutex
	stdout, stderr io.Writer
	// happened is the last thing that was said, line the progress line that is on the screen.
	happened, line string
}

// New makes a console for a run that begins now.
func New(screen Screen, stdout, stderr io.Writer) *Console {
	return &Console{Screen: screen, begin: time.Now(), stdout: stdout, stderr: stderr}
}

// Say reports that something happened.
func (c *Console) Say(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.happened = fmt.Sprintf(format, args...)
	c.wipe()
	fmt.Fprintf(c.stderr, "%6.2fs  %s\n", time.Since(c.begin).Seconds(), c.happened)
	c.draw()
}

// Interval is how often it makes sense to show the progress: a line that stays is read less often.
func (c *Console) Interval() time.Duration {
	if c.Rewrites {
		return 100 * time.Millisecond
	}
	return 3 * time.Second
}

// Progress counts what a run has done so far.
type Progress struct {
	Transactions, Changes int
	Records               int64
	Switches              int
}

// width is what every terminal has: a line that wraps cannot be rewritten.
const width = 79

// Show shows the progress.
func (c *Console) Show(p Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wipe()
	seconds := time.Since(c.begin).Seconds()
	if !c.Rewrites {
		fmt.Fprintf(c.stderr, "%6.2fs  %d transactions, %d changes, %d records, %d log switches\n",
			seconds, p.Transactions, p.Changes, p.Records, p.Switches)
		return
	}
	// Short words leave room for what happened last.
	c.line = cut(fmt.Sprintf("%6.1fs   %d tx, %d changes, %d records, %d switches | %s",
		seconds, p.Transactions, p.Changes, p.Records, p.Switches, c.happened), width)
	c.draw()
}

// Close takes the progress line off the screen.
func (c *Console) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wipe()
	c.line = ""
}

// wipe and draw take the progress line away and put it back, below what was written in between.
func (c *Console) wipe() {
	if c.line != "" {
		fmt.Fprint(c.stderr, "\r\x1b[K")
	}
}

func (c *Console) draw() { fmt.Fprint(c.stderr, c.line) }

// cut shortens a text to so many characters.
func cut(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}
