package oracletest

import (
	"context"
	"fmt"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// RunScript runs statements as SYSTEM at the root, and commits at the end. A statement ends with a semicolon at the end of
// a line, a PL/SQL block with a line that holds a slash alone. The first error ends the run; what was committed before
// stays.
func (s *Server) RunScript(ctx context.Context, script string) (err error) {
	session, err := s.openInternal(ctx)
	if err != nil {
		return fmt.Errorf("script: %w", err)
	}
	defer func() { session.Close(err == nil) }()
	for i, text := range splitScript(script) {
		if err := execute(ctx, session, text); err != nil {
			return fmt.Errorf("script statement %d (%s): %w", i+1, firstLine(text), err)
		}
	}
	return session.Commit(ctx)
}

// execute runs a statement to its end; rows of a query are read and dropped.
func execute(ctx context.Context, session wire.Session, text string) error {
	result, err := session.Execute(ctx, wire.Statement{SQL: text})
	if err != nil || result.Rows == nil {
		return err
	}
	return result.Rows.Close()
}

// firstLine names a statement in an error: its first words, never its values.
func firstLine(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), 2)], " ")
}

func splitScript(script string) []string {
	var list []string
	var current []string
	end := func() {
		if text := strings.TrimSpace(strings.Join(current, "\n")); text != "" {
			list = append(list, text)
		}
		current = nil
	}
	quoted := false
	for line := range strings.Lines(script) {
		line = strings.TrimRight(line, " \t\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case !quoted && len(current) == 0 && (trimmed == "" || strings.HasPrefix(trimmed, "--")):
			continue
		case !quoted && trimmed == "/":
			end()
			continue
		}
		code, open := uncomment(line, quoted)
		quoted = open
		if !quoted && strings.HasSuffix(code, ";") && !isBlock(append(current, line)) {
			current = append(current, strings.TrimSuffix(code, ";"))
			end()
			continue
		}
		current = append(current, line)
	}
	end()
	return list
}

// uncomment returns a line up to its comment, and whether a text literal is open at its end; begun says whether one is
// at its start.
func uncomment(line string, begun bool) (code string, open bool) {
	for i := range len(line) {
		switch {
		case line[i] == '\'':
			begun = !begun
		case !begun && strings.HasPrefix(line[i:], "--"):
			return strings.TrimRight(line[:i], " \t"), false
		}
	}
	return line, begun
}

// isBlock reports whether the lines begin a PL/SQL block, whose semicolons do not end it.
func isBlock(lines []string) bool {
	word, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(lines[0])), " ")
	return word == "BEGIN" || word == "DECLARE"
}
