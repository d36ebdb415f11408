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
	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

const (
	pageSetHelp = `Pageset-backup says that the page sets of a queue manager on z/OS were copied while
it ran. From the mark of that moment on its archive logs are kept, until mqhk note
end says that the copy is not kept any longer.

Of a sharing group a note is made of every member, or of --member alone. Its mark is
the oldest RBA that DISPLAY USAGE TYPE(DATASET) shows of the member: the restart RBA,
that with offline page sets, the one for page set recovery and that of the oldest
unit of work. They are taken from the group, or from the answers in --transcript:
then let that job run before the page sets are copied. The values only move forward,
and an older one keeps more; today's would keep too little. By hand: --member QMA1
--position 0000002FC0007000.`
	shippedHelp = `Shipped says that a log piece was sent to another site. Of a sharing group it says
that a recovery set was: page set copies, structure backups, the rows of STRBACKUP
and the archive logs since. From its marks on the archive logs of every member are
kept; the marks are those of pageset-backup.`
)

// ofMembers tells whether a kind of note of a sharing group is made of each of its
// members.
func ofMembers(kind ledger.NoteKind) bool {
	return kind == ledger.PageSetBackup || kind == ledger.Shipped
}

// memberMark is the mark that a note of a member has.
type memberMark struct {
	member   string
	position string
	at       time.Time
	text     string // the values that it was taken from
}

// noteGroup notes what a job did on a sharing group, once for each member. Nothing
// is noted when the mark of one is not known.
func (a *app) noteGroup(ctx context.Context, n noting, kind ledger.NoteKind, target named, text string) error {
	marks, err := n.marks(ctx, kind, target)
	if err != nil {
		return err
	}
	return a.withLedger(ctx, func(l *ledger.Ledger) error {
		list := []noteListed{}
		for _, m := range marks {
			note, err := l.AddNote(ctx, ledger.Note{
				Target: m.member, At: m.at, Kind: kind, Segment: n.segment,
				Position: m.position, Text: strings.TrimPrefix(text+behind(m.text), ": "), By: whoami(),
			})
			if err != nil {
				return ledgerRefused(err)
			}
			list = append(list, listedNote(note, m.at.Location()))
		}
		where, err := a.entered(ctx, l, target, mark{})
		if err != nil {
			return err
		}
		value := map[string]any{"notes": list, "ledger": where.Ledger, "warnings": where.Warnings}
		return a.result(value, func() string {
			var b strings.Builder
			for _, listed := range list {
				b.WriteString("noted: " + noteText(listed))
			}
			return b.String() + where.text()
		})
	})
}

// marks gives the marks of the members: the one that was given by hand, or those
// that the group shows.
func (n noting) marks(ctx context.Context, kind ledger.NoteKind, target named) ([]memberMark, error) {
	n.member = strings.ToUpper(n.member)
	switch {
	case !ofMembers(kind):
		return nil, usage("%s of %s: a sharing group has no log of its own; a segment is noted of the member whose it is", kind, target.Target)
	case n.member != "" && !slices.Contains(target.Members, n.member):
		return nil, usage("%q is no member of %s: those are %s", n.member, target.Name, strings.Join(target.Members, ", "))
	case n.segment != "" && n.member == "":
		return nil, usage("--segment is of one member: name it with --member")
	case n.position != "" || n.segment != "":
		return n.given(target)
	}
	group, err := target.readGroup(ctx)
	if err != nil {
		return nil, &exitError{exitFailed, fmt.Errorf("nothing was noted of %s: %w", target.Name, err)}
	}
	marks, err := marksOf(group, n.member)
	if err != nil {
		return nil, &exitError{exitFailed, fmt.Errorf("nothing was noted of %s: %w; give the value of each member by hand with --member and --position", target.Name, err)}
	}
	return marks, nil
}

// given reads the mark that a person gave.
func (n noting) given(target named) ([]memberMark, error) {
	if n.member == "" {
		return nil, usage("an RBA is of one member's log: name it with --member")
	}
	if n.position != "" {
		rba, err := bsds.ParseRBA(n.position)
		if err != nil {
			return nil, usage("--position: %v", err)
		}
		n.position = rba.String()
	}
	return []memberMark{{member: n.member, position: n.position, at: target.now}}, nil
}

// readGroup asks a group for what a mark is taken from.
func (n named) readGroup(ctx context.Context) (_ qsg.Group, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookUp)
	defer cancel()
	reader, err := connect.New(connect.Plan, maps.Clone(n.found.dial)).Reader(ctx, n.Target)
	if err != nil {
		return qsg.Group{}, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return qsg.Read(ctx, reader, n.Target, qsg.Usage)
}

// marksOf gives the mark of every member, or of one.
func marksOf(group qsg.Group, only string) ([]memberMark, error) {
	if group.Observed.IsZero() {
		return nil, errors.New("nobody says when these answers were given (CLOCK)")
	}
	var marks []memberMark
	for _, m := range group.Members {
		if only != "" && m.Name != only {
			continue
		}
		oldest, text, err := markOfUsage(m.Usage)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		marks = append(marks, memberMark{m.Name, oldest.String(), group.Observed, text})
	}
	if len(marks) == 0 {
		return nil, errors.New("no member of it answered")
	}
	return marks, nil
}

// markOfUsage gives the oldest RBA that a member needs at the moment of DISPLAY
// USAGE. A backup of page sets is brought up to date from the restart RBA that was
// shown when it was made (trap: never from today's); what is older is needed too.
func markOfUsage(usage qsg.LogUsage) (oldest qsg.Position, text string, err error) {
	if !usage.Known || !usage.Restart.Known() {
		return oldest, "", errors.New("DISPLAY USAGE TYPE(DATASET) of it does not show the restart RBA (CSQI024I)")
	}
	values := []struct {
		name string
		rba  qsg.Position
	}{
		{"restart", usage.Restart}, {"offline", usage.RestartOffline},
		{"pagesets", usage.PageSets.From}, {"unit", usage.Unit.From},
	}
	var parts []string
	for _, v := range values {
		if !v.rba.Known() || v.rba.Zero() {
			continue
		}
		parts = append(parts, v.name+"="+v.rba.String())
		if !oldest.Known() {
			oldest = v.rba
			continue
		}
		switch order, ok := v.rba.Compare(oldest); {
		case !ok:
			return oldest, "", fmt.Errorf("its RBAs have two widths: %s and %s", oldest, v.rba)
		case order < 0:
			oldest = v.rba
		}
	}
	if !oldest.Known() {
		return oldest, "", errors.New("its restart RBA is zero")
	}
	if usage.Structures.From.Known() {
		parts = append(parts, "lrsn="+usage.Structures.From.String())
	}
	return oldest, strings.Join(parts, " "), nil
}
