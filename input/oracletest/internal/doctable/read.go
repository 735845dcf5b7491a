package doctable

import (
	"fmt"
	"os"
	"strings"
)

// Row is one row of a table: its first column, and what is said of it.
type Row struct{ Name, Text string }

// Words are the words of the text.
func (r Row) Words() []string { return strings.Fields(r.Text) }

// Read returns the rows of the indented lines under a heading of a Go file's package document. A row begins at the left, its columns
// are parted by two blanks or more, and lines that begin with a blank go on with the row before.
func Read(file, heading string) ([]Row, error) {
	text, err := os.ReadFile(file) //nolint:forbidigo // a source file of the tests
	if err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	var rows []Row
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if title, ok := strings.CutPrefix(line, "// # "); ok {
			inside = title == heading
			continue
		}
		line, ok := strings.CutPrefix(line, "//\t")
		if !inside || !ok || strings.TrimSpace(line) == "" {
			continue
		}
		if strings.HasPrefix(line, " ") {
			if len(rows) == 0 {
				return nil, fmt.Errorf("%s, %s: the first line of the table is indented", file, heading)
			}
			rows[len(rows)-1].Text += " " + strings.TrimSpace(line)
			continue
		}
		name, rest, _ := strings.Cut(line, "  ")
		rows = append(rows, Row{Name: name, Text: strings.TrimSpace(rest)})
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s has no table under %q", file, heading)
	}
	return rows, nil
}
