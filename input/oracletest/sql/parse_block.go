package sql

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// anonymousBlock parses a block with nothing behind it.
func (p *parser) anonymousBlock() Statement {
	p.block = true
	defer func() { p.block = false }()
	b := p.anyBlock()
	if p.failed == nil && p.peek().kind != tokEnd {
		p.syntax()
	}
	p.compilation()
	return b
}

// compilation makes a fault in the SQL of a block one of the block's compilation, as PL/SQL answers it. What the stand-in lacks stays
// what it is.
func (p *parser) compilation() {
	if p.failed == nil || p.failed.Code == 6550 || p.failed.Code == 3001 {
		return
	}
	p.failed = errorAt(p.failed.Pos, 6550, "%s:\nPL/SQL: ORA-%05d: %s\nORA-06550: %s:\nPL/SQL: SQL Statement ignored",
		Place(p.text, p.failed.Pos), p.failed.Code, p.failed.Message, Place(p.text, p.failed.Pos))
}

// Place is a position in a text as PL/SQL tells it.
func Place(text string, pos int) string {
	before := text[:min(max(pos, 0), len(text))]
	return fmt.Sprintf("line %d, column %d", strings.Count(before, "\n")+1, len(before)-strings.LastIndexByte(before, '\n'))
}

// anyBlock parses a block, perhaps inside another, up to the semicolon behind it.
func (p *parser) anyBlock() *Block {
	defer p.enter()()
	b := &Block{}
	outer := p.cursors
	if p.accept("DECLARE") {
		b.Declare = p.declarations()
	}
	if p.failed == nil && !p.accept("BEGIN") {
		p.syntax()
	}
	b.Body = p.steps("END", "EXCEPTION")
	if p.accept("EXCEPTION") {
		b.Handlers = p.handlers()
	}
	p.expectEnd("")
	p.cursors = outer
	return b
}

// expectEnd takes END, the word behind it, and the semicolon.
func (p *parser) expectEnd(word string) {
	if p.failed != nil {
		return
	}
	if !p.accept("END") || word != "" && !p.accept(word) || !p.acceptOp(";") {
		p.syntax()
	}
}

// steps parses statements up to one of the words, of which there must be one at least.
func (p *parser) steps(until ...string) []Step {
	var list []Step
	for p.failed == nil {
		if slices.ContainsFunc(until, func(word string) bool { return p.is(word) }) {
			break
		}
		list = append(list, Step{Pos: p.peek().pos, Do: p.step()})
	}
	if p.failed == nil && len(list) == 0 {
		p.syntax()
	}
	return list
}

// step parses a statement with its semicolon.
func (p *parser) step() Statement {
	defer p.enter()()
	if p.is("BEGIN") || p.is("DECLARE") {
		return p.anyBlock()
	}
	stmt := p.blockStatement()
	if p.failed != nil || p.acceptOp(";") {
		return stmt
	}
	switch stmt.(type) {
	case *Query, *Insert, *Update, *Delete:
		p.fail(933, msgNotProperlyEnded)
	default:
		p.syntax()
	}
	return nil
}

func (p *parser) handlers() []Handler {
	var list []Handler
	for p.failed == nil && p.accept("WHEN") {
		var h Handler
		if !p.accept("OTHERS") {
			h.Names = append(h.Names, p.exceptionName())
			for p.accept("OR") {
				h.Names = append(h.Names, p.exceptionName())
			}
		}
		if !p.accept("THEN") {
			p.syntax()
		}
		h.Body = p.steps("WHEN", "END")
		list = append(list, h)
		if h.Names == nil && p.is("WHEN") {
			p.fail(6550, "%s:\nPLS-00370: OTHERS handler must be last among the exception handlers of a block", Place(p.text, p.peek().pos))
		}
	}
	if p.failed == nil && len(list) == 0 {
		p.syntax()
	}
	return list
}

func (p *parser) exceptionName() ColumnName {
	if !p.isName() {
		p.syntax()
	}
	return ColumnName{Pos: p.peek().pos, Name: p.take().text}
}

// declarations parses what stands between DECLARE and BEGIN.
func (p *parser) declarations() []Variable {
	var list []Variable
	for p.failed == nil && !p.is("BEGIN") {
		tok := p.peek()
		if tok.kind == tokWord {
			switch tok.text {
			case "CURSOR":
				p.cursor()
				continue
			case "PRAGMA":
				p.pragma(list)
				continue
			case "TYPE", "SUBTYPE", "PROCEDURE", "FUNCTION":
				p.failWith(unimplemented(tok.pos, "PL/SQL "+tok.text))
				return nil
			}
		}
		if !canName(tok) {
			p.syntax()
			return nil
		}
		list = append(list, p.variable())
	}
	return list
}

