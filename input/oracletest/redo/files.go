package redo

import (
	"errors"
	"time"
)

// File is a log file opened by its name: it stands for the sequence that the file held at that moment.
type File struct {
	stream *Stream
	name   string
	online *group
	copy   *copyFile
	log    *log
}

// Header describes a log file.
type Header struct {
	Name     string
	Online   bool
	Thread   int
	Sequence uint32
	// FirstChange <= SCN < NextChange holds for every record; NextChange is NoNextChange in the current log.
	FirstChange, NextChange SCN
	FirstTime, NextTime     time.Time // NextTime is zero in the current log
	Bytes                   int64
	// Records is the number of records at this moment.
	Records int
	// BuildBegins and BuildEnds are the copies of the dictionary whose first and whose last record are in it.
	BuildBegins, BuildEnds []*Build
}

// OpenFile finds an online member or an archived copy by its name (FileError if there is none).
func (s *Stream) OpenFile(name string) (*File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.groups() {
		if g.member == name && g.log != nil {
			return &File{stream: s, name: name, online: g, log: g.log}, nil
		}
	}
	for _, c := range s.copies {
		if c.name == name && !c.deleted && !c.removed {
			return &File{stream: s, name: name, copy: c, log: c.log}, nil
		}
	}
	return nil, &FileError{Name: name}
}

// Name returns the name that the file was opened by.
func (f *File) Name() string { return f.name }

// Online reports whether it is an online log.
func (f *File) Online() bool { return f.online != nil }

// Thread returns the redo thread of the file's sequence.
func (f *File) Thread() int { return f.log.thread }

// Sequence returns the sequence that the file was opened for.
func (f *File) Sequence() uint32 { return f.log.sequence }

// Header reads the header as it is now: a log that was current may have ended since.
func (f *File) Header() (Header, error) {
	s := f.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.config.Now())
	if err := f.check(); err != nil {
		return Header{}, err
	}
	l := f.log
	return Header{
		Name: f.name, Online: f.online != nil, Thread: l.thread, Sequence: l.sequence,
		FirstChange: l.first, NextChange: l.next, FirstTime: l.firstTime, NextTime: l.nextTime, Bytes: s.config.LogSize, Records: l.count(),
		BuildBegins: l.buildBegins, BuildEnds: l.buildEnds,
	}, nil
}

// Records returns records from index from on, at most up to index to: none at the end, otherwise at least one. The slice
// and the records must not be modified. A reused online log gives a ReusedError, a purged copy a FileError.
func (f *File) Records(from, to int) (records []*Record, err error) {
	r := f.Reader()
	defer func() { err = errors.Join(err, r.Close()) }()
	return r.Read(from, to)
}

func (f *File) check() error {
	if f.online != nil && f.online.log != f.log {
		return &ReusedError{Name: f.name, Thread: f.log.thread, Found: f.online.log.sequence, Require: f.log.sequence}
	}
	if f.copy != nil && (f.copy.deleted || f.copy.removed) {
		return &FileError{Name: f.name}
	}
	return nil
}
