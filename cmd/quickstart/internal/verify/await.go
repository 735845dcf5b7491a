package verify

import (
	"bytes"
	"context"
	"regexp"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Follow gives a client that reads every data topic from its beginning, also those that are made later.
func Follow(prefix string, brokers ...string) (*kgo.Client, error) {
	return kgo.NewClient(
		kgo.SeedBrokers(brokers...),
		kgo.ConsumeRegex(),
		kgo.ConsumeTopics("^"+regexp.QuoteMeta(prefix)+`\.`),
		kgo.ConsumeExcludeTopics("^"+regexp.QuoteMeta(prefix)+`\.cdc\.`),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		// Topics are made on demand: look for new ones often.
		kgo.MetadataMinAge(100*time.Millisecond),
		kgo.MetadataMaxAge(500*time.Millisecond),
	)
}

// Await waits until a data topic holds a row with the tag: the first sign of life, or the mark that the workload wrote last.
func Await(ctx context.Context, prefix, tag string, brokers ...string) error {
	client, err := Follow(prefix, brokers...)
	if err != nil {
		return err
	}
	defer client.Close()
	mark := []byte(`"` + ledger.TagColumn + `":"` + tag + `"`)
	for {
		fetches := client.PollFetches(ctx)
		if err := ctx.Err(); err != nil {
			return err
		}
		found := false
		fetches.EachRecord(func(r *kgo.Record) { found = found || bytes.Contains(r.Value, mark) })
		if found {
			return nil
		}
	}
}
