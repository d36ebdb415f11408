package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// checkMark reads the mark of a note as the platform has it. On
// Multiplatforms it is an extent and nothing else: what nobody can find again
// in the log keeps nothing, or everything.
func checkMark(target observe.Target, kind ledger.NoteKind, n *noting) (err error) {
	if n.segment, err = segmentOf(target, n.segment); err != nil {
		return usage("%s of %s: %v", kind, target, err)
	}
	if kind == ledger.Shipped && n.segment == "" && target.Platform == observe.IBMi {
		return usage("%s of %s names no receiver: --segment NAME", kind, target)
	}
	if target.Platform != observe.Multiplatforms {
		return nil
	}
	if n.segment == "" && !markIsTaken(target, kind, *n) {
		return usage("%s of %s names no extent: --segment S0000123.LOG", kind, target)
	}
	return nil
}

// markIsTaken tells whether the mark is taken from the queue manager itself.
func markIsTaken(target observe.Target, kind ledger.NoteKind, n noting) bool {
	return target.Platform == observe.Multiplatforms && kind == ledger.DataBackup && n.segment == "" && n.position == ""
}

// takeMark looks at the target afresh and gives the extent from which on a
// backup of this moment needs the log, and the points that say so.
func (n named) takeMark(ctx context.Context, l *ledger.Ledger) (segment, position string, err error) {
	n.known.Ledger = l
	inventory, err := n.read(ctx)
	if err != nil {
		return "", "", &exitError{exitFailed, fmt.Errorf("asking %s for its recovery points: %w", n.Name, err)}
	}
	if segment, position, err = markOf(inventory); err != nil {
		return "", "", &exitError{exitFailed, fmt.Errorf("nothing was noted of %s: %w; name the oldest extent that the backup needs with --segment", n.Name, err)}
	}
	return segment, position, nil
}

// markOf gives the older of restart and media recovery point: what a backup of
// the data needs to be brought up to date, and to be rebuilt from (IBM MQ
// documentation, "Backing up queue manager data"). A point that only the error
// log tells is no mark: the backup would seem to need less than it does.
func markOf(inventory recovery.Inventory) (segment, position string, err error) {
	restart, media := oldestExtent(inventory, recovery.Restart), oldestExtent(inventory, recovery.Media)
	if restart == "" || media == "" {
		return "", "", &noMark{reasons(inventory)}
	}
	for _, need := range inventory.Needs {
		if need.Logged { // what the error log tells no policy has said to trust
			return "", "", &noMark{[]string{fmt.Sprintf("only the error log tells %s (%s)", need.Name, need.Source)}}
		}
	}
	return older(restart, media), "RECLOG=" + restart + " MEDIALOG=" + media, nil
}

// noMark says that the recovery points of a moment are not known.
type noMark struct{ reasons []string }

func (e *noMark) Error() string {
	return strings.Join(append([]string{"its restart and its media recovery point are not both known"}, e.reasons...), "; ")
}

// oldestExtent gives the oldest extent that the needs of a kind begin in;
// empty: none is named.
func oldestExtent(inventory recovery.Inventory, kind recovery.NeedKind) string {
	oldest := ""
	for _, need := range inventory.Needs {
		if letter, _, err := observe.ParseExtent(need.Name); need.Kind != kind || err != nil || letter != observe.LogExtent {
			continue
		}
		if oldest == "" {
			oldest = need.Name
		}
		oldest = older(oldest, need.Name)
	}
	return oldest
}

// older gives the older of two extents, around the end of the numbers too
// (case 17).
func older(a, b string) string {
	_, first, _ := observe.ParseExtent(a) // both are extents
	_, second, _ := observe.ParseExtent(b)
	if observe.ExtentDistance(first, second) < 0 {
		return b
	}
	return a
}

// reasons gives what is critical in what could not be learned.
func reasons(inventory recovery.Inventory) []string {
	var list []string
	for _, f := range inventory.Open {
		if f.Severity == finding.Critical {
			list = append(list, f.Text)
		}
	}
	return list
}
