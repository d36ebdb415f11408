package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/workload"
)

// ErrUsage says that a fault was not asked for in the way it can be.
var ErrUsage = errors.New("not understood")

// vetoProgram says no to every deletion, debugger is the job that holds locks
// by default.
const (
	vetoProgram = "QGPL/VETO"
	debugger    = "000000/QSECOFR/CDCREADER"
)

func crash(ctx context.Context, v *victim, _ []string) (string, error) {
	lost := v.manager.MemoryOnly()
	return fmt.Sprintf("%s has crashed; %d messages that are not persistent are gone", v.manager.Name(), lost), v.manager.Crash(ctx)
}

// application is who leaves units of work open by hand.
const application = "APPHAND"

func openUnit(ctx context.Context, v *victim, args []string) (string, error) {
	prepared := len(args) > 1
	if prepared && args[1] != "prepared" {
		return "", fmt.Errorf("%w: %q is not the word prepared", ErrUsage, args[1])
	}
	u, err := v.manager.Begin(application)
	if err != nil {
		return "", err
	}
	_, err = u.Put(ctx, args[0], engine.Message{Persistent: true, Body: []byte(workload.Marker + "by hand")})
	state := "open"
	if err == nil && prepared {
		state, err = "in doubt", u.Prepare(ctx, fmt.Appendf(nil, "by hand %d", u.Number()))
	}
	if err != nil {
		return "", errors.Join(err, u.Backout(ctx))
	}
	return fmt.Sprintf("unit of work %d on %s is %s", u.Number(), args[0], state), v.manager.Force(ctx)
}

func endUnit(ctx context.Context, v *victim, args []string) (string, error) {
	n, err := number("NUMBER", args[0])
	if err != nil {
		return "", err
	}
	u, err := v.manager.Unit(n)
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

func ipl(ctx context.Context, v *victim, _ []string) (string, error) {
	_, err := v.system.machine.Run(ctx, v.estate.Job(), "PWRDWNSYS OPTION(*IMMED) RESTART(*YES)")
	return "system " + v.system.name + " was started again", err
}

func damage(ctx context.Context, v *victim, args []string) (string, error) {
	return args[0] + " is damaged", v.manager.Damage(ctx, args[0])
}

func loseReceiver(_ context.Context, v *victim, args []string) (string, error) {
	id := v.receiver(args[0])
	return id.String() + " is gone", v.system.os.Remove(id)
}

func flipByte(_ context.Context, v *victim, args []string) (string, error) {
	id := v.receiver(args[0])
	offset, err := number("OFFSET", args[1])
	if err != nil {
		return "", err
	}
	f, err := v.system.os.Disk().OpenWrite(v.system.os.FileOf(id))
	if err != nil {
		return "", err
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
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("byte %d of %s: %w", offset, id, err)
	}
	return fmt.Sprintf("byte %d of %s is another", offset, id), nil
}

func damageReceiver(_ context.Context, v *victim, args []string) (string, error) {
	id := v.receiver(args[0])
	return id.String() + " is damaged", v.system.os.MarkDamaged(id)
}

func holder(args []string) string {
	if len(args) > 1 {
		return args[1]
	}
	return debugger
}

func lockReceiver(_ context.Context, v *victim, args []string) (string, error) {
	id := v.receiver(args[0])
	return fmt.Sprintf("%s holds a lock on %s", holder(args), id), v.system.os.Lock(id, holder(args))
}

func unlockReceiver(_ context.Context, v *victim, args []string) (string, error) {
	id := v.receiver(args[0])
	return fmt.Sprintf("%s holds no lock on %s", holder(args), id), v.system.os.Unlock(id, holder(args))
}

func remote(_ context.Context, v *victim, args []string) (string, error) {
	active := map[string]bool{"active": true, "inactive": false}
	on, known := active[strings.ToLower(args[0])]
	if !known {
		return "", fmt.Errorf("%w: STATE %q is neither active nor inactive", ErrUsage, args[0])
	}
	var behind uint64
	if len(args) > 1 {
		var err error
		if behind, err = number("ENTRIES", args[1]); err != nil {
			return "", err
		}
	}
	journal, err := v.system.os.Journal(v.manager.Journal())
	if err != nil {
		return "", err
	}
	if len(journal.Remotes) == 0 {
		return "", fmt.Errorf("%s has no remote journal: ADDMQMJRN adds one", journal.ID)
	}
	for _, r := range journal.Remotes {
		if err := v.system.os.SetRemote(journal.ID, r.ID, on, behind); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d remote journals are %s, %d entries behind", len(journal.Remotes), strings.ToLower(args[0]), behind), nil
}

func exitVeto(_ context.Context, v *victim, args []string) (string, error) {
	switch args[0] {
	case "on":
		return vetoProgram + " says no to every deletion", v.system.os.AddExit(vetoProgram)
	case "off":
		return vetoProgram + " is not asked any more", v.system.os.RemoveExit(vetoProgram)
	default:
		return "", fmt.Errorf("%w: %q is neither on nor off", ErrUsage, args[0])
	}
}

func nameClash(_ context.Context, v *victim, _ []string) (string, error) {
	journal, err := v.system.os.Journal(v.manager.Journal())
	if err != nil {
		return "", err
	}
	taken := v.system.os.NextName(journal.Attached)
	return taken.String() + " is there already", v.system.os.CreateReceiver(taken, journal.Threshold)
}

func sequence(_ context.Context, v *victim, args []string) (string, error) {
	n, err := number("NUMBER", args[0])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("the next entry of %s has the number %d", v.manager.Journal(), n), v.system.os.SetSequence(v.manager.Journal(), n)
}

func asp(_ context.Context, v *victim, args []string) (string, error) {
	if args[0] == "none" {
		return "the ASP has no limit", v.system.os.SetCapacity(0)
	}
	free, err := number("FREE", args[0])
	if err != nil {
		return "", err
	}
	if free > math.MaxInt64/2048 {
		return "", fmt.Errorf("%w: FREE %d KB is more than any ASP has", ErrUsage, free)
	}
	capacity := v.system.os.Storage().Used + int64(free)*1024
	return fmt.Sprintf("the ASP has %d KB, of which %d are free", capacity/1024, free), v.system.os.SetCapacity(max(1, capacity))
}
