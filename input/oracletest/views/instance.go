package views

import (
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// version is what a release says of itself.
type version struct{ short, full, banner, legacy, compatible string }

func (s *Set) version() version {
	if s.config.Release == 19 {
		return version{
			"19.0.0.0.0", "19.3.0.0.0", "Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production",
			"Oracle Database 19c Enterprise Edition", "19.0.0",
		}
	}
	return version{
		"23.0.0.0.0", "23.4.0.0.0",
		"Oracle Database 23ai Free Release 23.0.0.0.0 - Develop, Learn, and Run for Free",
		"Oracle Database 23ai Free", "23.0.0",
	}
}

// instanceName is FREE, or FREE1, FREE2 and so on.
func (s *Set) instanceName(instance int) string {
	if len(s.config.Stream.Threads()) == 1 {
		return s.config.Name
	}
	return s.config.Name + strconv.Itoa(instance)
}

// instances lists those that have their redo thread open; with a wart the others do not answer.
func (s *Set) instances() []int {
	var list []int
	for _, t := range s.config.Stream.Threads() {
		if t.Open {
			list = append(list, t.Thread)
		}
	}
	if s.config.Stream.Warts().R32InstanceOne && len(list) > 1 {
		list = list[:1]
	}
	return list
}

// instanceOf is where the caller's session is.
func (s *Set) instanceOf(caller engine.Caller) int {
	for _, one := range s.config.Database.Sessions() {
		if one.ID == caller.SessionID() {
			return max(one.Instance, 1)
		}
	}
	return 1
}

func (s *Set) addInstance() {
	s.fixed["V$DATABASE"] = fixed{
		columns: columns(num("DBID"), str("NAME", 9), day("CREATED"), num("RESETLOGS_CHANGE#"), day("RESETLOGS_TIME"),
			str("LOG_MODE", 12), num("CHECKPOINT_CHANGE#"), str("OPEN_MODE", 20), str("PROTECTION_MODE", 20), str("DATABASE_ROLE", 16),
			str("FORCE_LOGGING", 39), str("SUPPLEMENTAL_LOG_DATA_MIN", 8), str("SUPPLEMENTAL_LOG_DATA_PK", 3),
			str("SUPPLEMENTAL_LOG_DATA_UI", 3), str("SUPPLEMENTAL_LOG_DATA_FK", 3), str("SUPPLEMENTAL_LOG_DATA_ALL", 3),
			num("PLATFORM_ID"), str("PLATFORM_NAME", 101), num("CURRENT_SCN"), str("FLASHBACK_ON", 18), str("DB_UNIQUE_NAME", 30),
			str("CDB", 3), num("CON_ID"), num("CON_DBID")),
		rows:   s.database,
		global: true,
	}
	s.fixed["V$DATABASE_INCARNATION"] = fixed{
		columns: columns(num("INCARNATION#"), num("RESETLOGS_CHANGE#"), day("RESETLOGS_TIME"), num("PRIOR_RESETLOGS_CHANGE#"),
			day("PRIOR_RESETLOGS_TIME"), str("STATUS", 7), num("RESETLOGS_ID"), num("PRIOR_INCARNATION#"), num("CON_ID")),
		rows: func(engine.Caller) []row {
			r := s.config.Stream.Resetlogs()
			return []row{{integer(1), scn(r.SCN), s.date(r.Time), integer(0), null, text("CURRENT"), integer(r.Time.Unix()), integer(0), integer(0)}}
		},
	}
	s.fixed["V$INSTANCE"] = fixed{
		columns: columns(num("INSTANCE_NUMBER"), str("INSTANCE_NAME", 16), str("HOST_NAME", 64), str("VERSION", 17),
			str("VERSION_LEGACY", 17), str("VERSION_FULL", 17), day("STARTUP_TIME"), str("STATUS", 12), str("PARALLEL", 3), num("THREAD#"),
			str("ARCHIVER", 7), str("LOGINS", 10), str("DATABASE_STATUS", 17), str("INSTANCE_ROLE", 18), str("ACTIVE_STATE", 9),
			str("EDITION", 7), str("DATABASE_TYPE", 15), num("CON_ID")),
		local:  s.instance,
		global: true,
	}
	s.fixed["V$VERSION"] = fixed{
		columns: columns(str("BANNER", 80), str("BANNER_FULL", 160), str("BANNER_LEGACY", 80), num("CON_ID")),
		rows: func(engine.Caller) []row {
			v := s.version()
			return []row{{text(v.banner), text(v.banner + "\nVersion " + v.full), text(v.banner), integer(0)}}
		},
		global: true,
	}
	s.fixed["PRODUCT_COMPONENT_VERSION"] = fixed{
		columns: columns(str("PRODUCT", 160), str("VERSION", 160), str("VERSION_FULL", 160), str("STATUS", 160)),
		rows: func(engine.Caller) []row {
			v := s.version()
			return []row{{text(v.legacy), text(v.short), text(v.full), text("Production")}}
		},
	}
}

func (s *Set) database(caller engine.Caller) []row {
	db, stream, logging := s.config.Database, s.config.Stream, s.config.Database.Logging()
	resetlogs := stream.Resetlogs()
	checkpoint := redo.SCN(0)
	for _, t := range stream.Threads() {
		checkpoint = max(checkpoint, t.Checkpoint)
	}
	// Logging of keys or of all columns implies the minimal one (reference logminer H.1).
	minimal := "NO"
	switch {
	case logging.Minimal:
		minimal = "YES"
	case logging.PrimaryKey || logging.UniqueIndex || logging.ForeignKey || logging.All:
		minimal = "IMPLICIT"
	}
	return []row{{
		integer(s.config.DBID), text(s.config.Name), s.date(resetlogs.Time), scn(resetlogs.SCN), s.date(resetlogs.Time),
		text(s.config.LogMode), scn(checkpoint), text("READ WRITE"), text("MAXIMUM PERFORMANCE"), text(s.config.Role),
		relation.YesNo(logging.Force), text(minimal), relation.YesNo(logging.PrimaryKey),
		relation.YesNo(logging.UniqueIndex), relation.YesNo(logging.ForeignKey), relation.YesNo(logging.All),
		integer(13), text("Linux x86 64-bit"), scn(db.CurrentSCN()), text("NO"), text(s.config.Name),
		text("YES"), integer(0), integer(s.container(caller).DBID),
	}}
}

func (s *Set) instance(_ engine.Caller, instance int) []row {
	v := s.version()
	return []row{{
		integer(instance), text(s.instanceName(instance)), text("oracle-standin"), text(v.short), text(v.short), text(v.full), s.date(s.config.Startup),
		text("OPEN"), relation.YesNo(len(s.config.Stream.Threads()) > 1), integer(instance), text("STARTED"), text("ALLOWED"), text("ACTIVE"), text("PRIMARY_INSTANCE"),
		text("NORMAL"), text("EE"), text("SINGLE"), integer(0),
	}}
}
