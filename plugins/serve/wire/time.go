package wire

import "time"

// EncodeTime writes a moment and the offset of its clock; nil for the zero
// time.
func EncodeTime(t time.Time) *Time {
	if t.IsZero() {
		return nil
	}
	_, offset := t.Zone()
	return &Time{Seconds: t.Unix(), Nanos: int32(t.Nanosecond()), OffsetSeconds: int32(offset)}
}

// DecodeTime reads what [EncodeTime] wrote.
func DecodeTime(t *Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	moment := time.Unix(t.Seconds, int64(t.Nanos))
	if t.OffsetSeconds == 0 {
		return moment.UTC()
	}
	return moment.In(time.FixedZone("", int(t.OffsetSeconds)))
}
