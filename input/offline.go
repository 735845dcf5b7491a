package input

import (
	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
)

// Offline reads of a configuration what decides which messages become of which rows, by the very code that the input reads it with.
// What is about connections, mining and positions does not count and may be missing.
func Offline(conf *service.ParsedConfig) (*engine.Config, error) {
	p := &parser{conf: conf, version: conf.EngineVersion()}
	c := p.published()
	if p.err != nil {
		return nil, p.err
	}
	var err error
	if c.Internal, err = p.internal(&c); err != nil {
		return nil, err
	}
	if err := together(&c); err != nil {
		return nil, err
	}
	return &c, p.err
}
