package sqlredo

import "strings"

// Parse reads one whole statement, all its chunks already joined (R9). After an error the Statement holds nothing of use.
func (s *Statement) Parse(text string) error {
	*s = Statement{Columns: s.Columns[:0], Where: s.Where[:0], calls: s.calls[:0]}
	p := parser{text: text, out: s}
	var err error
	switch {
	case p.accept("insert into "):
		s.Kind = Insert
		err = p.insert()
	case p.accept("update "):
		s.Kind = Update
		err = p.update()
	case p.accept("delete from "):
		s.Kind = Delete
		err = p.delete()
	case text == "Unsupported", strings.HasPrefix(text, "/* No SQL_REDO for temporary tables"):
		return p.fail(noStatement) // reference logminer D.2
	default:
		return p.fail(badKeyword)
	}
	if err != nil {
		return err
	}
	// The product mines with NO_SQL_DELIMITER (options 2128, reference logminer A.2), so its texts end without one and it cannot be
	// demanded; recordings of others have it (D.1). A text that is cut where a shorter one could end lacks columns, which the
	// engine refuses; a cut INSERT is refused here.
	p.accept(";")
	if p.pos != len(p.text) {
		return p.fail(badEnd)
	}
	return nil
}

// parser is the state of one Parse.
type parser struct {
	text string
	pos  int
	// alias is the table's alias, empty without one.
	alias string
	out   *Statement
}

func (p *parser) fail(reason string) error { return &Error{Offset: p.pos, Reason: reason} }

// accept takes s if the text goes on with it.
func (p *parser) accept(s string) bool {
	if strings.HasPrefix(p.text[p.pos:], s) {
		p.pos += len(s)
		return true
	}
	return false
}

// peek gives the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) insert() error {
	if err := p.table(); err != nil {
		return err
	}
	p.accept(" ")
	if !p.accept("(") {
		return p.fail(badList)
	}
	for {
		name, err := p.name(badName)
		if err != nil {
			return err
		}
		p.out.Columns = append(p.out.Columns, Assignment{Name: name})
		if !p.accept(",") {
			break
		}
	}
	if !p.accept(")") {
		return p.fail(badList)
	}
	if !p.accept(" values ") && !p.accept(" values") || !p.accept("(") {
		return p.fail(badValues)
	}
	return p.values()
}

func (p *parser) values() error {
	for i := range p.out.Columns {
		if i > 0 && !p.accept(",") {
			return p.fail(badCount)
		}
		if err := p.literal(&p.out.Columns[i].Value); err != nil {
			return err
		}
		if c := p.peek(); c != ',' && c != ')' {
			return p.fail(badEnd)
		}
	}
	if !p.accept(")") {
		return p.fail(badCount)
	}
	return nil
}

func (p *parser) update() error {
	if err := p.aliasedTable(); err != nil {
		return err
	}
	if !p.accept(" set ") {
		return p.fail(badSet)
	}
	for {
		if err := p.assignment(); err != nil {
			return err
		}
		if !p.accept(", ") {
			break
		}
	}
	return p.where()
}

func (p *parser) delete() error {
	if err := p.aliasedTable(); err != nil {
		return err
	}
	return p.where()
}

func (p *parser) assignment() error {
	name, err := p.column()
	if err != nil {
		return err
	}
	if !p.accept(" = ") {
		return p.fail(badEqual)
	}
	p.out.Columns = append(p.out.Columns, Assignment{Name: name})
	return p.literal(&p.out.Columns[len(p.out.Columns)-1].Value)
}

// where reads the WHERE clause; undo rows and tables without supplemental logging have none (reference logminer D.1).
func (p *parser) where() error {
	if !p.accept(" where ") {
		return nil
	}
	for {
		if err := p.predicate(); err != nil {
			return err
		}
		if !p.accept(" and ") {
			return nil
		}
	}
}

func (p *parser) predicate() error {
	begin := p.pos
	if err := p.qualifier(); err != nil {
		return err
	}
	if p.accept("ROWID") {
		return p.rowID()
	}
	p.pos = begin
	name, err := p.column()
	if err != nil {
		return err
	}
	p.out.Where = append(p.out.Where, Assignment{Name: name})
	lit := &p.out.Where[len(p.out.Where)-1].Value
	switch {
	case p.accept(" = "):
		return p.literal(lit)
	case p.accept(" IS NULL"):
		lit.Form, lit.Offset = Null, p.pos-len("NULL")
		return nil
	}
	return p.fail(badEqual)
}

func (p *parser) rowID() error {
	if !p.accept(" = ") || p.peek() != '\'' || p.out.RowID != "" {
		return p.fail(badRowID)
	}
	q, err := p.quoted()
	if err != nil {
		return err
	}
	if q.Raw == "" || q.Doubled {
		return p.fail(badRowID)
	}
	p.out.RowID = q.Raw
	return nil
}

func (p *parser) table() error {
	var err error
	if p.out.Owner, err = p.name(badTable); err != nil {
		return err
	}
	if !p.accept(".") {
		return p.fail(badTable)
	}
	p.out.Table, err = p.name(badTable)
	return err
}

// aliasedTable reads a table and the one letter that LogMiner gives tables with object, XML or ANYDATA columns (C005).
func (p *parser) aliasedTable() error {
	if err := p.table(); err != nil {
		return err
	}
	rest := p.text[p.pos:]
	if len(rest) < 2 || rest[0] != ' ' || !isLetter(rest[1]) || (len(rest) > 2 && rest[2] != ' ' && rest[2] != ';') {
		return nil
	}
	p.alias = rest[1:2]
	p.pos += 2
	return nil
}

// column reads a column name with or without the table's alias before it.
func (p *parser) column() (string, error) {
	if err := p.qualifier(); err != nil {
		return "", err
	}
	return p.name(badName)
}

func (p *parser) qualifier() error {
	rest := p.text[p.pos:]
	if len(rest) < 2 || rest[1] != '.' || rest[0] == '"' {
		return nil
	}
	if p.alias == "" || rest[:1] != p.alias {
		return p.fail(badAlias)
	}
	p.pos += 2
	return nil
}

// name reads a quoted identifier. It cannot hold a double quote (reference logminer D.1), so the next one ends it.
func (p *parser) name(reason string) (string, error) {
	if p.peek() != '"' {
		return "", p.fail(reason)
	}
	n := strings.IndexByte(p.text[p.pos+1:], '"')
	if n <= 0 {
		return "", p.fail(reason)
	}
	name := p.text[p.pos+1 : p.pos+1+n]
	p.pos += n + 2
	return name, nil
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
