package input

import (
	"cmp"
	"errors"
	"strings"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

const (
	ocFieldSignals = "signals"
	ocFieldTable   = "table"
	ocFieldHTTP    = "http"
	ocFieldAddress = "address"
	ocFieldToken   = "token"
)

func signalsField() *service.ConfigField {
	return service.NewObjectField(ocFieldSignals,
		service.NewBoolField(ocFieldKafka).
			Description("Read signals from the topic `topics.signals`: key `topic_prefix`, value `{\"id\": …, \"type\": …, \"data\": {…}}`. The topic is not made; the first start begins at its end, later ones behind what was handled.").Default(false),
		service.NewStringField(ocFieldTable).
			Description("A table in the database whose inserted rows are signals, `PDB.OWNER.TABLE`: three columns by position, id, type and data, as Debezium's signal table. It is captured like other tables and needs their supplemental logging, but no key; its rows become records only where `include` names it. A signal takes its place between the changes around it.").
			Default("").LintRule(`root = if this != "" && ![2, 3].contains(this.split(".").length()) { ["signals.table must be PDB.OWNER.TABLE"] }`),
		service.NewObjectField(ocFieldHTTP,
			service.NewBoolField(ocFieldEnabled).Description("Take signals by `POST /signals`, with the same JSON as from Kafka and content type `application/json`.").Default(false),
			service.NewStringField(ocFieldAddress).Description("Address of the listener, which is the input's own.").Default("127.0.0.1:4196"),
			service.NewStringField(ocFieldToken).Description("Bearer token that requests must have. Empty is allowed on a loopback address only.").Default("").Secret(),
		).Description("A listener for signals.").
			LintRule(`root = if this.enabled.or(false) && this.token.or("") == "" && !this.address.or("127.0.0.1:4196").re_match("^(localhost|127\\.[0-9.]+|\\[::1\\]):[0-9]+$") { ["a listener that others can reach needs a token: set signals.http.token, or an address such as 127.0.0.1:4196"] }`),
	).Description("How operators reach running capture: snapshots on demand and other wishes, each handled once and answered by an ops event `signal-ack`. See the page on signals.").Advanced()
}

// signals gives where signals come from.
func (p *parser) signals() engine.SignalConfig {
	var c engine.SignalConfig
	if p.yes(ocFieldSignals, ocFieldHTTP, ocFieldEnabled) {
		c.Address, c.Token = p.text(ocFieldSignals, ocFieldHTTP, ocFieldAddress), p.text(ocFieldSignals, ocFieldHTTP, ocFieldToken)
	}
	name := p.text(ocFieldSignals, ocFieldTable)
	if name == "" {
		return c
	}
	if !p.yes(ocFieldCaseSensitive) {
		name = strings.ToUpper(name)
	}
	switch parts := strings.Split(name, "."); len(parts) {
	case 2:
		c.Table = schema.Table{PDB: strings.ToUpper(p.text(ocFieldPDBName)), Owner: parts[0], Name: parts[1]}
	case 3:
		c.Table = schema.Table{PDB: parts[0], Owner: parts[1], Name: parts[2]}
	default:
		p.err = cmp.Or(p.err, errors.New("signals.table must be PDB.OWNER.TABLE"))
	}
	return c
}

// connectSignals gives signals from Kafka their topic and its brokers.
func (c *config) connectSignals(wanted bool) error {
	switch {
	case !wanted:
		return nil
	case len(c.kafka) == 0:
		return errors.New("signals.kafka needs kafka.seed_brokers")
	}
	c.engine.Signals.Topic, c.engine.Signals.Brokers = c.internal.Signals, c.kafka
	return nil
}
