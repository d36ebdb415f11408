package dmpmqlog

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Whatever a log holds under a key is printed as one record.
func FuzzKept(f *testing.F) {
	f.Add("participant 1", []byte(`{"Name":"DB2"}`), "", true)
	f.Add("prepared cafe", []byte(`[0,1]`), "", true)
	f.Add("prepared xyz", []byte(`[`), "QL.A", false)
	f.Add("started", []byte(nil), "", false)
	f.Fuzz(func(t *testing.T, key string, value []byte, queue string, keep bool) {
		kind := engine.EntryNote
		if keep {
			kind = engine.EntryKeep
		}
		var b bytes.Buffer
		p := newPrinter(&b, &Options{Data: true})
		p.record(&engine.Entry{LSN: 48, Bytes: 96, Kind: kind, Time: time.Unix(0, 0), Key: key, Value: value,
			Object: 1, Ref: engine.Ref{Kind: engine.Queue, Name: queue}, Body: value})
		if err := p.flush(); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), "LOG RECORD - LSN <0:0:0:48>\n") || !strings.Contains(b.String(), "lrecsize 96,") {
			t.Fatalf("%q", b.String())
		}
	})
}

// The hexadecimal dump has all bytes, sixteen a line.
func FuzzData(f *testing.F) {
	f.Add([]byte("0123456789abcdef0"), 3)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		cut = max(0, min(cut, len(data)))
		var b bytes.Buffer
		p := newPrinter(&b, &Options{})
		p.dump16(0, data[:cut], data[cut:])
		if err := p.flush(); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		want := (len(data) + 15) / 16
		if len(data) > 0 && len(lines) != want {
			t.Fatalf("%d lines for %d bytes", len(lines), len(data))
		}
		var digits strings.Builder
		for _, line := range lines {
			if len(data) > 0 {
				digits.WriteString(strings.ReplaceAll(line[strings.Index(line, ":")+1:][:50], " ", ""))
			}
		}
		var plain printer
		plain.hex(data)
		if digits.String() != string(plain.b) {
			t.Fatalf("%s, want %s", digits.String(), plain.b)
		}
	})
}
