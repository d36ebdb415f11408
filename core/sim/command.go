package sim

import (
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/ibmi"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// operator is the user profile under which commands are given by hand.
const operator = "QMQM"

// Job starts a batch job, for commands of one person: what CHGJOB sets holds
// for those that follow in it.
func (e *Estate) Job() *os400.Job {
	e.state.Jobs++
	return &os400.Job{Name: fmt.Sprintf("%06d/%s/MQHKSIM", e.state.Jobs%1_000_000, operator), User: operator}
}

// CL gives a CL command on the system of a queue manager, in a job. It takes
// two seconds of the estate's time. An escape message is an *os400.Error, a
// job that waits for a reply an *os400.Waiting.
func (e *Estate) CL(ctx context.Context, queueManager string, job *os400.Job, text string) (ibmi.Result, error) {
	s, _, err := e.find(queueManager)
	if err != nil {
		return ibmi.Result{}, err
	}
	result, err := s.machine.Run(ctx, job, text)
	if passed := e.pass(ctx, commandTakes); passed != nil && err == nil {
		err = passed
	}
	return result, err
}
