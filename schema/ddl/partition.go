package ddl

// partitions reports a word for partitions k places ahead.
func (p *parser) partitions(k int) bool {
	switch p.word(k) {
	case "PARTITION", "PARTITIONS", "SUBPARTITION", "SUBPARTITIONS", "PARTITIONSET":
		return true
	}
	return false
}

// segments reads on behind the verb of a clause that gives a table or its partitions other segments. No other clause follows it.
func (p *parser) segments(verb string) bool {
	class, effects := Partition, Segments
	parts := p.partitions(0)
	p.s.Partitioned = parts
	switch {
	case verb == "MOVE":
		class, effects = MoveTable, Segments|RowIDs
	case verb == "COALESCE" && !parts:
		class, effects = Ignore, RowIDs // of an index-organised table
	case verb == "RENAME":
		effects = 0
	case !parts:
		return false
	case verb == "TRUNCATE":
		class, effects = TruncatePartition, Segments|Rowless
	case verb == "DROP", verb == "EXCHANGE":
		effects |= Rowless
	case verb == "SPLIT", verb == "MERGE", verb == "COALESCE":
		effects |= RowIDs
	}
	bounds, made := false, -1 // made is where the names of new partitions begin
	if verb == "ADD" {
		made = 0
	}
	for !p.ended() && !p.symbol(0, ";") {
		switch {
		case p.partitions(0):
			p.skip(1)
			p.partition()
			continue
		case p.reads(0, "INCLUDING", "ROWS"):
			effects |= Rowless // a filter: the others are gone
		case verb == "TRUNCATE" && p.word(0) == "CASCADE", verb == "EXCHANGE" && p.word(0) == "CASCADE":
			p.s.Cascades = true
		case p.word(0) == "VALUES":
			bounds = true
		case verb == "MODIFY" && p.word(0) == "COALESCE":
			effects |= RowIDs
		case verb == "MODIFY" && p.reads(0, "ADD", "SUBPARTITION"), verb == "MERGE" && p.word(0) == "INTO":
			effects |= RowIDs
			made = len(p.s.Partitions)
		case verb == "EXCHANGE" && p.take("WITH", "TABLE"):
			partner, ok := p.name()
			if !ok {
				return false
			}
			p.s.Also = append(p.s.Also, partner)
			continue
		case verb == "SPLIT" && p.reads(0, "INTO") && p.symbol(1, "("):
			made = len(p.s.Partitions)
			p.skip(2)
			if !p.into() {
				return false
			}
			continue
		}
		if !p.pass() {
			return false
		}
	}
	if verb == "ADD" && !bounds {
		effects |= RowIDs // the rows of hash partitions are shared out anew
	}
	if verb == "EXCHANGE" && len(p.s.Also) == 0 {
		return false
	}
	if made >= 0 {
		p.s.Made = p.s.Partitions[made:]
	}
	return p.also(class, effects)
}

// partition takes the names behind a word for partitions, if there are any: (a), a, b, a AND b, a TO b.
func (p *parser) partition() {
	for {
		p.take("IF", "EXISTS")
		name, ok := p.simple()
		if !ok {
			return
		}
		p.s.Partitions = append(p.s.Partitions, name)
		switch next := p.peek(1); {
		case p.partitions(1), next.Kind != Word && next.Kind != Quoted:
			return
		case !p.takeSymbol(",") && !p.take("AND") && !p.take("TO"):
			return
		}
	}
}

// into reads the partitions of SPLIT … INTO up to the closing bracket.
func (p *parser) into() bool {
	for !p.takeSymbol(")") {
		if p.partitions(0) {
			p.skip(1)
			p.partition()
			continue
		}
		if !p.pass() {
			return false
		}
	}
	return true
}
