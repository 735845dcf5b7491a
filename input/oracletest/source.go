package oracletest

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/views"
)

// source is the engine in the words of package views.
type source struct {
	*engine.Engine
	stream *redo.Stream
}

var _ views.Database = source{}

// CurrentSCN takes a new SCN: a commit that was visible before has a lower one, a later commit gets a higher one.
func (s source) CurrentSCN() redo.SCN { return s.TakeSCN() - s.stream.Warts().R124Behind }

func (s source) Logging() views.Logging {
	l := s.SupplementalLogging()
	return views.Logging{Minimal: l.Minimal, PrimaryKey: l.PrimaryKey, UniqueIndex: l.UniqueIndex, ForeignKey: l.ForeignKey, All: l.All, Force: s.ForceLogging()}
}

func (s source) Transactions() []views.Transaction {
	var list []views.Transaction
	for _, t := range s.Engine.Transactions() {
		list = append(list, views.Transaction{
			Container: t.Container, XID: t.XID, StartSCN: t.StartSCN, StartTime: t.StartTime,
			SessionID: t.Origin.SessionID, Serial: t.Origin.Serial, User: t.Origin.User, Name: t.Origin.Transaction, Instance: t.Origin.Instance,
		})
	}
	return list
}

func (s source) Sessions() []views.Session {
	var list []views.Session
	for _, i := range s.Engine.Sessions() {
		list = append(list, views.Session{
			ID: i.SessionID, Serial: i.Serial, Container: i.Container, User: i.User, Schema: i.CurrentSchema,
			OSUser: i.OSUser, Process: i.Process, Machine: i.Machine, Program: i.Program,
			Module: i.Module, Action: i.Action, ClientInfo: i.ClientInfo, Client: i.ClientIdentifier,
			LogonTime: i.Logon, Executing: i.Active, Instance: i.Instance,
		})
	}
	return list
}

// viewList asks several for a view.
type viewList []engine.Views

func (l viewList) View(owner, name string) (engine.View, bool) {
	for _, views := range l {
		if v, ok := views.View(owner, name); ok {
			return v, true
		}
	}
	return nil, false
}
