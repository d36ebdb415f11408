package qmgr

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// ErrAccess says that a file is not as the queue manager made it: somebody
// else's, or without the permissions that it needs. Files restored by root
// without those of the backup are so (SEED 7.4.1; reference, Multiplatforms
// 10, trap 28).
var ErrAccess = errors.New("the queue manager can't use the file")

// What a queue manager needs of its files and folders.
const (
	needFile   = 0o600
	needFolder = 0o700
)

// checkAccess looks at everything a start uses: its folders, which may be
// empty, its configuration and checkpoint file, the log's control file, the
// extents and the files of objects. It compares with what was written down
// when they were made, so it finds what is wrong for a process of root too.
func (m *Manager) checkAccess() error {
	if m.site.Stat == nil {
		return nil
	}
	if err := m.checkTree(m.conf().logDir); err != nil {
		return err
	}
	return m.checkTree(m.dataDir)
}

// checkTree checks a folder and what is below it.
func (m *Manager) checkTree(name string) error {
	if err := m.checkFile(name); err != nil {
		return err
	}
	names, err := m.disk().List(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking into folder %s: %w", m.site.Path(name), err)
	}
	for _, n := range names {
		if m.isStrangers(name, n) {
			continue
		}
		below := path.Join(name, n)
		info, err := m.site.Stat(below)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a link to nothing, or gone meanwhile: who needs it says so
		}
		if err != nil {
			return fmt.Errorf("looking at %s: %w", m.site.Path(below), err)
		}
		switch {
		case info.IsDir() && n != "errors":
			err = m.checkTree(below)
		case !info.IsDir() && !strings.HasPrefix(n, "."):
			err = m.checkFile(below)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isStrangers tells whether a name in the folders of the log is not the log's:
// whoever copies extents may leave files there, which no start needs.
func (m *Manager) isStrangers(folder, name string) bool {
	switch folder {
	case m.conf().logDir:
		return name != extents.ControlName && name != extents.ActiveName
	case path.Join(m.conf().logDir, extents.ActiveName):
		_, _, err := observe.ParseExtent(name)
		return err != nil
	}
	return false
}

// checkFile checks one file or folder.
func (m *Manager) checkFile(name string) error {
	info, err := m.site.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // who needs it says so, better
	}
	if err != nil {
		return fmt.Errorf("looking at %s: %w", m.site.Path(name), err)
	}
	need := fs.FileMode(needFile)
	if info.IsDir() {
		need = needFolder
	}
	if info.Mode().Perm()&need != need {
		return fmt.Errorf("%w: %s has permissions %04o", ErrAccess, m.site.Path(name), info.Mode().Perm())
	}
	owner, want := ownerOf(info), m.read().Owner
	if want.Known && owner.Known && owner.User != want.User {
		return fmt.Errorf("%w: %s is owned by user %d, the queue manager's files by user %d",
			ErrAccess, m.site.Path(name), owner.User, want.User)
	}
	return nil
}

// ownedBy gives whose the data folder is.
func (m *Manager) ownedBy() owning {
	if m.site.Stat == nil {
		return owning{}
	}
	info, err := m.site.Stat(m.dataDir)
	if err != nil {
		return owning{}
	}
	return ownerOf(info)
}
