package positionstore

import (
	"errors"
	"io/fs"
	"maps"
)

var errCrash = errors.New("power cut")

// crashFiles is a file system that loses at a power cut what was not synced, and is cut at a given operation.
type crashFiles struct {
	// left counts operations until the cut; negative: never.
	left int
	// names is the folder as the running system sees it, durable as a power cut leaves it.
	names, durable map[string]*content
}

type content struct{ written, synced []byte }

func newCrashFiles() *crashFiles {
	return &crashFiles{left: -1, names: map[string]*content{}, durable: map[string]*content{}}
}

func (c *crashFiles) step() error {
	if c.left == 0 {
		return errCrash
	}
	if c.left > 0 {
		c.left--
	}
	return nil
}

// afterCut is what a restart finds. Kept: a rename that was not synced may have reached the disk all the same.
func (c *crashFiles) afterCut(renamesReached bool) *crashFiles {
	from := c.durable
	if renamesReached {
		from = c.names
	}
	out := newCrashFiles()
	for name, f := range from {
		kept := &content{written: f.synced, synced: f.synced}
		out.names[name], out.durable[name] = kept, kept
	}
	return out
}

func (c *crashFiles) Read(name string) ([]byte, error) {
	f, ok := c.names[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return f.written, nil
}

func (c *crashFiles) Create(name string) (File, error) {
	if err := c.step(); err != nil {
		return nil, err
	}
	f := &content{}
	c.names[name] = f
	return &crashFile{c, f}, nil
}

func (c *crashFiles) Rename(from, to string) error {
	if err := c.step(); err != nil {
		return err
	}
	c.names[to] = c.names[from]
	delete(c.names, from)
	return nil
}

func (c *crashFiles) SyncFolder(string) error {
	if err := c.step(); err != nil {
		return err
	}
	c.durable = maps.Clone(c.names)
	return nil
}

type crashFile struct {
	fs *crashFiles
	f  *content
}

func (f *crashFile) Write(data []byte) (int, error) {
	if err := f.fs.step(); err != nil {
		f.f.written = append(f.f.written, data[:len(data)/2]...)
		return len(data) / 2, err
	}
	f.f.written = append(f.f.written, data...)
	return len(data), nil
}

func (f *crashFile) Sync() error {
	if err := f.fs.step(); err != nil {
		return err
	}
	f.f.synced = f.f.written
	return nil
}

func (f *crashFile) Close() error { return f.fs.step() }
