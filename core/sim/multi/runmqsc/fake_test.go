package runmqsc

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/level"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

var now = time.Date(2026, 5, 28, 2, 0, 3, 0, time.UTC)

// fake is a queue manager whose state a test sets.
type fake struct {
	status      qmgr.Status
	connections []qmgr.Connection
	objects     []engine.Object
	manager     map[string]string   // attributes; nil: damaged
	found       map[engine.Ref]bool // damaged, and nobody has looked yet
	err         error               // of commands about the log
	did         []string
}

// newFake has a linear log, and the objects of crtmqm of its release.
func newFake(release string) *fake {
	l, err := level.Parse(release)
	if err != nil {
		panic(err)
	}
	f := &fake{
		status: qmgr.Status{
			Name: "QM1", State: qmgr.Running, Release: l.String(), Started: time.Date(2026, 5, 20, 8, 0, 0, 0, time.UTC),
			Host: "h1", Installation: "Installation1", InstallationPath: "/opt/mqm", DataPath: "/var/mqm/qmgrs/QM1",
			CurrLog: "S0000130.LOG", RecLog: "S0000112.LOG", MediaLog: "S0000104.LOG", LogPath: "/var/mqm/log/QM1/active/",
			DiskLSN: 589424, LogStart: 4820, LogStartTime: time.Date(2026, 5, 19, 11, 32, 56, 0, time.UTC),
			Log: extents.Status{
				Kind: extents.Linear, Management: extents.Manual, Primary: 3, Secondary: 2, FilePages: 4096, MediaSize: 416, RestartSize: 288, InUse: 31, Utilised: 40,
			},
		},
		manager: map[string]string{"QMID": "QM1_2026-05-01_08.00.00", "CRDATE": "2026-05-01", "CRTIME": "08.00.00"},
		found:   map[engine.Ref]bool{},
	}
	for _, d := range objects.System(l) {
		f.objects = append(f.objects, engine.Object{Ref: d.Ref, Attributes: d.Attributes})
	}
	f.objects = append(f.objects, engine.Object{Ref: engine.Ref{Kind: objects.SyncFile, Name: "AMQRSYNA.DAT"}})
	return f
}

func (f *fake) Name() string                   { return f.status.Name }
func (f *fake) Now() time.Time                 { return now }
func (f *fake) Status() qmgr.Status            { return f.status }
func (f *fake) Connections() []qmgr.Connection { return f.connections }
func (f *fake) Attributes() map[string]string  { return maps.Clone(f.manager) }

func (f *fake) Objects() []engine.Object {
	all := slices.Clone(f.objects)
	for i := range all {
		all[i].Current = all[i].Depth // no unit of work is open
	}
	return all
}

func (f *fake) QueueStatus() []qmgr.QueueStatus {
	var all []qmgr.QueueStatus
	for _, o := range f.objects {
		if o.Ref.Kind == engine.Queue {
			all = append(all, qmgr.QueueStatus{Name: o.Ref.Name, Depth: o.Depth, Current: o.Depth, MaxFile: 2088960, Uncommitted: o.Uncommitted, Damaged: o.Damaged, MediaLog: f.status.MediaLog})
		}
	}
	return all
}

func (f *fake) at(ref engine.Ref) int {
	return slices.IndexFunc(f.objects, func(o engine.Object) bool { return o.Ref == ref })
}

func (f *fake) Object(ref engine.Ref) (engine.Object, error) {
	if i := f.at(ref); i >= 0 {
		return f.Objects()[i], nil
	}
	return engine.Object{}, fmt.Errorf("%s: %w", ref, engine.ErrNoObject)
}

func (f *fake) Verify(_ context.Context, ref engine.Ref) error {
	if f.found[ref] {
		f.objects[f.at(ref)].Damaged = true
		return engine.ErrDamaged
	}
	return nil
}

func (f *fake) DefineObject(_ context.Context, ref engine.Ref, attributes map[string]string) error {
	if f.at(ref) >= 0 {
		return engine.ErrExists
	}
	f.objects = append(f.objects, engine.Object{Ref: ref, Attributes: attributes})
	return nil
}

func (f *fake) AlterObject(_ context.Context, ref engine.Ref, attributes map[string]string) error {
	f.objects[f.at(ref)].Attributes = attributes
	return nil
}

func (f *fake) DeleteObject(_ context.Context, ref engine.Ref, purge bool) error {
	i := f.at(ref)
	switch {
	case f.objects[i].Uncommitted > 0:
		return engine.ErrInUse
	case f.objects[i].Depth > 0 && !purge:
		return engine.ErrNotEmpty
	}
	f.objects = slices.Delete(f.objects, i, i+1)
	return nil
}

func (f *fake) ClearQueue(_ context.Context, name string) error {
	i := f.at(engine.Ref{Kind: engine.Queue, Name: name})
	switch {
	case i < 0:
		return fmt.Errorf("%s: %w", name, engine.ErrNoObject)
	case f.objects[i].Damaged:
		return engine.ErrDamaged
	case f.objects[i].Uncommitted > 0:
		return engine.ErrInUse
	}
	f.objects[i].Depth = 0
	return nil
}

func (f *fake) AlterManager(_ context.Context, attributes map[string]string) error {
	f.manager = attributes
	return nil
}

func (f *fake) log(what string) error {
	f.did = append(f.did, what)
	return f.err
}

func (f *fake) SetArchived(extent string) error  { return f.log("archived " + extent) }
func (f *fake) ArchiveUpTo(extent string) error  { return f.log("up to " + extent) }
func (f *fake) AdvanceLog(context.Context) error { return f.log("advance") }
func (f *fake) ReduceLog(_ context.Context, how extents.Reduction) (int, error) {
	return 0, f.log(fmt.Sprint("reduce ", int(how)))
}

func (f *fake) define(kind engine.Kind, name string, attributes map[string]string) *engine.Object {
	f.objects = append(f.objects, engine.Object{Ref: engine.Ref{Kind: kind, Name: name}, Attributes: attributes})
	return &f.objects[len(f.objects)-1]
}

// ran is what came of a script.
type ran struct {
	text   string
	code   int
	answer mqsc.Answer
}

func run(tb testing.TB, m Manager, script ...string) ran {
	tb.Helper()
	out, code := Run(tb.Context(), m, "QM1", []byte(strings.Join(script, "\n")+"\n"))
	answer, err := mqsc.ParseAnswer(out)
	if err != nil {
		tb.Fatalf("%v in\n%s", err, out)
	}
	return ran{string(out), code, answer}
}

// ids gives the ids of the messages.
func (r ran) ids() string {
	var ids []string
	for _, m := range r.answer.Messages {
		ids = append(ids, m.ID)
	}
	return strings.Join(ids, " ")
}

// get gives an attribute of an object that was shown.
func (r ran) get(i int, name string) string {
	if i >= len(r.answer.Objects) {
		return "no such object"
	}
	value, shown := r.answer.Objects[i].Get(name)
	if !shown {
		return "not shown"
	}
	return value
}

// body is what stands between the echo of the only command and the count.
func (r ran) body() string {
	_, rest, _ := strings.Cut(r.text, " : ")
	_, rest, _ = strings.Cut(rest, "\n")
	body, _, _ := strings.Cut(rest, "One MQSC command read.")
	var lines []string
	for line := range strings.Lines(body) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return strings.Join(lines, "\n")
}
