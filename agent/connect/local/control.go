package local

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// shown are the control commands that are asked, none of which prints message
// bodies, and id, which tells who asks.
var shown = []string{"dspmq", "dspmqver", "dspmqinf", "dspmqinst", "dspmqtrn", "dspmqfls", "id"}

// managerNamed finds the queue managers that dspmq names.
var managerNamed = regexp.MustCompile(`\bQMNAME\(([^)]*)\)`)

// control has a display among the control commands run. An exit code other than
// 0 is *failure.
func (m *machine) control(ctx context.Context, queueManager, text string) ([]byte, error) {
	words, err := observe.ControlWords(text)
	if err != nil {
		return nil, err
	}
	name := strings.ToLower(words[0])
	if !slices.Contains(shown, name) {
		return nil, errUnanswered
	}
	program := name
	if name != "id" {
		program = m.program(name)
	}
	result, err := m.run(ctx, append([]string{program}, words[1:]...), nil)
	switch {
	case err != nil:
		return nil, err
	case result.code != 0:
		return nil, programFailed(result)
	case name == "dspmq" && slices.Contains(words, queueManager):
		return result.output, aboutNoOther(result.output, queueManager)
	}
	return result.output, nil
}

// aboutNoOther refuses what dspmq prints when it was asked for one queue manager
// and names another.
func aboutNoOther(output []byte, queueManager string) error {
	for _, named := range managerNamed.FindAllSubmatch(output, -1) {
		if string(named[1]) != queueManager {
			return fmt.Errorf("the answer is about queue manager %q, not %s", named[1], queueManager)
		}
	}
	return nil
}
