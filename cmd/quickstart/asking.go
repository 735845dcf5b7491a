package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

const (
	signalsTopic = prefix + ".cdc.signals"
	opsTopic     = prefix + ".cdc.ops"
)

// makeSignalsTopic makes what the pipeline reads signals from, as an operator does.
func (d *demo) makeSignalsTopic(ctx context.Context) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(d.parts.brokers()...))
	if err != nil {
		return err
	}
	defer client.Close()
	_, err = kadm.NewClient(client).CreateTopic(ctx, 1, 1, nil, signalsTopic)
	return err
}

// ask sends signals into the middle of the work: a table is to be read again, and the state to be logged.
func (d *demo) ask(ctx context.Context) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(d.parts.brokers()...))
	if err != nil {
		return err
	}
	defer client.Close()
	orders := d.parts.schemas[0].Orders
	pattern := strings.ReplaceAll(orders.FullName(), ".", `\\.`)
	for _, s := range []struct {
		asked verify.Asked
		text  string
	}{
		{verify.Asked{ID: "read-again", Reads: orders}, `"type":"execute-snapshot","data":{"data-collections":["` + pattern + `"]}`},
		{verify.Asked{ID: "state"}, `"type":"log-state"`},
	} {
		record := &kgo.Record{Topic: signalsTopic, Key: []byte(prefix), Value: []byte(`{"id":"` + s.asked.ID + `",` + s.text + `}`)}
		if err := client.ProduceSync(ctx, record).FirstErr(); err != nil {
			return fmt.Errorf("signal %s: %w", s.asked.ID, err)
		}
		d.asked = append(d.asked, s.asked)
	}
	d.screen.Say("asked for the rows of %s", orders.FullName())
	return nil
}

// answers reads what became of the signals.
func (d *demo) answers(ctx context.Context) (verify.Answers, error) {
	topics, err := verify.OpenTopics(prefix, d.parts.brokers()...)
	if err != nil {
		return verify.Answers{}, err
	}
	defer topics.Close()
	values, _, err := topics.Values(ctx, opsTopic)
	if err != nil {
		return verify.Answers{}, err
	}
	return verify.ParseAnswers(values)
}

// awaitAnswers waits until the signals are answered, and what was asked for is read.
func (d *demo) awaitAnswers(ctx context.Context) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		answers, err := d.answers(ctx)
		if err != nil || answers.All(d.asked) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(errors.New("the signals are not answered, or what they asked for is not read"), ctx.Err())
		case <-d.child.exited:
			return d.child.died()
		case <-tick.C:
		}
	}
}
