package run

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// KeptAction is an action of a kept plan, with all that carrying it out takes.
type KeptAction struct {
	ID           string       `json:"id"`
	QueueManager string       `json:"queue_manager"`
	Kind         plugins.Kind `json:"kind"`
	Command      KeptCommand  `json:"command,omitzero"`
	Object       string       `json:"object"`
	Items        []string     `json:"items"`
	Segment      KeptSegment  `json:"segment,omitzero"`
	Fingerprint  string       `json:"fingerprint,omitempty"`
	Store        string       `json:"store,omitempty"`
	After        []string     `json:"after"`
	Within       KeptSpan     `json:"within,omitzero"` // zero: the host's default
	Reason       string       `json:"reason"`
	// Unsaved tells that the segment goes without ever having been saved.
	Unsaved bool `json:"unsaved,omitempty"`
}

// KeptCommand is a plugins.Command.
type KeptCommand struct {
	Language     observe.Language `json:"language"`
	QueueManager string           `json:"queue_manager"`
	Text         string           `json:"text"`
}

// KeptSegment is a recovery.SegmentID.
type KeptSegment struct {
	QueueManager string `json:"queue_manager"`
	Library      string `json:"library,omitempty"`
	Name         string `json:"name"`
}

// KeptSpan is a duration that a person can read: "2m0s".
type KeptSpan time.Duration

// MarshalText writes the duration with its units.
func (s KeptSpan) MarshalText() ([]byte, error) { return []byte(time.Duration(s).String()), nil }

// UnmarshalText reads a duration with its units.
func (s *KeptSpan) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("within: %w", err)
	}
	*s = KeptSpan(d)
	return nil
}

func keepAction(a plugins.Action, unsaved bool) KeptAction {
	return KeptAction{
		ID: a.ID, QueueManager: a.QueueManager, Kind: a.Kind, Command: KeptCommand(a.Command),
		Object: a.Object, Items: append([]string{}, a.Items...), Segment: KeptSegment(a.Segment),
		Fingerprint: a.Fingerprint, Store: a.Store, After: append([]string{}, a.After...),
		Within: KeptSpan(a.Within), Reason: a.Reason, Unsaved: unsaved,
	}
}

// Action gives the action as it was planned.
func (a KeptAction) Action() plugins.Action {
	return plugins.Action{
		ID: a.ID, QueueManager: a.QueueManager, Kind: a.Kind, Command: plugins.Command(a.Command),
		Object: a.Object, Items: append([]string(nil), a.Items...), Segment: recovery.SegmentID(a.Segment),
		Fingerprint: a.Fingerprint, Store: a.Store, After: append([]string(nil), a.After...),
		Within: time.Duration(a.Within), Reason: a.Reason,
	}
}

// touches tells whether the action is about one segment.
func (a KeptAction) touches() bool {
	return a.Kind == plugins.KindArchive || a.Kind == plugins.KindMarkArchived || a.Kind == plugins.KindDelete
}
