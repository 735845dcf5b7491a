package sql

import "strings"

func (p *parser) grant() Statement {
	s := &Grant{Revoke: p.take().text == "REVOKE"}
	preposition := "TO"
	if s.Revoke {
		preposition = "FROM"
	}
	s.Privileges = []Privilege{p.privilege(preposition)}
	for p.acceptOp(",") {
		s.Privileges = append(s.Privileges, p.privilege(preposition))
	}
	if p.accept("ON") {
		s.On = p.grantedObject()
	}
	p.expect(preposition)
	s.Grantees = []string{p.grantee()}
	for p.acceptOp(",") {
		s.Grantees = append(s.Grantees, p.grantee())
	}
	p.grantTail(s)
	return s
}

// privilege takes words up to the next clause.
func (p *parser) privilege(preposition string) Privilege {
	first := p.peek()
	var words []string
	for !p.is(preposition) && !p.is("ON") && (p.peek().kind == tokWord || p.peek().kind == tokQuoted) {
		words = append(words, p.take().text)
	}
	if len(words) == 0 {
		p.fail(990, "missing or invalid privilege")
	}
	if p.peek().isOp("(") {
		p.failWith(unimplemented(first.pos, "privilege on columns"))
	}
	return Privilege{Pos: first.pos, Name: strings.Join(words, " ")}
}

func (p *parser) grantedObject() *Object {
	switch tok := p.peek(); {
	case tok.is("DIRECTORY"), tok.is("USER"), tok.is("EDITION"), tok.is("JAVA"), tok.is("MINING"), tok.is("SQL"), tok.is("SCHEMA"):
		p.failWith(unimplemented(tok.pos, "privilege on "+tok.text))
	}
	o := p.object()
	return &o
}

func (p *parser) grantee() string {
	if p.accept("PUBLIC") {
		return "PUBLIC"
	}
	return p.name(987, "missing or invalid username(s)")
}

func (p *parser) grantTail(s *Grant) {
	for p.failed == nil && !p.atEnd() {
		switch {
		case p.is("CONTAINER"):
			s.Container = p.container()
		case !s.Revoke && s.On == nil && p.accept("WITH", "ADMIN", "OPTION"), !s.Revoke && s.On != nil && p.accept("WITH", "GRANT", "OPTION"):
			s.Option = true
		case s.Revoke && s.On != nil && p.accept("CASCADE", "CONSTRAINTS"):
		default:
			p.failWith(unimplemented(p.peek().pos, "GRANT "+p.peek().text))
		}
	}
}
