package engine

import (
	"fmt"
	"path"
	"strings"
)

// Files says where the files of a queue manager are, by names relative to
// [Options.Folder], with slashes.
type Files interface {
	// Object names the file of an object. No two objects that can be there at
	// the same time have the same. The folder that it is in may be its own:
	// the engine makes it and takes it away.
	Object(ref Ref) string
	// Control names the file that says where a restart begins.
	Control() string
	// Folders are those that have to be there at a start; [Create] makes them.
	Folders() []string
}

// ownFiles are where the platform has no wish: all in the one folder.
type ownFiles struct{}

const objectSuffix = ".obj"

func (ownFiles) Control() string { return controlName }

func (ownFiles) Folders() []string { return nil }

// Object gives a name that every file system takes. Lower-case letters are
// written in hexadecimal, since some systems take them for capitals.
func (ownFiles) Object(r Ref) string {
	var b strings.Builder
	b.WriteString(string(r.Kind))
	b.WriteByte('-')
	for _, c := range []byte(r.Name) {
		if c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	b.WriteString(objectSuffix)
	return b.String()
}

// object names the file of an object in the folder.
func (s *store) object(ref Ref) string { return s.files.Object(ref) }

// memory names the file beside it that a suspension leaves.
func (s *store) memory(ref Ref) string { return s.files.Object(ref) + memorySuffix }

// makeFolders makes what has to be there at a start.
func (s *store) makeFolders() error {
	for _, folder := range append([]string{"."}, s.files.Folders()...) {
		if err := s.disk.MkdirAll(s.path(folder)); err != nil {
			return err
		}
	}
	return nil
}

// findFolders asserts that it is there.
func (s *store) findFolders() error {
	for _, folder := range s.files.Folders() {
		if _, err := s.disk.List(s.path(folder)); err != nil {
			return &FileError{Name: s.path(folder), Err: err}
		}
	}
	return nil
}

// own gives the folder that a file has for itself; empty: it has none.
func (s *store) own(name string) string {
	folder := path.Dir(name)
	if folder == "." {
		return ""
	}
	for _, shared := range s.files.Folders() {
		if path.Clean(shared) == folder {
			return ""
		}
	}
	return folder
}
