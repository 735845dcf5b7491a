package sql

// declaration parses DECLARE and the block behind it.
func (p *parser) declaration() Statement {
	p.take()
	p.block = true
	defer func() { p.block = false }()
	var list []Variable
	for p.failed == nil && !p.is("BEGIN") {
		tok := p.peek()
		switch tok.text {
		case "CURSOR", "TYPE", "SUBTYPE", "PROCEDURE", "FUNCTION", "PRAGMA":
			if tok.kind == tokWord {
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
	if p.failed != nil {
		return nil
	}
	b, ok := p.plsql().(*Block)
	if !ok {
		return nil
	}
	b.Declare = list
	return b
}

func (p *parser) variable() Variable {
	v := Variable{Pos: p.peek().pos, Name: p.take().text}
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

// plsql parses BEGIN ... END; with the statements that the stand-in runs: procedure calls, NULL, DML, SELECT INTO,
// assignments to binds, transaction control and EXECUTE IMMEDIATE.
func (p *parser) plsql() Statement {
	p.take()
	p.block = true
	defer func() { p.block = false }()
	b := &Block{}
	for p.failed == nil && !p.is("END") {
		if p.is("EXCEPTION") {
			p.failWith(unimplemented(p.peek().pos, "EXCEPTION"))
			return nil
		}
		stmt := p.blockStatement()
		if !p.acceptOp(";") {
			p.syntax()
			return nil
		}
		b.Body = append(b.Body, stmt)
	}
	if len(b.Body) == 0 {
		p.syntax()
		return nil
	}
	p.accept("END")
	if !p.acceptOp(";") {
		p.syntax()
	}
	if p.peek().kind != tokEnd {
		p.syntax()
	}
	return b
}

// syntax is PL/SQL's answer to a text outside its grammar.
func (p *parser) syntax() {
	tok := p.peek()
	what := "end-of-file"
	if tok.kind != tokEnd {
		what = p.text[tok.pos:tok.end]
	}
	p.fail(6550, "PLS-00103: Encountered the symbol %q", what)
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
		p.take()
		p.expect("IMMEDIATE")
		s := &ExecuteImmediate{X: p.expression()}
		if p.is("INTO") || p.is("USING") {
			p.failWith(unimplemented(p.peek().pos, "EXECUTE IMMEDIATE "+p.peek().text))
		}
		return s
	case "SELECT", "INSERT", "UPDATE", "DELETE", "COMMIT", "ROLLBACK", "SAVEPOINT", "SET":
		return p.sqlStatement()
	case "OPEN":
		return p.openCursor()
	case "IF", "LOOP", "FOR", "WHILE", "CASE", "FETCH", "CLOSE", "RAISE", "RETURN", "DECLARE", "BEGIN", "GOTO", "FORALL", "EXIT", "MERGE":
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
