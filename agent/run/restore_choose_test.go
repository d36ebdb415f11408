package run

import (
	"context"
	"errors"
	"io"
	"iter"
	"log/slog"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/recovery"
)

// listing is a store of which only the list is asked for.
type listing struct {
	store.Store
	copies []recovery.Copy
}

func (l listing) List(context.Context, string) iter.Seq2[recovery.Copy, error] {
	return func(yield func(recovery.Copy, error) bool) {
		for _, c := range l.copies {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func (listing) Open(context.Context, recovery.Copy) (io.ReadCloser, error) {
	return nil, errors.New("nobody reads it")
}

// kept reads "NAME attach detach first last": times of one day, of a copy in
// LIB.
func kept(words string) recovery.Copy {
	f := strings.Fields(words)
	return recovery.Copy{
		Segment: recovery.SegmentID{QueueManager: "Q", Library: "LIB", Name: "AMQA00000" + f[0]}, Store: "vault",
		Opened: "2026-05-27 " + f[1] + ":00", Closed: "2026-05-27 " + f[2] + ":00", From: f[3], To: f[4], Verified: true,
	}
}

// Where the stores have several segments of a name, the one that joins the chain
// is meant; where none does a person says which.
func TestChosenByName(t *testing.T) {
	own := []recovery.Copy{kept("1 08:00 09:00 1 10"), kept("2 09:00 10:00 11 20"), kept("3 10:00 04:00 21 30"), kept("4 04:00 05:00 31 40")}
	others := []recovery.Copy{kept("2 09:00 10:30 11 20"), kept("3 10:30 11:00 21 30"), kept("6 12:00 13:00 51 60"), kept("7 13:00 14:00 61 70"), kept("7 13:00 15:00 61 80")}
	seen := look{inventories: []recovery.Inventory{{QueueManager: "Q", Copies: own}}}
	copies := listing{copies: append(append([]recovery.Copy{}, others...), own...)}
	all := ordered(copiesIn(t.Context(), map[string]store.Store{"vault": copies}, "", "Q", slog.New(slog.DiscardHandler)), seen)
	tests := []struct {
		wanted string
		want   string // names and attach times, newest first
		err    error
	}{
		{wanted: "AMQA000002", want: "2 to 10:00"},
		{wanted: "LIB/AMQA000003", want: "3 to 04:00"},
		{wanted: "AMQA000001..AMQA000004", want: "4 to 05:00, 3 to 04:00, 2 to 10:00, 1 to 09:00"}, // by the chain, whatever the clock did
		{wanted: "AMQA000006", want: "6 to 13:00"},
		{wanted: "AMQA000007", err: ErrAmbiguous},
		{wanted: "AMQA000007@2026-05-27T15:00:00", want: "7 to 15:00"},
		{wanted: "LIB/AMQA000007@2026-05-27-14.00.00", want: "7 to 14:00"},
		{wanted: "AMQA000007@2026-05-27T13:00:00", err: ErrAmbiguous},
		{wanted: "AMQA000007@2026-05-27T16:00:00", err: ErrNoCopy},
		{wanted: "AMQA000003@2026-05-27T11:00:00", want: "3 to 11:00"},
		{wanted: "AMQA000006..AMQA000007@2026-05-27T15:00:00", err: ErrAmbiguous},
		{wanted: "AMQA000003@2026-05-27T11:00:00..AMQA000004", err: ErrAmbiguous},
		{wanted: "AMQA000009", err: ErrNoCopy},
		{wanted: "AMQA000001@", err: ErrNoCopy},
		{wanted: "AMQA000004..AMQA000002", err: ErrNoRange},
	}
	for _, test := range tests {
		list, err := named(all, []string{test.wanted})
		var got []string
		for _, k := range list {
			got = append(got, strings.TrimPrefix(k.id().Name, "AMQA00000")+" to "+k.closed.Format("15:04"))
		}
		if text := strings.Join(got, ", "); text != test.want || !errors.Is(err, test.err) {
			t.Errorf("%s: %s, %v; want %s, %v", test.wanted, text, err, test.want, test.err)
		}
	}
	_, err := named(all, []string{"AMQA000007"})
	if want := "AMQA000007@2026-05-27T13:00:00 to 2026-05-27T14:00:00; AMQA000007@2026-05-27T13:00:00 to 2026-05-27T15:00:00"; !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
