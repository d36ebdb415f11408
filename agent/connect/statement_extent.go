package connect

import (
	"fmt"
	"path"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/internal/shell"
	"github.com/mqhk/mqhk/plugins"
)

// extentStatements gives the statements of an action on a log extent, whose
// object is its full path. An archive has none: only what mqhk read, wrote and
// read back has a manifest, and without one the next plan knows of no copy and
// nothing brings the extent back.
func extentStatements(action plugins.Action) ([]plugins.Command, error) {
	if action.Kind == plugins.KindMarkArchived {
		return list(MarkArchivedStatement(action.Segment))
	}
	if err := checkExtentPath(action); err != nil {
		return nil, err
	}
	switch action.Kind {
	case plugins.KindDelete:
		text := shellLine("rm", "--", action.Object)
		return []plugins.Command{{Language: observe.CTL, QueueManager: action.QueueManager, Text: text}}, nil
	case plugins.KindArchive:
		return nil, nil
	default:
		return nil, fmt.Errorf("%s %s: there is no statement for it on %s", action.Kind, action.Object, observe.Multiplatforms)
	}
}

// MarkArchivedStatement gives what tells a queue manager that a copy of an
// extent is kept. It is for an S file: R names are refused by the queue manager
// too (case 36).
func MarkArchivedStatement(id recovery.SegmentID) (plugins.Command, error) {
	kind, _, err := observe.ParseExtent(id.Name)
	if err == nil && kind != observe.LogExtent {
		err = fmt.Errorf("%s is kept by the queue manager for reuse", id.Name)
	}
	if err != nil {
		return plugins.Command{}, fmt.Errorf("there is nothing to report of it: %w", err)
	}
	command := mqsc.Command{Verb: "SET", Params: []mqsc.Param{{Keyword: "LOG"}, {Keyword: "ARCHIVED", Values: []string{strings.ToUpper(id.Name)}}}}
	return plugins.Command{Language: observe.MQSC, QueueManager: id.QueueManager, Text: command.String()}, nil
}

// checkExtentPath wants an absolute path of the segment's own file.
func checkExtentPath(action plugins.Action) error {
	kind, _, err := observe.ParseExtent(action.Segment.Name)
	folder, name := path.Split(action.Object)
	switch {
	case err != nil:
	case kind != observe.LogExtent:
		err = fmt.Errorf("%s is kept by the queue manager for reuse", action.Segment.Name)
	case name != action.Segment.Name || !path.IsAbs(action.Object) || path.Clean(action.Object) != action.Object || folder == "/":
		err = fmt.Errorf("%q is no full path of %s", action.Object, action.Segment.Name)
	case !shell.Printable(action.Object):
		err = fmt.Errorf("%q holds a character that can't be shown", action.Object)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", action.Kind, err)
	}
	return nil
}

// shellLine writes a command as a shell reads it back; empty when one of its
// words can't be shown.
func shellLine(words ...string) string {
	line, _ := shell.Line(words...)
	return line
}

// restorable tells whether an extent can be restored from a store: from any that
// mqhk reads.
func restorable(id recovery.SegmentID, store Store) error {
	if _, _, err := observe.ParseExtent(id.Name); err != nil {
		return fmt.Errorf("restoring: %w", err)
	}
	if store.Kind == "external" {
		return fmt.Errorf("restoring extent %s: %w", id, ErrSiteSaves)
	}
	return nil
}
