package engine

import (
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// parameters are the NLS parameters and the time zone of a session.
type parameters struct {
	values   map[string]string
	settings scalar.Settings // without Now
}

// newParameters gives the defaults of AMERICA.
func newParameters() *parameters {
	p := &parameters{values: map[string]string{
		"NLS_LANGUAGE": "AMERICAN", "NLS_TERRITORY": "AMERICA", "NLS_CURRENCY": "$", "NLS_ISO_CURRENCY": "AMERICA",
		"NLS_NUMERIC_CHARACTERS": scalar.DefaultNumericCharacters, "NLS_CALENDAR": "GREGORIAN",
		"NLS_DATE_FORMAT": scalar.DefaultDateFormat, "NLS_DATE_LANGUAGE": "AMERICAN", "NLS_SORT": "BINARY",
		"NLS_TIME_FORMAT": "HH.MI.SSXFF AM", "NLS_TIMESTAMP_FORMAT": scalar.DefaultTimestampFormat,
		"NLS_TIME_TZ_FORMAT": "HH.MI.SSXFF AM TZR", "NLS_TIMESTAMP_TZ_FORMAT": scalar.DefaultTimestampTZFormat,
		"NLS_DUAL_CURRENCY": "$", "NLS_COMP": "BINARY", "NLS_LENGTH_SEMANTICS": "BYTE", "NLS_NCHAR_CONV_EXCP": "FALSE",
		"TIME_ZONE": databaseTimeZone,
	}}
	p.settings.Decimal, p.settings.Group = '.', ','
	// The defaults are valid models.
	p.settings.Date, _ = scalar.ParseModel(scalar.DefaultDateFormat)
	p.settings.Timestamp, _ = scalar.ParseModel(scalar.DefaultTimestampFormat)
	p.settings.TimestampTZ, _ = scalar.ParseModel(scalar.DefaultTimestampTZFormat)
	return p
}

func (p *parameters) get(name string) string { return p.values[strings.ToUpper(name)] }

func (p *parameters) at(now time.Time) scalar.Settings {
	s := p.settings
	s.Now = now
	return s
}

// set changes a parameter. Languages, territories and sort orders other than the default would change answers in ways that the stand-in does
// not know, so they are refused.
func (p *parameters) set(name, value string) error {
	fixed := func(allowed ...string) error {
		for _, a := range allowed {
			if strings.EqualFold(a, value) {
				p.values[name] = strings.ToUpper(value)
				return nil
			}
		}
		return wire.Errorf(3001, "unimplemented feature: %s = %s", name, value)
	}
	switch name {
	case "NLS_DATE_FORMAT":
		return p.setModel(&p.settings.Date, name, value)
	case "NLS_TIMESTAMP_FORMAT":
		return p.setModel(&p.settings.Timestamp, name, value)
	case "NLS_TIMESTAMP_TZ_FORMAT":
		return p.setModel(&p.settings.TimestampTZ, name, value)
	case "NLS_TIME_FORMAT", "NLS_TIME_TZ_FORMAT", "NLS_CURRENCY", "NLS_DUAL_CURRENCY", "NLS_ISO_CURRENCY":
		p.values[name] = value
		return nil
	case "NLS_NUMERIC_CHARACTERS":
		if len(value) != 2 || value[0] == value[1] || strings.ContainsAny(value, "0123456789+-<>") {
			return wire.Errorf(12705, "Cannot access NLS data files or invalid environment specified")
		}
		p.settings.Decimal, p.settings.Group = value[0], value[1]
		p.values[name] = value
		return nil
	case "NLS_LANGUAGE", "NLS_DATE_LANGUAGE":
		return fixed("AMERICAN", "ENGLISH")
	case "NLS_TERRITORY":
		return fixed("AMERICA")
	case "NLS_SORT", "NLS_COMP":
		return fixed("BINARY")
	case "NLS_CALENDAR":
		return fixed("GREGORIAN")
	case "NLS_LENGTH_SEMANTICS":
		return fixed("BYTE", "CHAR")
	case "NLS_NCHAR_CONV_EXCP":
		return fixed("FALSE", "TRUE")
	case "TIME_ZONE":
		return p.setZone(value)
	}
	return wire.Errorf(2248, "invalid option for ALTER SESSION")
}

func (p *parameters) setModel(to **scalar.Model, name, value string) error {
	m, err := scalar.ParseModel(value)
	if err != nil {
		return err
	}
	*to, p.values[name] = m, value
	return nil
}

// setZone takes offsets and UTC. A region with daylight saving is refused (ORA-01882): its offset depends on the date.
func (p *parameters) setZone(value string) error {
	if strings.EqualFold(value, "LOCAL") || strings.EqualFold(value, "DBTIMEZONE") {
		value = databaseTimeZone
	}
	offset, err := scalar.ParseOffset(value)
	if err != nil {
		return err
	}
	p.settings.Offset = offset
	if strings.ContainsAny(value, "0123456789") {
		value = scalar.OffsetText(offset)
	}
	p.values["TIME_ZONE"] = value
	return nil
}
