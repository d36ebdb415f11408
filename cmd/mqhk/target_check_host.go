package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/internal/shell"
	"github.com/mqhk/mqhk/policies"
)

// usedStore is a store that a target uses, and where this machine has the log of
// the target; empty: it has not.
type usedStore struct{ name, log string }

// acting are the uses that change something: they are recorded in the state
// folder.
var acting = []connect.Use{connect.ForDelete, connect.ForSave, connect.ForImages, connect.ForRestore}

// checkHost checks the folders of this machine: that of the ledger, and those
// of the stores. Nothing is made or written.
func (a *app) checkHost(configuration *policies.Configuration, used []usedStore) ([]connect.Checked, error) {
	dir, err := a.stateDir()
	if err != nil {
		return nil, err
	}
	kept, err := keepers(configuration, false)
	if err != nil {
		return nil, err
	}
	rows := []connect.Checked{checkFolder("state folder", filepath.Join(dir, ledgerName), acting)}
	done := map[usedStore]bool{}
	for _, u := range used {
		s, _ := configuration.Store(u.name)
		if s.Path == "" || done[u] {
			continue
		}
		if !done[usedStore{name: u.name}] {
			rows = append(rows, checkFolder("store "+s.Name, s.Path, []connect.Use{connect.ForSave, connect.ForRestore}))
		}
		done[u], done[usedStore{name: u.name}] = true, true
		if row, ok := checkApart(s, kept[s.Name], u.log); ok {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// checkFolder says whether a folder is this user's alone and can be written,
// or can be made: both ledger and stores make theirs with mode 0700.
func checkFolder(what, path string, uses []connect.Use) connect.Checked {
	row := connect.Checked{What: what + " " + path, For: uses, Verdict: connect.No, Questions: []string{"stat " + path}}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		above := existing(path)
		row.Verdict = writable(above)
		row.Detail = "it is not there yet, and is made in " + above
		if row.Verdict == connect.No {
			row.Detail = fmt.Sprintf("it is not there, and can't be made in %s", above)
			row.Grant = grant("mkdir", "-p", "-m", "700", path)
		}
	case err != nil:
		row.Verdict, row.Detail = connect.Unknown, err.Error()
	case !info.IsDir():
		row.Detail = "it is no folder"
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		row.Detail = fmt.Sprintf("it has mode %04o: others can enter it", info.Mode().Perm())
		row.Grant = grant("chmod", "700", path)
	default:
		if row.Verdict = writable(path); row.Verdict == connect.No {
			row.Detail = "it can't be written"
		}
	}
	return row
}

// grant gives a command for a person to type; none where it could not show all
// that it holds.
func grant(words ...string) []string {
	line, ok := shell.Line(words...)
	if !ok {
		return nil
	}
	return []string{line}
}

// existing gives the nearest folder above a path that is there.
func existing(path string) string {
	for {
		above := filepath.Dir(path)
		if _, err := os.Stat(above); err == nil || above == path {
			return above
		}
		path = above
	}
}

// checkApart says whether a store lies on another file system than the log,
// where both are on this machine and the store does not say that it may.
func checkApart(s policies.Store, keeper store.Store, log string) (connect.Checked, bool) {
	directory, ok := keeper.(*store.Directory)
	if !ok || log == "" || s.SameFilesystem {
		return connect.Checked{}, false
	}
	row := connect.Checked{
		What: fmt.Sprintf("store %s lies apart from the log in %s", s.Name, log), For: []connect.Use{connect.ForSave},
		Verdict: connect.Yes, Questions: []string{"stat " + s.Path, "stat " + log},
	}
	same, err := directory.SharesFilesystem(log)
	switch {
	case err != nil:
		row.Verdict, row.Detail = connect.Unknown, err.Error()
	case same:
		row.Verdict, row.Detail = connect.No, "one file system holds both, and the store does not say same_filesystem = true"
	}
	return row, true
}
