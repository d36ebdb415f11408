package sim

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// vetoProgram says no to every deletion, debugger is the job that holds locks
// by default.
const (
	vetoProgram = "QGPL/VETO"
	debugger    = "000000/QSECOFR/CDCREADER"
)

// ibmiVictim is what a fault of IBM i happens to.
type ibmiVictim struct {
	*ibmiSystem
	estate  *Estate
	name    string // of the system
	manager *qmgr.Manager
}

// onIBMi makes a fault of what happens to an IBM i system.
func onIBMi(do func(context.Context, *ibmiVictim, []string) (string, error)) doing {
	return func(ctx context.Context, v *victim, args []string) (string, error) {
		m, ok := v.manager.(ibmiManager)
		if !ok {
			return "", fmt.Errorf("%w: %s is not on IBM i", ErrUsage, v.manager.Name())
		}
		return do(ctx, &ibmiVictim{m.system, v.estate, v.system.name, m.Manager}, args)
	}
}

// receiver gives a receiver of the queue manager's library by its name.
func (v *ibmiVictim) receiver(name string) os400.ID {
	if library, receiver, ok := strings.Cut(strings.ToUpper(name), "/"); ok {
		return os400.ID{Library: library, Name: receiver}
	}
	return os400.ID{Library: v.manager.Library(), Name: strings.ToUpper(name)}
}

func ibmiFaults() []FaultKind {
	return []FaultKind{
		{"crash", nil, "the queue manager dies: what was not forced to its journal is gone", crash},
		{"ipl", nil, "the system dies and is started again: new receivers, numbered from 1", onIBMi(ipl)},
		{"damage", []string{"OBJECT"}, "the file of a queue, of the queue manager object (*MQM) or of the catalogue (*CTLG) is destroyed (AMQ7472, MQRC 2101)", onIBMi(damage)},
		{"lose-receiver", []string{"RECEIVER"}, "a receiver is deleted by hand, whoever needs it (AMQ7432 when it is needed)", onIBMi(loseReceiver)},
		{"flip-byte", []string{"RECEIVER", "OFFSET"}, "one byte of a receiver's file changes on the disk", onIBMi(flipReceiver)},
		{"damage-receiver", []string{"RECEIVER"}, "the system marks a receiver as damaged (CPF8136)", onIBMi(damageReceiver)},
		{"lock", []string{"RECEIVER", "[JOB]"}, "a job holds a lock on a receiver, such as a save or a reader of the journal", onIBMi(lockReceiver)},
		{"unlock", []string{"RECEIVER", "[JOB]"}, "it lets go", onIBMi(unlockReceiver)},
		{"remote", []string{"STATE", "[ENTRIES]"}, "remote journals are active or inactive, and that many entries behind", onIBMi(remote)},
		{"exit-veto", []string{"on|off"}, "an exit program says no to every deletion of a receiver", onIBMi(exitVeto)},
		{"name-clash", nil, "the name of the next receiver is taken (CPI70E3 at the next change)", onIBMi(nameClash)},
		{"sequence", []string{"NUMBER"}, "the next entry has this sequence number; at the maximum journaling stops (CPA7090)", onIBMi(sequence)},
		{"asp", []string{"FREE"}, "so many KB are free in the ASP (CPA7090 when they are used up); none: without a limit", onIBMi(asp)},
		{"clock-back", []string{"DURATION"}, "somebody puts the system's clock back", clockBack},
		{"clock-forward", []string{"DURATION"}, "somebody puts the system's clock forward", clockForward},
		{"open-unit", []string{"QUEUE", "[prepared]"}, "an application puts a message and leaves its unit of work open, or in doubt", openUnit},
		{"end-unit", []string{"NUMBER", "commit|backout"}, "it ends it", endUnit},
	}
}

func ipl(ctx context.Context, v *ibmiVictim, _ []string) (string, error) {
	_, err := v.machine.Run(ctx, v.estate.Job(), "PWRDWNSYS OPTION(*IMMED) RESTART(*YES)")
	return "system " + v.name + " was started again", err
}

