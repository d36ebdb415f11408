//go:build unix

package roster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// exposed says who else could put something in the place of a file, or of one
// that is made there; empty: nobody. As sshd and sudo do, it asks of the file,
// of each directory above it and of each link on the way that root or this
// user owns it: an owner may change the mode, or lead a link elsewhere between
// two looks. A group counts as its owner, who chose it.
func exposed(path string) (State, string) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return Broken, err.Error()
	}
	return (&walk{look: os.Lstat, owner: ownerOf, self: os.Geteuid(), links: maxLinks}).along(absolute, 0)
}

// maxLinks is how many links a path may lead through, as on Linux.
const maxLinks = 40

// walk looks at all that a path leads through.
type walk struct {
	look  func(string) (fs.FileInfo, error)
	owner func(fs.FileInfo) (uid int, known bool)
	self  int // this user
	links int // that may still be followed
}

// along looks at what stands above a path, at what is there, and at what that
// leads to if it is a link. above is how far it is from the file: 0 is the
// file itself, 1 the directory that it lies in.
func (w *walk) along(path string, above int) (State, string) {
	parent := filepath.Dir(path)
	if parent != path {
		if state, why := w.along(parent, above+1); state != "" {
			return state, why
		}
	}
	info, err := w.look(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "" // it is made by whom its directory belongs to
	case err != nil:
		return Broken, err.Error()
	}
	if state, why := w.judge(path, info, above); state != "" || info.Mode().Type() != fs.ModeSymlink {
		return state, why
	}
	if w.links--; w.links < 0 {
		return Broken, path + " leads through too many links"
	}
	to, err := os.Readlink(path)
	if err != nil {
		return Broken, err.Error()
	}
	if !filepath.IsAbs(to) {
		// What stands above was looked at; ".." leads up from where that really is.
		if parent, err = filepath.EvalSymlinks(parent); err != nil {
			return Broken, err.Error()
		}
		to = filepath.Join(parent, to)
	}
	return w.along(filepath.Clean(to), above)
}

const everybody fs.FileMode = 0o002

// judge says what is wrong with one file, directory or link. A directory in
// which everybody makes files may stand above if it is sticky, as /tmp is:
// the bit keeps what belongs to others. What holds the file itself may not be
// one: anybody could lay another beside it.
func (w *walk) judge(path string, info fs.FileInfo, above int) (State, string) {
	owner, known := w.owner(info)
	if !known {
		return Broken, "the system does not tell who owns " + path
	}
	if owner != 0 && owner != w.self {
		return Foreign, fmt.Sprintf("%s belongs to %s, and not to root or %s, as whom this runs: chown", path, userName(owner), userName(w.self))
	}
	sticky := info.Mode()&fs.ModeSticky != 0 && above > 1
	if info.Mode().Type() != fs.ModeSymlink && info.Mode().Perm()&everybody != 0 && !sticky {
		return Writable, fmt.Sprintf("every user may write %s: chmod o-w", path)
	}
	return "", ""
}

// ownerOf gives the user that a file belongs to.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

// userName names a user as the system does, by number if it knows no name.
func userName(uid int) string {
	number := strconv.Itoa(uid)
	if known, err := user.LookupId(number); err == nil {
		return known.Username
	}
	return "user " + number
}
