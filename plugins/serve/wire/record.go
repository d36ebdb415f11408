package wire

import (
	"log/slog"
	"time"
)

// DecodeRecord reads a record as the plugin wrote it. Who shows it to a person
// makes its texts harmless first.
func DecodeRecord(r *Record) slog.Record {
	record := slog.NewRecord(DecodeTime(r.GetTime()), slog.Level(r.GetLevel()), r.GetMessage(), 0)
	for _, a := range r.GetAttributes() {
		record.AddAttrs(slog.Attr{Key: a.GetKey(), Value: decodeAttribute(a)})
	}
	return record
}

func decodeAttribute(a *Attribute) slog.Value {
	switch v := a.GetValue().(type) {
	case *Attribute_Text:
		return slog.StringValue(v.Text)
	case *Attribute_Flag:
		return slog.BoolValue(v.Flag)
	case *Attribute_Number:
		return slog.Int64Value(v.Number)
	case *Attribute_Count:
		return slog.Uint64Value(v.Count)
	case *Attribute_Real:
		return slog.Float64Value(v.Real)
	case *Attribute_DurationNanos:
		return slog.DurationValue(time.Duration(v.DurationNanos))
	case *Attribute_Time:
		return slog.TimeValue(DecodeTime(v.Time))
	default:
		return slog.StringValue("")
	}
}
