package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
)

func TestManifestsAsDocumented(t *testing.T) {
	d := newStore(t)
	put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
	lost := receiver("AMQA000008")
	put(t, d, lost, facts(), []byte("content"))
	remove(t, filesOf(t, d, "*AMQA000008*.segment")[0])
	other := receiver("AMQA000009")
	other.ID.QueueManager = "PAYROLL"
	put(t, d, other, facts(), []byte("content"))
	put(t, d, extent("S0000007.LOG"), Facts{First: "7", Last: "7", Incarnation: `ORDERS_2026-05-01 <0:0:0:0> /var/mqm/"log",1`}, []byte("content"))

	got, err := Manifests(t.Context(), []Store{NewExternal("brms"), d}, "ORDERS")
	if err != nil {
		t.Fatal(err)
	}
	sha := digestOf([]byte("content"))
	want := "STORE,QUEUE_MANAGER,LIBRARY,SEGMENT,OPENED,CLOSED,FIRST,LAST,BYTES,SHA256,VERIFIED,INCARNATION\n" +
		"vault,ORDERS,,S0000007.LOG,,,7,7,7," + sha + `,YES,"ORDERS_2026-05-01 <0:0:0:0> /var/mqm/""log"",1"` + "\n" +
		"vault,ORDERS,QMORDERS,AMQA000007,2026-05-27-12.20.00.000000,2026-05-27-13.59.00.000000,9120044,9531915,7," + sha + ",YES,\n" +
		"vault,ORDERS,QMORDERS,AMQA000008,2026-05-27-12.20.00.000000,2026-05-27-13.59.00.000000,9120044,9531915,7," + sha + ",NO,\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestManifestsWithOneThatCannotBeRead(t *testing.T) {
	d := newStore(t)
	put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
	put(t, d, receiver("AMQA000008"), facts(), []byte("content"))
	edit(t, filesOf(t, d, "*AMQA000007*.json")[0], flip)
	got, err := Manifests(t.Context(), []Store{d}, "ORDERS")
	is(t, err, ErrManifest)
	if strings.Contains(string(got), "AMQA000007") || !strings.Contains(string(got), "AMQA000008") {
		t.Errorf("%s", got)
	}
	if _, err := Manifests(t.Context(), nil, ""); err == nil {
		t.Error("manifests of no queue manager")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Manifests(ctx, []Store{d}, "ORDERS")
	is(t, err, context.Canceled)
}

// answering puts the answer of a store in the place of a transcript's.
type answering struct {
	observe.Asker
	stores []Store
}

func (a answering) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if q.Language != observe.Store {
		return a.Asker.Ask(ctx, q)
	}
	body, err := Manifests(ctx, a.stores, q.QueueManager)
	return observe.Answer{Body: body}, err
}

// What is put for a receiver of an observed journal is observed as its copy.
func TestManifestsAreObserved(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "orders.mqt"))
	if err != nil {
		t.Fatal(err)
	}
	played, err := transcript.Parse("orders.mqt", strings.NewReader(string(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	target := played.Targets()[0]
	before, err := observe.ReadJournal(t.Context(), played.Player(), target)
	if err != nil {
		t.Fatal(err)
	}
	d := newStore(t)
	var want []recovery.Copy
	for i, r := range before.Receivers[:3] {
		f := Facts{Opened: r.Attach.String(), Closed: r.Detach.String(), Marks: MarksOf(before.Inventory.Needs), Run: "run-1"}
		c := put(t, d, before.Inventory.Segments[i], f, []byte(r.ID.Name))
		want = append(want, c)
	}
	after, err := observe.ReadJournal(t.Context(), answering{played.Player(), []Store{d}}, target)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, after.Inventory.Copies); diff != "" {
		t.Error(diff)
	}
}
