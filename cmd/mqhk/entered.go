package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// lookUp is how long a target is asked for its log. Whether it lists a segment
// is asked once what a person wanted noted is durable, and that does not wait
// for a system.
const lookUp = 20 * time.Second

// named is the one target that a person named.
type named struct {
	observe.Target
	now   time.Time // on its clock
	found reachable
	known run.Knowledge // the stores; the ledger once it is open
}

// one gives the one target of a name that the configuration, or the estate,
// has.
func (a *app) one(ctx context.Context, from source, name string) (named, error) {
	configuration, err := a.configuration()
	if err != nil {
		return named{}, err
	}
	found, err := a.targets(ctx, configuration, from, []string{name})
	if err != nil {
		return named{}, err
	}
	if len(found.targets) != 1 {
		return named{}, usage("%q is not one target but %s", name, names(found.targets))
	}
	kept, err := keepers(configuration, false)
	if err != nil {
		return named{}, err
	}
	now, err := found.clock(ctx, found.targets[0].Name)
	return named{found.targets[0], now, found, run.Knowledge{Stores: kept}}, err
}

// entered is where something that a person had noted went, and what is doubtful
// about it.
type entered struct {
	Ledger   string   `json:"ledger"` // its folder
	Warnings []string `json:"warnings"`
}

// mark is what was noted of a target.
type mark struct {
	segment  string // empty: none was named
	unlisted string // what follows where the target does not list the segment
	keeps    bool   // it is to keep a part of the log
}

// entered looks at what was noted of a target: there may be several state
// folders, a name may be mistyped, and a queue manager may remove by itself what
// is to be kept. Nothing of it undoes what was noted.
func (a *app) entered(ctx context.Context, l *ledger.Ledger, of named, what mark) (entered, error) {
	dir, err := a.ledgerDir()
	if err != nil {
		return entered{}, err
	}
	e := entered{Ledger: dir, Warnings: []string{}}
	switch seen, err := l.Known(ctx, of.Name); {
	case err != nil:
		e.Warnings = append(e.Warnings, err.Error())
	case !seen:
		e.Warnings = append(e.Warnings, fmt.Sprintf("no run has ever seen %s in this ledger: is --state right?", of.Name))
	}
	if asks := what.segment != "" || what.keeps && of.Platform == observe.Multiplatforms; !asks {
		return e, nil
	}
	of.known.Ledger = l
	inventory, err := of.read(ctx)
	if errors.Is(err, errNoList) {
		return e, nil
	}
	e.Warnings = append(e.Warnings, what.doubts(of.Name, inventory, err)...)
	return e, nil
}

// doubts says what a fresh look at the target shows of what was noted.
func (m mark) doubts(target string, inventory recovery.Inventory, failed error) []string {
	var list []string
	if failed == nil && len(inventory.Segments) == 0 {
		failed = errors.New("it listed nothing")
	}
	switch {
	case m.segment == "":
	case failed != nil:
		list = append(list, fmt.Sprintf("%s could not be asked whether it lists %s: %v", target, m.segment, failed))
	case !lists(inventory, m.segment):
		list = append(list, fmt.Sprintf("%s is not listed by %s: %s", m.segment, target, m.unlisted))
	}
	if m.keeps && failed == nil && inventory.Remover != recovery.ByHousekeeper {
		how := "(LogManagement=Automatic, or a REPLICATED log)"
		if inventory.Remover == recovery.OnceReported {
			how = "once they were reported to it as archived (LogManagement=Archive)"
		}
		list = append(list, fmt.Sprintf("%s removes extents itself %s and knows nothing of this: what it needs is kept only in a store, which the archive task of %s has to name; mqhk plan says what is in none (%s)",
			target, how, target, finding.BackupNotKept))
	}
	return list
}

// text is what follows the line that says what was noted.
func (e entered) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  in the ledger in %s\n", report.Printable(e.Ledger))
	for _, w := range e.Warnings {
		fmt.Fprintf(&b, "  warning: %s\n", report.Printable(w))
	}
	return b.String()
}

// errNoList says that nobody can list the segments of such a target yet.
var errNoList = errors.New("the segments of such a platform can't be listed yet")

// lists tells whether a log has a segment, NAME or LIBRARY/NAME, on the system
// or in a store: one that only a need names is in neither.
func lists(inventory recovery.Inventory, segment string) bool {
	library, name, qualified := strings.Cut(segment, "/")
	if !qualified {
		library, name = "", segment
	}
	return slices.ContainsFunc(inventory.Segments, func(s recovery.Segment) bool {
		stored := func(c recovery.Copy) bool { return c.Segment == s.ID }
		return s.ID.Name == name && (library == "" || s.ID.Library == library) &&
			(s.State != recovery.Absent || slices.ContainsFunc(inventory.Copies, stored))
	})
}

// read asks a target for its log.
func (n named) read(ctx context.Context) (_ recovery.Inventory, err error) {
	if !observe.Observable(n.Target) {
		return recovery.Inventory{}, errNoList
	}
	ctx, cancel := context.WithTimeout(ctx, lookUp)
	defer cancel()
	found := n.found
	found.dial = maps.Clone(found.dial) // asked twice, the host still answers once
	found.know(n.known)
	reader, err := connect.New(connect.Plan, found.dial).Reader(ctx, n.Target)
	if err != nil {
		return recovery.Inventory{}, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return observe.Read(ctx, reader, n.Target)
}
