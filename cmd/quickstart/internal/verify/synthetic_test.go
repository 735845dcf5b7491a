package verify_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

// tablesOf makes the same tables in every PDB.
func tablesOf(pdb string) []*ledger.Table {
	return []*ledger.Table{
		{PDB: pdb, Owner: "APP", Name: "ORDERS", Columns: []ledger.Column{
			{Name: "ID", Kind: ledger.Integer, Key: true},
			{Name: "STATUS", Kind: ledger.Text},
			{Name: "AMOUNT", Kind: ledger.Decimal, Scale: 2},
			{Name: "PLACED", Kind: ledger.Date},
			{Name: "CHANGED", Kind: ledger.Timestamp, Scale: 6},
			{Name: "TAG", Kind: ledger.Text},
		}},
		{PDB: pdb, Owner: "APP", Name: "ITEMS", Columns: []ledger.Column{
			{Name: "ORDER_ID", Kind: ledger.Integer, Key: true},
			{Name: "LINE", Kind: ledger.Integer, Key: true},
			{Name: "WEIGHT", Kind: ledger.Variable},
			{Name: "CHECKSUM", Kind: ledger.Raw},
			{Name: "TAG", Kind: ledger.Text},
		}},
		{PDB: pdb, Owner: "APP", Name: "KINDS", Columns: kinds},
	}
}

// kinds has every kind of column, and a text as its key.
var (
	kinds = []ledger.Column{
		{Name: "CODE", Kind: ledger.Text, Key: true},
		{Name: "WHOLE", Kind: ledger.Integer},
		{Name: "HUNDREDS", Kind: ledger.Integer, Scale: -2},
		{Name: "EXACT", Kind: ledger.Decimal, Scale: 4},
		{Name: "LONG", Kind: ledger.Decimal},
		{Name: "FREE", Kind: ledger.Variable},
		{Name: "SINGLE", Kind: ledger.Binary32},
		{Name: "DOUBLE", Kind: ledger.Binary64},
		{Name: "WORDS", Kind: ledger.Text},
		{Name: "PADDED", Kind: ledger.Fixed, Size: 12},
		{Name: "BYTES", Kind: ledger.Raw},
		{Name: "DAY", Kind: ledger.Date},
		{Name: "T0", Kind: ledger.Timestamp},
		{Name: "T2", Kind: ledger.Timestamp, Scale: 2},
		{Name: "T3", Kind: ledger.Timestamp, Scale: 3},
		{Name: "T5", Kind: ledger.Timestamp, Scale: 5},
		{Name: "T6", Kind: ledger.Timestamp, Scale: 6},
		{Name: "T7", Kind: ledger.Timestamp, Scale: 7},
		{Name: "T9", Kind: ledger.Timestamp, Scale: 9},
		{Name: "Z0", Kind: ledger.Zoned},
		{Name: "Z9", Kind: ledger.Zoned, Scale: 9},
		{Name: "L3", Kind: ledger.Local, Scale: 3},
		{Name: "YEARS", Kind: ledger.Months},
		{Name: "DAYS", Kind: ledger.Micros},
		{Name: "TAG", Kind: ledger.Text},
	}
	pdbs   = [][]*ledger.Table{tablesOf("FREEPDB1"), tablesOf("SALES")}
	orders = pdbs[0][0]
	format = verify.Format{Prefix: "shop", Tables: append(tablesIn(0), tablesIn(1)...)}
)

func tablesIn(pdb int) []*ledger.Table { return slices.Clone(pdbs[pdb]) }

// history is a synthetic run: a workload, what a right pipeline makes of it, and the source.
type history struct {
	random  *rand.Rand
	rows    map[*ledger.Table]map[string]ledger.Row
	ledger  []ledger.Transaction
	stream  []verify.Record
	scn     uint64
	scns    []uint64
	sources map[uint64]map[*ledger.Table]map[string]ledger.Row
}

func newHistory(seed uint64, transactions int) *history {
	h := &history{
		random:  rand.New(rand.NewPCG(seed, 7)),
		rows:    map[*ledger.Table]map[string]ledger.Row{},
		scn:     1000,
		sources: map[uint64]map[*ledger.Table]map[string]ledger.Row{},
	}
	for _, table := range format.Tables {
		h.rows[table] = map[string]ledger.Row{}
	}
	for n := range transactions {
		h.transaction(n)
		if n == transactions/2 || n == transactions-1 {
			h.keepState()
		}
	}
	return h
}

