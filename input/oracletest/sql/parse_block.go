package sql

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
	p.acceptOp("/")
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
	case "IF", "LOOP", "FOR", "WHILE", "CASE", "OPEN", "FETCH", "CLOSE", "RAISE", "RETURN", "DECLARE", "BEGIN", "GOTO", "FORALL", "EXIT", "MERGE":
		p.failWith(unimplemented(tok.pos, "PL/SQL "+tok.text))
		return nil
	}
	return p.procedureCall()
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
