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
// is missing, neither the zone of the system nor its present offset is known,
// or the moment has not come yet. Where only the offset is known the clocks may
// have been changed since: an hour is taken off.
//
// A wall clock that goes back shows an hour twice. The earlier moment is
// given, so that nobody takes for over what may only have begun afterwards.
func ReadStarted(ctx context.Context, asker Asker, target Target) (time.Time, bool) {
	return readMoment(ctx, asker, target, startedIn)
}

// ReadLogBegun gives the moment in which the log of a queue manager was begun,
// LOGSTRDA and LOGSTRTI of DISPLAY QMSTATUS: when it was created, or its log
// was made anew. It is read as [ReadStarted] reads its moment; levels before
// 9.3.2 do not tell it.
func ReadLogBegun(ctx context.Context, asker Asker, target Target) (time.Time, bool) {
	return readMoment(ctx, asker, target, logBegunIn)
}

// readMoment gives the moment that a reader finds in the status of a queue
// manager.
func readMoment(ctx context.Context, asker Asker, target Target, in func(body []byte, name string) Stamp) (time.Time, bool) {
	zone, err := time.LoadLocation(target.Zone)
	if err != nil {
		return time.Time{}, false
	}
	answer, err := asker.Ask(ctx, startQuestion(target))
	if err != nil {
		return time.Time{}, false
	}
	stamp := in(answer.Body, target.Name)
	if stamp.IsZero() || target.Zone == "" && answer.At.IsZero() {
		return time.Time{}, false
	}
	var early time.Duration
	if target.Zone == "" {
		zone, early = answer.At.Location(), time.Hour
	}
	started, _ := wallClock{zone}.moments(stamp)
	started = started.Add(-early)
	if !answer.At.IsZero() && started.After(answer.At) {
		return time.Time{}, false
	}
	return started.In(zone), true
}

// ReadStart gives when a running queue manager was started as it says it
// itself, to be compared with what it says at another time; empty where it
// says nothing.
func ReadStart(ctx context.Context, asker Asker, target Target) string {
	answer, err := asker.Ask(ctx, startQuestion(target))
	if err != nil {
		return ""
	}
	stamp := startedIn(answer.Body, target.Name)
	if stamp.IsZero() {
		return ""
	}
	return stamp.String()
}

func startQuestion(target Target) Question {
	return Question{Language: MQSC, QueueManager: target.Name, Text: "DISPLAY QMSTATUS ALL"}
}

// startedIn reads the start of a running queue manager; zero when the answer
// does not show it, or shows two.
func startedIn(body []byte, name string) Stamp {
	running := func(o mqsc.Object) bool { return attribute(o, "STATUS") == running }
	return momentIn(body, name, "STARTDA", "STARTTI", running)
}

// logBegunIn reads since when the log is written; zero when the answer does not
// show it, or shows two.
func logBegunIn(body []byte, name string) Stamp {
	return momentIn(body, name, "LOGSTRDA", "LOGSTRTI", func(mqsc.Object) bool { return true })
}

// momentIn reads a day and a time of the one queue manager of the name that an
// answer shows, where it counts.
func momentIn(body []byte, name, day, clock string, counts func(mqsc.Object) bool) Stamp {
	answer, err := mqsc.ParseAnswer(body)
	if err != nil || answer.SyntaxError() {
		return Stamp{}
	}
	var found Stamp
	for _, o := range answer.Objects {
		if of, ok := o.Get("QMNAME"); ok && of != name {
			continue
		}
		date, hour := attribute(o, day), attribute(o, clock)
		stamp, err := ParseStamp(date + " " + hour)
		if err != nil || !counts(o) || date == "" || hour == "" || !found.IsZero() {
			return Stamp{}
		}
		found = stamp
	}
	return found
}