func (h *history) keepState() {
	h.scns = append(h.scns, h.scn)
	copied := map[*ledger.Table]map[string]ledger.Row{}
	for table, rows := range h.rows {
		copied[table] = map[string]ledger.Row{}
		for key, row := range rows {
			copied[table][key] = row
		}
	}
	h.sources[h.scn] = copied
}

// Rows makes the history the source of its own records.
func (h *history) Rows(_ context.Context, table *ledger.Table, scn uint64) ([]ledger.Row, error) {
	var rows []ledger.Row
	for _, row := range h.sources[scn][table] {
		rows = append(rows, row)
	}
	return rows, nil
}

// transaction makes one of up to five changes; the first is an insert, so that the tag is seen. The PDBs take turns, and both use
// the same tags and transaction ids.
func (h *history) transaction(n int) {
	h.scn += uint64(2 + h.random.IntN(9))
	tables, turn := pdbs[n%2], n/2
	tag := fmt.Sprintf("t%03d", turn)
	tx := ledger.Transaction{PDB: tables[0].PDB, Tag: tag}
	xid := fmt.Sprintf("%d.%d.%d", 1+turn%9, turn%30, 100+turn)
	type image struct{ before, after ledger.Row }
	var images []image
	for n, count := 0, 1+h.random.IntN(5); n < count; n++ {
		table := tables[h.random.IntN(len(tables))]
		op := []ledger.Op{ledger.Insert, ledger.Insert, ledger.Update, ledger.Update, ledger.Delete}[h.random.IntN(5)]
		if n == 0 {
			op = ledger.Insert
		}
		change, before, ok := h.change(table, op, tag)
		if !ok {
			n--
			continue
		}
		tx.Changes = append(tx.Changes, change)
		images = append(images, image{before, change.After})
	}
	order := map[*ledger.Table]int{}
	for i, c := range tx.Changes {
		order[c.Table]++
		r := recorder{h: h, xid: xid, event: i, count: len(tx.Changes), table: c.Table, order: order[c.Table]}
		before, after := images[i].before, images[i].after
		switch {
		case c.Rekeys():
			r.add("d", before, nil)
			r.tombstone(before)
			r.add("c", nil, after)
		case c.Op == ledger.Delete:
			r.add("d", before, nil)
			r.tombstone(before)
		case c.Op == ledger.Update:
			r.add("u", before, after)
		default:
			r.add("c", nil, after)
		}
	}
	h.ledger = append(h.ledger, tx)
}

func (h *history) change(table *ledger.Table, op ledger.Op, tag string) (ledger.Change, ledger.Row, bool) {
	rows := h.rows[table]
	if op == ledger.Insert {
		row := h.row(table, tag)
		key := table.Key(row)
		if _, exists := rows[key.String()]; exists {
			return ledger.Change{}, nil, false
		}
		rows[key.String()] = row
		return ledger.Change{Table: table, Op: op, Key: key, After: row}, nil, true
	}
	var before ledger.Row
	for _, row := range rows {
		if before == nil || row.String() < before.String() {
			before = row
		}
	}
	if before == nil {
		return ledger.Change{}, nil, false
	}
	key := table.Key(before)
	delete(rows, key.String())
	if op == ledger.Delete {
		return ledger.Change{Table: table, Op: op, Key: key}, before, true
	}
	after := h.row(table, tag)
	if _, taken := rows[table.Key(after).String()]; taken || h.random.IntN(3) > 0 {
		copy(after, key)
	}
	rows[table.Key(after).String()] = after
	return ledger.Change{Table: table, Op: op, Key: key, After: after}, before, true
}

func (h *history) row(table *ledger.Table, tag string) ledger.Row {
	row := make(ledger.Row, len(table.Columns))
	for i, c := range table.Columns {
		switch {
		case c.Name == ledger.TagColumn:
			row[i] = ledger.Of(tag)
		case c.Key && c.Kind == ledger.Text:
			row[i] = ledger.Of(fmt.Sprintf("é%d", h.random.IntN(20)))
		case !c.Key && h.random.IntN(5) == 0:
			row[i] = ledger.Null()
		default:
			row[i] = h.value(c)
		}
	}
	return row
}

