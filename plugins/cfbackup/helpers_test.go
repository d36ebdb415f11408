package cfbackup

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/core/observe/qsg/qsgtest"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

// example is the transcript of the README.
const example = "../../examples/qsg1.mqt"

// played is a host that answers from a transcript.
type played struct{ observe.Asker }

func (played) Progress(int64, int64, string) {}
func (played) Log() *slog.Logger             { return slog.New(slog.DiscardHandler) }

// dedicated are settings that name the member which takes the backups.
func dedicated(more map[string]any) map[string]any {
	settings := map[string]any{"backup_queue_manager": "QMBK"}
	for name, value := range more {
		settings[name] = value
	}
	return settings
}

func parse(tb testing.TB, text string) *transcript.Transcript {
	tb.Helper()
	script, err := transcript.Parse("group.mqt", strings.NewReader(text), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return script
}

// exampleText is the example, with texts in it replaced: pairs of old and new.
func exampleText(tb testing.TB, pairs ...string) string {
	tb.Helper()
	text, err := os.ReadFile(example)
	if err != nil {
		tb.Fatal(err)
	}
	whole := string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(whole, pairs[i]) {
			tb.Fatalf("the example has no %q", pairs[i])
		}
		whole = strings.ReplaceAll(whole, pairs[i], pairs[i+1])
	}
	return whole
}

func requestOn(tb testing.TB, script *transcript.Transcript, settings map[string]any) plugins.Request {
	tb.Helper()
	config, err := schema.New(Plugin{}.Describe().Schema, settings)
	if err != nil {
		tb.Fatal(err)
	}
	return plugins.Request{Target: script.Targets()[0], Config: config, Round: 1}
}

func planOn(tb testing.TB, text string, settings map[string]any) plugins.Plan {
	tb.Helper()
	script := parse(tb, text)
	plan, err := Plugin{}.Plan(tb.Context(), requestOn(tb, script, settings), played{script.Player()})
	if err != nil {
		tb.Fatal(err)
	}
	if err := plugins.CheckPictures(plan.Pictures); err != nil {
		tb.Error(err)
	}
	return plan
}

// viewOf is what is made of facts, without a transcript.
func viewOf(tb testing.TB, g *qsg.Group, settings map[string]any) view {
	tb.Helper()
	config, err := schema.New(Plugin{}.Describe().Schema, settings)
	if err != nil {
		tb.Fatal(err)
	}
	target := observe.Target{Name: g.Name, Platform: observe.ZOS, Group: true}
	return newView(g, plugins.Request{Target: target, Config: config, Round: 1})
}

// made is a group of three members, of which QMBK takes the backups, and three
// structures.
func made() qsg.Group { return qsgtest.Make(1, qsgtest.Size{Members: 3, Structures: 3}) }

// steps writes the commands in their order.
func steps(plan plugins.Plan) string {
	var list []string
	for _, a := range plan.Actions {
		text := a.Command.QueueManager + ": " + a.Command.Text
		if len(a.After) > 0 {
			text += " after " + strings.Join(a.After, " ")
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// codes lists the findings of a plan.
func codes(plan plugins.Plan) string {
	var list []string
	for _, f := range plan.Findings {
		list = append(list, string(f.Code))
	}
	return strings.Join(list, " ")
}

// text gives the texts of the findings of a code.
func text(plan plugins.Plan, code finding.Code) string {
	var list []string
	for _, f := range plan.Findings {
		if f.Code == code {
			list = append(list, f.Text)
		}
	}
	return strings.Join(list, "\n")
}

// object gives an object of a plan.
func object(tb testing.TB, plan plugins.Plan, kind, name string) plugins.Object {
	tb.Helper()
	for _, o := range plan.Objects {
		if o.Kind == kind && o.Name == name {
			return o
		}
	}
	tb.Fatalf("no %s %s", kind, name)
	return plugins.Object{}
}

func shown(plan plugins.Plan) string {
	var b strings.Builder
	for _, o := range plan.Objects {
		fmt.Fprintf(&b, "%s %s: %s (%s) %v\n", o.Kind, o.Name, o.Verdict, o.Reason, o.Facts)
	}
	for _, f := range plan.Findings {
		fmt.Fprintf(&b, "%s %s %s\n", f.Severity, f.Code, f.Text)
	}
	fmt.Fprintln(&b, steps(plan))
	for _, p := range plan.Pictures {
		for _, row := range p.Rows {
			fmt.Fprintf(&b, "%+v\n", row)
		}
	}
	return b.String()
}

// switching is the print of a member that archived so many logs an hour of late.
func switching(perHour int) *bsds.Print {
	p := &bsds.Print{Version: 2}
	each := time.Hour / time.Duration(perHour)
	end := time.Date(2026, time.May, 28, 0, 0, 0, 0, time.UTC)
	const logs = 300
	for i := range logs {
		start, _ := bsds.NewRBA(uint64(i)<<20, bsds.Eight)
		last, _ := bsds.NewRBA(uint64(i+1)<<20-1, bsds.Eight)
		to := end.Add(-time.Duration(logs-i) * each)
		p.Archive[0] = append(p.Archive[0], bsds.Log{DataSet: fmt.Sprintf("MQP.ARC1.A%07d", i), Start: start, End: last, StartTime: to.Add(-each), EndTime: to})
	}
	return p
}
