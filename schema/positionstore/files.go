package positionstore

import (
	"io"
	"os"
	"path/filepath"
)

// Files is what the file store needs of a file system.
type Files interface {
	// Read returns the content of a file, an error that is fs.ErrNotExist when there is none.
	Read(name string) ([]byte, error)
	// Create makes a file for writing, or empties the one that is there.
	Create(name string) (File, error)
	// Rename replaces a file by another one in the same folder, at once.
	Rename(from, to string) error
	// SyncFolder makes renames in the folder of a file durable.
	SyncFolder(name string) error
}

// File is a file that is being written.
type File interface {
	io.WriteCloser
	Sync() error
}

// osFiles is the machine's file system; the only user of package os here.
type osFiles struct{}

func (osFiles) Read(name string) ([]byte, error) { return os.ReadFile(name) }

func (osFiles) Create(name string) (File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
}

func (osFiles) Rename(from, to string) error { return os.Rename(from, to) }

func (osFiles) SyncFolder(name string) error {
	folder, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	err = folder.Sync()
	if closed := folder.Close(); err == nil {
		err = closed
	}
	return err
}
