package sql

import "strconv"

// parser walks over tokens. The first failure sticks and moves to the end, so that productions need no error
// checks of their own: at the end every production fails again or does nothing.
type parser struct {
	text   string
	tokens []token
	i      int
	depth  int
	failed *Error
	binds  []string
	block  bool
	// cursors are those that the blocks around have declared.
	cursors map[string]*Query
}

// maxDepth bounds the nesting of expressions and queries, so that no text exhausts the stack.
const maxDepth = 200

// Parse parses one statement. A failure is an *Error.
func Parse(text string) (*Parsed, error) {
	tokens, failed := scan(text)
	if failed != nil {
		return nil, failed
	}
	p := &parser{text: text, tokens: tokens}
	stmt := p.topStatement()
	if p.failed == nil && p.peek().kind != tokEnd {
		p.fail(933, msgNotProperlyEnded)
	}
	if p.failed != nil {
		return nil, p.failed
	}
	return &Parsed{Text: text, Statement: stmt, Binds: p.binds}, nil
}

func (p *parser) peek() token { return p.tokens[p.i] }

func (p *parser) ahead(n int) token { return p.tokens[min(p.i+n, len(p.tokens)-1)] }

func (p *parser) take() token {
	tok := p.tokens[p.i]
	if p.i < len(p.tokens)-1 {
		p.i++
	}
	return tok
}

func (p *parser) fail(code int, format string, args ...any) {
	p.failAt(p.peek().pos, code, format, args...)
}

func (p *parser) failAt(pos, code int, format string, args ...any) {
	p.failWith(errorAt(pos, code, format, args...))
}

func (p *parser) failWith(err *Error) {
	if p.failed == nil {
		p.failed = err
	}
	p.i = len(p.tokens) - 1
}

// enter counts nesting; its result must be called when the production ends.
func (p *parser) enter() func() {
	p.depth++
	if p.depth > maxDepth {
		p.fail(913, "statement is nested too deeply")
	}
	return func() { p.depth-- }
}

func (tok token) is(word string) bool { return tok.kind == tokWord && tok.text == word }

func (tok token) isOp(op string) bool { return tok.kind == tokPunct && tok.text == op }

// is reports whether the next tokens are these words.
func (p *parser) is(words ...string) bool {
	for n, w := range words {
		if !p.ahead(n).is(w) {
			return false
		}
	}
	return true
}

// accept takes the words if they come next.
func (p *parser) accept(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	for range words {
		p.take()
	}
	return true
}

func (p *parser) acceptAny(words ...string) string {
	for _, w := range words {
		if p.accept(w) {
			return w
		}
	}
	return ""
}

func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.accept(w) {
			p.fail(905, msgMissingKeyword)
			return
		}
	}
}

func (p *parser) acceptOp(op string) bool {
	if !p.peek().isOp(op) {
		return false
	}
	p.take()
	return true
}

func (p *parser) expectOp(op string) {
	if p.acceptOp(op) {
		return
	}
	switch op {
	case "(":
		p.fail(906, msgMissingLeft)
	case ")":
		p.fail(907, msgMissingRight)
	case ",":
		p.fail(917, "missing comma")
	case "=":
		p.fail(927, "missing equal sign")
	default:
		p.fail(900, msgInvalidStatement)
	}
}

// isName reports whether the next token can be a name.
func (p *parser) isName() bool { return canName(p.peek()) }

func canName(tok token) bool {
	return tok.kind == tokQuoted || tok.kind == tokWord && !reserved[tok.text]
}

// name takes a name, or fails with the code of the place (903 table, 904 column, 1935 user ...).
func (p *parser) name(code int, message string) string {
	if !p.isName() {
		p.fail(code, "%s", message)
		return ""
	}
	tok := p.take()
	if len(tok.text) > 128 {
		p.failAt(tok.pos, 972, "identifier is too long")
	}
	return tok.text
}

func (p *parser) object() Object {
	o := Object{Pos: p.peek().pos, Name: p.name(903, "invalid table name")}
	if p.acceptOp(".") {
		o.Owner, o.Name = o.Name, p.name(903, "invalid table name")
	}
	if p.peek().isOp("@") {
		p.failWith(unimplemented(p.peek().pos, "database link"))
	}
	return o
}

func (p *parser) column() ColumnName {
	return ColumnName{Pos: p.peek().pos, Name: p.name(904, msgInvalidIdentifier)}
}

func (p *parser) columns() []ColumnName {
	p.expectOp("(")
	list := []ColumnName{p.column()}
	for p.acceptOp(",") {
		list = append(list, p.column())
	}
	p.expectOp(")")
	return list
}

func (p *parser) names() []string {
	cols := p.columns()
	list := make([]string, len(cols))
	for i, c := range cols {
		list[i] = c.Name
	}
	return list
}

func (p *parser) integer() int {
	tok := p.take()
	n, err := strconv.Atoi(tok.text)
	if tok.kind != tokNumber || err != nil {
		p.failAt(tok.pos, 2017, "integer value required")
	}
	return n
}

func (p *parser) topStatement() Statement {
	tok := p.peek()
	if tok.isOp("(") {
		return p.query()
	}
	if tok.kind != tokWord {
		p.fail(900, msgInvalidStatement)
		return nil
	}
	switch tok.text {
	case "BEGIN", "DECLARE":
		return p.anonymousBlock()
	case "CALL":
		p.take()
		return &Block{Body: []Step{{Pos: p.peek().pos, Do: p.procedureCall()}}}
	}
	return p.sqlStatement()
}

func (p *parser) sqlStatement() Statement {
	tok := p.peek()
	switch tok.text {
	case "SELECT", "WITH":
		return p.query()
	case "INSERT":
		return p.insert()
	case "UPDATE":
		return p.update()
	case "DELETE":
		return p.remove()
	case "COMMIT", "ROLLBACK", "SAVEPOINT":
		return p.transaction()
	case "SET":
		return p.setTransaction()
	case "CREATE":
		return p.create()
	case "DROP":
		return p.drop()
	case "TRUNCATE":
		return p.truncate()
	case "ALTER":
		return p.alter()
	case "GRANT", "REVOKE":
		return p.grant()
	case "COMMENT":
		return p.comment()
	case "RENAME":
		return p.renameTable()
	case "PURGE":
		return p.purge()
	case "FLASHBACK":
		return p.flashback()
	case "MERGE", "EXPLAIN", "LOCK", "ANALYZE", "AUDIT", "ASSOCIATE", "NOAUDIT":
		p.failWith(unimplemented(tok.pos, tok.text))
	default:
		p.fail(900, msgInvalidStatement)
	}
	return nil
}

// ParseExpression parses an expression that stands alone, such as a column's default. A failure is an *Error.
func ParseExpression(text string) (Expr, error) {
	return parseAlone(text, (*parser).expression)
}

// ParseCondition parses a condition that stands alone, such as that of a CHECK constraint. A failure is an *Error.
func ParseCondition(text string) (Expr, error) {
	return parseAlone(text, (*parser).condition)
}

func parseAlone(text string, parse func(*parser) Expr) (Expr, error) {
	tokens, failed := scan(text)
	if failed != nil {
		return nil, failed
	}
	p := &parser{text: text, tokens: tokens}
	x := parse(p)
	if p.failed == nil && p.peek().kind != tokEnd {
		p.fail(933, msgNotProperlyEnded)
	}
	if p.failed != nil {
		return nil, p.failed
	}
	return x, nil
}
