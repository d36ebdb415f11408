package wire

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestDecodeRecord(t *testing.T) {
	at := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	r := DecodeRecord(&Record{Time: EncodeTime(at), Level: 4, Message: "late", Attributes: []*Attribute{
		{Key: "text", Value: &Attribute_Text{Text: "x"}},
		{Key: "flag", Value: &Attribute_Flag{Flag: true}},
		{Key: "number", Value: &Attribute_Number{Number: -1}},
		{Key: "count", Value: &Attribute_Count{Count: 1}},
		{Key: "real", Value: &Attribute_Real{Real: 0.5}},
		{Key: "took", Value: &Attribute_DurationNanos{DurationNanos: 1e9}},
		{Key: "time", Value: &Attribute_Time{Time: EncodeTime(at)}},
		{Key: "nothing"}, nil,
	}})
	var got []string
	r.Attrs(func(a slog.Attr) bool {
		got = append(got, fmt.Sprintf("%s=%s %s", a.Key, a.Value.Kind(), a.Value))
		return true
	})
	want := "text=String x; flag=Bool true; number=Int64 -1; count=Uint64 1; real=Float64 0.5; took=Duration 1s; " +
		"time=Time 2026-05-28 02:00:00 +0000 UTC; nothing=String ; =String "
	if text := strings.Join(got, "; "); !r.Time.Equal(at) || r.Level != slog.LevelWarn || r.Message != "late" || text != want {
		t.Errorf("%s %s %q %s", r.Time, r.Level, r.Message, text)
	}
	if empty := DecodeRecord(nil); !empty.Time.IsZero() || empty.Message != "" {
		t.Errorf("of nothing: %v", empty)
	}
}
