package verify

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"strings"

	// The driver registers itself under the name oracle.
	_ "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Databases is the source over SQL, a database handle for each PDB.
type Databases map[string]*sql.DB

// Close closes the handles.
func (d Databases) Close() error {
	var errs []error
	for _, db := range d {
		errs = append(errs, db.Close())
	}
	return errors.Join(errs...)
}

// Rows reads a table AS OF an SCN.
func (d Databases) Rows(ctx context.Context, table *ledger.Table, scn uint64) ([]ledger.Row, error) {
	columns := table.Layout(table.At(scn))
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = selected(c)
	}
	called := strings.Split(table.Called(table.At(scn)), ".")
	db := d[table.PDB]
	if db == nil {
		return nil, fmt.Errorf("no database handle for %s", table.PDB)
	}
	result, err := db.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s.%s AS OF SCN %d",
		strings.Join(names, ", "), table.Owner, called[len(called)-1], scn))
	if err != nil {
		return nil, err
	}
	defer result.Close()
	var rows []ledger.Row
	for result.Next() {
		row, err := scanRow(result, columns)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, result.Err()
}

// selected is what to select for a column: what the driver has no exact type for, the database writes as text or counts.
func selected(c ledger.Column) string {
	const instant = "YYYY-MM-DD HH24:MI:SS.FF9"
	switch c.Kind {
	case ledger.Binary32:
		// The driver rounds BINARY_FLOAT to nine decimal places.
		return "TO_BINARY_DOUBLE(" + c.Name + ")"
	case ledger.Zoned:
		return "TO_CHAR(" + c.Name + ", '" + instant + " TZH:TZM')"
	case ledger.Local:
		return "TO_CHAR(SYS_EXTRACT_UTC(" + c.Name + "), '" + instant + "')"
	case ledger.Months:
		return "EXTRACT(YEAR FROM " + c.Name + ") * 12 + EXTRACT(MONTH FROM " + c.Name + ")"
	case ledger.Micros:
		return "((EXTRACT(DAY FROM " + c.Name + ") * 24 + EXTRACT(HOUR FROM " + c.Name + ")) * 60 + EXTRACT(MINUTE FROM " + c.Name +
			")) * 60000000 + EXTRACT(SECOND FROM " + c.Name + ") * 1000000"
	default:
		return c.Name
	}
}

func scanRow(result *sql.Rows, columns []ledger.Column) (ledger.Row, error) {
	targets := make([]any, len(columns))
	for i, c := range columns {
		switch c.Kind {
		case ledger.Date, ledger.Timestamp:
			targets[i] = new(sql.NullTime)
		case ledger.Binary32, ledger.Binary64:
			targets[i] = new(sql.NullFloat64)
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
		return ledger.Instant(v.Time, c.Scale), nil
	case *sql.NullFloat64:
		if !v.Valid {
			return ledger.Null(), nil
		}
		return ledger.Float(v.Float64, floatBits(c.Kind)), nil
	case *[]byte:
		return ledger.Bytes(*v), nil
	case *sql.NullString:
		switch {
		case !v.Valid || c.Kind == ledger.Text || c.Kind == ledger.Fixed:
			return ledger.Of(v.String), nil
		case c.Kind == ledger.Zoned || c.Kind == ledger.Local:
			// Without an offset it is read as UTC, which it is.
			t, err := ledger.Of(v.String).Time()
			return ledger.WithOffset(t, c.Scale), err
		}
		return parseNumber(v.String)
	}
	return ledger.Value{}, fmt.Errorf("unknown target %T", target)
}

func floatBits(kind ledger.Kind) int {
	if kind == ledger.Binary32 {
		return 32
	}
	return 64
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
