package connect

import (
	"fmt"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// Store is what a statement has to know of the store that a segment is saved
// to.
type Store struct {
	Kind    string // directory, savf, external or command; empty: none is configured
	Library string // savf: where the save files are made
}

// Statements gives what is sent to carry out an action on a target: the
// same text that a script shows a person. unsaved says that the segment will
// never have been saved when it goes.
//
// Alerts and custom actions have no statement, nor has a copy that mqhk makes
// itself, to a store that is not a library of save files.
func Statements(target observe.Target, action plugins.Action, unsaved bool, store Store) ([]plugins.Command, error) {
	switch {
	case action.Kind == plugins.KindCommand:
		return []plugins.Command{action.Command}, nil
	case action.Kind == plugins.KindAlert || action.Kind == plugins.KindCustom:
		return nil, nil
	case target.Platform == observe.IBMi && action.Kind == plugins.KindDelete:
		return deleteReceiver(action.Segment, unsaved)
	case target.Platform == observe.IBMi && action.Kind == plugins.KindArchive:
		return saveReceiver(action.Segment, store)
	default:
		return nil, fmt.Errorf("%s %s: there is no statement for it on %s", action.Kind, action.Object, target.Platform)
	}
}

// deleteReceiver makes all checks of the system, but for a receiver that the
// policy lets go unsaved: its inquiry CPA7025 is answered before it is asked,
// or the job would wait for a reply (case 6).
func deleteReceiver(id recovery.SegmentID, unsaved bool) ([]plugins.Command, error) {
	var options []cl.DeleteOption
	if unsaved {
		options = append(options, cl.IgnoreInquiry)
	}
	command, err := cl.DeleteReceiver(id.Library, id.Name, options...)
	if err != nil {
		return nil, err
	}
	return []plugins.Command{statement(id, command)}, nil
}

// saveReceiver saves a receiver to a save file of its own. CRTSAVF fails
// where the file exists, so that no copy is ever written over: receivers of
// different queue managers have the same names.
func saveReceiver(id recovery.SegmentID, store Store) ([]plugins.Command, error) {
	if store.Kind != "savf" {
		return nil, nil
	}
	file := cl.Qualified{Library: store.Library, Name: id.Name}
	create, err := cl.CreateSaveFile(file)
	if err != nil {
		return nil, err
	}
	save, err := cl.SaveReceivers(id.Library, []string{id.Name}, file)
	if err != nil {
		return nil, err
	}
	return []plugins.Command{statement(id, create), statement(id, save)}, nil
}

func statement(id recovery.SegmentID, command cl.Command) plugins.Command {
	return plugins.Command{Language: observe.CL, QueueManager: id.QueueManager, Text: command.String()}
}
