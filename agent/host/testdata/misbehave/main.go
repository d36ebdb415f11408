// Command misbehave is a plugin that does what no plugin should. Its first
// argument says what; its second is how long what it leaves behind sleeps,
// by which a test finds it, and its third is its own path.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve"
)

func main() {
	behaviour := os.Args[1]
	beforeHandshake(behaviour)
	if strings.HasPrefix(behaviour, "wire: ") {
		serveWire(behaviour)
		return
	}
	serve.Plugin(misbehaving(behaviour))
	if behaviour == "hang in stop" {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		forever()
	}
}

// beforeHandshake does what is done before anybody spoke.
func beforeHandshake(behaviour string) {
	switch behaviour {
	case "exit before the handshake":
		fmt.Fprintln(os.Stderr, "no licence for this machine")
		os.Exit(3)
	case "panic before the handshake":
		panic("no licence")
	case "hang in start":
		forever()
	case "print before the handshake": // case 72
		fmt.Println("loading… \x1b[31m")
	case "print without a line end":
		for {
			_, _ = os.Stdout.Write(bytes.Repeat([]byte("x"), 1<<16))
		}
	case "stop itself at the start":
		stopItself()
	case "leave a child and hang in start":
		escape("setsid")
		forever()
	case "ignore SIGTERM":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	case "garbage on stderr":
		fmt.Fprintln(os.Stderr, `{"@message":42}`)
		fmt.Fprintln(os.Stderr, `{"@level":null,"@message":[],"@timestamp":{}}`)
		_, _ = os.Stderr.Write([]byte{0xff, 0, '\x1b', ']', '\n'})
	case "eat as a child":
		eat()
	}
}

type misbehaving string

func (m misbehaving) Describe() plugins.Description {
	d := plugins.Description{
		Name: "misbehave", Version: "1.0.0", Doc: "Does what no plugin should.",
		Platforms: []observe.Platform{observe.Multiplatforms},
		Languages: []observe.Language{observe.MQSC},
		Actions:   []plugins.Kind{plugins.KindCommand, plugins.KindCustom},
	}
	switch m {
	case "hang in describe":
		forever()
	case "panic in describe":
		panic("who am I")
	case "claim another's name":
		d.Name = "journal"
	}
	return d
}

func (m misbehaving) Check(context.Context, plugins.Request) []plugins.Complaint {
	if m == "hang in check" {
		forever()
	}
	return nil
}

func (m misbehaving) Plan(ctx context.Context, _ plugins.Request, host plugins.Host) (plugins.Plan, error) {
	switch m {
	case "panic in a handler":
		panic("out of receivers")
	case "panic in a goroutine":
		go func() { panic("out of receivers") }()
		forever()
	case "exit":
		fmt.Fprintln(os.Stderr, "giving up")
		os.Exit(7)
	case "be killed":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		forever()
	case "hang in plan":
		forever()
	case "stop itself":
		stopItself()
	case "megabytes on stderr":
		for range 4 {
			_, _ = os.Stderr.Write(bytes.Repeat([]byte("noise\n"), 1<<20/6))
		}
		_, _ = os.Stderr.Write(bytes.Repeat([]byte("x"), 4<<20)) // one line
		fmt.Fprintln(os.Stderr, "\nthe last word")
	case "a child", "setsid", "setsid, clean", "setsid, clean, closed", "own group, clean":
		escape(string(m))
	case "leave a child and exit":
		escape("setsid, clean, closed")
		os.Exit(7)
	case "eat memory":
		eat()
	case "eat memory in a child":
		_ = exec.Command("setsid", os.Args[3], "eat as a child").Start()
		forever()
	case "a million questions":
		for i := range 1_000_000 {
			if _, err := host.Ask(ctx, question(fmt.Sprintf("DISPLAY QLOCAL(Q%d)", i))); err != nil {
				return plugins.Plan{}, err
			}
		}
	case "a change as a question":
		_, err := host.Ask(ctx, question("ALTER QLOCAL(A) PUT(DISABLED)"))
		return plugins.Plan{}, err
	case "two commands as a question":
		_, err := host.Ask(ctx, question("DISPLAY QLOCAL(A)\nDELETE QLOCAL(A)"))
		return plugins.Plan{}, err
	}
	return plugins.Plan{}, nil
}

func (m misbehaving) Confirm(context.Context, plugins.Action, plugins.Host) (plugins.Result, error) {
	if m == "hang in confirm" {
		forever()
	}
	return plugins.Result{State: plugins.Done}, nil
}

func (m misbehaving) Perform(ctx context.Context, action plugins.Action, hands plugins.Hands) (plugins.Result, error) {
	switch m {
	case "hang in perform":
		forever()
	case "perform another command":
		command := action.Command
		command.Text = "DELETE QLOCAL(PAYROLL)"
		_, err := hands.Do(ctx, command)
		return plugins.Result{State: plugins.Done}, err
	case "perform on another queue manager":
		command := action.Command
		command.QueueManager = "PAYROLL"
		_, err := hands.Do(ctx, command)
		return plugins.Result{State: plugins.Done}, err
	case "a result of another action":
		return plugins.Result{Action: "8", State: plugins.Done}, nil
	}
	return plugins.Result{State: plugins.Done}, nil
}

func question(text string) observe.Question {
	return observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: text}
}

// escape leaves a child behind that sleeps, and returns when it has begun.
// The shell that starts it ends at once, so it has no parent any more.
func escape(how string) {
	sleep := "sleep " + os.Args[2]
	script := map[string]string{
		"a child":               sleep + " &",
		"setsid":                "setsid " + sleep + " &",
		"setsid, clean":         "setsid env -i " + sleep + " &",
		"setsid, clean, closed": "exec 3>&- 4>&-; setsid env -i " + sleep + " </dev/null >/dev/null 2>&1 &",
		"own group, clean":      "set -m; env -i " + sleep + " </dev/null >/dev/null 2>&1 &",
	}[how]
	shell := exec.Command("/bin/sh", "-c", script)
	shell.Stdout, shell.Stderr = os.Stdout, os.Stderr
	if err := shell.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "leaving a child:", err)
	}
	time.Sleep(50 * time.Millisecond) // it takes its session itself
}

// eat takes 1 GiB of memory, slowly enough to be seen.
func eat() {
	var eaten [][]byte
	for range 128 {
		eaten = append(eaten, bytes.Repeat([]byte{1}, 8<<20))
		time.Sleep(20 * time.Millisecond)
	}
	forever()
	_ = eaten
}

// stopItself is stopped; the signal may take a moment.
func stopItself() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	forever()
}

func forever() { <-make(chan struct{}) }
