package qmgr

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// ObjectFile is the file of an object, as dspmqfls shows it.
type ObjectFile struct {
	Ref engine.Ref
	// Name is that of the file below the data folder.
	Name string
}

// ObjectFiles gives the files of objects: of a queue manager that is up those
// of its objects, of one that has ended those that are in its folders, and that
// of its own object always. An unknown type is [ErrSelection].
func (m *Manager) ObjectFiles(s Selection) ([]ObjectFile, error) {
	kinds, ok := objects.ByWord(s.Type)
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrSelection, s.Type)
	}
	if v := m.view(); v != nil {
		var all []ObjectFile
		for _, o := range v.Objects {
			if slices.Contains(kinds, o.Ref.Kind) && s.means(o.Ref) {
				all = append(all, ObjectFile{o.Ref, files{}.Object(o.Ref)})
			}
		}
		return all, nil
	}
	return m.filesThere(kinds, s)
}

// filesThere lists the folders of some kinds.
func (m *Manager) filesThere(kinds []engine.Kind, s Selection) ([]ObjectFile, error) {
	var all []ObjectFile
	for _, kind := range kinds {
		if kind == objects.QueueManager {
			if ref := m.ownRef(); s.means(ref) {
				all = append(all, ObjectFile{ref, files{}.Object(ref)})
			}
			continue
		}
		folder := path.Dir(files{}.Object(engine.Ref{Kind: kind, Name: "X"}))
		if foldersOf[kind] == "queues" {
			folder = "queues"
		}
		names, err := m.disk().List(m.path(folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, name := range names {
			ref := engine.Ref{Kind: kind, Name: strings.NewReplacer("!", ".", "&", "/").Replace(name)}
			if file := (files{}).Object(ref); s.means(ref) && m.there(m.path(file)) {
				all = append(all, ObjectFile{ref, file})
			}
		}
	}
	return all, nil
}
