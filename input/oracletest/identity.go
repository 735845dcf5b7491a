package oracletest

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
)

// containers lists the root, the seed and the PDBs. Their identities depend on their names only, so that two
// servers with one configuration are the same database to a client.
func containers(pdbs []string) []catalog.Container {
	list := []catalog.Container{
		container(catalog.Root, "CDB$ROOT", "READ WRITE"),
		container(catalog.PDBSeed, "PDB$SEED", "READ ONLY"),
	}
	for i, name := range pdbs {
		list = append(list, container(catalog.PDBSeed+1+i, name, "READ WRITE"))
	}
	return list
}

func container(id int, name, mode string) catalog.Container {
	sum := sha256.Sum256([]byte(name))
	c := catalog.Container{ID: id, Name: name, OpenMode: mode, DBID: binary.BigEndian.Uint32(sum[16:])}
	copy(c.GUID[:], sum[:])
	return c
}

// instanceServices names the services that lead to other instances than the first.
func instanceServices(all []catalog.Container, n int) (containers map[string]string, instances map[string]int) {
	containers, instances = map[string]string{}, map[string]int{}
	for i := 2; i <= n; i++ {
		for _, c := range all {
			service := c.Name
			if c.ID == catalog.Root {
				service = Name
			}
			service += "_" + strconv.Itoa(i)
			containers[service], instances[service] = c.Name, i
		}
	}
	return containers, instances
}

// users are the accounts of every server (contracts 9); APP is local to each PDB.
func users() []catalog.User {
	return []catalog.User{
		{Name: "SYS", Common: true, OracleMaintained: true, Password: SystemPassword},
		{Name: strings.ToUpper(SystemUser), Common: true, OracleMaintained: true, Password: SystemPassword},
		{Name: strings.ToUpper(CaptureUser), Common: true, AllContainers: true, Password: CapturePassword},
		{Name: strings.ToUpper(AppUser), Password: AppPassword},
	}
}
