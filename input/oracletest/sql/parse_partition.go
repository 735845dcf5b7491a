package sql

// partitioning parses PARTITION BY.
func (p *parser) partitioning() *Partitioning {
	s := &Partitioning{Pos: p.peek().pos}
	p.expect("PARTITION", "BY")
	s.Kind = p.acceptAny("RANGE", "LIST", "HASH")
	if s.Kind == "" {
		p.failWith(unimplemented(p.peek().pos, "PARTITION BY "+p.peek().text))
		return s
	}
	s.Columns = p.columns()
	if s.Kind == "RANGE" && p.accept("INTERVAL") {
		p.expectOp("(")
		start := p.peek().pos
		s.Interval = p.expression()
		if p.failed == nil {
			s.IntervalText = p.text[start:p.tokens[p.i-1].end]
		}
		p.expectOp(")")
	}
	s.Automatic = s.Kind == "LIST" && p.accept("AUTOMATIC")
	if p.is("SUBPARTITION") {
		p.failWith(unimplemented(p.peek().pos, "SUBPARTITION"))
		return s
	}
	if s.Kind == "HASH" && p.accept("PARTITIONS") {
		s.Count = p.integer()
		return s
	}
	p.expectOp("(")
	s.Partitions = []PartitionDef{p.partitionDef(s.Kind)}
	for p.acceptOp(",") {
		s.Partitions = append(s.Partitions, p.partitionDef(s.Kind))
	}
	p.expectOp(")")
	return s
}

// partitionDef parses PARTITION [name] [VALUES ...] with its storage.
func (p *parser) partitionDef(kind string) PartitionDef {
	d := PartitionDef{Pos: p.peek().pos}
	p.expect("PARTITION")
	if !p.is("VALUES") && p.isName() {
		d.Name = p.name(14007, "missing LESS keyword")
	}
	if kind != "HASH" {
		p.partitionValues(&d)
	}
	p.storage()
	return d
}

func (p *parser) partitionValues(d *PartitionDef) {
	p.expect("VALUES")
	if d.Less = p.accept("LESS", "THAN"); d.Less {
		d.Values, d.Texts = p.values("MAXVALUE")
		return
	}
	d.Values, d.Texts = p.values("DEFAULT")
}

// values parses values in parentheses; a keyword instead of one is nil.
func (p *parser) values(keyword string) (list []Expr, texts []string) {
	p.expectOp("(")
	for {
		start := p.peek().pos
		var e Expr
		if !p.accept(keyword) {
			e = p.expression()
		}
		if p.failed != nil {
			return nil, nil
		}
		list, texts = append(list, e), append(texts, p.text[start:p.tokens[p.i-1].end])
		if !p.acceptOp(",") {
			break
		}
	}
	p.expectOp(")")
	return list, texts
}

// partitionChange parses ADD, DROP, TRUNCATE, MOVE, SPLIT, MERGE, EXCHANGE and RENAME of partitions.
func (p *parser) partitionChange(s *AlterTable) bool {
	tok := p.peek()
	next := p.ahead(1)
	if tok.kind != tokWord || !next.is("PARTITION") && !next.is("PARTITIONS") {
		return false
	}
	switch tok.text {
	case "ADD", "DROP", "TRUNCATE", "MOVE", "SPLIT", "MERGE", "EXCHANGE", "RENAME":
	default:
		return false
	}
	c := &PartitionChange{Pos: tok.pos, Op: p.take().text}
	s.Partition = c
	if c.Op == "ADD" {
		c.Add = []PartitionDef{p.addedPartition()}
		for p.acceptOp(",") {
			c.Add = append(c.Add, p.addedPartition())
		}
		return true
	}
	p.take()
	if p.is("FOR") {
		p.failWith(unimplemented(p.peek().pos, "PARTITION FOR"))
		return true
	}
	c.Names = []string{p.name(14006, "invalid partition name")}
	for (c.Op == "DROP" || c.Op == "TRUNCATE" || c.Op == "MERGE") && p.acceptOp(",") {
		c.Names = append(c.Names, p.name(14006, "invalid partition name"))
	}
	switch c.Op {
	case "SPLIT":
		p.expect("AT")
		c.At, c.AtTexts = p.values("MAXVALUE")
		p.expect("INTO")
		p.expectOp("(")
		c.Add = []PartitionDef{p.partitionDef("HASH")}
		p.expectOp(",")
		c.Add = append(c.Add, p.partitionDef("HASH"))
		p.expectOp(")")
	case "MERGE":
		p.expect("INTO")
		c.Add = []PartitionDef{p.partitionDef("HASH")}
	case "EXCHANGE":
		p.expect("WITH", "TABLE")
		c.With, c.Validate = p.object(), true
		_ = p.accept("INCLUDING", "INDEXES") || p.accept("EXCLUDING", "INDEXES")
		if p.accept("WITHOUT", "VALIDATION") {
			c.Validate = false
		} else {
			p.accept("WITH", "VALIDATION")
		}
	case "RENAME":
		p.expect("TO")
		c.Names = append(c.Names, p.name(14006, "invalid partition name"))
	case "MOVE":
		p.storage()
	case "TRUNCATE":
		if p.accept("DROP") || p.accept("REUSE") {
			p.expect("STORAGE")
		}
	}
	if c.Op != "RENAME" {
		_ = p.accept("UPDATE", "GLOBAL", "INDEXES") || p.accept("UPDATE", "INDEXES")
	}
	return true
}

// addedPartition parses a partition behind ADD, whose kind the table knows.
func (p *parser) addedPartition() PartitionDef {
	d := PartitionDef{Pos: p.peek().pos}
	p.expect("PARTITION")
	if !p.is("VALUES") && p.isName() {
		d.Name = p.name(14006, "invalid partition name")
	}
	if p.is("VALUES") {
		p.partitionValues(&d)
	}
	p.storage()
	return d
}
