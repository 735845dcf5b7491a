package logminer

import (
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// bind puts the arguments of a call at the places of its parameters; a missing one is NULL.
func bind(procedure string, parameters []string, args []engine.Argument) ([]datum.Datum, error) {
	values := make([]datum.Datum, len(parameters))
	wrong := wire.Errorf(6550, "line 1, column 7:\nPLS-00306: wrong number or types of arguments in call to '%s'", procedure)
	for i, arg := range args {
		if arg.Name == "" {
			if i >= len(parameters) {
				return nil, wrong
			}
			values[i] = arg.Value
			continue
		}
		place := -1
		for p, name := range parameters {
			if strings.EqualFold(name, arg.Name) {
				place = p
			}
		}
		if place < 0 {
			return nil, wrong
		}
		values[place] = arg.Value
	}
	return values, nil
}

// integer reads a NUMBER argument, also from its text; missing is the value of a NULL.
func integer(d datum.Datum, missing uint64) (uint64, error) {
	text := ""
	switch d.Kind {
	case datum.Null:
		return missing, nil
	case datum.Number:
		text = d.Number.Text('f')
	case datum.Text:
		text = strings.TrimSpace(d.Text)
	default:
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, wire.Errorf(6502, "PL/SQL: numeric or value error: character to number conversion error")
	}
	return n, nil
}
