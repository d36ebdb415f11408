package plugintest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// InMemory is a subject that is served in this process.
func InMemory(p plugins.Plugin) Subject { return inMemory{p, io.Discard} }

type inMemory struct {
	plugin plugins.Plugin
	stderr io.Writer // gets the stack of a panic, and records outside any call
}

// testOutput is a test's output until the test ends: a call that does not heed
// its end may write later.
type testOutput struct {
	mu  sync.Mutex
	out io.Writer
}

func outputOf(tb testing.TB) *testOutput {
	tb.Helper()
	o := &testOutput{out: tb.Output()}
	tb.Cleanup(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.out = io.Discard
	})
	return o
}

// Write shows a text in the test's output.
func (o *testOutput) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.out.Write(text)
}

// Start serves the plugin and asks it what it is.
func (s inMemory) Start(ctx context.Context, options StartOptions) (Running, error) {
	memory, err := serve.Memory(s.plugin, s.stderr)
	if err != nil {
		return nil, err
	}
	m := &caller{memory: memory, capture: func() error { return nil }}
	if options.Stdout != nil {
		if m.capture, err = captureStdout(options.Stdout); err != nil {
			_ = memory.Stop(EndLimit)
			return nil, err
		}
	}
	if err := m.describe(ctx); err != nil {
		_ = m.Stop()
		return nil, err
	}
	return m, nil
}

// caller is the host's side of a plugin in memory.
type caller struct {
	memory      *serve.InMemory
	capture     func() error // ends the capture of standard output
	description plugins.Description
	reply       *wire.DescribeReply
}

func (m *caller) describe(ctx context.Context) (err error) {
	if m.reply, err = m.memory.Client.Describe(ctx, &wire.DescribeRequest{}); err != nil {
		return fmt.Errorf("asking what it is: %w", err)
	}
	if m.description, err = wire.DecodeDescription(m.reply); err != nil {
		return fmt.Errorf("reading what it is: %w", err)
	}
	return nil
}

func (m *caller) Describe() plugins.Description { return m.description }
func (m *caller) Confirms() bool                { return m.reply.GetConfirms() }
func (m *caller) Performs() bool                { return m.reply.GetPerforms() }

// Gone is false: where the plugin ends, this process does.
func (m *caller) Gone() bool { return false }

// Stop ends the calls and waits for them.
func (m *caller) Stop() error {
	err := m.memory.Stop(EndLimit)
	if captureErr := m.capture(); err == nil {
		err = captureErr
	}
	return err
}

// Check asks the plugin's Checker.
func (m *caller) Check(ctx context.Context, request plugins.Request) ([]plugins.Complaint, error) {
	if !m.reply.GetChecks() {
		return nil, nil
	}
	message, err := wire.EncodeRequest(request)
	if err != nil {
		return nil, err
	}
	reply, err := m.memory.Client.Check(ctx, &wire.CheckRequest{Request: message})
	if err != nil {
		return nil, ended(ctx, err)
	}
	return wire.DecodeComplaints(reply), nil
}

// captureStdout hands on, line by line, what is written to os.Stdout until
// the function that it gives is called.
func captureStdout(emit func(string)) (end func() error, err error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("looking at standard output: %w", err)
	}
	stdout := os.Stdout
	os.Stdout = write
	done := make(chan struct{})
	go func() {
		defer close(done)
		lines := bufio.NewScanner(read)
		for lines.Scan() {
			emit(lines.Text())
		}
		_, _ = io.Copy(io.Discard, read) // a line too long: nobody may wait for room
	}()
	return func() error {
		os.Stdout = stdout
		err := write.Close()
		<-done
		_ = read.Close()
		return err
	}, nil
}
