package positionstore

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// newName is the file that is being written: one per run, so that two instances never write into one file. One that
// a crash left behind is never read.
func (s *FileStore) newName(run string) string {
	safe := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == 0 {
			return '_'
		}
		return r
	}, run)
	return s.path + "." + safe + ".new"
}

// FileStore keeps the position in a file: a new file is written and synced, then takes the old one's place.
type FileStore struct {
	path  string
	files Files
	seq   sequence
}

var _ Store = (*FileStore)(nil)

// OpenFile makes a store of a file whose folder must be there.
func OpenFile(path string) (*FileStore, error) { return OpenFileOn(osFiles{}, path) }

// OpenFileOn is OpenFile on a given file system.
func OpenFileOn(files Files, path string) (*FileStore, error) {
	if err := files.SyncFolder(path); err != nil {
		return nil, stop.Wrap(stop.Configuration, err, path, "the folder of position.file cannot be used").
			Doing("create the folder and give the process the right to write in it")
	}
	return &FileStore{path: path, files: files}, nil
}

// Load reads the file.
func (s *FileStore) Load(ctx context.Context) (*position.Position, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	data, err := s.files.Read(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, s.fault(err)
	}
	p, err := decode(data, s.path)
	if err != nil {
		return nil, err
	}
	s.seq.loaded = stamp{p.Run, p.Sequence}
	return p, nil
}

// Save replaces the file. A position older than one already saved is left alone.
func (s *FileStore) Save(ctx context.Context, p *position.Position) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := s.seq.encode(p, s.path)
	if data == nil {
		return err
	}
	switch current, err := s.files.Read(s.path); {
	case err == nil:
		if err := s.seq.foreign(peek(current), p.Run, s.path); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return s.fault(err)
	}
	s.seq.handed(p)
	if err := s.replace(s.newName(p.Run), append(data, '\n')); err != nil {
		return s.fault(err)
	}
	return nil
}

func (s *FileStore) fault(err error) error {
	return stop.Wrap(stop.Configuration, err, s.path, "the position file cannot be used").
		Doing("see to space and rights on the file and its folder, then restart")
}

func (s *FileStore) replace(name string, data []byte) error {
	f, err := s.files.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		// Without it a power cut may leave the new name on an empty file.
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = s.files.Rename(name, s.path)
	}
	if err == nil {
		err = s.files.SyncFolder(s.path)
	}
	return err
}

// Close has nothing to do: no file stays open between calls.
func (s *FileStore) Close() error { return nil }