// cursor parses CURSOR name IS query, for FOR ... IN name.
func (p *parser) cursor() {
	pos := p.take().pos
	name := p.exceptionName()
	if !p.accept("IS") || !p.startsQuery() {
		p.failWith(unimplemented(pos, "PL/SQL CURSOR with parameters"))
		return
	}
	declared := maps.Clone(p.cursors)
	if declared == nil {
		declared = make(map[string]*Query)
	}
	declared[name.Name] = p.query()
	p.cursors = declared
	if p.failed == nil && !p.acceptOp(";") {
		p.syntax()
	}
}

// pragma parses EXCEPTION_INIT(name, -code) of an exception that is declared.
func (p *parser) pragma(declared []Variable) {
	pos := p.take().pos
	if !p.accept("EXCEPTION_INIT") {
		p.failWith(unimplemented(pos, "PL/SQL PRAGMA "+p.peek().text))
		return
	}
	p.expectOp("(")
	name := p.exceptionName()
	p.expectOp(",")
	negative := p.acceptOp("-")
	code := p.integer()
	p.expectOp(")")
	if p.failed == nil && !p.acceptOp(";") {
		p.syntax()
	}
	for i := range declared {
		if declared[i].Exception && declared[i].Name == name.Name && negative {
			declared[i].Code = code
			return
		}
	}
	if p.failed == nil {
		p.failWith(unimplemented(pos, "PL/SQL PRAGMA EXCEPTION_INIT of this"))
	}
}

func (p *parser) variable() Variable {
	v := Variable{Pos: p.peek().pos, Name: p.take().text}
	if v.Exception = p.accept("EXCEPTION"); v.Exception {
		if !p.acceptOp(";") {
			p.syntax()
		}
		return v
	}
	v.Constant = p.accept("CONSTANT")
	p.variableType(&v)
	if v.NotNull = p.accept("NOT", "NULL"); p.acceptOp(":=") || p.accept("DEFAULT") {
		v.Init = p.expression()
	}
	if !p.acceptOp(";") {
		p.syntax()
	}
	return v
}

// variableType parses a type, or table.column%TYPE.
func (p *parser) variableType(v *Variable) {
	switch tok := p.peek(); {
	case tok.is("PLS_INTEGER"), tok.is("BINARY_INTEGER"), tok.is("SIMPLE_INTEGER"), tok.is("NATURAL"), tok.is("POSITIVE"):
		p.take()
		v.Type = integerType
		return
	case tok.is("SYS_REFCURSOR"), tok.is("BOOLEAN"), tok.is("RECORD"):
		p.failWith(unimplemented(tok.pos, "PL/SQL variable of type "+tok.text))
		return
	}
	if !p.ahead(1).isOp(".") && !p.ahead(1).isOp("%") {
		v.Type = p.dataType()
		return
	}
	names := []string{p.take().text}
	for p.acceptOp(".") {
		names = append(names, p.name(6550, "PLS-00103: Encountered an unexpected symbol"))
	}
	p.expectOp("%")
	if !p.accept("TYPE") || len(names) == 1 || len(names) > 3 {
		p.failWith(unimplemented(v.Pos, "PL/SQL variable of this type"))
		return
	}
	v.Like = names[len(names)-1]
	v.Table = Object{Pos: v.Pos, Name: names[len(names)-2]}
	if len(names) == 3 {
		v.Table.Owner = names[0]
	}
}

// syntax is PL/SQL's answer to a text outside its grammar.
func (p *parser) syntax() {
	tok := p.peek()
	what := "end-of-file"
	if tok.kind != tokEnd {
		what = p.text[tok.pos:tok.end]
	}
	p.fail(6550, "%s:\nPLS-00103: Encountered the symbol %q", Place(p.text, tok.pos), what)
}

func (p *parser) blockStatement() Statement {
	tok := p.peek()
	if tok.kind == tokBind {
		target := p.bind(p.take())
		p.expectOp(":=")
		return &Assign{Target: target, X: p.expression()}
	}
	if canName(tok) && p.ahead(1).isOp(":=") {
		target := &Name{at: at(p.take().pos), Column: tok.text}
		p.take()
		return &Assign{Target: target, X: p.expression()}
	}
	if tok.kind == tokQuoted {
		return p.procedureCall()
	}
	if tok.kind != tokWord {
		p.syntax()
		return nil
	}
	switch tok.text {
	case "NULL":
		p.take()
		return &NullStatement{}
	case "EXECUTE":
		return p.executeImmediate()
	case "SELECT", "INSERT", "UPDATE", "DELETE", "COMMIT", "ROLLBACK", "SAVEPOINT", "SET":
		return p.sqlStatement()
	case "OPEN":
		return p.openCursor()
	case "WITH":
		return p.query()
	case "IF":
		return p.conditional()
	case "LOOP", "WHILE":
		return p.loop()
	case "FOR":
		return p.forLoop()
	case "EXIT", "CONTINUE", "RETURN":
		return p.leave()
	case "RAISE":
		p.take()
		s := &Raise{}
		if !p.peek().isOp(";") {
			s.Name = p.exceptionName()
		}
		return s
	case "CASE", "FETCH", "CLOSE", "GOTO", "FORALL", "MERGE", "LOCK", "PIPE":
		p.failWith(unimplemented(tok.pos, "PL/SQL "+tok.text))
		return nil
	}
	return p.procedureCall()
}

