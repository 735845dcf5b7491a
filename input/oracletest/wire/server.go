package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"slices"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/verifier"
)

// Server listens for clients. Its methods may be called from any goroutine.
type Server struct {
	config   Config
	listener net.Listener
	ctx      context.Context //nolint:containedctx // the life of the server, ended by Close
	stop     context.CancelFunc
	running  sync.WaitGroup
	faults   faults

	mu          sync.Mutex
	connections map[*connection]struct{}
	lastSession int
	verifiers   map[string]*verifier.Verifier
}

// Listen starts a server. It ends with ctx or Close, whichever is first; Close must be called in any case.
func Listen(ctx context.Context, config Config) (*Server, error) {
	if err := config.Validate(); err != nil {
		return nil, fmt.Errorf("stand-in listener: %w", err)
	}
	config = config.withDefaults()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", config.Address)
	if err != nil {
		return nil, fmt.Errorf("stand-in listener: %w", err)
	}
	s := &Server{
		config:      config,
		listener:    listener,
		connections: map[*connection]struct{}{},
		verifiers:   map[string]*verifier.Verifier{},
	}
	s.ctx, s.stop = context.WithCancel(ctx)
	s.running.Go(s.accept)
	s.running.Go(func() {
		<-s.ctx.Done()
		s.disconnect()
	})
	return s, nil
}

// Addr is the address clients connect to.
func (s *Server) Addr() *net.TCPAddr {
	addr, _ := s.listener.Addr().(*net.TCPAddr)
	return addr
}

// Close stops listening, drops every connection and waits for all goroutines.
func (s *Server) Close() error {
	s.stop()
	s.running.Wait()
	return nil
}

// disconnect ends what blocks on the network.
func (s *Server) disconnect() {
	_ = s.listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.connections {
		_ = c.raw.Close()
	}
}

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			if s.ctx.Err() == nil {
				s.config.Log.Error("listener ended", "error", err)
			}
			return
		}
		raw := conn
		if s.config.TLS != nil {
			conn = tls.Server(conn, s.config.TLS)
		}
		c := newConnection(s, conn, raw)
		if !s.add(c) {
			_ = conn.Close()
			return
		}
		s.running.Go(func() {
			defer s.remove(c)
			c.serve()
		})
	}
}

func (s *Server) add(c *connection) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return false
	}
	s.connections[c] = struct{}{}
	return true
}

func (s *Server) remove(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.connections, c)
}

// nextSession numbers a session: SID and SERIAL#.
func (s *Server) nextSession() (id, serial int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastSession++
	return s.lastSession, 1000 + s.lastSession
}

// SessionInfo says who is connected.
type SessionInfo struct {
	ID, Serial             int
	Service, User, Program string
	Remote                 string
}

// Sessions lists the sessions that are logged on, by number.
func (s *Server) Sessions() []SessionInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []SessionInfo
	for c := range s.connections {
		if info, ok := c.info(); ok {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b SessionInfo) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Kill ends a session: with Proceed its running or next call gets ORA-00028 and the connection closes, with
// Close and Reset the connection ends at once. It reports whether there was such a session.
func (s *Server) Kill(id int, how Outcome) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.connections {
		if info, ok := c.info(); ok && info.ID == id {
			c.kill(how)
			return true
		}
	}
	return false
}

// KillAll ends every session and returns their number.
func (s *Server) KillAll(how Outcome) int {
	killed := 0
	for _, info := range s.Sessions() {
		if s.Kill(info.ID, how) {
			killed++
		}
	}
	return killed
}
