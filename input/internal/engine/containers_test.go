package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

// severalPDBs lets a scene capture every PDB's APP.
func severalPDBs(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	selection, err := naming.NewSelection([]string{`APP\..*`}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	s.config.Selection = selection
	return s
}

// inPDB moves a version to another container.
func inPDB(v *schema.Version, container int, name string) *schema.Version {
	v.Container, v.Table.PDB = container, name
	return v.Seal()
}

func there(r logminer.Row, container int) logminer.Row {
	r.Container = container
	return r
}

// R106: a container that is closed shows none of its tables, which proves nothing.
func TestR106TablesOfAClosedContainerStay(t *testing.T) {
	s := severalPDBs(t)
	far := inPDB(table("A", 101), 4, "PDB2")
	s.db.pdbs = append(s.db.pdbs, oracle.Container{ID: 4, Name: "PDB2", OpenMode: "READ WRITE"})
	s.db.described = []*schema.Version{s.a, far}
	fresh := table("C", 103)
	s.step(insert(s.a, xid(1), 1002, 1, "near"), there(insert(far, xid(1), 1003, 1, "far"), 4), commit(xid(1), 1004))
	s.steps = append(s.steps, func() {
		s.db.pdbs[1].OpenMode = "MOUNTED"
		s.db.described = []*schema.Version{s.a, fresh}
		ddl := of(fresh, row(xid(2), 1010, logminer.DDL), "", "create table C (ID number(10) primary key)")
		for _, r := range []logminer.Row{ddl, commit(xid(2), 1011), insert(fresh, xid(3), 1012, 3, "new"), commit(xid(3), 1013)} {
			s.db.flush(r, false)
		}
		s.db.now = 1013
	})
	s.step(there(commit(xid(1), 1020), 4))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >near", "3.1.7#0 c C/3 >new", "1.1.7#0 c A/1 >far")
}

// A container that was made since the database was connected is looked at where every container counts.
func TestTableOfAContainerMadeMeanwhileIsCaptured(t *testing.T) {
	for name, pdbs := range map[string][]string{"every container": nil, "the one named": {"pdb1"}} {
		t.Run(name, func(t *testing.T) {
			s := severalPDBs(t)
			s.config.PDBs = pdbs
			fresh := inPDB(table("N", 101), 7, "PDB7")
			s.steps = append(s.steps, func() {
				if pdbs == nil {
					s.db.described = append(s.db.described, fresh)
				}
				s.db.pdbs = append(s.db.pdbs, oracle.Container{ID: 7, Name: "PDB7", OpenMode: "READ WRITE"})
				ddl := of(fresh, row(xid(2), 1010, logminer.DDL), "", "create table N (ID number(10) primary key)")
				for _, r := range []logminer.Row{ddl, commit(xid(2), 1011), insert(fresh, xid(3), 1012, 3, "new"), commit(xid(3), 1013)} {
					s.db.flush(there(r, 7), false)
				}
				s.db.now = 1013
			})
			s.play(s.beginning())
			if pdbs == nil {
				s.want("3.1.7#0 c N/3 >new")
			} else {
				s.want()
			}
		})
	}
}
