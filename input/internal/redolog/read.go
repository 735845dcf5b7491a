package redolog

import (
	"context"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Read lists the logs of an incarnation (RESETLOGS_CHANGE#) that hold records above an SCN, for every enabled thread and
// every thread with such a log (R23). Several enabled threads are refused, also when one was enabled a moment ago (R2).
func Read(ctx context.Context, s *oracle.Session, incarnation, since position.SCN) (Inventory, error) {
	threads, err := readThreads(ctx, s)
	if err != nil {
		return Inventory{}, fmt.Errorf("log inventory: %w", err)
	}
	if err := oracle.CheckThreads(threads); err != nil {
		return Inventory{}, err
	}
	online, err := readOnline(ctx, s)
	if err != nil {
		return Inventory{}, fmt.Errorf("log inventory: %w", err)
	}
	archived, err := readArchived(ctx, s, incarnation, since)
	if err != nil {
		return Inventory{}, fmt.Errorf("log inventory: %w", err)
	}
	return build(threads, online, archived), nil
}

func readThreads(ctx context.Context, s *oracle.Session) ([]oracle.Thread, error) {
	var threads []oracle.Thread
	var id, status, enabled oracle.Text
	err := s.Each(ctx, threadList, nil, []any{&id, &status, &enabled}, func() error {
		t := oracle.Thread{Open: status == "OPEN", Enabled: enabled != "DISABLED"}
		err := oracle.Numbers(oracle.Number{Name: "THREAD#", From: id, Into: &t.ID})
		threads = append(threads, t)
		return err
	})
	return threads, err
}

// readOnline lists the online logs by one usable member of each group.
func readOnline(ctx context.Context, s *oracle.Session) ([]Log, error) {
	members := map[int]string{}
	var group, status, kind, member oracle.Text
	err := s.Each(ctx, logFiles, nil, []any{&group, &status, &kind, &member}, func() error {
		var g int
		if err := oracle.Numbers(oracle.Number{Name: "GROUP#", From: group, Into: &g}); err != nil {
			return err
		}
		// STATUS is null for a usable member; INVALID, STALE and DELETED ones are not read.
		if name := string(member); kind == "ONLINE" && status == "" && (members[g] == "" || name < members[g]) {
			members[g] = name
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var logs []Log
	var thread, sequence, first, next oracle.Text
	err = s.Each(ctx, onlineLogs, nil, []any{&group, &thread, &sequence, &status, &first, &next}, func() error {
		if status == "UNUSED" || status == "CLEARING" || status == "CLEARING_CURRENT" {
			return nil
		}
		var l Log
		if err := oracle.Numbers(oracle.Number{Name: "GROUP#", From: group, Into: &l.Group}); err != nil {
			return err
		}
		l.Name = members[l.Group]
		err := l.parse(thread, sequence, first, next)
		logs = append(logs, l)
		return err
	})
	return logs, err
}

// readArchived lists the archived logs at the lowest valid local destination, and restored copies, whose destination is
// unknown (0).
func readArchived(ctx context.Context, s *oracle.Session, incarnation, since position.SCN) ([]Log, error) {
	destination, err := readDestination(ctx, s)
	if err != nil {
		return nil, err
	}
	var logs []Log
	var thread, sequence, dest, file, status, deleted, first, next, begins, ends oracle.Text
	err = s.Each(ctx, archivedLogs, []any{uint64(incarnation), uint64(since)},
		[]any{&thread, &sequence, &dest, &file, &status, &deleted, &first, &next, &begins, &ends}, func() error {
			var d int
			if err := oracle.Numbers(oracle.Number{Name: "DEST_ID", From: dest, Into: &d}); err != nil {
				return err
			}
			if d != destination && d != 0 {
				return nil
			}
			l := Log{Name: string(file), DictionaryBegins: begins.Yes(), DictionaryEnds: ends.Yes()}
			if deleted.Yes() || status != "A" {
				l.Name = ""
			}
			err := l.parse(thread, sequence, first, next)
			logs = append(logs, l)
			return err
		})
	return logs, err
}

func readDestination(ctx context.Context, s *oracle.Session) (int, error) {
	lowest := 0
	var id, status, kind oracle.Text
	err := s.Each(ctx, destinations, nil, []any{&id, &status, &kind}, func() error {
		var d int
		err := oracle.Numbers(oracle.Number{Name: "DEST_ID", From: id, Into: &d})
		if status == "VALID" && kind == "LOCAL" && (lowest == 0 || d < lowest) {
			lowest = d
		}
		return err
	})
	if err == nil && lowest == 0 {
		err = stop.New(stop.Identity, "V$ARCHIVE_DEST_STATUS", "there is no valid local archive destination").
			Doing("set LOG_ARCHIVE_DEST_1 to a local folder, or repair it")
	}
	return lowest, err
}

// oldUnlimited is NEXT_CHANGE# of a current log up to 12.1 (reference logminer H.2).
const oldUnlimited position.SCN = 1<<48 - 1

// parse reads the columns that online and archived logs share. NEXT_CHANGE# of a current log does not fit a signed
// integer and may be null; both mean that it is written to.
func (l *Log) parse(thread, sequence, first, next oracle.Text) (err error) {
	var seq int
	if err := oracle.Numbers(
		oracle.Number{Name: "THREAD#", From: thread, Into: &l.Thread}, oracle.Number{Name: "SEQUENCE#", From: sequence, Into: &seq},
	); err != nil {
		return err
	}
	l.Sequence = uint32(seq) //nolint:gosec // 32 bits in the redo
	if l.First, err = first.SCN(); err != nil {
		return fmt.Errorf("column FIRST_CHANGE#: %w", err)
	}
	if l.Next, err = next.SCN(); err != nil {
		return fmt.Errorf("column NEXT_CHANGE#: %w", err)
	}
	if next == "" || l.Next == oldUnlimited {
		l.Next = position.Unlimited
	}
	return nil
}
