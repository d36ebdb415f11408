package connect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/plugins"
)

// housekeeper is a station on which MQHK, a user of its own, keeps house.
type housekeeper struct {
	*station
	user Gate // what MQHK reaches
}

func newHousekeeper(t *testing.T) *housekeeper {
	t.Helper()
	h := &housekeeper{station: newStation(t, "ORDERS")}
	h.user = New(Apply, map[string]Dialer{"ORDERS": As(NewEstates().At(h.dir), "MQHK")})
	h.officer("CRTUSRPRF USRPRF(MQHK)", "GRTOBJAUT OBJ(MQVAULT) OBJTYPE(*LIB) USER(*PUBLIC) AUT(*EXCLUDE)")
	return h
}

// officer gives commands as who may do everything.
func (h *housekeeper) officer(commands ...string) {
	h.t.Helper()
	h.on(func(e *sim.Estate) {
		for _, text := range commands {
			h.cl(e, "ORDERS", text)
		}
	})
}

// check checks as MQHK.
func (h *housekeeper) check(needs Needs) []Checked {
	h.t.Helper()
	reader, err := h.user.Reader(h.t.Context(), h.target("ORDERS"))
	h.must(err)
	defer func() { h.must(reader.Close()) }()
	rows, err := Check(h.t.Context(), h.target("ORDERS"), reader, needs)
	h.must(err)
	return rows
}

