package sql

func (p *parser) userName() string { return p.name(1935, "missing user or role name") }

func (p *parser) createUser() Statement {
	s := &CreateUser{Name: p.userName()}
	p.expect("IDENTIFIED", "BY")
	s.Password = p.password()
	for p.failed == nil && !p.atEnd() {
		switch {
		case p.accept("ACCOUNT"):
			s.Locked = p.accountState()
		case p.accept("PASSWORD", "EXPIRE"):
			s.Expired = true
		default:
			p.userClause("CREATE USER")
		}
	}
	return s
}

func (p *parser) atEnd() bool { return p.peek().kind == tokEnd || p.peek().isOp(";") }

func (p *parser) password() string {
	tok := p.take()
	if tok.kind != tokWord && tok.kind != tokQuoted {
		p.failAt(tok.pos, 988, "missing or invalid password(s)")
		return ""
	}
	// A password keeps its case even without quotes.
	if tok.kind == tokWord {
		return p.text[tok.pos:tok.end]
	}
	return tok.text
}

// accountState reports whether ACCOUNT LOCK follows.
func (p *parser) accountState() (locked bool) {
	switch p.acceptAny("LOCK", "UNLOCK") {
	case "LOCK":
		return true
	case "":
		p.fail(922, "missing or invalid option")
	}
	return false
}

// userClause takes the clauses that change nothing here: there is one tablespace and no quota.
func (p *parser) userClause(statement string) {
	switch {
	case p.accept("QUOTA"):
		if !p.accept("UNLIMITED") {
			p.integer()
			p.acceptAny("K", "M", "G")
		}
		p.expect("ON")
		p.name(959, "tablespace does not exist")
	case p.accept("DEFAULT", "TABLESPACE"), p.accept("TEMPORARY", "TABLESPACE"):
		p.name(959, "tablespace does not exist")
	case p.is("CONTAINER"):
		p.container()
	default:
		p.failWith(unimplemented(p.peek().pos, statement+" "+p.peek().text))
	}
}

// container parses CONTAINER = ALL or CURRENT, if it follows.
func (p *parser) container() string {
	if !p.accept("CONTAINER") {
		return ""
	}
	p.expectOp("=")
	which := p.acceptAny("ALL", "CURRENT")
	if which == "" {
		p.fail(65013, "invalid CONTAINER clause")
	}
	return which
}

func (p *parser) alterUser() Statement {
	s := &AlterUser{Name: p.userName()}
	if p.atEnd() {
		p.fail(922, "missing or invalid option")
	}
	for p.failed == nil && !p.atEnd() {
		switch {
		case p.accept("IDENTIFIED", "BY"):
			s.Password = p.password()
		case p.accept("ACCOUNT"):
			locked := p.accountState()
			s.Locked = &locked
		case p.accept("PASSWORD", "EXPIRE"):
			s.Expired = true
		case p.is("SET", "CONTAINER_DATA"), p.is("ADD", "CONTAINER_DATA"), p.is("REMOVE", "CONTAINER_DATA"):
			s.ContainerData = p.containerData()
		default:
			p.userClause("ALTER USER")
		}
	}
	return s
}

func (p *parser) containerData() *ContainerData {
	d := &ContainerData{Op: p.take().text}
	p.take()
	p.expectOp("=")
	switch {
	case d.Op == "SET" && p.accept("ALL"):
		d.All = true
	case d.Op == "SET" && p.accept("DEFAULT"):
	default:
		p.expectOp("(")
		d.Names = []string{p.containerName()}
		for p.acceptOp(",") {
			d.Names = append(d.Names, p.containerName())
		}
		p.expectOp(")")
	}
	if p.is("FOR") {
		p.failWith(unimplemented(p.peek().pos, "CONTAINER_DATA FOR a view"))
	}
	return d
}

func (p *parser) createRole() Statement {
	s := &CreateRole{Name: p.userName()}
	if !p.accept("NOT", "IDENTIFIED") && p.is("IDENTIFIED") {
		p.failWith(unimplemented(p.peek().pos, "role with a password"))
	}
	p.container()
	return s
}
