package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/workload"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// partitions of every data topic: keys are spread, so that order within a key is something to keep.
const partitions = 3

// parts are what the pipeline needs around it.
type parts struct {
	oracle source
	server *oracletest.Server
	kafka  *kfake.Cluster
}

// source says how to reach the database.
type source struct {
	server       *oracletest.Server
	address, pdb string
}

func (s source) application() string {
	return s.server.DSN(oracletest.AppUser, oracletest.AppPassword, s.pdb)
}

func (s source) system() string {
	return s.server.DSN(oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
}

// startParts starts stand-in and broker and makes the tables.
func startParts(ctx context.Context) (*parts, error) {
	const pdb = "FREEPDB1"
	server, err := oracletest.Start(context.WithoutCancel(ctx), oracletest.Config{PDBs: []string{pdb}})
	if err != nil {
		return nil, fmt.Errorf("stand-in: %w", err)
	}
	p := &parts{server: server, oracle: source{server: server, address: server.Addr(), pdb: pdb}}
	if err := server.RunScript(ctx, workload.Setup(pdb)); err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.kafka, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.DefaultNumPartitions(partitions))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("broker: %w", err), p.close())
	}
	return p, nil
}

func (p *parts) close() error {
	if p.kafka != nil {
		p.kafka.Close()
	}
	return p.server.Close()
}

func (p *parts) brokers() []string { return p.kafka.ListenAddrs() }

// environment is what the pipeline's configuration asks for.
func (p *parts) environment() []string {
	return []string{
		"CDC_PASSWORD=" + oracletest.CapturePassword,
		"ORACLE_ADDRESS=" + p.oracle.address,
		"ORACLE_SERVICE=" + oracletest.Name,
		"TOPIC_PREFIX=" + prefix,
		"KAFKA_BROKERS=" + strings.Join(p.brokers(), ","),
	}
}
