package input

import (
	"errors"
	"fmt"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
)

// buildsTooOften refuses an interval that would burden the database for no gain: a replay reads minutes of redo less.
const buildsTooOften = "dictionary.build_interval must be 0s, for none, or at least 1h: each copy writes the whole dictionary into the redo and switches the log"

// dictionaryField says when copies of the dictionary are written into the redo, the one thing that is written to the database.
func dictionaryField() *service.ConfigField {
	return service.NewObjectField(ocFieldDictionary,
		service.NewDurationField(ocFieldBuildInterval).Default("24h").Advanced().
			Description("Time between two copies, at least an hour. `0s`: none is written, as for all but one of several connectors of a database. Mining again reads all redo since the last copy, so that shorter intervals make it cheaper; each copy is some tens of MB of redo, a log switch and a reading of the whole dictionary.").
			LintRule(`root = match {
  this.string().parse_duration().catch(-1) < 0 => ["dictionary.build_interval must be a duration such as 24h"]
  this.string().parse_duration() > 0 && this.string().parse_duration() < 3600000000000 => ["`+buildsTooOften+`"]
}`),
		service.NewStringField(ocFieldBuildTime).Default("02:00").Advanced().
			Description("Time of day of the first copy, `HH:MM` by the clock of the database server. One more is written at the start when the archived logs hold none that can be used.").
			LintRule(`root = if !this.re_match("^([01][0-9]|2[0-3]):[0-5][0-9]$") { ["dictionary.build_time must be a time of day such as 02:00"] }`),
	).Description("Copies of the data dictionary in the redo (`DBMS_LOGMNR_D.BUILD`). Rows from before a DDL that cannot be decoded by what is stored of their table are mined again with the last copy below them, where they have the names of their moment. Copies are written only if the capture user has EXECUTE on `DBMS_LOGMNR_D`, which is the one optional exception to reading only; without it an ops event `dictionary-build` says so. Copies of others are used too.").Advanced()
}

// builds reads when copies of the dictionary are written.
func (p *parser) builds() engine.Builds {
	b := engine.Builds{Interval: p.duration(ocFieldDictionary, ocFieldBuildInterval)}
	if b.Interval > 0 && b.Interval < time.Hour && p.err == nil {
		p.err = errors.New(buildsTooOften)
	}
	text := p.text(ocFieldDictionary, ocFieldBuildTime)
	at, err := time.Parse("15:04", text)
	if (err != nil || len(text) != len("15:04")) && p.err == nil {
		p.err = fmt.Errorf("%s.%s must be a time of day such as 02:00", ocFieldDictionary, ocFieldBuildTime)
	}
	b.At = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	return b
}
