package main

import (
	"errors"
	"strings"
	"testing"
)

const (
	config   = `{"config":{"protocol_version":"v1.0.0","go_version":"go1.26.8","db":"file:///db"}}`
	osvGo    = `{"osv":{"id":"GO-2026-6809","summary":"Distrust compromised intermediates"}}`
	osvGRPC  = `{"osv":{"id":"GO-2026-4762","summary":"Authorization bypass in grpc"}}`
	required = `{"finding":{"osv":"GO-2026-4762","fixed_version":"v1.79.3","trace":[{"module":"google.golang.org/grpc","version":"v1.61.0"}]}}`
	imported = `{"finding":{"osv":"GO-2026-4762","fixed_version":"v1.79.3","trace":[{"module":"google.golang.org/grpc","version":"v1.61.0","package":"google.golang.org/grpc"}]}}`
	grpc     = `{"finding":{"osv":"GO-2026-4762","fixed_version":"v1.79.3","trace":[
		{"module":"google.golang.org/grpc","version":"v1.61.0","package":"google.golang.org/grpc","function":"Serve","receiver":"*Server"},
		{"module":"github.com/mqhk/mqhk","package":"github.com/mqhk/mqhk/plugins/serve","function":"Serve","position":{"filename":"plugins/serve/serve.go","line":40}}]}}`
	library = `{"finding":{"osv":"GO-2026-6809","fixed_version":"v1.26.10","trace":[
		{"module":"stdlib","version":"v1.26.8","package":"crypto/x509","function":"Verify","receiver":"*Certificate"},
		{"module":"github.com/mqhk/mqhk","package":"github.com/mqhk/mqhk/agent/host","function":"dial","receiver":"process"}]}}`
	unmended = `{"finding":{"osv":"GO-2026-6809","trace":[
		{"module":"stdlib","version":"v1.26.8","package":"crypto/x509","function":"Verify"},
		{"module":"github.com/mqhk/mqhk","package":"m","function":"f"}]}}`
)

func TestJudge(t *testing.T) {
	cases := []struct {
		name   string
		stream []string
		failed bool
		want   string // part of what is printed
	}{
		{"clean", []string{config}, false, "vulnerabilities reached: 0 "},
		{"required and imported are not reached", []string{config, osvGRPC, required, imported}, false, "vulnerabilities reached: 0 "},
		{"a module", []string{config, osvGRPC, required, grpc, grpc}, true,
			"FAIL GO-2026-4762: Authorization bypass in grpc\n     google.golang.org/grpc v1.61.0: mended in v1.79.3\n" +
				"     reached from github.com/mqhk/mqhk/plugins/serve.Serve (plugins/serve/serve.go:40)\n" +
				"vulnerabilities reached: 1 (1 to mend here, 0"},
		{"the standard library", []string{config, osvGo, library}, false,
			"note GO-2026-6809: Distrust compromised intermediates\n     stdlib v1.26.8: mended in v1.26.10\n" +
				"     reached from github.com/mqhk/mqhk/agent/host.process.dial\n"},
		{"both", []string{config, osvGo, osvGRPC, library, grpc}, true, "vulnerabilities reached: 2 (1 to mend here, 1"},
		{"the standard library, never mended", []string{config, osvGo, unmended}, true, "no version mends it"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			failed, err := judge(strings.NewReader(strings.Join(c.stream, "\n")), &out)
			if err != nil {
				t.Fatal(err)
			}
			if failed != c.failed || !strings.Contains(out.String(), c.want) {
				t.Errorf("failed %v, want %v; printed:\n%s\nwant in it:\n%s", failed, c.failed, out.String(), c.want)
			}
		})
	}
}

func TestJudgeRefusesWhatIsNoScan(t *testing.T) {
	for _, text := range []string{"", osvGo} {
		if _, err := judge(strings.NewReader(text), &strings.Builder{}); !errors.Is(err, errNoScan) {
			t.Errorf("%q gave %v, want %v", text, err, errNoScan)
		}
	}
	for _, text := range []string{config + "{", "govulncheck: no such directory"} {
		if failed, err := judge(strings.NewReader(text), &strings.Builder{}); err == nil || failed {
			t.Errorf("%q gave %v, %v, want an error", text, failed, err)
		}
	}
}
