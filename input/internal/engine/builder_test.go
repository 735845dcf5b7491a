package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func wall(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

// R45: the first copy of a day comes at its time, the next ones every interval behind it.
func TestR45CopiesComeByTheServersClock(t *testing.T) {
	for name, tt := range map[string]struct {
		interval, at time.Duration
		after, last  string
		want         string
	}{
		"today":                        {day, 2 * time.Hour, "2026-03-01 01:59", "", "2026-03-01 02:00"},
		"tomorrow":                     {day, 2 * time.Hour, "2026-03-01 02:00", "", "2026-03-02 02:00"},
		"over the end of a month":      {day, 2 * time.Hour, "2026-02-28 14:00", "2026-02-28 02:00", "2026-03-01 02:00"},
		"six hours":                    {6 * time.Hour, 2 * time.Hour, "2026-03-01 10:00", "", "2026-03-01 14:00"},
		"six hours, after midnight":    {6 * time.Hour, 2 * time.Hour, "2026-03-01 00:30", "", "2026-03-01 02:00"},
		"seven hours begin anew daily": {7 * time.Hour, 2 * time.Hour, "2026-03-01 23:30", "", "2026-03-02 02:00"},
		"two days, the first":          {2 * day, 2 * time.Hour, "2026-03-01 10:00", "", "2026-03-02 02:00"},
		"two days, the next":           {2 * day, 2 * time.Hour, "2026-03-02 02:01", "2026-03-02 02:00", "2026-03-04 02:00"},
		"two days, one was slept over": {2 * day, 2 * time.Hour, "2026-03-05 02:01", "2026-03-02 02:00", "2026-03-06 02:00"},
	} {
		var last time.Time
		if tt.last != "" {
			last = wall(tt.last)
		}
		if got := (Builds{tt.interval, tt.at}).next(wall(tt.after), last); got != wall(tt.want) {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// writes is a dictionaryWriter.
type writes struct {
	may, has bool
	offset   time.Duration
	// fails are what the next calls answer.
	fails []error
	looks []error
	built []string
}

func (w *writes) look(context.Context) (may, built bool, offset time.Duration, err error) {
	if len(w.looks) > 0 {
		err, w.looks = w.looks[0], w.looks[1:]
	}
	return w.may, w.has, w.offset, err
}

func (w *writes) build(context.Context) error {
	w.built = append(w.built, time.Now().UTC().Format("02 15:04"))
	if len(w.fails) > 0 {
		err := w.fails[0]
		w.fails = w.fails[1:]
		return err
	}
	return nil
}

// R45, P4: one copy at a start without one, then by the schedule; what fails is tried again, and without the privilege nothing is.
func TestR45CopiesAreWrittenByTheSchedule(t *testing.T) {
	boom := errors.New("boom")
	for name, tt := range map[string]struct {
		writer writes
		want   string
		events string
	}{
		"none at the start": {writes{may: true}, "01 00:00, 01 02:00, 02 02:00", "done done done"},
		"one is there":      {writes{may: true, has: true}, "01 02:00, 02 02:00", "done done"},
		"a server two hours ahead": {
			writes{may: true, has: true, offset: 2 * time.Hour}, "02 00:00, 03 00:00", "done done",
		},
		"one fails":           {writes{may: true, has: true, fails: []error{boom}}, "01 02:00, 01 02:15, 02 02:00", "failed done done"},
		"that at the start":   {writes{may: true, fails: []error{boom, boom}}, "01 00:00, 01 00:15, 01 00:30, 01 02:00, 02 02:00", "failed failed done done done"},
		"nobody can look":     {writes{may: true, looks: []error{boom, boom}}, "01 00:30, 01 02:00, 02 02:00", "done done done"},
		"without a privilege": {writes{}, "", "off"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				config := testConfig(t)
				config.Builds = Builds{Interval: day, At: 2 * time.Hour}
				config.Now = time.Now
				b := newBuilder(config, &tt.writer)
				ctx, cancel := context.WithTimeout(t.Context(), 49*time.Hour)
				defer cancel()
				err := b.run(ctx)
				if tt.events == "off" && err != nil || tt.events != "off" && !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				if got := strings.Join(tt.writer.built, ", "); got != tt.want {
					t.Errorf("copies at %s, want %s", got, tt.want)
				}
				m := &miner{builder: b}
				m.heard()
				var events []string
				for _, ev := range m.ops {
					events = append(events, ev.details[0].value)
					if ev.kind != dictionaryBuildEvent {
						t.Errorf("%+v", ev)
					}
				}
				if got := strings.Join(events, " "); got != tt.events {
					t.Errorf("events %s, want %s", got, tt.events)
				}
				if tt.events == "off" && !slices.ContainsFunc(m.ops[0].details, func(d detail) bool { return strings.Contains(d.value, "GRANT EXECUTE ON SYS.DBMS_LOGMNR_D") }) {
					t.Errorf("%+v does not say what to grant", m.ops)
				}
			})
		})
	}
}
