package host

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

func TestClean(t *testing.T) {
	for _, test := range []struct {
		text, want string
		limit      int
	}{
		{"AMQ7467I: oldest log file", "AMQ7467I: oldest log file", 100},
		{"Größe\tz\u200b", `Größe z\u200b`, 100},
		{"\x1b[31mred\r\n", `\x1b[31mred\r\n`, 100},
		{"\xff\ufffd", `\xff` + "\ufffd", 100},
		{"abcdef", "abc...", 3},
		{"aäb", "a...", 2},
	} {
		if got := clean(test.text, test.limit); got != test.want {
			t.Errorf("%q at %d: %q, want %q", test.text, test.limit, got, test.want)
		}
	}
}

func TestParseLine(t *testing.T) {
	for line, want := range map[string]string{
		`{"time":"2026-05-28T02:00:00Z","level":"WARN","msg":"late","n":1}`: `level=WARN msg=late n=1`,
		`{"@level":"error","@message":"no socket","@module":"plugin"}`:      `level=ERROR msg="no socket" @module=plugin`,
		`{"@level":"trace","@message":"x"}`:                                 `level=DEBUG msg=x`,
		`{"@message":42}`:                                                   `level=INFO msg="{\"@message\":42}" @message=42`,
		`{"level":{"a":[1]},"msg":null,"time":7}`:                           `level=INFO msg="{\"level\":{\"a\":[1]},\"msg\":null,\"time\":7}" level="{\"a\":[1]}" msg=null`,
		`{`:         `level=DEBUG msg={`,
		`panic: no`: `level=DEBUG msg="panic: no"`,
		``:          `level=DEBUG msg=""`,
	} {
		got := ""
		handler := newRecords(func(line string) { got = line })
		if err := handler.Handle(context.Background(), parseLine(line)); err != nil || got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
}

func TestLimiter(t *testing.T) {
	now := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	l := limiter{now: func() time.Time { return now }, rate: 200}
	passed := 0
	for range 2500 {
		if l.allow() {
			passed++
		}
	}
	if lost := l.lost(); passed != 2000 || lost != 500 || l.lost() != 0 {
		t.Errorf("%d passed, %d were lost", passed, lost)
	}
	now = now.Add(time.Second)
	for passed = 0; l.allow(); passed++ {
	}
	if passed != 200 {
		t.Errorf("%d passed a second later", passed)
	}
}

func TestTailKeepsThePanic(t *testing.T) {
	log := newStderrLog(slog.DiscardHandler, "journal", 200)
	log.line("panic: out of receivers")
	for range 3 * keptLines {
		log.line("\tmain.go:1")
	}
	if got := log.tail(); len(got) != keptLines+2 || got[0] != "panic: out of receivers" {
		t.Errorf("kept %q", got)
	}
}

func FuzzStderr(f *testing.F) {
	for _, seed := range []string{`{"@message":42}`, `{"@level":null}`, "a\r\nb", "{\"level\":\"INFO+7\",\"msg\":\"x\"}\n", "\xff\x00\n", strings.Repeat("x", 2*maxLine)} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, piece int) {
		log := newStderrLog(slog.NewJSONHandler(&lineWriter{emit: func(string) {}}, nil), "journal", 200)
		lines := &lineWriter{emit: func(line string) {
			if len(line) > maxLine+3 {
				t.Fatalf("a line of %d bytes", len(line))
			}
			log.line(line)
		}}
		for chunk := range slices.Chunk(data, max(1, piece)) {
			_, _ = lines.Write(chunk)
		}
		_ = lines.Close()
		for _, line := range log.tail() {
			if !utf8.ValidString(line) || strings.ContainsAny(line, "\x1b\n\r\x00") {
				t.Fatalf("shown as %q", line)
			}
		}
	})
}

func FuzzMessages(f *testing.F) {
	for _, m := range []*wire.FromPlugin{
		{Message: &wire.FromPlugin_Question{Question: &wire.Question{Id: 1, Language: "MQSC", Text: "DISPLAY LOG"}}},
		{Message: &wire.FromPlugin_Cancel{Cancel: &wire.Cancel{Id: 1}}},
		{Message: &wire.FromPlugin_Progress{Progress: &wire.Progress{Done: -1, What: "\x1b"}}},
		{Message: &wire.FromPlugin_Record{Record: &wire.Record{Level: 99, Attributes: []*wire.Attribute{{}}}}},
		{Message: &wire.FromPlugin_Plan{Plan: &wire.PlanPart{Manager: 7}}},
		{Message: &wire.FromPlugin_Failure{Failure: &wire.Failure{Kind: 3}}},
	} {
		bytes, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		var message wire.FromPlugin
		if proto.Unmarshal(bytes, &message) != nil {
			return
		}
		p := &Process{source: Source{Name: "journal"}, settings: Settings{}.withDefaults()}
		p.description.Languages = []observe.Language{observe.MQSC}
		ctx, cancel := context.WithCancel(context.Background())
		c := p.call("Plan", echo, Events{Progress: func(int64, int64, string) {}, Log: newRecords(func(string) {})}, "ORDERS")
		c.desk.send = func(*wire.FromHost) error { return nil }
		for range 2 {
			if _, err := c.take(ctx, &message); err != nil && err.Error() == "" {
				t.Fatal("an error without a word")
			}
		}
		cancel()
		c.desk.close()
	})
}
