package input

import (
	"fmt"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
)

// dictionaryField says when copies of the dictionary are written into the redo, the one thing that is written to the database.
func dictionaryField() *service.ConfigField {
	return service.NewObjectField(ocFieldDictionary,
		durationField(ocFieldBuildInterval, "24h", "Time between two copies. `0s`: none is written, as for all but one of several connectors of a database. Mining again reads all redo since the last copy, so that shorter intervals make it cheaper and write more redo (some tens of MB each)."),
		service.NewStringField(ocFieldBuildTime).Default("02:00").Advanced().
			Description("Time of day of the first copy, `HH:MM` by the clock of the database server. One more is written at the start when the archived logs hold none that can be used.").
			LintRule(`root = if !this.re_match("^([01][0-9]|2[0-3]):[0-5][0-9]$") { ["build_time must be a time of day such as 02:00"] }`),
	).Description("Copies of the data dictionary in the redo (`DBMS_LOGMNR_D.BUILD`). Rows from before a DDL that cannot be decoded by what is stored of their table are mined again with the last copy below them, where they have the names of their moment. Copies are written only if the capture user has EXECUTE on `DBMS_LOGMNR_D`, which is the one optional exception to reading only; without it an ops event `dictionary-build` says so. Copies of others are used too.").Advanced()
}

// builds reads when copies of the dictionary are written.
func (p *parser) builds() engine.Builds {
	b := engine.Builds{Interval: p.duration(ocFieldDictionary, ocFieldBuildInterval)}
	text := p.text(ocFieldDictionary, ocFieldBuildTime)
	at, err := time.Parse("15:04", text)
	if (err != nil || len(text) != len("15:04")) && p.err == nil {
		p.err = fmt.Errorf("%s.%s must be a time of day such as 02:00", ocFieldDictionary, ocFieldBuildTime)
	}
	b.At = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	return b
}
