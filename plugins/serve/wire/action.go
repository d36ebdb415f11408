package wire

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// EncodeAction writes one action with the texts that it refers to.
func EncodeAction(a plugins.Action) (strings []string, action *Action) {
	var table tableWriter
	table.reset()
	action = encodeAction(&table, &a)
	return table.strings, action
}

// DecodeAction reads what [EncodeAction] wrote. It fails when a reference
// points nowhere.
func DecodeAction(strings []string, a *Action) (plugins.Action, error) {
	table := tableReader{strings: strings}
	action := decodeAction(&table, a)
	if table.err != nil {
		return plugins.Action{}, fmt.Errorf("action: %w", table.err)
	}
	return action, nil
}

func encodeAction(t *tableWriter, a *plugins.Action) *Action {
	return &Action{
		Id:                  t.ref(a.ID),
		QueueManager:        t.ref(a.QueueManager),
		Kind:                t.ref(string(a.Kind)),
		CommandLanguage:     t.ref(string(a.Command.Language)),
		CommandQueueManager: t.ref(a.Command.QueueManager),
		CommandText:         t.ref(a.Command.Text),
		Object:              t.ref(a.Object),
		Items:               t.refList(a.Items),
		SegmentQueueManager: t.ref(a.Segment.QueueManager),
		SegmentLibrary:      t.ref(a.Segment.Library),
		SegmentName:         t.ref(a.Segment.Name),
		Fingerprint:         t.ref(a.Fingerprint),
		Store:               t.ref(a.Store),
		After:               t.refList(a.After),
		WithinNanos:         int64(a.Within),
		Reason:              t.ref(a.Reason),
	}
}

func decodeAction(t *tableReader, a *Action) plugins.Action {
	return plugins.Action{
		ID:           t.text(a.GetId()),
		QueueManager: t.text(a.GetQueueManager()),
		Kind:         plugins.Kind(t.text(a.GetKind())),
		Command: plugins.Command{
			Language:     observe.Language(t.text(a.GetCommandLanguage())),
			QueueManager: t.text(a.GetCommandQueueManager()),
			Text:         t.text(a.GetCommandText()),
		},
		Object: t.text(a.GetObject()),
		Items:  t.list(a.GetItems()),
		Segment: recovery.SegmentID{
			QueueManager: t.text(a.GetSegmentQueueManager()),
			Library:      t.text(a.GetSegmentLibrary()),
			Name:         t.text(a.GetSegmentName()),
		},
		Fingerprint: t.text(a.GetFingerprint()),
		Store:       t.text(a.GetStore()),
		After:       t.list(a.GetAfter()),
		Within:      time.Duration(a.GetWithinNanos()),
		Reason:      t.text(a.GetReason()),
	}
}

// actionSize estimates from above what an action takes with all its texts.
func actionSize(a *plugins.Action) int {
	size := rowSize + 13*wordSize + len(a.ID) + len(a.QueueManager) + len(a.Kind) +
		len(a.Command.Language) + len(a.Command.QueueManager) + len(a.Command.Text) + len(a.Object) +
		len(a.Segment.QueueManager) + len(a.Segment.Library) + len(a.Segment.Name) +
		len(a.Fingerprint) + len(a.Store) + len(a.Reason)
	for _, list := range [][]string{a.Items, a.After} {
		for _, text := range list {
			size += len(text) + 2*wordSize
		}
	}
	return size
}
