package conformance_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Versions that are installed when ORACLETEST_CONFORMANCE asks for it.
const (
	nodeVersion = "26.0.0"
	jdbcVersion = "23.5.0.24.07"
)

// skip leaves a client out, and says so where everybody sees it.
func skip(t *testing.T, format string, args ...any) {
	t.Helper()
	reason := fmt.Sprintf(format, args...)
	fmt.Fprintf(os.Stderr, "conformance: %s is skipped: %s\n", t.Name(), reason)
	t.Skip(reason)
}

// have checks that commands are there.
func have(t *testing.T, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			skip(t, "there is no %s", c)
		}
	}
}

// install runs an installer, if the environment allows it.
func install(t *testing.T, missing, setting string, command ...string) {
	t.Helper()
	if os.Getenv("ORACLETEST_CONFORMANCE") == "" {
		skip(t, "no %s; set %s, or ORACLETEST_CONFORMANCE=1 to install it for the test", missing, setting)
	}
	have(t, command[0])
	if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
		skip(t, "%s cannot be installed: %v\n%s", missing, err, out)
	}
}

// node is npm's oracledb in thin mode; ORACLETEST_MODULES is the node_modules folder that has it.
func node(t *testing.T) program {
	t.Helper()
	have(t, "node")
	modules := os.Getenv("ORACLETEST_MODULES")
	if modules == "" {
		folder := t.TempDir()
		modules = filepath.Join(folder, "node_modules")
		install(t, "npm package oracledb", "ORACLETEST_MODULES",
			"npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "oracledb@"+nodeVersion)
	}
	return program{name: "node", command: []string{"node", "clients/conformance.mjs"}, env: []string{"ORACLETEST_MODULES=" + modules}}
}

// python is python-oracledb in thin mode, with the interpreter that ORACLETEST_PYTHON names, or that of the path, or
// Debian's.
func python(t *testing.T) program {
	t.Helper()
	interpreter := ""
	for _, name := range []string{os.Getenv("ORACLETEST_PYTHON"), "python3", "/usr/bin/python3"} {
		if name != "" && exec.CommandContext(t.Context(), name, "-c", "import oracledb").Run() == nil {
			interpreter = name
			break
		}
	}
	if interpreter == "" {
		have(t, "python3")
		folder := t.TempDir()
		interpreter = filepath.Join(folder, "bin", "python")
		install(t, "python-oracledb", "ORACLETEST_PYTHON", "sh", "-c", `python3 -m venv "$0" && "$0/bin/pip" install -q oracledb`, folder)
	}
	return program{name: "python", command: []string{interpreter, "clients/conformance.py"}}
}

// jdbc is Oracle's JDBC thin driver; ORACLETEST_OJDBC is its jar.
func jdbc(t *testing.T) program {
	t.Helper()
	have(t, "java", "keytool")
	jar := os.Getenv("ORACLETEST_OJDBC")
	if jar == "" {
		folder := t.TempDir()
		jar = filepath.Join(folder, "ojdbc11-"+jdbcVersion+".jar")
		install(t, "JDBC driver", "ORACLETEST_OJDBC", "mvn", "-q", "dependency:copy",
			"-Dartifact=com.oracle.database.jdbc:ojdbc11:"+jdbcVersion, "-DoutputDirectory="+folder)
	}
	return program{name: "jdbc", command: []string{"java", "-cp", jar, "clients/Conformance.java"}}
}
