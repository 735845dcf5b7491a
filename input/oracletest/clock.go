package oracletest

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"

// JumpSCN moves the database's clock on by so many SCNs.
func (s *Server) JumpSCN(by redo.SCN) { s.stream.Jump(by) }
