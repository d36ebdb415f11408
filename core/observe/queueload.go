package observe

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/mqhk/mqhk/core/mqsc"
)

// QueueLoad is what a local queue holds, as far as the queue manager tells.
type QueueLoad struct {
	Name    string
	Depth   int64 // CURDEPTH: messages, persistent or not
	File    int64 // bytes of its file (CURFSIZE, whole MiB, rounded up; IBM MQ 9.1.5 and later); -1: not told
	Longest int64 // MAXMSGL: bytes that a message may have; -1: not told

	Image     string // MEDIALOG: the piece of the log that its rebuild needs; empty: none, or not told
	ImageTold bool   // MEDIALOG was printed
	// Recoverable is IMGRCOVQ, whether it is rebuilt from a media image: YES, NO
	// or QMGR. Empty: not asked, or not told.
	Recoverable string
}

// ReadQueueLoads asks what the queues of a queue manager hold. A queue without
// a depth, a torn answer and one without any queue are errors: half a list is
// none. What is only told by DISPLAY QLOCAL may be missing; on IBM i it is asked
// for only where a queue holds something.
func ReadQueueLoads(ctx context.Context, asker Asker, target Target) ([]QueueLoad, error) {
	status, err := askObjects(ctx, asker, target, "DISPLAY QSTATUS(*) TYPE(QUEUE) ALL")
	if err != nil {
		return nil, err
	}
	loads := make([]QueueLoad, 0, len(status))
	filled := false
	for _, o := range status {
		load, err := loadOf(o)
		if err != nil {
			return nil, fmt.Errorf("DISPLAY QSTATUS: %w", err)
		}
		loads = append(loads, load)
		filled = filled || load.Depth > 0
	}
	if len(loads) == 0 {
		return nil, errors.New("DISPLAY QSTATUS shows no queue")
	}
	text := "DISPLAY QLOCAL(*) MAXMSGL"
	if target.Platform == Multiplatforms {
		text = "DISPLAY QLOCAL(*) MAXMSGL IMGRCOVQ USAGE" // a level before 9.0.2 can't read it, and tells none of them
	} else if !filled {
		return loads, nil
	}
	local, err := askObjects(ctx, asker, target, text)
	if err != nil {
		return loads, ctx.Err() // their files may tell enough
	}
	defined := make(map[string]mqsc.Object, len(local))
	for _, o := range local {
		defined[attribute(o, "QUEUE")] = o
	}
	for i := range loads {
		o, ok := defined[loads[i].Name]
		if length, told := wholeNumber(o, "MAXMSGL"); ok && told {
			loads[i].Longest = length
		}
		loads[i].Recoverable = attribute(o, "IMGRCOVQ")
	}
	return loads, nil
}

// loadOf reads one queue of DISPLAY QSTATUS.
func loadOf(o mqsc.Object) (QueueLoad, error) {
	load := QueueLoad{Name: attribute(o, "QUEUE"), File: -1, Longest: -1}
	depth, ok := wholeNumber(o, "CURDEPTH")
	if load.Name == "" || !ok {
		return load, fmt.Errorf("queue %q has no depth: CURDEPTH(%s)", load.Name, attribute(o, "CURDEPTH"))
	}
	load.Depth = depth
	if mebibytes, ok := wholeNumber(o, "CURFSIZE"); ok && mebibytes < 1<<40 {
		load.File = mebibytes << 20
	}
	_, load.ImageTold = o.Get("MEDIALOG")
	load.Image = attribute(o, "MEDIALOG")
	return load, nil
}

// wholeNumber reads an attribute that is a number, 0 or more.
func wholeNumber(o mqsc.Object, name string) (int64, bool) {
	number, err := strconv.ParseUint(attribute(o, name), 10, 63)
	return int64(number), err == nil
}

// askObjects asks for a display and gives the objects in the answer.
func askObjects(ctx context.Context, asker Asker, target Target, text string) ([]mqsc.Object, error) {
	q := Question{Language: MQSC, QueueManager: target.Name, Text: text}
	answer, err := asker.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	parsed, err := mqsc.ParseAnswer(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q, err)
	}
	if parsed.SyntaxError() {
		return nil, fmt.Errorf("%s: the queue manager could not read the command", q)
	}
	return parsed.Objects, nil
}
