package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/workload"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// partitions of every data topic: keys are spread, so that order within a key is something to keep.
const partitions = 3

// pdbs are the containers with tables, as the pipeline's configuration names them.
func pdbs() []string { return []string{"FREEPDB1", "SALES"} }

// logSize is so small that the redo fills some logs by itself.
const logSize = 512 << 10

// parts are what the pipeline needs around it.
type parts struct {
	server  *oracletest.Server
	schemas []*workload.Schema

	// kafka keeps its topics in dir, and its port, over a restart. The broker's address does not change.
	kafka     *kfake.Cluster
	dir       string
	port      int
	addresses []string
}

// startParts starts stand-in and broker and makes the tables; the broker's topics go into the folder.
func startParts(ctx context.Context, dir string) (*parts, error) {
	server, err := oracletest.Start(context.WithoutCancel(ctx), oracletest.Config{PDBs: pdbs(), LogSize: logSize})
	if err != nil {
		return nil, fmt.Errorf("stand-in: %w", err)
	}
	p := &parts{server: server, dir: dir}
	for _, pdb := range pdbs() {
		schema := workload.NewSchema(pdb)
		p.schemas = append(p.schemas, schema)
		if err := server.RunScript(ctx, schema.Setup()); err != nil {
			return nil, errors.Join(err, p.close())
		}
	}
	if err := p.startBroker(); err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.addresses = p.kafka.ListenAddrs()
	return p, nil
}

// startBroker starts the broker, for the first time at any free port.
func (p *parts) startBroker() (err error) {
	options := []kfake.Opt{kfake.NumBrokers(1), kfake.DefaultNumPartitions(partitions), kfake.DataDir(p.dir)}
	if p.port != 0 {
		options = append(options, kfake.Ports(p.port))
	}
	if p.kafka, err = kfake.NewCluster(options...); err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	_, port, err := net.SplitHostPort(p.kafka.ListenAddrs()[0])
	if err != nil {
		return err
	}
	p.port, err = strconv.Atoi(port)
	return err
}

// stopBroker stops the broker with every connection it has.
func (p *parts) stopBroker() {
	p.kafka.Close()
	p.kafka = nil
}

func (p *parts) close() error {
	if p.kafka != nil {
		p.stopBroker()
	}
	return p.server.Close()
}

func (p *parts) brokers() []string { return p.addresses }

// application is the URL of the tables' owner to a PDB, system that of SYSTEM to the root.
func (p *parts) application(pdb string) string {
	return p.server.DSN(oracletest.AppUser, oracletest.AppPassword, pdb)
}

func (p *parts) system() string {
	return p.server.DSN(oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
}

// tables lists those of all PDBs.
func (p *parts) tables() []*ledger.Table {
	var tables []*ledger.Table
	for _, schema := range p.schemas {
		tables = append(tables, schema.Tables()...)
	}
	return tables
}

// environment is what the pipeline's configuration asks for.
func (p *parts) environment() []string {
	return []string{
		"CDC_PASSWORD=" + oracletest.CapturePassword,
		"ORACLE_ADDRESS=" + p.server.Addr(),
		"ORACLE_SERVICE=" + oracletest.Name,
		"TOPIC_PREFIX=" + prefix,
		"KAFKA_BROKERS=" + strings.Join(p.brokers(), ","),
	}
}
