package main

import (
	"bytes"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
)

// What a system said is in the log whole, and acts on no terminal: neither as
// it came, nor as something else has written it, nor in colour.
func TestLogTextIsHarmless(t *testing.T) {
	const evil = "A\x1b]0;OWNED\a B"
	const shown = `A\\u001b]0;OWNED\\x07 B` // in quotes
	tests := []struct {
		name string
		do   func(*slog.Logger)
		want string
	}{
		{"a value", func(l *slog.Logger) { l.Info("action", "evidence", evil) }, `evidence="` + shown + `"`},
		{"written as a report does", func(l *slog.Logger) { l.Info("action", "evidence", `A\x1b]0;OWNED\x07 B`) }, `evidence="` + shown + `"`},
		{"an error", func(l *slog.Logger) { l.Info("action", "err", errors.New(evil)) }, `="` + shown + `"`},
		{"an error that is none", func(l *slog.Logger) { l.Info("action", "err", (*exitError)(nil)) }, "<nil>"},
		{"a message", func(l *slog.Logger) { l.Info(evil) }, `A\u001b]0;OWNED\x07 B`},
		{"a key", func(l *slog.Logger) { l.Info("action", evil, 1) }, shown}, //nolint:sloglint // a key of a stranger
		{"a list", func(l *slog.Logger) { l.Info("action", "names", []string{evil}) }, `names="[` + shown + `]"`},
		{"before", func(l *slog.Logger) { l.With("name", evil).Info("action") }, `name="` + shown + `"`},
		{"in a group", func(l *slog.Logger) { l.Info("action", slog.Group("g", "name", evil)) }, shown},
		{"a group", func(l *slog.Logger) { l.WithGroup(evil).Info("action", "n", 1) }, shown},
		{"of the right to left", func(l *slog.Logger) { l.Info("action", "name", "a\u202eb") }, `a\u202eb`},
		{"what is harmless", func(l *slog.Logger) { l.Info("für", "n", 3, "at", netip.MustParseAddr("::1"), "ok", true) }, "für n=3 at=::1 ok=true"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, colour := range []bool{false, true} {
				var out bytes.Buffer
				test.do(slog.New(newTextLog(&out, slog.LevelInfo, colour)))
				line := out.String()
				if colour {
					for _, own := range []string{"\x1b[0m", "\x1b[2m", "\x1b[22m", "\x1b[92m", "\x1b[2;91m", "\x1b[91m"} {
						line = strings.ReplaceAll(line, own, "")
					}
				}
				if !strings.Contains(line, test.want) || strings.ContainsAny(line, "\x1b\a") {
					t.Errorf("colour %t: %q, want %s", colour, line, test.want)
				}
			}
		})
	}
}
