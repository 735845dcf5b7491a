package ddl

import "strings"

// Discreet is a statement for others than its author: the passwords in it, as a column that is encrypted may have one, are asterisks.
// All else is as written.
func Discreet(text string) string {
	if !strings.Contains(strings.ToUpper(text), "IDENTIFIED") {
		return text
	}
	var b strings.Builder
	last, secret := "", false
	for t := range Tokens(text) {
		switch {
		case t.Kind == Space, t.Kind == Comment, t.Kind == Hint:
		case secret:
			t.Text, last, secret = "***", "", false
		default:
			word := ""
			if t.Kind == Word {
				word = strings.ToUpper(t.Text)
			}
			secret, last = last == "IDENTIFIED" && word == "BY", word
		}
		b.WriteString(t.Text)
	}
	return b.String()
}
