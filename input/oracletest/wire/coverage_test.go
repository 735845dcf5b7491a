package wire_test

import (
	"fmt"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// requests holds one request of every call of a session, for field version 11.
func requests() map[wire.Call][]byte {
	return map[wire.Call][]byte{
		wire.CallVersion:  {0x03, 0x3B, 0, 1, 2, 1, 0, 1, 1, 1, 1},
		wire.CallExecute:  executeRequest("select n", 5),
		wire.CallFetch:    {0x03, 0x05, 0, 1, 1, 1, 5},
		wire.CallCommit:   {0x03, 0x0E, 0},
		wire.CallRollback: {0x03, 0x0F, 0},
		wire.CallPing:     {0x03, 0x93, 0},
		wire.CallLogoff:   {0x03, 0x09, 0},
		wire.CallLob:      lobRequest(0x4000, 1, make([]byte, 40)),
	}
}

// Every call answers a fault, before its work and behind it, and only its own.
func TestEveryCallAnswersFaults(t *testing.T) {
	for call := wire.CallVersion; call <= wire.CallLob; call++ {
		request := requests()[call]
		if request == nil {
			t.Fatalf("no request for call %d", call)
		}
		for _, executed := range []bool{false, true} {
			t.Run(fmt.Sprintf("call %d executed %t", call, executed), func(t *testing.T) {
				server := listen(t, wire.Config{Backend: newScript().on("select n", series(50))})
				r := openRaw(t, server)
				if call == wire.CallFetch {
					r.send(1000, executeRequest("select n", 5)...)
					r.receive()
				}
				for other := wire.CallConnect; other <= wire.CallLob; other++ {
					if other != call {
						server.AddFault(wire.Fault{Call: other, Err: wire.Errorf(20001, "of another call")})
					}
				}
				if call == wire.CallLob && executed {
					t.Skip("there is no such LOB") // TestLobFaults has one
				}
				h := server.AddFault(wire.Fault{Call: call, Executed: executed, Err: wire.Errorf(20002, "of this call"), Count: 1})
				r.send(1000, request...)
				r.wantAnswer("ORA-20002")
				if h.Hits() != 1 {
					t.Errorf("%d hits", h.Hits())
				}
			})
		}
	}
}

func TestReleases(t *testing.T) {
	for release, want := range map[int]string{0: "Version 19.3.0.0.0", 19: "Version 19.3.0.0.0", 23: "Version 23.4.0.0.0"} {
		r := openRaw(t, listen(t, wire.Config{Backend: newScript(), Release: release}))
		r.send(100, requests()[wire.CallVersion]...)
		r.wantAnswer(want)
	}
}
