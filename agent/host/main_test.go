package host

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/plugins/serve"
)

// envPlugin makes the test binary a plugin that behaves as it says; envHost
// makes it a host of what it says, with its sockets in envBase; envCommand a
// host that runs a command beside its plugin.
const (
	envPlugin  = "MQHK_TEST_PLUGIN"
	envHost    = "MQHK_TEST_HOST"
	envBase    = "MQHK_TEST_BASE"
	envCommand = "MQHK_TEST_COMMAND"
)

func TestMain(m *testing.M) {
	if behaviour := os.Getenv(envPlugin); behaviour != "" {
		bePlugin(behaviour)
		return
	}
	if words := os.Getenv(envHost); words != "" {
		beHost(strings.Split(words, "\n"))
		return
	}
	if how := os.Getenv(envStarter); how != "" {
		if err := startAll(how); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(envCommand) != "" {
		beHostOfCommand()
		return
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		for _, do := range atEnd {
			do()
		}
		os.Exit(status)
	}))
}

// atEnd is done when all tests are.
var atEnd []func()

// bePlugin does what the name says and then what every plugin does.
func bePlugin(behaviour string) {
	switch behaviour {
	case "exit before handshake":
		fmt.Fprintln(os.Stderr, "no licence for this machine")
		os.Exit(3)
	case "print before handshake":
		fmt.Println("loading... \x1b[31m")
	case "silent":
		forever()
	case "garbage on stderr":
		fmt.Fprintln(os.Stderr, `{"@message":42}`)
		fmt.Fprintln(os.Stderr, `{"@level":null,"@message":[],"@timestamp":{}}`)
		fmt.Fprintln(os.Stderr, `{"level":"WARN","msg":"half full","disk":7}`)
		fmt.Fprintln(os.Stderr, strings.Repeat("x", 3*maxLine))
		_, _ = os.Stderr.Write([]byte{0xff, 0, '\x1b', ']', '\n'})
	case "flood stderr":
		go func() {
			for {
				fmt.Fprintln(os.Stderr, "noise")
			}
		}()
	}
	serve.Plugin(stranger{behaviour})
	if behaviour == "hang in stop" {
		signal.Ignore()
		forever()
	}
}

// deep panics at the bottom of a long stack.
func deep(frames int) {
	if frames == 0 {
		panic("out of receivers")
	}
	deep(frames - 1)
}

func forever() { <-make(chan struct{}) }

// source gives the test binary as a plugin.
func source(behaviour string) Source {
	return Source{Name: "stranger", Args: []string{"plugin-serve", "stranger"}, Env: []string{envPlugin + "=" + behaviour}}
}

// stranger is a plugin with a behaviour.
type stranger struct{ behaviour string }

func (s stranger) Describe() plugins.Description {
	d := plugins.Description{
		Name: "stranger", Version: "1.2.3", Doc: "Does as it is told.",
		Platforms: []observe.Platform{observe.IBMi},
		Languages: []observe.Language{observe.MQSC},
		Actions:   []plugins.Kind{plugins.KindCommand, plugins.KindCustom},
		Schema:    schema.Schema{Fields: []schema.Field{{Name: "images", Kind: schema.Bool, Default: true}}},
	}
	switch s.behaviour {
	case "hang in describe":
		forever()
	case "panic in describe":
		panic("who am I")
	case "another name":
		d.Name = "ghost"
	}
	return d
}

func (s stranger) Check(_ context.Context, r plugins.Request) []plugins.Complaint {
	if s.behaviour == "hang in check" {
		forever()
	}
	return []plugins.Complaint{{Path: "config.images", Text: fmt.Sprintf("is %t on %s", r.Config.Bool("images"), r.Target)}}
}