func (p *parser) openCursor() Statement {
	pos := p.take().pos
	if p.peek().kind != tokBind {
		p.failWith(unimplemented(pos, "PL/SQL OPEN of a cursor variable"))
		return nil
	}
	s := &OpenCursor{Target: p.bind(p.take())}
	p.expect("FOR")
	if !p.startsQuery() {
		p.failWith(unimplemented(pos, "PL/SQL OPEN FOR a text"))
		return nil
	}
	s.Query = p.query()
	return s
}

func (p *parser) procedureCall() Statement {
	s := &ProcedureCall{Pos: p.peek().pos, Name: p.name(6550, "PLS-00103: Encountered an unexpected symbol")}
	for p.acceptOp(".") {
		s.Name += "." + p.name(6550, "PLS-00103: Encountered an unexpected symbol")
	}
	if !p.acceptOp("(") {
		return s
	}
	if p.acceptOp(")") {
		return s
	}
	for {
		var arg NamedArg
		if p.isName() && p.ahead(1).isOp("=>") {
			arg.Name = p.take().text
			p.take()
		}
		arg.X = p.expression()
		s.Args = append(s.Args, arg)
		if !p.acceptOp(",") {
			break
		}
	}
	p.expectOp(")")
	return s
}

// executeImmediate parses EXECUTE IMMEDIATE text [INTO targets] [USING values].
func (p *parser) executeImmediate() Statement {
	p.take()
	p.expect("IMMEDIATE")
	s := &ExecuteImmediate{X: p.expression()}
	if p.accept("INTO") {
		s.Into = p.targets()
	}
	if p.accept("USING") {
		for {
			if p.is("OUT") || p.is("IN", "OUT") {
				p.failWith(unimplemented(p.peek().pos, "EXECUTE IMMEDIATE USING OUT"))
				return nil
			}
			p.accept("IN")
			s.Using = append(s.Using, p.expression())
			if !p.acceptOp(",") {
				break
			}
		}
	}
	if p.is("BULK") || p.is("RETURNING") || p.is("RETURN") {
		p.failWith(unimplemented(p.peek().pos, "EXECUTE IMMEDIATE "+p.peek().text))
	}
	return s
}

func (p *parser) conditional() Statement {
	s := &If{}
	for p.accept("IF") || p.accept("ELSIF") {
		b := Branch{Cond: p.condition()}
		if p.failed == nil && !p.accept("THEN") {
			p.syntax()
		}
		b.Body = p.steps("ELSIF", "ELSE", "END")
		s.Branches = append(s.Branches, b)
	}
	if p.accept("ELSE") {
		s.Else = p.steps("END")
	}
	p.endOf("IF")
	return s
}

// endOf takes END and the word behind it; the semicolon is that of the statement.
func (p *parser) endOf(word string) {
	if p.failed == nil && !p.accept("END", word) {
		p.syntax()
	}
}

func (p *parser) loop() Statement {
	s := &Loop{}
	if p.accept("WHILE") {
		s.While = p.condition()
	}
	s.Body = p.loopBody()
	return s
}

func (p *parser) loopBody() []Step {
	if p.failed == nil && !p.accept("LOOP") {
		p.syntax()
	}
	body := p.steps("END")
	p.endOf("LOOP")
	return body
}

func (p *parser) forLoop() Statement {
	p.take()
	s := &For{Var: p.exceptionName()}
	if !p.accept("IN") {
		p.syntax()
	}
	s.Reverse = p.accept("REVERSE")
	switch tok := p.peek(); {
	case p.startsQuery() && tok.isOp("("):
		s.Query = p.parenthesisedQuery()
	case canName(tok) && p.ahead(1).is("LOOP") && p.cursors[tok.text] != nil:
		s.Query = p.cursors[p.take().text]
	default:
		s.Low = p.expression()
		if p.failed == nil && !p.acceptOp("..") {
			p.syntax()
		}
		s.High = p.expression()
	}
	s.Body = p.loopBody()
	return s
}

func (p *parser) leave() Statement {
	s := &Leave{Kind: p.take().text}
	if s.Kind != "RETURN" && p.accept("WHEN") {
		s.When = p.condition()
	}
	if p.failed == nil && !p.peek().isOp(";") {
		p.failWith(unimplemented(p.peek().pos, "PL/SQL "+s.Kind+" of a label or value"))
	}
	return s
}
