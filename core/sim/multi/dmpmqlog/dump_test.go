package dmpmqlog

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/logged"
	"github.com/mqhk/mqhk/core/wal"
)

// Reference, Multiplatforms 1.4 item 26.
func TestWords(t *testing.T) {
	for lsn, want := range map[wal.LSN]string{589424: "<0:0:8:65136>", 4820: "<0:0:0:4820>", 1<<48 | 2<<32 | 3<<16 | 4: "<1:2:3:4>"} {
		if got := logged.LSN(lsn); got != want {
			t.Errorf("%d: %s, want %s", lsn, got, want)
		}
	}
}

// lived is a queue manager that has done everything the seed's table knows.
func lived(t *testing.T) *rig {
	t.Helper()
	ctx := t.Context()
	r := newRig(t, extents.Linear)
	a := engine.Ref{Kind: engine.Queue, Name: "QL.A"}
	r.must(r.e.Note(ctx, "started", nil))
	u, err := r.e.Begin()
	r.must(err)
	_, err = u.Put(ctx, "QL.A", engine.Message{Persistent: true, Priority: 7, Body: []byte(strings.Repeat("body", 5000))})
	r.must(err)
	_, err = u.Get(ctx, "QL.A")
	r.must(err)
	r.must(u.Commit(ctx))
	r.must(r.e.Keep(ctx, "participant 1", []byte(`{"Name":"DB2","SwitchFile":"db2swit","OpenString":"SAMPLE","CloseString":"NONE"}`)))
	g, err := r.e.BeginGlobal([]byte{0xCA, 0xFE})
	r.must(err)
	_, err = g.Put(ctx, "QL.A", engine.Message{Persistent: true, Body: []byte("global")})
	r.must(err)
	r.must(g.Prepare(ctx, []byte{0xCA, 0xFE}))
	_, err = r.e.Checkpoint(ctx)
	r.must(err)
	r.must(r.e.Keep(ctx, "prepared cafe", []byte(`[0,1]`)))
	r.must(g.Commit(ctx))
	r.must(r.e.Drop(ctx, "prepared cafe"))
	b, err := r.e.Begin()
	r.must(err)
	_, err = b.Get(ctx, "QL.A")
	r.must(err)
	r.must(b.Backout(ctx))
	r.must(r.e.Alter(ctx, a, map[string]string{"GET": "DISABLED"}))
	r.must(r.e.Clear(ctx, "QL.A"))
	r.must(r.e.Image(ctx, a))
	r.must(r.e.Delete(ctx, a, false))
	r.must(r.e.Note(ctx, "stopped", []byte("Quiesce")))
	return r
}