func (h *history) value(c ledger.Column) ledger.Value {
	when := time.Unix(1_700_000_000+int64(h.random.IntN(1e6)), int64(h.random.IntN(1e9))).UTC()
	switch c.Kind {
	case ledger.Integer:
		return ledger.Scaled(big.NewInt(int64(h.random.IntN(20))), c.Scale)
	case ledger.Decimal, ledger.Variable:
		return ledger.Scaled(big.NewInt(int64(h.random.IntN(1e6)-5e5)), c.Scale)
	case ledger.Binary32:
		return ledger.Float(float64(float32(h.random.NormFloat64())), 32)
	case ledger.Binary64:
		return ledger.Float([]float64{h.random.NormFloat64() * 1e30, math.NaN(), math.Inf(1), math.Inf(-1), 0.1}[h.random.IntN(5)], 64)
	case ledger.Fixed:
		return ledger.Of(fmt.Sprintf("%-*s", c.Size, []string{"NEW", "ü", "PAID"}[h.random.IntN(3)]))
	case ledger.Date:
		return ledger.Seconds(when)
	case ledger.Timestamp:
		return ledger.Instant(when, c.Scale)
	case ledger.Zoned:
		return ledger.WithOffset(when.In(time.FixedZone("", (h.random.IntN(100)-50)*900)), c.Scale)
	case ledger.Local:
		return ledger.WithOffset(when, c.Scale)
	case ledger.Months:
		return ledger.Int(int64(h.random.IntN(2000) - 1000))
	case ledger.Micros:
		return ledger.Int(h.random.Int64N(2e15) - 1e15)
	case ledger.Raw:
		return ledger.Bytes([]byte{byte(h.random.IntN(256)), 1})
	default:
		return ledger.Of([]string{"NEW", "O'Brien", "naïve", "PAID "}[h.random.IntN(4)])
	}
}

// recorder writes the records of one event.
type recorder struct {
	h                   *history
	xid                 string
	event, count, order int
	table               *ledger.Table
}

func (r recorder) add(op string, before, after ledger.Row) {
	row := after
	if row == nil {
		row = before
	}
	scn := strconv.FormatUint(r.h.scn-1, 10)
	commit := strconv.FormatUint(r.h.scn, 10)
	value := `{"before":` + object(r.columns(), before) + `,"after":` + object(r.columns(), after) +
		`,"source":{"version":"1","connector":"oracle-cdc","name":"shop","ts_ms":1,"snapshot":"false","db":"` + r.table.PDB + `",` +
		`"schema":"` + r.table.Owner + `","table":"` + strings.Split(r.table.Called(r.steps()), ".")[2] + `","txId":"` + r.xid + `","scn":"` + scn +
		`","commit_scn":"` + commit + `","pdb":"` + r.table.PDB + `"},"op":"` + op + `","transaction":{"id":"` + r.xid +
		`","total_order":` + strconv.Itoa(r.event+1) + `,"data_collection_order":` + strconv.Itoa(r.order) + `}}`
	r.append(row, []byte(value))
}

func (r recorder) steps() int { return r.table.At(r.h.scn - 1) }

func (r recorder) columns() ledger.Columns { return r.table.Layout(r.steps()) }

func (r recorder) tombstone(row ledger.Row) { r.append(row, nil) }

func (r recorder) append(row ledger.Row, value []byte) {
	key := object(r.columns().KeyColumns(), r.columns().Key(row))
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(key))
	r.h.stream = append(r.h.stream, verify.Record{
		Topic: format.Topic(r.table, r.steps()), Partition: int32(hash.Sum32() % 3), Key: []byte(key), Value: value,
		Headers: []verify.Header{
			{Key: "cdc.scn", Value: strconv.FormatUint(r.h.scn-1, 10)},
			{Key: "cdc.commit_scn", Value: strconv.FormatUint(r.h.scn, 10)},
			{Key: "cdc.xid", Value: r.xid},
			{Key: "cdc.event_index", Value: strconv.Itoa(r.event)},
			{Key: "cdc.event_count", Value: strconv.Itoa(r.count)},
			{Key: "cdc.schema_version", Value: "1"},
		},
	})
}

