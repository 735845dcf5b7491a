package input

import (
	"github.com/redpanda-data/benthos/v4/public/service"
)

// New builds the input; it touches neither database nor broker.
func New(conf *service.ParsedConfig, res *service.Resources) (service.BatchInput, error) {
	c, err := parseConfig(conf, res)
	if err != nil {
		return nil, err
	}
	return newReader(c, res), nil
}

func init() {
	service.MustRegisterBatchInput("oracle_cdc", Spec(), New)
}