// Every record type of the seed's table, with its fields and in its place.
func TestRecordTypes(t *testing.T) {
	log := lived(t).end()
	_, records := parse(t, dumped(t, log, Options{Base: true}))
	var kinds []string
	for _, p := range records {
		kinds = append(kinds, strings.TrimSpace(strings.Split(p.kind, "(")[0]))
	}
	want := []string{
		"ALM Start Checkpoint", "Transaction Table", "ALM End Checkpoint",
		"Create Object", "Start Queue Manager",
		"Start Transaction", "AQM Put Message", "AQM Put Part", "AQM Get Message", "Commit Transaction",
		"Transaction Participants",
		"Start Transaction", "AQM Put Message", "Prepare Transaction",
		"ALM Start Checkpoint", "Transaction Table", "ALM End Checkpoint",
		"Transaction Prepared", "Commit Transaction", "Transaction Forget",
		"Start Transaction", "AQM Get Message", "Rollback Transaction", "End Transaction",
		"AQM Queue Attributes", "AQM Purge Queue", "Start Media Image", "End Media Image", "Delete Object",
		"Stop Queue Manager", "ALM Start Checkpoint", "Transaction Table", "ALM End Checkpoint",
	}
	if got := strings.Join(kinds, ", "); got != strings.Join(want, ", ") {
		t.Fatalf("records %s", got)
	}
	const mqi1, xa = "TranType: MQI    TranNum{High 0, Low 1}", "TranType: XA    XID{CAFE}"
	for i, wants := range map[int]map[string][]string{
		3: {"ObjName": {"QL.A"}, "UserId": {"mqm"}, "XTranid": {"TranType: NULL"}},
		4: {"StartDate": {"20260528"}, "StartTime": {"02.15.30"}, "QueueName": {"NULL"}},
		5: {"XTranid": {mqi1}, "PrevLSN": {"<0:0:0:0>"}},
		6: {"XTranid": {mqi1}, "QueueName": {"QL.A"}, "SpcIndex": {"1"}, "PrevLSN": {logged.LSN(records[5].lsn)}},
		7: {"XTranid": {mqi1}, "QueueName": {"QL.A"}, "PrevLSN": {logged.LSN(records[6].lsn)}},
		8: {"XTranid": {mqi1}, "QueueName": {"QL.A"}, "SpcIndex": {"1"}, "QPriority": {"7"}, "Qid": records[6].fields["Qid"]},
		9: {"XTranid": {mqi1}, "PrevLSN": {logged.LSN(records[8].lsn)}},
		10: {"RMName": {"DB2"}, "RMID": {"1"}, "SwitchFile": {"db2swit"}, "XAOpenString": {"SAMPLE"},
			"XACloseString": {"NONE"}},
		11: {"XTranid": {xa}}, 12: {"XTranid": {xa}}, 13: {"XTranid": {xa}},
		15: {"TranCount": {"1"}, "XTranid": {"TranType: NULL", xa + "    PREPARED"},
			"FirstLSN": {logged.LSN(records[11].lsn)}, "LastLSN": {logged.LSN(records[13].lsn)}},
		16: {"ChkPtLSN": {logged.LSN(records[14].lsn)}},
		17: {"XTranid": {xa}, "RMID": {"0", "1"}}, 18: {"XTranid": {xa}}, 19: {"XTranid": {xa}},
		23: {"PrevLSN": {logged.LSN(records[22].lsn)}},
		24: {"QueueName": {"QL.A"}}, 25: {"QueueName": {"QL.A"}},
		28: {"ObjName": {"QL.A"}},
		29: {"StopDate": {"20260528"}, "StopTime": {"02.15.30"}, "ForceFlag": {"Quiesce"}},
	} {
		for name, values := range wants {
			if got := fmt.Sprint(records[i].fields[name]); got != fmt.Sprint(values) {
				t.Errorf("%d, %s: %s is %s, want %s", i, records[i].kind, name, got, values)
			}
		}
	}
	if !strings.Contains(records[3].text, "  GET(ENABLED)\n") || !strings.Contains(records[24].text, "  GET(DISABLED)\n") {
		t.Errorf("attributes: %s%s", records[3].text, records[24].text)
	}
}

// The data of a message: the descriptor with its eyecatcher, then the message,
// which goes on in the parts. Without Data there is none of it.
func TestData(t *testing.T) {
	log := lived(t).end()
	text := dumped(t, log, Options{Base: true, Data: true})
	_, records := parse(t, text)
	var all string
	for _, p := range records[6:8] {
		_, hex, ok := strings.Cut(p.text, "Data . . . . . . :\n")
		if !ok {
			t.Fatalf("no data: %s", p.text)
		}
		for line := range strings.Lines(hex) {
			if len(line) > 58 {
				all += strings.TrimSuffix(line[57:], "\n")
			}
		}
	}
	if !strings.HasPrefix(all, "MD  ") || !strings.HasSuffix(all, strings.Repeat("body", 5000)) || len(all) != mdBytes+20_000 {
		t.Errorf("%d bytes, %.20q", len(all), all)
	}
	if !strings.Contains(records[6].text, "00000:  4D 44 20 20 01 00 00 00") {
		t.Errorf("%.600s", records[6].text)
	}
	if without := dumped(t, log, Options{Base: true}); strings.Contains(without, "body") || strings.Contains(without, "Data . .") {
		t.Error("data without being asked for")
	}
}

