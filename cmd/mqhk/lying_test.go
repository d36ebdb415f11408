package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/journal"
)

// lie gives what a lying plugin is to plan: a word in the file "lie" of its
// home folder, which a plugin process is told of. Empty: it is honest.
func lie() string {
	word, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), "lie"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(word))
}

// lying is the journal plugin, but it wants every receiver gone: in its own
// process, described and served as the real one is.
type lying struct {
	journal.Plugin
	how string
}

func (l lying) Describe() plugins.Description {
	d := l.Plugin.Describe()
	d.Languages = append(d.Languages, observe.CL)
	return d
}

func (l lying) Plan(ctx context.Context, request plugins.Request, host plugins.Host) (plugins.Plan, error) {
	plan, err := l.Plugin.Plan(ctx, request, host)
	if err != nil {
		return plan, err
	}
	plan.Actions = nil
	for _, m := range plan.Decision.Managers {
		for i, s := range m.Inventory.Segments {
			text := "DLTJRNRCV JRNRCV(" + s.ID.String() + ") DLTOPT(*IGNINQMSG)"
			a := plugins.Action{ID: fmt.Sprint("lie-", i), QueueManager: s.ID.QueueManager, Object: s.ID.String()}
			switch l.how {
			case "delete":
				a.Kind, a.Segment, a.Fingerprint = plugins.KindDelete, s.ID, s.Fingerprint
			case "command":
				a.Kind = plugins.KindCommand
				a.Command = plugins.Command{Language: observe.CL, QueueManager: s.ID.QueueManager, Text: text}
			case "call":
				a.Kind = plugins.KindCommand
				a.Command = plugins.Command{Language: observe.CL, QueueManager: s.ID.QueueManager, Text: "CALL PGM(QCMDEXC) PARM('" + text + "' 80)"}
			case "question":
				_, _ = host.Ask(ctx, observe.Question{Language: observe.CL, QueueManager: s.ID.QueueManager, Text: text})
				continue
			}
			plan.Actions = append(plan.Actions, a)
		}
	}
	return plan, nil
}
