package connect

import (
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// Why a receiver can't be saved to a store or restored from one, to be told by
// errors.Is.
var (
	// ErrNoLibrary says that a store of an IBM i system names no library.
	ErrNoLibrary = errors.New("a receiver is an object, which can only be read and written through a save file: the store has to name a library for it")
	// ErrSiteSaves says that a store is the site's own affair (kind external).
	ErrSiteSaves = errors.New("the site saves to an external store, and restores from it")
)

// Store is what a statement has to know of the store that a segment is saved
// to.
type Store struct {
	Kind string // directory, savf, external or command; empty: none is configured
	Disk bool   // it may lie on the file system of the log
	// Library, on IBM i, is where the save files are made through which
	// segments get into the store and out of it. Queue managers may share it.
	Library string
}

// Statements gives what is sent to carry out an action on a target: the
// same text that a script shows a person. unsaved says that the segment will
// never have been saved when it goes.
//
// Alerts and custom actions have no statement, nor has a copy to a store
// without a library of save files. On Multiplatforms mqhk deletes and copies
// files itself: a delete is what a person would type, a copy is nothing that a
// person could make.
func Statements(target observe.Target, action plugins.Action, unsaved bool, store Store) ([]plugins.Command, error) {
	switch {
	case action.Kind == plugins.KindCommand:
		return []plugins.Command{action.Command}, nil
	case action.Kind == plugins.KindAlert || action.Kind == plugins.KindCustom:
		return nil, nil
	case target.Platform == observe.IBMi && action.Kind == plugins.KindDelete:
		return list(deleteReceiver(action.Segment, unsaved))
	case target.Platform == observe.IBMi && action.Kind == plugins.KindArchive:
		s, err := savesOf(action.Segment, store)
		if errors.Is(err, ErrNoLibrary) || errors.Is(err, ErrSiteSaves) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return []plugins.Command{s.create, s.save}, nil
	case target.Platform == observe.Multiplatforms:
		return extentStatements(action)
	case target.Platform == observe.ZOS:
		return dataSetStatement(action)
	default:
		return nil, fmt.Errorf("%s %s: there is no statement for it on %s", action.Kind, action.Object, target.Platform)
	}
}

// RestoreStatements gives what is sent to bring a segment back. On IBM i the
// copy goes into the save file between the first two. On Multiplatforms nothing
// is sent: mqhk writes the file. [ErrNoLibrary] and [ErrSiteSaves] say that mqhk
// can't.
func RestoreStatements(target observe.Target, id recovery.SegmentID, store Store) ([]plugins.Command, error) {
	if target.Platform == observe.Multiplatforms {
		return nil, restorable(id, store)
	}
	if target.Platform != observe.IBMi {
		return nil, fmt.Errorf("restoring %s: there is no statement for it on %s", id, target.Platform)
	}
	s, err := savesOf(id, store)
	if err != nil {
		return nil, fmt.Errorf("restoring receiver %s: %w", id, err)
	}
	return []plugins.Command{s.create, s.restore, s.delete}, nil
}

// deleteReceiver makes all checks of the system, but for a receiver that the
// policy lets go unsaved: its inquiry CPA7025 is answered before it is asked,
// or the job would wait for a reply (case 6).
func deleteReceiver(id recovery.SegmentID, unsaved bool) (plugins.Command, error) {
	var options []cl.DeleteOption
	if unsaved {
		options = append(options, cl.IgnoreInquiry)
	}
	command, err := cl.DeleteReceiver(id.Library, id.Name, options...)
	return statement(id, command), err
}

func statement(id recovery.SegmentID, command cl.Command) plugins.Command {
	return plugins.Command{Language: observe.CL, QueueManager: id.QueueManager, Text: command.String()}
}

// list gives one command as the list of all that is sent.
func list(c plugins.Command, err error) ([]plugins.Command, error) {
	if err != nil {
		return nil, err
	}
	return []plugins.Command{c}, nil
}
