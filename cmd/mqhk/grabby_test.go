package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/journal"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/plugins/serve"
)

// grabby is a plugin of somebody else that wants every log piece gone, and tries
// it in the way that its setting says: the test binary under the name of its file.
type grabby struct{}

// grabs are its ways, each a plan of its own.
var grabs = map[string]func(a plugins.Action) plugins.Action{
	"delete": func(a plugins.Action) plugins.Action {
		a.Kind = plugins.KindDelete
		return a
	},
	"mark":    func(a plugins.Action) plugins.Action { a.Kind = plugins.KindMarkArchived; return a },
	"command": grabBy(plugins.KindCommand, observe.CL, "DLTJRNRCV JRNRCV(@) DLTOPT(*IGNINQMSG)"),
	"wrapped": grabBy(plugins.KindCommand, observe.CL, "CALL PGM(QCMDEXC) PARM('DLTJRNRCV JRNRCV(@)' 50)"),
	"second":  grabBy(plugins.KindCommand, observe.CL, "CRTSAVF FILE(QGPL/X) /* x */\nDLTJRNRCV JRNRCV(@)"),
	"freed":   grabBy(plugins.KindCommand, observe.CL, "SAVOBJ OBJ(*ALL) LIB(QMORDERS) DEV(*SAVF) SAVF(QGPL/X) STG(*FREE)"),
	"shell":   grabBy(plugins.KindCommand, observe.CTL, "rm -rf @"),
	"custom":  grabBy(plugins.KindCustom, observe.CL, "DLTJRNRCV JRNRCV(@)"),
	"another": func(a plugins.Action) plugins.Action {
		a.Kind, a.Segment.QueueManager = plugins.KindDelete, "OTHER"
		return a
	},
	"ask": nil, "perform": nil,
}

func grabBy(kind plugins.Kind, language observe.Language, text string) func(plugins.Action) plugins.Action {
	return func(a plugins.Action) plugins.Action {
		a.Kind = kind
		a.Command = plugins.Command{Language: language, QueueManager: a.QueueManager, Text: strings.ReplaceAll(text, "@", a.Segment.String())}
		a.Segment, a.Fingerprint = plugins.Action{}.Segment, ""
		return a
	}
}

// isGrabby tells whether this process was started as that plugin.
func isGrabby() bool { return strings.HasPrefix(filepath.Base(os.Args[0]), "mqhk-plugin-grabby") }

// serveGrabby serves it.
func serveGrabby() { serve.Plugin(grabby{}) }

// Describe says what the plugin is.
func (grabby) Describe() plugins.Description {
	d := journal.Plugin{}.Describe()
	d.Name, d.Version = "grabby", "1.0.0"
	d.Languages = observe.Languages()
	d.Actions = []plugins.Kind{plugins.KindCommand, plugins.KindArchive, plugins.KindMarkArchived, plugins.KindDelete, plugins.KindAlert, plugins.KindCustom}
	d.Schema.Fields = append(d.Schema.Fields, schema.Field{Name: "how", Kind: schema.String, Required: true, Doc: "How it tries."})
	return d
}

// Plan looks as an honest plugin does, and then tries.
func (grabby) Plan(ctx context.Context, r plugins.Request, h plugins.Host) (plugins.Plan, error) {
	plan, err := journal.Plugin{}.Plan(ctx, r, h)
	if err != nil {
		return plan, err
	}
	how := r.Config.String("how")
	plan.Actions = nil
	for _, m := range plan.Decision.Managers {
		for i, s := range m.Inventory.Segments {
			a := plugins.Action{ID: fmt.Sprint("grab-", i), QueueManager: s.ID.QueueManager, Object: s.ID.String(), Segment: s.ID, Fingerprint: s.Fingerprint}
			if turn := grabs[how]; turn != nil {
				plan.Actions = append(plan.Actions, turn(a))
			}
			text := "DLTJRNRCV JRNRCV(" + s.ID.String() + ")"
			if hands, ok := h.(plugins.Hands); how == "perform" && ok {
				_, _ = hands.Do(ctx, plugins.Command{Language: observe.CL, QueueManager: r.Target.Name, Text: text})
			}
			if how == "ask" {
				for _, asked := range []string{text, "DSPLIB LIB(QGPL)\n" + text, "QSYS/CALL QCMDEXC ('" + text + "' 40)"} {
					_, _ = h.Ask(ctx, observe.Question{Language: observe.CL, QueueManager: r.Target.Name, Text: asked})
				}
			}
		}
	}
	return plan, nil
}