// The log file header, of both kinds of log.
func TestHeader(t *testing.T) {
	for kind, flag := range map[extents.Kind]string{extents.Circular: "CIRCULAR", extents.Linear: "LOG RETAIN"} {
		r := newRig(t, kind)
		for range 40 {
			r.put(20_000)
		}
		log := r.end()
		text := dumped(t, log, Options{})
		h, records := parse(t, text)
		end := r.e.Status().End
		var base wal.LSN
		head := ""
		for _, s := range log.Segments {
			if s.Start != 0 && s.Start <= log.Head {
				base, head = s.Start, path.Base(s.Name)
			}
		}
		number := strings.TrimLeft(head[1:8], "0")
		if number == "" {
			number = "0"
		}
		for name, want := range map[string]string{
			"logactive": "4", "loginactive": "3", "logsize": "64", "baselsn": logged.LSN(base), "nextlsn": logged.LSN(end),
			"headlsn": logged.LSN(log.Head), "tailsn": logged.LSN(end - 1), "HeadExtentID": number,
		} {
			if got := fmt.Sprint(h[name]); got != "["+want+"]" {
				t.Errorf("%s: %s is %s, want %s", kind, name, got, want)
			}
		}
		if !strings.Contains(text, "  -> "+flag+"\n") || records[0].lsn != log.Head || base == log.Head {
			t.Errorf("%s: %.600s", kind, text)
		}
		if _, records = parse(t, dumped(t, log, Options{Base: true})); records[0].lsn != base {
			t.Errorf("%s: the base is %s, and the dump begins at %s", kind, base, records[0].lsn)
		}
	}
}

// Each way to say where to begin and to end; and the sum of the records' bytes
// is the difference of the positions (reference, Multiplatforms item 108).
func TestWhere(t *testing.T) {
	r := newRig(t, extents.Linear)
	for range 40 {
		r.put(20_000)
	}
	log := r.end()
	h, all := parse(t, dumped(t, log, Options{Extent: "0"}))
	next := headerLSN(t, h, "nextlsn")
	if all[0].lsn != log.Segments[0].Start || len(log.Segments) < 4 {
		t.Fatalf("begins at %s, %d extents", all[0].lsn, len(log.Segments))
	}
	index := map[wal.LSN]int{next: len(all)}
	for i, p := range all {
		index[p.lsn] = i
	}
	for _, c := range []struct {
		what     string
		opts     Options
		from, to wal.LSN
	}{
		{"-n", Options{Extent: "2"}, log.Segments[2].Start, next},
		{"-n with zeros", Options{Extent: "0000002"}, log.Segments[2].Start, next},
		{"-b", Options{Base: true}, headerLSN(t, h, "baselsn"), next},
		{"nothing", Options{}, log.Head, next},
		{"-s", Options{Start: all[7].lsn}, all[7].lsn, next},
		{"-s and -e", Options{Start: all[7].lsn, End: all[9].lsn}, all[7].lsn, all[10].lsn},
		{"-s and -e within a record", Options{Start: all[7].lsn, End: all[9].lsn + 5}, all[7].lsn, all[10].lsn},
		{"-n and -e", Options{Extent: "1", End: all[len(all)-3].lsn}, log.Segments[1].Start, all[len(all)-2].lsn},
		{"-e before the head", Options{End: all[2].lsn}, log.Head, log.Head},
	} {
		_, got := parse(t, dumped(t, log, c.opts))
		var sum int64
		for _, p := range got {
			sum += p.bytes
		}
		if sum != int64(c.to-c.from) || len(got) != index[c.to]-index[c.from] {
			t.Errorf("%s: %d records with %d bytes, want from %s to %s", c.what, len(got), sum, c.from, c.to)
		}
		if len(got) > 0 && got[0].lsn != c.from {
			t.Errorf("%s: begins at %s, want %s", c.what, got[0].lsn, c.from)
		}
	}
}