// grants gives the commands that a check asks for, each once.
func grants(rows []Checked) []string {
	all := map[string]bool{}
	for _, row := range rows {
		for _, text := range row.Grant {
			all[text] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func notYes(rows []Checked) []Checked {
	return slices.DeleteFunc(slices.Clone(rows), func(row Checked) bool { return row.Verdict == Yes })
}

// settle carries out what checks ask for until they ask for nothing.
func (h *housekeeper) settle(needs Needs) {
	h.t.Helper()
	for range 4 {
		rows := h.check(needs)
		asked := grants(rows)
		if len(asked) == 0 {
			if left := notYes(rows); len(left) > 0 {
				h.t.Fatalf("not all is there, and nothing gives it: %+v", left)
			}
			return
		}
		h.officer(asked...)
	}
	h.t.Fatal("the checks never end to ask for something")
}

// take takes one authority of what MQHK was granted on an object.
func (h *housekeeper) take(o object, words []string, word string) {
	h.t.Helper()
	if o.kind == "*CMD" && o.library == "QMQM" {
		h.officer("CHGUSRPRF USRPRF(MQHK) GRPPRF(*NONE)")
		return
	}
	none, err := grantObject(o, "MQHK", []string{"*EXCLUDE"})
	if err == nil {
		h.officer(strings.Replace(none, "AUT()", "AUT(*EXCLUDE)", 1)) // which is no word of the table
		left := slices.DeleteFunc(expand(words), func(w string) bool { return w == word })
		if len(left) > 0 {
			none, err = grantObject(o, "MQHK", left)
			h.officer(none)
		}
	}
	h.must(err)
}

func expand(words []string) []string {
	var all []string
	for _, word := range words {
		if word == "*USE" {
			all = append(all, use...)
			continue
		}
		all = append(all, word)
	}
	return all
}

// vaulted are the needs of a use, with a place for save files.
func vaulted(u Use) Needs { return Needs{Uses: []Use{ForPlan, u}, Stores: []Store{vault}} }

// place learns where the objects are.
func (h *housekeeper) place() (s site) {
	h.t.Helper()
	h.on(func(e *sim.Estate) {
		facts, err := observe.ReadJournal(h.t.Context(), e, h.target("ORDERS"))
		h.must(err)
		s = siteOf(h.target("ORDERS"), facts)
	})
	return s
}

// For every authority of the table and each use of it: when it is taken away,
// what it is for fails, the check asks for exactly the grant that gives it back,
// and when that was submitted the check is clean and it works.
func TestEachAuthority(t *testing.T) {
	for _, u := range Uses() {
		t.Run(string(u), func(t *testing.T) {
			t.Parallel()
			h := newHousekeeper(t)
			needs := vaulted(u)
			h.settle(needs)
			h.must(h.act(u))
			h.settle(needs) // what was restored has nothing granted
			for _, a := range h.place().authorities(needs.Stores, profile{name: "MQHK"}) {
				words, _ := a.words(needs)
				each := expand(a.needed[u])
				if testing.Short() {
					each = each[:min(1, len(each))]
				}
				for _, word := range each {
					h.without(u, a, words, word)
				}
			}
		})
	}
}

// without is one row of the proof.
func (h *housekeeper) without(u Use, a authority, words []string, word string) {
	h.t.Helper()
	needs := vaulted(u)
	name := fmt.Sprintf("%s: %s without %s", u, a.object, word)
	h.take(a.object, words, word)
	want := a.grant
	if want == "" || a.object.kind == "*LIB" {
		var err error
		want, err = grantObject(a.object, "MQHK", words)
		h.must(err)
	}
	before := h.check(needs)
	if got := grants(before); !slices.Equal(got, []string{want}) {
		h.t.Errorf("%s: the check asks for %q, want %q\n%+v", name, got, want, notYes(before))
	}
	if err := h.act(u); err == nil {
		h.t.Errorf("%s: it works all the same", name)
	}
	h.officer(want)
	if left := notYes(h.check(needs)); len(left) > 0 {
		h.t.Errorf("%s: granted, and still %+v", name, left)
	}
	if err := h.act(u); err != nil {
		h.t.Errorf("%s: granted, and still %v", name, err)
	}
	h.settle(needs)
}

// act does as MQHK what a use is.
func (h *housekeeper) act(u Use) error {
	h.t.Helper()
	switch u {
	case ForPlan:
		return h.plan()
	case ForDelete:
		h.officer("CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)")
		oldest := h.place().receivers[0]
		return h.write(func(ctx context.Context, w Writer) error {
			_, _, err := w.Remove(ctx, Removal{Segment: oldest, Unsaved: true})
			return err
		})
	case ForImages:
		return h.write(func(ctx context.Context, w Writer) error {
			return errors.Join(h.do(ctx, w, "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"),
				h.do(ctx, w, "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS) DSPJRNDTA(*YES)"))
		})
	case ForSave:
		oldest := h.place().receivers[0]
		defer h.tidy(oldest)
		return h.write(func(ctx context.Context, w Writer) error {
			content, err := w.Save(ctx, oldest, vault)
			if err != nil {
				return err
			}
			return content.Close()
		})
	default:
		return h.restore()
	}
}

// plan holds what MQHK learns against what is to be learned, and reads the
// queues, which may be empty.
func (h *housekeeper) plan() error {
	codes := func(gate Gate) string {
		reader, err := gate.Reader(h.t.Context(), h.target("ORDERS"))
		h.must(err)
		defer func() { h.must(reader.Close()) }()
		facts, err := observe.ReadJournal(h.t.Context(), reader, h.target("ORDERS"))
		h.must(err)
		text := fmt.Sprint(len(facts.Receivers), facts.Journal.Name)
		for _, f := range facts.Inventory.Open {
			text += " " + string(f.Code)
		}
		return text
	}
	if got, want := codes(h.user), codes(h.gate); got != want {
		return fmt.Errorf("MQHK learns %s, not %s", got, want)
	}
	reader, err := h.user.Reader(h.t.Context(), h.target("ORDERS"))
	h.must(err)
	for _, q := range []string{"QMORDERS/QMQMMSG", "QSYS/QSYSOPR"} {
		_, failed := reader.Ask(h.t.Context(), observe.Question{Language: observe.CL, QueueManager: "ORDERS", Text: "DSPMSG MSGQ(" + q + ") OUTPUT(*PRINT)"})
		err = errors.Join(err, failed)
	}
	return errors.Join(err, reader.Close())
}

// restore brings the oldest receiver back, which was saved and is gone.
func (h *housekeeper) restore() error {
	oldest := h.place().receivers[0]
	defer h.tidy(oldest)
	var content []byte
	w, err := h.gate.Writer(h.t.Context(), h.target("ORDERS"))
	h.must(err)
	saved, err := w.Save(h.t.Context(), oldest, vault)
	h.must(err)
	content, err = io.ReadAll(saved)
	h.must(errors.Join(err, saved.Close()))
	_, _, err = w.Remove(h.t.Context(), Removal{Segment: oldest, Unsaved: true})
	h.must(errors.Join(err, w.Close()))
	failed := h.write(func(ctx context.Context, w Writer) error {
		_, err := w.Restore(ctx, recovery.Copy{Segment: oldest}, vault, bytes.NewReader(content))
		return err
	})
	if failed != nil { // it has to be there for the next time
		w, err := h.gate.Writer(h.t.Context(), h.target("ORDERS"))
		h.must(err)
		h.must(w.Discard(h.t.Context(), oldest, vault))
		if _, err := w.Restore(h.t.Context(), recovery.Copy{Segment: oldest}, vault, bytes.NewReader(content)); !errors.Is(err, ErrThere) {
			h.must(err)
		}
		h.must(w.Close())
	}
	h.officer("GRTOBJAUT OBJ(QMORDERS/AMQA*) OBJTYPE(*JRNRCV) USER(MQHK) AUT(*OBJOPR *READ)")
	return failed
}

// tidy takes away what a save that MQHK could not end has left.
func (h *housekeeper) tidy(id recovery.SegmentID) {
	w, err := h.gate.Writer(h.t.Context(), h.target("ORDERS"))
	h.must(err)
	h.must(errors.Join(w.Discard(h.t.Context(), id, vault), w.Close()))
}

func (h *housekeeper) write(do func(context.Context, Writer) error) error {
	h.t.Helper()
	w, err := h.user.Writer(h.t.Context(), h.target("ORDERS"))
	h.must(err)
	return errors.Join(do(h.t.Context(), w), w.Close())
}

func (h *housekeeper) do(ctx context.Context, w Writer, text string) error {
	_, _, err := w.Do(ctx, plugins.Command{Language: observe.CL, QueueManager: "ORDERS", Text: text})
	return err
}
