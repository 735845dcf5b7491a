package engine

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// bar shows how far the snapshot of a table is, in one line that is written over and over. It belongs to the emitter; without a terminal
// there is none.
type bar struct {
	to    io.Writer
	shown time.Time
	width int
}

const (
	barInterval = 500 * time.Millisecond
	barCells    = 30
)

// show writes the line, at most every barInterval; that of a table that is done always, and it stays.
func (b *bar) show(now time.Time, table string, rows int64, percent float64, left time.Duration, done bool) {
	if b.to == nil || !done && now.Sub(b.shown) < barInterval {
		return
	}
	b.shown = now
	filled := int(percent / 100 * barCells)
	line := fmt.Sprintf("%s [%s%s] %5.1f%% %d rows", table, strings.Repeat("#", filled), strings.Repeat(".", barCells-filled), percent, rows)
	if left > 0 {
		line += ", " + left.Round(time.Second).String() + " left"
	}
	end := ""
	if done {
		end = "\n"
	}
	// What was longer before is written over. An error of the terminal is nobody's concern.
	_, _ = fmt.Fprintf(b.to, "\r%-*s%s", b.width, line, end)
	if b.width = len(line); done {
		b.width = 0
	}
}