func (s stranger) Plan(ctx context.Context, r plugins.Request, host plugins.Host) (plugins.Plan, error) {
	switch s.behaviour {
	case "panic in plan":
		chain := make([]int, len(r.Earlier)) // index out of range
		_ = chain[len(r.Earlier)]
	case "panic in a goroutine":
		go deep(50)
		forever()
	case "exit in plan":
		fmt.Fprintln(os.Stderr, "giving up")
		os.Exit(7)
	case "hang in plan":
		forever()
	case "leave a child":
		child := exec.Command("sleep", "600")
		if err := child.Start(); err != nil {
			return plugins.Plan{}, err
		}
		return plugins.Plan{Objects: []plugins.Object{{Name: fmt.Sprint(child.Process.Pid)}}}, nil
	case "environment":
		return plugins.Plan{Objects: []plugins.Object{{Facts: surroundings()}}}, nil
	case "fail in plan":
		_, err := host.Ask(ctx, observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "DISPLAY LOG"})
		return plugins.Plan{}, fmt.Errorf("no plan for %s: %w", r.Target, err)
	case "questions":
		return askMany(ctx, host)
	case "one question after another":
		for range r.Round {
			if _, err := host.Ask(ctx, observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "DISPLAY QMSTATUS"}); err != nil {
				return plugins.Plan{}, err
			}
		}
	case "question in CL":
		_, err := host.Ask(ctx, observe.Question{Language: observe.CL, Text: "DSPJRN"})
		return plugins.Plan{}, err
	case "change as a question":
		_, err := host.Ask(ctx, observe.Question{Language: observe.MQSC, Text: "ALTER QLOCAL(A) PUT(DISABLED)"})
		return plugins.Plan{}, err
	case "nonsense as a question":
		_, err := host.Ask(ctx, observe.Question{Language: observe.MQSC, Text: "please"})
		return plugins.Plan{}, err
	case "cancel":
		return cancelOne(ctx, host)
	case "log":
		host.Progress(1, 2, "half")
		host.Log().With("object", "AMQAJRN").WithGroup("receiver").Warn("late", "name", "AMQA000008", "bytes", 42)
		host.Log().Debug("not wanted")
		host.Progress(2, 2, "all \x1b[2J")
	case "huge plan":
		return hugePlan(50_000), nil
	case "inventory":
		return inventory(), nil
	case "unlisted action":
		return plugins.Plan{Actions: []plugins.Action{{ID: "1", Kind: plugins.KindDelete}}}, nil
	case "big earlier":
		return plugins.Plan{Objects: []plugins.Object{{Name: fmt.Sprint(len(r.Earlier))}}}, nil
	}
	return plugins.Plan{Again: r.Round == 1, Objects: []plugins.Object{{Kind: "queue", Name: r.Target.Name}}}, nil
}

// surroundings tells what the process was given.
func surroundings() map[string]string {
	input, err := io.ReadAll(os.Stdin)
	facts := map[string]string{"stdin": fmt.Sprint(len(input), err)}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		facts[name] = value
	}
	return facts
}

// askMany asks many questions at a time and writes down the answers in order.
func askMany(ctx context.Context, host plugins.Host) (plugins.Plan, error) {
	const many = 200
	objects := make([]plugins.Object, many)
	failures := make(chan error, many)
	for i := range many {
		go func() {
			answer, err := host.Ask(ctx, observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: fmt.Sprintf("DISPLAY QLOCAL(Q%d)", i)})
			objects[i].Name = string(answer.Body)
			failures <- err
		}()
	}
	for range many {
		if err := <-failures; err != nil {
			return plugins.Plan{}, err
		}
	}
	return plugins.Plan{Objects: objects}, nil
}

// cancelOne gives a question up and then asks another.
func cancelOne(ctx context.Context, host plugins.Host) (plugins.Plan, error) {
	impatient, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	if _, err := host.Ask(impatient, observe.Question{Language: observe.MQSC, Text: "DISPLAY QLOCAL(SLOW)"}); err == nil {
		return plugins.Plan{}, fmt.Errorf("an answer came")
	}
	answer, err := host.Ask(ctx, observe.Question{Language: observe.MQSC, Text: "DISPLAY QLOCAL(FAST)"})
	return plugins.Plan{Objects: []plugins.Object{{Name: string(answer.Body)}}}, err
}

// inventory is made once: what is measured is its way to the host.
var inventory = sync.OnceValue(func() plugins.Plan { return hugePlan(100_000) })

// hugePlan has as many segments as it is told.
func hugePlan(segments int) plugins.Plan {
	m := recovery.ManagerDecision{Inventory: recovery.Inventory{QueueManager: "ORDERS"}}
	for i := range segments {
		m.Inventory.Segments = append(m.Inventory.Segments, recovery.Segment{
			ID:   recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: fmt.Sprintf("AMQA%06d", i)},
			From: recovery.Position(i * 1000), To: recovery.Position(i*1000 + 999), Bytes: 100412, State: recovery.Saved,
			Opened: fmt.Sprintf("2026-05-27-13.59.%06d", i), Fingerprint: fmt.Sprintf("attached %d size 100412", i),
		})
		m.Verdicts = append(m.Verdicts, recovery.Verdict{
			Kind: recovery.Delete, Reason: "behind", Why: "lies before AMQA000008, from where a recovery reads",
		})
	}
	return plugins.Plan{Decision: recovery.Decision{Managers: []recovery.ManagerDecision{m}}}
}

func (s stranger) Confirm(ctx context.Context, a plugins.Action, host plugins.Host) (plugins.Result, error) {
	answer, err := host.Ask(ctx, observe.Question{Language: observe.MQSC, Text: "DISPLAY CFSTATUS(*)"})
	return plugins.Result{Action: a.ID, State: plugins.Pending, After: time.Minute, Evidence: string(answer.Body)}, err
}

func (s stranger) Perform(ctx context.Context, a plugins.Action, hands plugins.Hands) (plugins.Result, error) {
	command := a.Command
	if s.behaviour == "another command" {
		command.Text = "DELETE QLOCAL(PAYROLL)"
	}
	answer, err := hands.Do(ctx, command)
	return plugins.Result{Action: a.ID, State: plugins.Done, Evidence: string(answer.Body)}, err
}

// newRecords gives a handler that hands on each record as a line without its
// time.
func newRecords(to func(string)) slog.Handler {
	return slog.NewTextHandler(&lineWriter{emit: to}, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})
}
