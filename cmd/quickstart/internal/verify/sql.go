package verify

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"strings"
	"time"

	// The driver registers itself under the name oracle.
	_ "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Database is the source over SQL.
type Database struct{ DB *sql.DB }

// Rows reads a table AS OF an SCN.
func (d Database) Rows(ctx context.Context, table *ledger.Table, scn uint64) ([]ledger.Row, error) {
	names := make([]string, len(table.Columns))
	for i, c := range table.Columns {
		names[i] = c.Name
	}
	result, err := d.DB.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s.%s AS OF SCN %d",
		strings.Join(names, ", "), table.Owner, table.Name, scn))
	if err != nil {
		return nil, err
	}
	defer result.Close()
	var rows []ledger.Row
	for result.Next() {
		row, err := scanRow(result, table.Columns)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, result.Err()
}

func scanRow(result *sql.Rows, columns []ledger.Column) (ledger.Row, error) {
	targets := make([]any, len(columns))
	for i, c := range columns {
		switch c.Kind {
		case ledger.Date, ledger.Timestamp:
			targets[i] = new(sql.NullTime)
		case ledger.Raw:
			targets[i] = new([]byte)
		default:
			targets[i] = new(sql.NullString)
		}
	}
	if err := result.Scan(targets...); err != nil {
		return nil, err
	}
	row := make(ledger.Row, len(columns))
	for i, c := range columns {
		v, err := fromSQL(c, targets[i])
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		row[i] = v
	}
	return row, nil
}

func fromSQL(c ledger.Column, target any) (ledger.Value, error) {
	switch v := target.(type) {
	case *sql.NullTime:
		if !v.Valid {
			return ledger.Null(), nil
		}
		// The driver gives the wall clock in the server's offset.
		if c.Kind == ledger.Date {
			return ledger.Seconds(v.Time), nil
		}
		return ledger.Micros(v.Time.Truncate(time.Microsecond)), nil
	case *[]byte:
		return ledger.Bytes(*v), nil
	case *sql.NullString:
		if !v.Valid || c.Kind == ledger.Text {
			return ledger.Of(v.String), nil
		}
		return parseNumber(v.String)
	}
	return ledger.Value{}, fmt.Errorf("unknown target %T", target)
}

// parseNumber reads plain decimal text.
func parseNumber(text string) (ledger.Value, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	unscaled, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return ledger.Value{}, fmt.Errorf("not a decimal: %d characters", len(text))
	}
	return ledger.Scaled(unscaled, len(fraction)), nil
}