func object(columns []ledger.Column, row ledger.Row) string {
	if row == nil {
		return "null"
	}
	fields := make([]string, len(columns))
	for i, c := range columns {
		fields[i] = strconv.Quote(c.Name) + ":" + field(c, row[i])
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func field(c ledger.Column, v ledger.Value) string {
	if v.Null {
		return "null"
	}
	switch c.Kind {
	case ledger.Integer:
		return v.Text
	case ledger.Decimal:
		return `"` + unscaled(v.Text, c.Scale) + `"`
	case ledger.Variable:
		_, fraction, _ := strings.Cut(v.Text, ".")
		return fmt.Sprintf(`{"scale":%d,"value":"%s"}`, len(fraction), unscaled(v.Text, len(fraction)))
	case ledger.Date, ledger.Timestamp:
		t, _ := v.Time()
		switch {
		case c.Scale > 6:
			return strconv.FormatInt(t.UnixNano(), 10)
		case c.Scale > 3:
			return strconv.FormatInt(t.UnixMicro(), 10)
		}
		return strconv.FormatInt(t.UnixMilli(), 10)
	case ledger.Zoned, ledger.Local:
		day, clock, _ := strings.Cut(strings.Replace(v.Text, " +00:00", "Z", 1), " ")
		return strconv.Quote(day + "T" + strings.Replace(clock, " ", "", 1))
	case ledger.Binary32, ledger.Binary64:
		if strings.ContainsAny(v.Text, "NI") {
			return strconv.Quote(v.Text)
		}
		return v.Text
	case ledger.Months:
		n, _ := strconv.ParseFloat(v.Text, 64)
		return strconv.FormatFloat(n*2_629_800_000_000, 'E', -1, 64)
	case ledger.Micros:
		n, _ := strconv.ParseFloat(v.Text, 64)
		return strconv.FormatFloat(n, 'E', -1, 64)
	case ledger.Raw:
		b, _ := hex.DecodeString(v.Text)
		return `"` + base64.StdEncoding.EncodeToString(b) + `"`
	default:
		return strconv.Quote(v.Text)
	}
}

// unscaled gives the base64 of the two's complement bytes of a decimal.
func unscaled(text string, scale int) string {
	whole, fraction, _ := strings.Cut(text, ".")
	n, _ := new(big.Int).SetString(whole+fraction+strings.Repeat("0", scale-len(fraction)), 10)
	b := make([]byte, 8)
	for i := range b {
		b[7-i] = byte(new(big.Int).Rsh(n, uint(8*i)).Int64())
	}
	return base64.StdEncoding.EncodeToString(b)
}

// topics lays the stream into partitions as a pipeline does that dies once for every pair of places: it is killed when about
// killed records were written, some of its last ones missing in some partitions, and goes on from the record resumed.
func (h *history) topics(deaths ...[2]int) []verify.Record {
	type key struct {
		topic     string
		partition int32
	}
	logs := map[key][]verify.Record{}
	var keys []key
	write := func(from, to, life int, missing bool) {
		cut := map[key]bool{}
		for i := from; i < to; i++ {
			r := h.stream[i]
			k := key{r.Topic, r.Partition}
			if missing && i >= to-6 && h.random.IntN(3) == 0 {
				cut[k] = true
			}
			if cut[k] {
				continue
			}
			if logs[k] == nil {
				keys = append(keys, k)
			}
			r.Life, r.Offset, r.Time = life, int64(len(logs[k])), int64(life*1e6+i/3)
			logs[k] = append(logs[k], r)
		}
	}
	from := 0
	for life, d := range deaths {
		write(from, d[0], life, true)
		from = d[1]
	}
	write(from, len(h.stream), len(deaths), false)
	var records []verify.Record
	for _, k := range keys {
		records = append(records, logs[k]...)
	}
	return records
}

func (h *history) judge(t *testing.T, records []verify.Record) *verify.Report {
	t.Helper()
	return h.judgeWith(t, records, nil)
}

func (h *history) judgeWith(t *testing.T, records []verify.Record, stored []verify.Stored) *verify.Report {
	t.Helper()
	report, err := verify.Judge(context.Background(), verify.Evidence{
		Format: format, Records: records, Committed: h.ledger, Source: h, SCNs: h.scns, Stored: stored,
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}
