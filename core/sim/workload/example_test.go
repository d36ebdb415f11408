package workload_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// platform is the smallest that a queue manager can have: a clock, and numbered
// segments of one size.
type platform struct {
	disk *crashdisk.Disk
	now  time.Time
	list []wal.Segment
}

func (p *platform) Now() time.Time { return p.now }

func (p *platform) Segments() []wal.Segment { return p.list }

func (p *platform) Open(name string) (wal.Source, error) { return p.disk.Open(name) }

func (p *platform) Next(context.Context) (wal.Layout, error) {
	if n := len(p.list); n == 0 || p.list[n-1].Start != 0 {
		p.list = append(p.list, wal.Segment{Name: fmt.Sprintf("log/S%07d.LOG", n)})
	}
	return wal.Layout{Name: p.list[len(p.list)-1].Name, Size: 256 << 10}, nil
}

func (p *platform) Begun(s wal.Segment, _ uint64) error {
	p.list[len(p.list)-1] = s
	return nil
}

func (p *platform) Checkpointed(engine.Marks) {}

func (p *platform) Imaged(engine.Ref, engine.Marks) {}

func (p *platform) setClock(now time.Time) error {
	p.now = now
	return nil
}

// manager lets applications work on an engine.
type manager struct {
	engine   *engine.Engine
	platform *platform
}

func (m manager) Now() time.Time { return m.platform.now }

func (m manager) Define(ctx context.Context, queue string) error {
	err := m.engine.Define(ctx, engine.Ref{Kind: engine.Queue, Name: queue}, nil)
	if errors.Is(err, engine.ErrExists) {
		return nil
	}
	return err
}

func (m manager) Depth(queue string) (int, error) {
	o, err := m.engine.Object(engine.Ref{Kind: engine.Queue, Name: queue})
	return o.Depth, err
}

func (m manager) Put(ctx context.Context, queue string, msg engine.Message) error {
	_, err := m.engine.Put(ctx, queue, msg)
	return err
}

func (m manager) Get(ctx context.Context, queue string) (engine.Message, error) {
	return m.engine.Get(ctx, queue)
}

func (m manager) Begin(string) (workload.Unit, error) {
	u, err := m.engine.Begin()
	return unit{u}, err
}

func (m manager) Unit(number uint64) (workload.Unit, error) {
	u, err := m.engine.Unit(number)
	return unit{u}, err
}

func (m manager) Force(ctx context.Context) error { return m.engine.Force(ctx, 0) }

type unit struct{ *engine.Unit }

func (u unit) Number() uint64 { return u.ID() }

func (u unit) Put(ctx context.Context, queue string, msg engine.Message) error {
	_, err := u.Unit.Put(ctx, queue, msg)
	return err
}

func (u unit) CommitLater(ctx context.Context) error {
	_, err := u.Unit.CommitLater(ctx)
	return err
}

// Two days on a real queue manager. It crashes in between: what was committed
// is there, units of work that were open are missed.
func Example() {
	ctx := context.Background()
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	monday := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	p := &platform{disk: crashdisk.New(), now: monday}
	opts := engine.Options{Disk: p.disk, Folder: "qmgr"}
	e, err := engine.Create(ctx, p, opts, wal.ID{1, 2, 3})
	check(err)

	profile, err := workload.Named("quiet")
	check(err)
	profile.Long = workload.Long{PerDay: 40, Lasts: workload.Span(5 * time.Hour)}
	s := workload.New(profile, 42, monday)
	first, err := s.Run(ctx, manager{e, p}, monday.Add(15*time.Hour), p.setClock)
	check(err)
	open := len(e.Units())
	kept, err := json.Marshal(s) // for the next command
	check(err)

	p.disk.Crash()
	_ = e.Crash() // its files are gone with the disk
	e, _, err = engine.Start(ctx, p, opts)
	check(err)

	check(json.Unmarshal(kept, s))
	second, err := s.Run(ctx, manager{e, p}, monday.AddDate(0, 0, 2), p.setClock)
	check(err)
	fmt.Println("persistent messages:", first.Persistent > 100, second.Persistent > 100)
	fmt.Println("failures:", len(first.Failures)+len(second.Failures))
	fmt.Println("open units of work were missed:", open > 0 && second.LongLost == open)
	fmt.Println("segments:", len(p.list) > 2)
	check(e.End(ctx))

	// Output:
	// persistent messages: true true
	// failures: 0
	// open units of work were missed: true
	// segments: true
}
