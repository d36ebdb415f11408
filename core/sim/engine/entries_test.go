package engine

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal"
	"pgregory.net/rapid"
)

// Reference, Multiplatforms item 108: the bytes of the records between two
// positions sum to their difference, across segments, whatever was done.
func TestEntryBytesSum(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := lived(t, rt)
		v.must(v.e.Force(t.Context(), 0))
		status := v.e.Status()
		v.crash()
		var at []wal.LSN
		var bytes []int64
		for entry, err := range Entries(t.Context(), wal.From(v.disk), v.own.list, 0, 0) {
			v.must(err)
			at, bytes = append(at, entry.LSN), append(bytes, entry.Bytes)
		}
		at = append(at, status.End)
		i := rapid.IntRange(0, len(at)-1).Draw(rt, "from")
		j := rapid.IntRange(i, len(at)-1).Draw(rt, "to")
		var sum int64
		for _, n := range bytes[i:j] {
			sum += n
		}
		if at[0] != wal.First || sum != int64(at[j]-at[i]) {
			rt.Fatalf("from %s to %s: %d bytes", at[i], at[j], sum)
		}
		if i == len(at)-1 {
			return
		}
		var part int64
		for entry, err := range Entries(t.Context(), wal.From(v.disk), v.own.list, at[i], at[j]) {
			v.must(err)
			part += entry.Bytes
		}
		if j > i && part != sum {
			rt.Fatalf("from %s to %s: %d bytes, want %d", at[i], at[j], part, sum)
		}
	})
}

// What a dump of a log with detail shows, record by record.
func TestEntries(t *testing.T) {
	ctx := t.Context()
	s := seedEstate(t, 1<<20)
	from := s.e.Status().End
	s.define("A")
	s.must(s.e.Note(ctx, "start", []byte("2026-05-28")))
	u, err := s.e.BeginGlobal([]byte("xid"))
	s.must(err)
	_, err = u.Put(ctx, "A", Message{Persistent: true, Priority: 7, Body: []byte(strings.Repeat("a", 16_000))})
	s.must(err)
	s.unitGet(u, "A", strings.Repeat("a", 16_000))
	s.must(u.Prepare(ctx, []byte("xid")))
	_, err = s.e.Checkpoint(ctx)
	s.must(err)
	s.must(s.e.Keep(ctx, "xid", []byte("participants")))
	s.must(u.Commit(ctx))
	s.must(s.e.Drop(ctx, "xid"))
	open := s.unit()
	s.unitPut(open, "A", "b")
	s.must(open.Backout(ctx))
	s.must(s.e.Alter(ctx, Ref{Queue, "A"}, map[string]string{"GET": "DISABLED"}))
	s.must(s.e.Clear(ctx, "A"))
	s.must(s.e.Image(ctx, Ref{Queue, "A"}))
	s.must(s.e.Damage(ctx, Ref{Queue, "A"}))
	s.must(s.e.Delete(ctx, Ref{Queue, "A"}, false))
	s.must(s.e.End(ctx))
	var got []string
	var seen []Entry
	units := ""
	for e, err := range Entries(ctx, wal.From(s.disk), s.own.list, from, 0) {
		s.must(err)
		if e.Kind == EntryCheckpointTable && len(e.Units) > 0 {
			units = fmt.Sprint(e.Units[0].ID, string(e.Units[0].XID), e.Units[0].Prepared, e.Units[0].Last > e.Units[0].First)
		}
		e.Body, e.Units = []byte(fmt.Sprint(len(e.Body))), nil
		got, seen = append(got, string(e.Kind)), append(seen, e)
	}
	want := []string{
		"define", "note", "begin", "put", "put part", "get", "prepare",
		"checkpoint", "checkpoint table", "checkpoint end", "keep", "commit", "drop",
		"begin", "put", "backout", "end", "alter", "clear", "image", "image end", "damage", "delete",
		"checkpoint", "checkpoint table", "checkpoint end",
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Fatalf("%q, want %q", got, want)
	}
	if want := fmt.Sprint(u.ID(), "xid", true, true); units != want {
		t.Errorf("unit of work in the checkpoint: %s, want %s", units, want)
	}
	a := Ref{Queue, "A"}
	if e := seen[0]; e.LSN != from || e.Ref != a || e.Object != uint64(from) || e.Attributes["DESCR"] != "A" {
		t.Errorf("%+v", e)
	}
	if e := seen[1]; e.Key != "start" || string(e.Value) != "2026-05-28" || e.Unit != 0 || e.Prev != 0 {
		t.Errorf("%+v", e)
	}
	for i, prev := range map[int]int{3: 2, 4: 3, 5: 4, 6: 5, 11: 6, 14: 13, 15: 14, 16: 15} {
		if seen[i].Prev != seen[prev].LSN || seen[i].Unit == 0 {
			t.Errorf("%+v, before it %s", seen[i], seen[prev].LSN)
		}
	}
	for _, i := range []int{3, 4, 5, 14, 17, 18, 19, 21, 22} {
		if seen[i].Ref != a || seen[i].Object != uint64(from) {
			t.Errorf("%+v", seen[i])
		}
	}
	if e := seen[3]; e.Sequence != 1 || e.Priority != 7 || string(e.Body) != "15700" {
		t.Errorf("%+v", e)
	}
	if e := seen[4]; e.Sequence != 1 || string(e.Body) != "300" {
		t.Errorf("%+v", e)
	}
	if e := seen[5]; e.Sequence != 1 || e.Priority != 7 {
		t.Errorf("%+v", e)
	}
	if string(seen[2].XID) != "xid" || string(seen[6].XID) != "xid" || seen[9].Begin != seen[7].LSN || seen[20].Begin != seen[19].LSN {
		t.Errorf("%+v", seen)
	}
}

// What shows records reads nothing else in them than a restart does.
func FuzzEntry(f *testing.F) {
	for _, r := range records() {
		f.Add(r.encode(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := showing{decoder: decoder{borrow: true, skim: true, names: map[string]string{}}}
		shown := s.take(&wal.Record{LSN: 48, Next: 96, Payload: b})
		r, err := decodeRecord(b)
		if err == nil && shown != nil || err != nil && shown == nil && r.kind != recImagePart {
			t.Fatalf("%v, and shown: %v", err, shown)
		}
		if e := s.entry; err == nil && (e.Bytes != 48 || e.Unit != r.unit || e.Ref != r.ref || !bytes.Equal(e.Body, r.message.Body) || e.Kind == "") {
			t.Fatalf("%+v of %+v", e, r)
		}
	})
}

// A position at which no record begins is an error, not another record.
func TestEntriesFromNoRecord(t *testing.T) {
	s := newEstate(t, 1<<20)
	s.define("A")
	s.put("A", strings.Repeat("a", 1000))
	end := s.e.Status().End
	s.must(s.e.End(t.Context()))
	for e, err := range Entries(t.Context(), wal.From(s.disk), s.own.list, end-wal.Align, 0) {
		if err == nil {
			t.Errorf("%+v", e)
		}
	}
}
