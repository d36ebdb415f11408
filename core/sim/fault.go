package sim

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// FaultKind is something that goes wrong on purpose.
type FaultKind struct {
	Name string
	// Args are the names of its arguments; one in brackets may be left out.
	Args []string
	Doc  string

	do func(context.Context, *victim, []string) (string, error)
}

// Usage gives the fault as it is called.
func (k FaultKind) Usage() string { return strings.TrimSpace(k.Name + " " + strings.Join(k.Args, " ")) }

// victim is what a fault happens to.
type victim struct {
	estate  *Estate
	system  *system
	manager *qmgr.Manager
}

// receiver gives a receiver of the queue manager's library by its name.
func (v *victim) receiver(name string) os400.ID {
	if library, receiver, ok := strings.Cut(strings.ToUpper(name), "/"); ok {
		return os400.ID{Library: library, Name: receiver}
	}
	return os400.ID{Library: v.manager.Library(), Name: strings.ToUpper(name)}
}

// Faults lists what can go wrong by a command of its own. The others of the
// reference (IBM i 4.5) come about as they do in life: ten asterisks when a
// receiver that is needed was lost, PARTIAL by SAVOBJ and RSTOBJ, a hanging
// inquiry by DLTJRNRCV, a wrap by the name of the first receiver, summer time
// by time.
func Faults() []FaultKind {
	return []FaultKind{
		{"crash", nil, "the queue manager dies: what was not forced to its journal is gone", crash},
		{"ipl", nil, "the system dies and is started again: new receivers, numbered from 1", ipl},
		{"damage", []string{"OBJECT"}, "the file of a queue, of the queue manager object (*MQM) or of the catalogue (*CTLG) is destroyed (AMQ7472, MQRC 2101)", damage},
		{"lose-receiver", []string{"RECEIVER"}, "a receiver is deleted by hand, whoever needs it (AMQ7432 when it is needed)", loseReceiver},
		{"flip-byte", []string{"RECEIVER", "OFFSET"}, "one byte of a receiver's file changes on the disk", flipByte},
		{"damage-receiver", []string{"RECEIVER"}, "the system marks a receiver as damaged (CPF8136)", damageReceiver},
		{"lock", []string{"RECEIVER", "[JOB]"}, "a job holds a lock on a receiver, such as a save or a reader of the journal", lockReceiver},
		{"unlock", []string{"RECEIVER", "[JOB]"}, "it lets go", unlockReceiver},
		{"remote", []string{"STATE", "[ENTRIES]"}, "remote journals are active or inactive, and that many entries behind", remote},
		{"exit-veto", []string{"on|off"}, "an exit program says no to every deletion of a receiver", exitVeto},
		{"name-clash", nil, "the name of the next receiver is taken (CPI70E3 at the next change)", nameClash},
		{"sequence", []string{"NUMBER"}, "the next entry has this sequence number; at the maximum journaling stops (CPA7090)", sequence},
		{"asp", []string{"FREE"}, "so many KB are free in the ASP (CPA7090 when they are used up); none: without a limit", asp},
		{"clock-back", []string{"DURATION"}, "somebody puts the system's clock back", clockBack},
		{"clock-forward", []string{"DURATION"}, "somebody puts the system's clock forward", clockForward},
		{"open-unit", []string{"QUEUE", "[prepared]"}, "an application puts a message and leaves its unit of work open, or in doubt", openUnit},
		{"end-unit", []string{"NUMBER", "commit|backout"}, "it ends it", endUnit},
	}
}

// Fault has something go wrong on the system of a queue manager, and says what
// was done.
func (e *Estate) Fault(ctx context.Context, queueManager, name string, args ...string) (string, error) {
	s, m, err := e.find(queueManager)
	if err != nil {
		return "", err
	}
	kinds := Faults()
	var names []string
	for _, k := range kinds {
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
