package resources

import _ "embed" // the texts below

// SetupCDB is the script that prepares a container database and the common user that captures from its root.
//
//go:embed sql/setup-cdb.sql
var SetupCDB string
