package catalog

// User is a database user. Common users exist in every container.
type User struct {
	Name             string
	Password         string
	Common           bool
	OracleMaintained bool
	Locked, Expired  bool
	// AllContainers and Containers (by name) are CONTAINER_DATA: what the user sees of PDBs from the root. The root itself is
	// always visible.
	AllContainers bool
	Containers    []string
}

// Role is a role. Common roles exist in every container.
type Role struct {
	Name             string
	Common           bool
	OracleMaintained bool
}

// Privilege is what can be granted: a system privilege, a role, or a privilege on an object.
type Privilege struct {
	Name string
	Role bool
	// Owner and Object are empty but for object privileges.
	Owner, Object string
}

// Grant is a privilege that a user or role has in a container.
type Grant struct {
	Grantee string
	Privilege
	Grantor string
	// Option is WITH ADMIN OPTION or WITH GRANT OPTION.
	Option bool
	// Local and Common say how it was granted; both may be true. A common grant is one of all containers.
	Local, Common bool
}
