package scenario_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ory/dockertest/v3"
	"github.com/ory/dockertest/v3/docker"
	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/resources"
)

// The container, and the environment variables that name a database which is already there instead.
const (
	imageRepository = "gvenzl/oracle-free"
	imageTag        = "23-slim"
	adminPassword   = "oracle"
	capturePassword = "capture_1"
	appPassword     = "app"
	containerLife   = 2 * time.Hour
	containerStart  = 10 * time.Minute

	envAdmin   = "ORACLE_CDC_TEST_DSN_ADMIN"
	envCapture = "ORACLE_CDC_TEST_DSN_CAPTURE"
	envApp     = "ORACLE_CDC_TEST_DSN_APP"
)

// realServer is the one database that all scenarios of a run share.
type realServer struct {
	dsn        [3]string // by account
	pdb, owner string
	close      func() error
}

var (
	realOnce   = sync.OnceValues(startReal)
	realOpened atomic.Bool
	realCount  atomic.Int64
)

// real is a scenario's share of it: tables with a prefix of their own, dropped when the scenario ends.
type real struct {
	*realServer
	prefix string
}

var errNoEngine = errors.New("there is no Docker engine")

func openReal(t *testing.T) real {
	t.Helper()
	realOpened.Store(true)
	server, err := realOnce()
	if errors.Is(err, errNoEngine) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := real{realServer: server, prefix: fmt.Sprintf("S%d_%d_", os.Getpid(), realCount.Add(1))}
	t.Cleanup(func() {
		if err := d.dropTables(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func closeReal() {
	if !realOpened.Load() {
		return
	}
	server, err := realOnce()
	switch {
	case errors.Is(err, errNoEngine):
		fmt.Printf("\nNOT RUN ON ORACLE: %v.\nStart a Docker engine, or name a database that is there with %s, %s and %s.\n\n", err, envAdmin, envCapture, envApp)
		return
	case err == nil:
		err = server.close()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "Oracle: %v\n", err)
	}
}

func startReal() (*realServer, error) {
	s := &realServer{close: func() error { return nil }}
	s.dsn = [3]string{admin: os.Getenv(envAdmin), capture: os.Getenv(envCapture), app: os.Getenv(envApp)}
	if s.dsn[admin] == "" || s.dsn[capture] == "" || s.dsn[app] == "" {
		if err := s.runContainer(); err != nil {
			return nil, err
		}
	}
	return s, s.find()
}

// find asks where the application's tables are.
func (s *realServer) find() error {
	return s.ask(app, func(ctx context.Context, db *sql.DB) error {
		const where = "SELECT SYS_CONTEXT('USERENV', 'CON_NAME'), SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') FROM dual"
		return db.QueryRowContext(ctx, where).Scan(&s.pdb, &s.owner)
	})
}

func (s *realServer) ask(a account, do func(context.Context, *sql.DB) error) error {
	db := sql.OpenDB(goora.NewConnector(s.dsn[a]))
	defer db.Close()
	return do(context.Background(), db)
}

// runContainer starts an Oracle Free and prepares it with the set-up script that operators get.
func (s *realServer) runContainer() error {
	pool, err := dockertest.NewPool("")
	if err != nil {
		return fmt.Errorf("%w: %w", errNoEngine, err)
	}
	if err := pool.Client.Ping(); err != nil {
		return fmt.Errorf("%w: %w", errNoEngine, err)
	}
	pool.MaxWait = containerStart
	box, err := pool.RunWithOptions(&dockertest.RunOptions{
		Repository: imageRepository, Tag: imageTag,
		Env: []string{"ORACLE_PASSWORD=" + adminPassword, "APP_USER=app", "APP_USER_PASSWORD=" + appPassword},
	}, func(host *docker.HostConfig) { host.AutoRemove = true })
	if err != nil {
		return fmt.Errorf("%s:%s: %w", imageRepository, imageTag, err)
	}
	s.close = func() error { return pool.Purge(box) }
	if err := box.Expire(uint(containerLife.Seconds())); err != nil {
		return errors.Join(err, s.close())
	}
	address := box.GetHostPort("1521/tcp")
	s.dsn = [3]string{
		admin:   dsn(address, "system", adminPassword, "FREE"),
		capture: dsn(address, "c##cdc", capturePassword, "FREE"),
		app:     dsn(address, "app", appPassword, "FREEPDB1"),
	}
	ready := func() error {
		return s.ask(app, func(ctx context.Context, db *sql.DB) error { return db.PingContext(ctx) })
	}
	if err := pool.Retry(ready); err != nil {
		return errors.Join(fmt.Errorf("Oracle does not come up: %w", err), s.close())
	}
	if err := s.prepare(box); err != nil {
		return errors.Join(err, s.close())
	}
	return nil
}

func dsn(address, user, password, service string) string {
	u := url.URL{Scheme: "oracle", User: url.UserPassword(user, password), Host: address, Path: "/" + service}
	return u.String()
}

// prepare runs resources/sql as SYSDBA, with the tables that it alters made before.
func (s *realServer) prepare(box *dockertest.Resource) error {
	err := s.ask(app, func(ctx context.Context, db *sql.DB) error {
		for _, table := range []string{"orders", "items"} {
			if _, err := db.ExecContext(ctx, "CREATE TABLE "+table+" (id NUMBER PRIMARY KEY)"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	const opened = "ALTER DATABASE OPEN;\n"
	script := strings.Replace(resources.SetupCDB, opened, opened+"ALTER PLUGGABLE DATABASE ALL OPEN;\n", 1)
	script = strings.Replace(script, "-- GRANT SELECT ANY TABLE", "GRANT SELECT ANY TABLE", 1) // tables come with the tests
	script = "WHENEVER SQLERROR EXIT FAILURE\n" + strings.ReplaceAll(script, "change_me", capturePassword) + "\nEXIT\n"
	var out bytes.Buffer
	code, err := box.Exec([]string{"sqlplus", "-S", "/", "as", "sysdba"}, dockertest.ExecOptions{
		StdIn: strings.NewReader(script), StdOut: &out, StdErr: &out,
	})
	if err != nil {
		return err
	}
	if code != 0 {
		return fmt.Errorf("set-up script, exit code %d:\n%s", code, out.String())
	}
	return nil
}

// Supports says no: every feature is something that only the stand-in can be asked for.
func (d real) Supports(feature) bool { return false }

func (d real) DSN(a account) string { return d.dsn[a] }

func (d real) PDB() string { return d.pdb }

func (d real) Owner() string { return d.owner }

func (d real) Table(name string) string { return d.prefix + strings.ToUpper(name) }

func (d real) SwitchLog(ctx context.Context) error {
	return d.ask(admin, func(_ context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, "ALTER SYSTEM SWITCH LOGFILE")
		return err
	})
}

func (d real) KillCapture(ctx context.Context) (killed int, err error) {
	u, err := url.Parse(d.dsn[capture])
	if err != nil {
		return 0, err
	}
	err = d.ask(admin, func(_ context.Context, db *sql.DB) error {
		rows, err := db.QueryContext(ctx, "SELECT sid || ',' || serial# FROM v$session WHERE username = :1", strings.ToUpper(u.User.Username()))
		if err != nil {
			return err
		}
		defer rows.Close()
		var ids []string
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := db.ExecContext(ctx, "ALTER SYSTEM DISCONNECT SESSION '"+id+"' IMMEDIATE"); err != nil {
				return err
			}
			killed++
		}
		return nil
	})
	return killed, err
}

func (d real) dropTables() error {
	return d.ask(app, func(ctx context.Context, db *sql.DB) error {
		rows, err := db.QueryContext(ctx, "SELECT table_name FROM user_tables WHERE table_name LIKE :1 ESCAPE '\\'", strings.ReplaceAll(d.prefix, "_", `\_`)+"%")
		if err != nil {
			return err
		}
		defer rows.Close()
		var names []string
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			names = append(names, name)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for _, name := range names {
			if _, err := db.ExecContext(ctx, `DROP TABLE "`+name+`" PURGE`); err != nil {
				return err
			}
		}
		return nil
	})
}
