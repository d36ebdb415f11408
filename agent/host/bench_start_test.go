package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"

	"github.com/mqhk/mqhk/plugins/serve"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// envStarter makes the test binary start as many plugins as are built in, in
// the way that it says, and print how long that took.
const envStarter = "MQHK_TEST_STARTER"

// builtIns is how many plugins are built in (builtins of cmd/mqhk).
const builtIns = 4

// BenchmarkStartBuiltins times what a run does with the built-in plugins at its
// beginning and its end: it starts them all at a time, from the running file,
// and stops them, with mutual TLS and the SHA-256 of the file, which each
// process computes once. The file is this test's, which is about as large as
// mqhk; the plugins do nothing. It is held against as many bare starts, one
// after the other: go-plugin launches the same binary by itself with AutoMTLS
// off, shakes hands, asks for the description and ends it; no hash, no socket
// directory, no mark, no sweep. The ratio of their medians over 21 pairs, each
// in a process of its own, by turns, is to be 1.3 at the most. ratio-at-a-time
// holds it against bare starts that are made at a time, too.
func BenchmarkStartBuiltins(b *testing.B) {
	took := func(how string) time.Duration {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), envStarter+"="+how)
		out, err := cmd.Output()
		if err != nil {
			b.Fatalf("%s: %v: %s", how, err, out)
		}
		nanos, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
		if err != nil {
			b.Fatalf("%s: %s", how, out)
		}
		return time.Duration(nanos)
	}
	ways := []string{"ours", "bare", "bare at a time"}
	for b.Loop() {
		const pairs = 21
		all := make(map[string][]time.Duration)
		for range pairs {
			for _, how := range ways {
				all[how] = append(all[how], took(how))
			}
		}
		median := func(how string) float64 {
			slices.Sort(all[how])
			return float64(all[how][pairs/2].Microseconds()) / 1000
		}
		b.ReportMetric(median("ours"), "ours-ms")
		b.ReportMetric(median("bare"), "bare-ms")
		b.ReportMetric(median("ours")/median("bare"), "ratio")
		b.ReportMetric(median("ours")/median("bare at a time"), "ratio-at-a-time")
	}
}

// startAll starts and stops the plugins and prints how long it took.
func startAll(how string) error {
	one := startBare
	if how == "ours" {
		one = startOurs
	}
	failures := make([]error, builtIns)
	var group sync.WaitGroup
	began := time.Now()
	for i := range failures {
		group.Go(func() { failures[i] = one() })
		if how == "bare" {
			group.Wait()
		}
	}
	group.Wait()
	fmt.Println(time.Since(began).Nanoseconds())
	return errors.Join(failures...)
}

func startOurs() error {
	p, err := Start(context.Background(), source("nothing"), Settings{})
	if err != nil {
		return err
	}
	return p.Stop()
}

func startBare() error {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envPlugin+"=nothing")
	client := goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  serve.Handshake(),
		VersionedPlugins: serve.Versions(nil),
		Cmd:              cmd,
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		Logger:           hclog.New(&hclog.LoggerOptions{Level: hclog.Off, Output: io.Discard}),
	})
	defer client.Kill()
	protocol, err := client.Client()
	if err != nil {
		return err
	}
	service, err := protocol.Dispense(serve.ServiceName)
	if err != nil {
		return err
	}
	_, err = service.(wire.PluginClient).Describe(context.Background(), &wire.DescribeRequest{})
	return err
}
