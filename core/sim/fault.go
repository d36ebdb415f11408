package sim

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// FaultKind is something that goes wrong on purpose.
type FaultKind struct {
	Name string
	// Args are the names of its arguments; one in brackets may be left out.
	Args []string
	Doc  string

	do doing
}

// Usage gives the fault as it is called.
func (k FaultKind) Usage() string { return strings.TrimSpace(k.Name + " " + strings.Join(k.Args, " ")) }

// doing carries out a fault, and says what was done.
type doing func(context.Context, *victim, []string) (string, error)

// victim is what a fault happens to.
type victim struct {
	estate  *Estate
	system  *system
	manager manager
}

// Faults lists what can go wrong on a platform by a command of its own. The
// others come about as they do in life: on IBM i (reference, 4.5) ten asterisks
// when a receiver that is needed was lost, PARTIAL by SAVOBJ and RSTOBJ, a
// hanging inquiry by DLTJRNRCV, a wrap by the name of the first receiver, summer
// time by time; on Multiplatforms by rm, cp and mv in the folder of the system.
func Faults(platform observe.Platform) []FaultKind { return kinds()[platform].faults }

// Fault has something go wrong on the system of a queue manager, and says what
// was done.
func (e *Estate) Fault(ctx context.Context, queueManager, name string, args ...string) (string, error) {
	s, m, err := e.find(queueManager)
	if err != nil {
		return "", err
	}
	var names []string
	for _, k := range Faults(e.platformOf(s)) {
		names = append(names, k.Name)
		if k.Name != name {
			continue
		}
		least := 0
		for _, a := range k.Args {
			if !strings.HasPrefix(a, "[") {
				least++
			}
		}
		if len(args) < least || len(args) > len(k.Args) {
			return "", fmt.Errorf("%w: fault %s: write %s", ErrUsage, name, k.Usage())
		}
		done, err := k.do(ctx, &victim{e, s, m}, args)
		if err != nil {
			return "", fmt.Errorf("fault %s: %w", k.Usage(), err)
		}
		return done, e.pass(ctx)
	}
	return "", fmt.Errorf("%w: fault %q is none of %s", ErrUsage, name, strings.Join(names, ", "))
}

// ErrUsage says that a fault was not asked for in the way it can be.
var ErrUsage = errors.New("not understood")

// number reads a count that is not negative.
func number(what, text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%w: %s %q is no number from 0 on", ErrUsage, what, text)
	}
	return n, nil
}

func clockBack(_ context.Context, v *victim, args []string) (string, error) {
	return stepClock(v, args[0], true)
}

func clockForward(_ context.Context, v *victim, args []string) (string, error) {
	return stepClock(v, args[0], false)
}

func stepClock(v *victim, text string, back bool) (string, error) {
	by, err := time.ParseDuration(text)
	if err != nil || by <= 0 {
		return "", fmt.Errorf("%w: DURATION %q: write it as 1h30m", ErrUsage, text)
	}
	if back {
		by = -by
	}
	before := v.system.clock.Now()
	offset, err := v.system.clock.step(by)
	if err != nil {
		return "", err
	}
	for i := range v.estate.state.Systems {
		if v.estate.state.Systems[i].Name == v.system.name {
			v.estate.state.Systems[i].Offset = offset
		}
	}
	return fmt.Sprintf("the clock of %s shows %s, before it was %s", v.system.name,
		v.system.clock.Now().Format(time.DateTime), before.Format(time.DateTime)), nil
}

func crash(ctx context.Context, v *victim, _ []string) (string, error) {
	lost := v.manager.memoryOnly()
	return fmt.Sprintf("%s has crashed; %d messages that are not persistent are gone", v.manager.Name(), lost), v.manager.Crash(ctx)
}

// application is who leaves units of work open by hand.
const application = "APPHAND"

func openUnit(ctx context.Context, v *victim, args []string) (string, error) {
	prepared := len(args) > 1
	if prepared && args[1] != "prepared" {
		return "", fmt.Errorf("%w: %q is not the word prepared", ErrUsage, args[1])
	}
	work := v.manager.work(v.system.clock.Now)
	u, err := work.Begin(application)
	if err != nil {
		return "", err
	}
	err = u.Put(ctx, args[0], engine.Message{Persistent: true, Body: []byte(workload.Marker + "by hand")})
	state := "open"
	if err == nil && prepared {
		state, err = "in doubt", u.Prepare(ctx, fmt.Appendf(nil, "by hand %d", u.Number()))
	}
	if err != nil {
		return "", errors.Join(err, u.Backout(ctx))
	}
	return fmt.Sprintf("unit of work %d on %s is %s", u.Number(), args[0], state), work.Force(ctx)
}

func endUnit(ctx context.Context, v *victim, args []string) (string, error) {
	n, err := number("NUMBER", args[0])
	if err != nil {
		return "", err
	}
	u, err := v.manager.work(v.system.clock.Now).Unit(n)
	if err != nil {
		return "", err
	}
	switch args[1] {
	case "commit":
		return fmt.Sprintf("unit of work %d is committed", n), u.Commit(ctx)
	case "backout":
		return fmt.Sprintf("unit of work %d is backed out", n), u.Backout(ctx)
	default:
		return "", fmt.Errorf("%w: %q is neither commit nor backout", ErrUsage, args[1])
	}
}

// flipByte changes one byte of a file.
func flipByte(d disk.FS, name string, offset uint64) error {
	f, err := d.OpenWrite(name)
	if err != nil {
		return err
	}
	one := make([]byte, 1)
	_, err = f.ReadAt(one, int64(offset))
	if err == nil {
		one[0] ^= 0x01
		_, err = f.WriteAt(one, int64(offset))
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