// Perform does by itself whatever it was let plan.
func (grabby) Perform(ctx context.Context, a plugins.Action, hands plugins.Hands) (plugins.Result, error) {
	_, err := hands.Do(ctx, a.Command)
	return plugins.Result{State: plugins.Done}, err
}

// A plugin of others that tries everything, in a task that allows it everything,
// changes nothing: in a dry run not a byte anywhere, in an apply not one of the
// estate and of the store.
func TestGrabbyPluginGetsNothing(t *testing.T) {
	endToEnd(t)
	args, folders := house(t)
	folders["plugins"] = filepath.Join(filepath.Dir(folders["config"]), "plugins")
	self, err := os.Executable()
	if err == nil {
		err = os.Mkdir(folders["plugins"], 0o700)
	}
	var program []byte
	if err == nil {
		program, err = os.ReadFile(self)
	}
	if err = errors.Join(err, os.WriteFile(filepath.Join(folders["plugins"], "mqhk-plugin-grabby"), program, 0o700)); err != nil {
		t.Fatal(err)
	}
	site := "plugins {\n  directory = \"../plugins\"\n}\n"
	for how := range grabs {
		site += fmt.Sprintf(`policy %q {
  task "grabby" "all" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    unsaved  = "delete"
    store    = "vault"
    allow    = ["command", "archive", "mark-archived", "delete", "alert", "custom"]
    config {
      how = %q
    }
  }
}
`, how, how)
	}
	if err := os.WriteFile(filepath.Join(folders["config"], "grabby.hcl"), []byte(site), 0o600); err != nil {
		t.Fatal(err)
	}
	mqhk(t, append(args, "plugin", "lock", "grabby")...)
	digest := func(of ...string) map[string]string {
		all := map[string]string{}
		for _, name := range of {
			maps.Copy(all, contents(t, folders[name]))
		}
		return all
	}
	everything, systems := []string{"config", "state", "vault", "estate", "plugins"}, []string{"vault", "estate"}
	before, of := digest(everything...), digest(systems...)
	for how := range grabs {
		for _, looks := range [][]string{{"plan"}, {"plan", "--format", "json"}, {"plan", "-o", filepath.Join(t.TempDir(), "plan")}} {
			var stdout, stderr bytes.Buffer
			execute(append(args, append(looks, "--policy", how)...), &stdout, &stderr)
			if stdout.Len() > 0 && !strings.Contains(stdout.String(), "DRY RUN") && !strings.Contains(stdout.String(), `"dry_run": true`) {
				t.Errorf("%s: %s", how, stdout.String())
			}
		}
		if diff := cmp.Diff(before, digest(everything...)); diff != "" {
			t.Fatalf("a dry run with a plugin that tries %s changed:\n%s", how, diff)
		}
	}
	for how := range grabs {
		var stdout, stderr bytes.Buffer
		status := execute(append(args, "run", "--apply", "--policy", how), &stdout, &stderr)
		refused := strings.Contains(stdout.String(), "-refused") // action, question, guard
		if nothing := how == "perform"; nothing == refused || !nothing && status != exitCritical {
			t.Errorf("%s: exit status %d:\n%s%s", how, status, stdout.String(), stderr.String())
		}
		if diff := cmp.Diff(of, digest(systems...)); diff != "" {
			t.Fatalf("a plugin that tries %s changed:\n%s", how, diff)
		}
	}
}
