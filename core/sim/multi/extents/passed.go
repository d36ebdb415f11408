package extents

import (
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/wal"
)

// remembered is how many checkpoints the demand of a workload is remembered
// for: a secondary file is kept that long after it was last needed.
const remembered = 3

// Passed tells the log of a complete checkpoint: where a restart begins to read
// now, and where media recovery does. What nothing needs any more is given up
// as the kind and the management of the log say. It gives what was done with
// files since the last checkpoint. An error leaves everything that is needed in
// its place, and what was to be done for the next call.
func (l *Log) Passed(restart, media wal.LSN) (Pass, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.demand = append([]int{l.used(l.c.restart)}, l.demand[:min(len(l.demand), remembered-1)]...)
	l.c.restart, l.c.media, l.known = restart, media, true
	var err error
	if l.set.Kind == Circular {
		err = l.passRing()
	} else {
		err = l.release()
	}
	if err != nil {
		err = fmt.Errorf("after a checkpoint: %w", err)
	}
	done := l.pass
	l.pass, l.begun = Pass{}, 0
	return done, err
}

// passRing gives up the secondary files that the workload has not needed for
// some checkpoints (chapter 7.1.1), and makes primary files that are missing.
func (l *Log) passRing() error {
	if err := l.save(); err != nil {
		return err
	}
	if _, err := l.dropSecondaries(max(0, slices.Max(l.demand)-l.set.Primary)); err != nil {
		return err
	}
	return l.fillRing()
}

// Reduction is how much [Log.Reduce] is to remove: a number of extents, or one
// of the words that RESET QMGR TYPE(REDUCELOG) knows, with their values in PCF.
type Reduction int

// The words of REDUCE.
const (
	ReduceAuto Reduction = -1
	ReduceOne  Reduction = 1
	ReduceMax  Reduction = -2
)

// Reduce removes files that hold nothing: inactive secondary files of a
// circular log, extents for reuse of a linear one. AUTO leaves what the log has
// begun since the last checkpoint, and one. It gives how many were removed; if
// those are fewer than was asked for, or none, the error wraps [ErrNotReduced].
// A linear log with management Manual has nothing for it: [ErrLogType].
func (l *Log) Reduce(how Reduction) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.set.Kind == Linear && l.set.Management == Manual {
		return 0, fmt.Errorf("reducing the log: %w: its management is %s", ErrLogType, l.set.Management)
	}
	if how == 0 || how < ReduceMax {
		return 0, fmt.Errorf("reducing the log by %d extents: %w", how, ErrNotReduced)
	}
	removed, err := l.reduce(how)
	if err == nil && (removed == 0 || removed < int(how)) {
		err = fmt.Errorf("%w: %d extents were removed", ErrNotReduced, removed)
	}
	if err != nil {
		return removed, fmt.Errorf("reducing the log: %w", err)
	}
	return removed, nil
}

func (l *Log) reduce(how Reduction) (int, error) {
	kind, least := observe.LogExtent, l.set.Primary
	if l.set.Kind == Linear {
		kind, least = observe.ReuseExtent, 0
	}
	there, err := l.numbers(kind)
	if l.set.Kind == Linear {
		there, err = l.waiting()
	}
	if err != nil {
		return 0, err
	}
	idle := len(slices.DeleteFunc(there, func(n int) bool { return n < least }))
	keep := 0 // ReduceMax
	switch {
	case how == ReduceAuto:
		keep = l.begun + 1
	case how > 0:
		keep = max(0, idle-int(how))
	}
	if l.set.Kind == Circular {
		return l.dropSecondaries(keep)
	}
	return l.dropReuse(there[:idle], keep)
}

// dropReuse deletes extents for reuse: all but keep of them.
func (l *Log) dropReuse(waiting []int, keep int) (int, error) {
	l.files.counted = false
	dropped := 0
	for _, n := range slices.Backward(waiting) {
		if len(waiting)-dropped <= keep {
			break
		}
		if err := l.remove(reuseName(observe.ExtentName(n))); err != nil {
			return dropped, err
		}
		dropped++
	}
	l.pass.Deleted += dropped
	if dropped == 0 {
		return 0, nil
	}
	return dropped, l.disk.SyncDir(l.Folder())
}
