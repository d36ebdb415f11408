package run

import (
	"cmp"
	"context"
	"errors"

	"github.com/mqhk/mqhk/core/observe"
)

// whatIsReadable takes the manifests that can be read where others can't: a
// plan must not believe such a store, but a recovery takes what there is.
type whatIsReadable struct{ observe.Asker }

func (w whatIsReadable) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	answer, err := w.Asker.Ask(ctx, q)
	if q.Language == observe.Store && errors.As(err, new(*observe.Failed)) {
		return answer, nil
	}
	return answer, err
}

// notHere says why the log is not this host's to write into; empty: it is. A
// queue manager that plainly runs here reads what comes back; one that has ended
// does at its next start. One that another host runs is in the middle of writing
// that log (reference, Multiplatforms, trap 18).
func (r *restorer) notHere(seen look) string {
	if r.order.Target.Platform != observe.Multiplatforms || seen.host == observe.HostRunning || seen.host == observe.HostEnded {
		return ""
	}
	return cmp.Or(seen.notHere, "nothing tells where it runs")
}
