package sim

import (
	"cmp"
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/ibmi"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// operator is the user profile under which commands are given by hand.
const operator = "QMQM"

// Job starts a batch job of QMQM, for commands of one person: what CHGJOB sets
// holds for those that follow in it.
func (e *Estate) Job() *os400.Job { return e.JobOf("") }

// JobOf starts a batch job of a user profile; empty: QMQM. A profile that the
// system does not have may give no command (CPF2204).
func (e *Estate) JobOf(user string) *os400.Job {
	e.state.Jobs++
	user = cmp.Or(user, operator)
	return &os400.Job{Name: fmt.Sprintf("%06d/%s/MQHKSIM", e.state.Jobs%1_000_000, user), User: user}
}

// CL gives a CL command on the system of a queue manager, in a job. It takes
// two seconds of the estate's time. An escape message is an *os400.Error, a
// job that waits for a reply an *os400.Waiting.
func (e *Estate) CL(ctx context.Context, queueManager string, job *os400.Job, text string) (ibmi.Result, error) {
	s, err := e.ibmi(queueManager)
	if err != nil {
		return ibmi.Result{}, err
	}
	result, err := s.machine.Run(ctx, job, text)
	if passed := e.pass(ctx); passed != nil && err == nil {
		err = passed
	}
	return result, err
}

// CLLater is [Estate.CL] for one of many commands, such as thousands of
// DLTJRNRCV: what it deletes is durable, and its storage free, once
// [Estate.Force] has returned nil, or any other command or step of time after
// it. Who tells others that something is deleted forces it first. A crash
// before that undoes the last deletions: the receivers are there again, whole.
func (e *Estate) CLLater(ctx context.Context, queueManager string, job *os400.Job, text string) (ibmi.Result, error) {
	s, err := e.ibmi(queueManager)
	if err != nil {
		return ibmi.Result{}, err
	}
	result, err := s.machine.RunLater(ctx, job, text)
	if passed := e.passLater(ctx, commandTakes); passed != nil && err == nil {
		err = passed
	}
	return result, err
}

// Force makes durable what was done by [Estate.CLLater]. After an error nobody
// knows which of it is; it may be tried again.
func (e *Estate) Force() error {
	for _, s := range e.systems {
		if err := s.force(); err != nil {
			return err
		}
	}
	return nil
}