// SEED 7.6: with the nextlsn of the last dump as its start, a dump has all that
// was written since and nothing else, also when that is nothing.
func TestIncrements(t *testing.T) {
	r := newRig(t, extents.Linear)
	var from wal.LSN
	var all, parts []wal.LSN
	for round := range 6 {
		for range 5 * round {
			r.put(20_000)
		}
		_, err := r.e.Checkpoint(t.Context())
		r.must(err)
		opts := Options{Start: from}
		if from == 0 {
			opts = Options{Extent: "0"}
		}
		h, records := parse(t, dumped(t, r.source(), opts))
		for _, p := range records {
			parts = append(parts, p.lsn)
		}
		from = headerLSN(t, h, "nextlsn")
		if _, records = parse(t, dumped(t, r.source(), Options{Start: from})); len(records) != 0 {
			t.Errorf("round %d: %d records since nothing was written", round, len(records))
		}
	}
	_, records := parse(t, dumped(t, r.source(), Options{Extent: "0"}))
	for _, p := range records {
		all = append(all, p.lsn)
	}
	if fmt.Sprint(all) != fmt.Sprint(parts) {
		t.Errorf("%d records in parts, %d in one dump", len(parts), len(all))
	}
}

// What can't be printed is refused, and the dump says that it failed.
func TestRefused(t *testing.T) {
	linear, circular := newRig(t, extents.Linear), newRig(t, extents.Circular)
	for _, r := range []*rig{linear, circular} {
		for range 40 {
			r.put(20_000)
			_, err := r.e.Checkpoint(t.Context())
			r.must(err)
		}
	}
	l, c := linear.end(), circular.end()
	record := l.Segments[1].Start
	for what, f := range map[string]struct {
		log  Source
		opts Options
		want error
	}{
		"two starts":              {l, Options{Base: true, Start: record}, ErrOptions},
		"no number":               {l, Options{Extent: "S0000001"}, ErrOptions},
		"an extent of a ring":     {c, Options{Extent: "1"}, ErrCircular},
		"before the base":         {c, Options{Start: c.Segments[0].Start}, ErrCircular},
		"no extent":               {l, Options{Extent: "77"}, ErrExtent},
		"no record":               {l, Options{Start: record + 16}, ErrStart},
		"unaligned":               {l, Options{Start: record + 1}, ErrStart},
		"behind the end":          {l, Options{Start: linear.e.Status().End + 16}, ErrStart},
		"before the first extent": {Source{Segments: l.Segments[1:], Open: l.Open, Head: l.Head}, Options{Start: l.Segments[0].Start}, ErrStart},
	} {
		text, err := dump(t, f.log, f.opts)
		if !errors.Is(err, f.want) || !strings.HasSuffix(text, unsuccessful) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// An extent is gone: what is before it is printed, and then it says so.
	linear.must(linear.disk.Remove(l.Segments[2].Name))
	text, err := dump(t, l, Options{Extent: "0"})
	var damage *wal.Damage
	if !errors.As(err, &damage) || damage.Segment != l.Segments[2].Name || !strings.HasSuffix(text, unsuccessful) {
		t.Errorf("%v", err)
	}
	if _, records := parse(t, text); len(records) == 0 {
		t.Error("nothing was printed before")
	}
	if _, err := dump(t, l, Options{Extent: "3"}); err != nil {
		t.Errorf("behind it: %v", err)
	}
}

// The messages around it are those of the release, if it has a say.
func TestSay(t *testing.T) {
	log := lived(t).end()
	said := Options{Say: func(id string) string { return id + " in its words\n" }}
	text, err := dump(t, log, said)
	if err != nil || !strings.HasPrefix(text, "AMQ7701 in its words\n") || !strings.HasSuffix(text, "\nAMQ7702 in its words\n") {
		t.Errorf("%.60q, %v", text, err)
	}
	said.Extent = "none"
	text, err = dump(t, log, said)
	if err == nil || !strings.HasSuffix(text, "AMQ7716 in its words\n") {
		t.Errorf("%.60q, %v", text, err)
	}
}

// A writer that fails ends the dump, with its error.
func TestWriterFails(t *testing.T) {
	log := lived(t).end()
	broken := errors.New("the pipe broke")
	if err := Dump(t.Context(), failing{broken}, log, Options{Base: true}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
