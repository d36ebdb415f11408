package dmpmqlog

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// costs are the log overhead of the seed's table.
var costs = engine.Costs{
	Put: 750, Get: 260, Commit: 750, Backout: 1000, BackoutEach: 12, Define: 1500, Delete: 300, Alter: 1024,
	Image: 800, Checkpoint: 750, CheckpointUnit: 200, Part: 300, ImagePart: 300,
}

// owner is an engine's owner over a log of Multiplatforms.
type owner struct {
	*extents.Log
	t testing.TB
}

func (*owner) Now() time.Time                        { return time.Date(2026, 5, 28, 2, 15, 30, 250e6, time.UTC) }
func (o *owner) Begun(s wal.Segment, _ uint64) error { return o.Log.Begun(s) }
func (*owner) Imaged(engine.Ref, engine.Marks)       {}

func (o *owner) Checkpointed(m engine.Marks) {
	if _, err := o.Passed(m.Restart.LSN, m.Media.LSN); err != nil {
		o.t.Error(err)
	}
}

// rig is a queue manager with a log.
type rig struct {
	t    testing.TB
	disk *crashdisk.Disk
	own  *owner
	e    *engine.Engine
}

const folder = "var/mqm/log/QM1"

func newRig(tb testing.TB, kind extents.Kind) *rig {
	tb.Helper()
	r := &rig{t: tb, disk: crashdisk.New()}
	l, err := extents.Create(r.disk, folder, extents.Settings{Kind: kind, Primary: 4, Secondary: 3, FilePages: 64})
	r.must(err)
	r.own = &owner{l, tb}
	opts := engine.Options{Disk: r.disk, Folder: "qm", Costs: &costs, Part: 15_700, ImagePart: 60_000, Detail: true}
	r.e, err = engine.Create(tb.Context(), r.own, opts, l.ID())
	r.must(err)
	r.must(r.e.Define(tb.Context(), engine.Ref{Kind: engine.Queue, Name: "QL.A"}, map[string]string{"DESCR": "a queue", "GET": "ENABLED"}))
	return r
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// end ends the queue manager and gives its log.
func (r *rig) end() Source {
	r.t.Helper()
	r.must(r.e.End(r.t.Context()))
	return r.source()
}

func (r *rig) source() Source {
	restart, _ := r.own.Marks()
	s := r.own.Settings()
	return Source{
		Segments: r.own.Segments(), Open: r.own.Open, Head: restart, Circular: s.Kind == extents.Circular,
		Primary: s.Primary, Secondary: s.Secondary, FilePages: s.FilePages,
	}
}

// put puts a message outside a unit of work.
func (r *rig) put(bytes int) {
	r.t.Helper()
	_, err := r.e.Put(r.t.Context(), "QL.A", engine.Message{Persistent: true, Priority: 4, Body: make([]byte, bytes)})
	r.must(err)
}

// dumped prints a log.
func dumped(tb testing.TB, log Source, o Options) string {
	tb.Helper()
	text, err := dump(tb, log, o)
	if err != nil {
		tb.Fatal(err)
	}
	if !strings.HasPrefix(text, starting) || !strings.HasSuffix(text, finished) {
		tb.Fatalf("around the dump: %.60q", text)
	}
	return text
}

func dump(tb testing.TB, log Source, o Options) (string, error) {
	tb.Helper()
	var b bytes.Buffer
	err := Dump(tb.Context(), &b, log, o)
	return b.String(), err
}

// printed is a record as a reader of the dump sees it.
type printed struct {
	lsn    wal.LSN
	bytes  int64
	kind   string
	fields map[string][]string
	text   string
}

func (p printed) one(t *testing.T, name string) string {
	t.Helper()
	if len(p.fields[name]) != 1 {
		t.Errorf("%s at %s: %s is %q", p.kind, p.lsn, name, p.fields[name])
		return ""
	}
	return p.fields[name][0]
}

var (
	fieldLine = regexp.MustCompile(`(?m)^(\w+)(?: \.| )*: ?(.*)$`)
	sizeText  = regexp.MustCompile(`lrecsize (\d+)`)
)

func fields(text string) map[string][]string {
	all := map[string][]string{}
	for _, m := range fieldLine.FindAllStringSubmatch(text, -1) {
		all[m[1]] = append(all[m[1]], m[2])
	}
	return all
}

// parse reads a dump back.
func parse(t *testing.T, text string) (header map[string][]string, records []printed) {
	t.Helper()
	parts := strings.Split(text, "LOG RECORD - LSN ")
	for _, part := range parts[1:] {
		first, _, _ := strings.Cut(part, "\n")
		p := printed{lsn: lsnOf(t, first), fields: fields(part), text: part}
		size, err := strconv.ParseInt(sizeText.FindStringSubmatch(part)[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		p.bytes = size
		p.kind = p.one(t, "LogRecdType")
		records = append(records, p)
	}
	return fields(parts[0]), records
}

func lsnOf(t *testing.T, text string) wal.LSN {
	t.Helper()
	var a, b, c, d uint64
	if _, err := fmt.Sscanf(text, "<%d:%d:%d:%d>", &a, &b, &c, &d); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return wal.LSN(a<<48 | b<<32 | c<<16 | d)
}

func headerLSN(t *testing.T, header map[string][]string, name string) wal.LSN {
	t.Helper()
	if len(header[name]) != 1 {
		t.Fatalf("%s: %q", name, header[name])
	}
	return lsnOf(t, header[name][0])
}