func damage(ctx context.Context, v *ibmiVictim, args []string) (string, error) {
	return args[0] + " is damaged", v.manager.Damage(ctx, args[0])
}

func loseReceiver(_ context.Context, v *ibmiVictim, args []string) (string, error) {
	id := v.receiver(args[0])
	return id.String() + " is gone", v.os.Remove(id)
}

func flipReceiver(_ context.Context, v *ibmiVictim, args []string) (string, error) {
	id := v.receiver(args[0])
	offset, err := number("OFFSET", args[1])
	if err == nil {
		err = flipByte(v.os.Disk(), v.os.FileOf(id), offset)
	}
	if err != nil {
		return "", fmt.Errorf("byte %d of %s: %w", offset, id, err)
	}
	return fmt.Sprintf("byte %d of %s is another", offset, id), nil
}

func damageReceiver(_ context.Context, v *ibmiVictim, args []string) (string, error) {
	id := v.receiver(args[0])
	return id.String() + " is damaged", v.os.MarkDamaged(id)
}

func holder(args []string) string {
	if len(args) > 1 {
		return args[1]
	}
	return debugger
}

func lockReceiver(_ context.Context, v *ibmiVictim, args []string) (string, error) {
	id := v.receiver(args[0])
	return fmt.Sprintf("%s holds a lock on %s", holder(args), id), v.os.Lock(id, holder(args))
}

func unlockReceiver(_ context.Context, v *ibmiVictim, args []string) (string, error) {
	id := v.receiver(args[0])
	return fmt.Sprintf("%s holds no lock on %s", holder(args), id), v.os.Unlock(id, holder(args))
}

func remote(_ context.Context, v *ibmiVictim, args []string) (string, error) {
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
	journal, err := v.os.Journal(v.manager.Journal())
	if err != nil {
		return "", err
	}
	if len(journal.Remotes) == 0 {
		return "", fmt.Errorf("%s has no remote journal: ADDMQMJRN adds one", journal.ID)
	}
	for _, r := range journal.Remotes {
		if err := v.os.SetRemote(journal.ID, r.ID, on, behind); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d remote journals are %s, %d entries behind", len(journal.Remotes), strings.ToLower(args[0]), behind), nil
}

func exitVeto(_ context.Context, v *ibmiVictim, args []string) (string, error) {
	switch args[0] {
	case "on":
		return vetoProgram + " says no to every deletion", v.os.AddExit(vetoProgram)
	case "off":
		return vetoProgram + " is not asked any more", v.os.RemoveExit(vetoProgram)
	default:
		return "", fmt.Errorf("%w: %q is neither on nor off", ErrUsage, args[0])
	}
}

func nameClash(_ context.Context, v *ibmiVictim, _ []string) (string, error) {
	journal, err := v.os.Journal(v.manager.Journal())
	if err != nil {
		return "", err
	}
	taken := v.os.NextName(journal.Attached)
	return taken.String() + " is there already", v.os.CreateReceiver(taken, journal.Threshold)
}

func sequence(_ context.Context, v *ibmiVictim, args []string) (string, error) {
	n, err := number("NUMBER", args[0])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("the next entry of %s has the number %d", v.manager.Journal(), n), v.os.SetSequence(v.manager.Journal(), n)
}

func asp(_ context.Context, v *ibmiVictim, args []string) (string, error) {
	if args[0] == "none" {
		return "the ASP has no limit", v.os.SetCapacity(0)
	}
	free, err := number("FREE", args[0])
	if err != nil {
		return "", err
	}
	if free > math.MaxInt64/2048 {
		return "", fmt.Errorf("%w: FREE %d KB is more than any ASP has", ErrUsage, free)
	}
	capacity := v.os.Storage().Used + int64(free)*1024
	return fmt.Sprintf("the ASP has %d KB, of which %d are free", capacity/1024, free), v.os.SetCapacity(max(1, capacity))
}
