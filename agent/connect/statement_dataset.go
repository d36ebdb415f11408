package connect

import (
	"fmt"

	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// dataSetStatement is what a person submits to IDCAMS to let an archive data set
// go. mqhk never sends it: there is no connection that writes to z/OS.
func dataSetStatement(action plugins.Action) ([]plugins.Command, error) {
	if action.Kind != plugins.KindDelete {
		return nil, fmt.Errorf("%s %s: there is no statement for it on z/OS", action.Kind, action.Object)
	}
	// A plan lets data sets of one copy go, which is its own affair: one
	// statement alone is of one copy.
	texts, err := idcams.Deletes([]idcams.Doomed{{Name: action.Segment.Name, Copy: 1}})
	if err != nil {
		return nil, err
	}
	return []plugins.Command{{Language: observe.IDCAMS, QueueManager: action.Segment.QueueManager, Text: texts[0]}}, nil
}
