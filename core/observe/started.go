package observe

import (
	"context"
	"time"

	"github.com/mqhk/mqhk/core/mqsc"
)

// ReadStarted gives the moment in which a queue manager that plainly runs was
// started: STARTDA and STARTTI of DISPLAY QMSTATUS, by the system's clock, in
// whole seconds. It gives false where nothing tells that moment: the state is
// none or another than RUNNING (a start that is under way is not over), a value
// is missing, the zone of the system is not known, or the moment has not come
// yet.
//
// A wall clock that goes back shows an hour twice. The earlier moment is
// given, so that nobody takes for over what may only have begun afterwards.
func ReadStarted(ctx context.Context, asker Asker, target Target) (time.Time, bool) {
	zone, err := time.LoadLocation(target.Zone)
	if err != nil || target.Zone == "" {
		return time.Time{}, false
	}
	q := Question{Language: MQSC, QueueManager: target.Name, Text: "DISPLAY QMSTATUS ALL"}
	answer, err := asker.Ask(ctx, q)
	if err != nil {
		return time.Time{}, false
	}
	stamp := startedIn(answer.Body, target.Name)
	if stamp.IsZero() {
		return time.Time{}, false
	}
	started, _ := wallClock{zone}.moments(stamp)
	if !answer.At.IsZero() && started.After(answer.At) {
		return time.Time{}, false
	}
	return started.In(zone), true
}

// startedIn reads the start of a running queue manager; zero when the answer
// does not show it, or shows two.
func startedIn(body []byte, name string) Stamp {
	answer, err := mqsc.ParseAnswer(body)
	if err != nil || answer.SyntaxError() {
		return Stamp{}
	}
	var found Stamp
	for _, o := range answer.Objects {
		if of, ok := o.Get("QMNAME"); ok && of != name {
			continue
		}
		day, clock := attribute(o, "STARTDA"), attribute(o, "STARTTI")
		stamp, err := ParseStamp(day + " " + clock)
		if err != nil || attribute(o, "STATUS") != "RUNNING" || day == "" || clock == "" || !found.IsZero() {
			return Stamp{}
		}
		found = stamp
	}
	return found
}
