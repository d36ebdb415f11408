package host

import (
	"context"
	"log/slog"
	"time"

	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// Events are told what a plugin says while it works. Both may be nil. They
// are called in the order of the plugin's messages, one at a time for each
// call; what they take long for slows the plugin.
type Events struct {
	Progress func(done, total int64, what string) // total 0: not known
	Log      slog.Handler                         // gets plugin and target with each record
}

// listener hands a call's events on.
type listener struct {
	events  Events
	handler slog.Handler
	limiter limiter
}

func newListener(events Events, plugin, target string, rate int) *listener {
	l := &listener{events: events, handler: slog.DiscardHandler, limiter: limiter{now: time.Now, rate: rate}}
	if events.Log != nil {
		attrs := []slog.Attr{slog.String("plugin", plugin)}
		if target != "" {
			attrs = append(attrs, slog.String("target", target))
		}
		l.handler = events.Log.WithAttrs(attrs)
	}
	return l
}

// level is the lowest of slog's levels that somebody listens to.
func (l *listener) level(ctx context.Context) slog.Level {
	for level := slog.LevelDebug; level <= slog.LevelError; level += 4 {
		if l.handler.Enabled(ctx, level) {
			return level
		}
	}
	return slog.LevelError + 4
}

func (l *listener) progress(p *wire.Progress) {
	if l.events.Progress != nil {
		l.events.Progress(p.GetDone(), p.GetTotal(), clean(p.GetWhat(), maxLine))
	}
}

func (l *listener) record(ctx context.Context, r *wire.Record) {
	level := slog.Level(r.GetLevel())
	if !l.handler.Enabled(ctx, level) {
		return
	}
	if !l.limiter.allow() {
		return
	}
	l.tellLost(ctx)
	at := wire.DecodeTime(r.GetTime())
	if at.IsZero() {
		at = time.Now()
	}
	record := slog.NewRecord(at, level, clean(r.GetMessage(), maxLine), 0)
	for _, a := range r.GetAttributes() {
		record.AddAttrs(attribute(a))
	}
	_ = l.handler.Handle(ctx, record)
}

// tellLost says how many records were dropped before.
func (l *listener) tellLost(ctx context.Context) {
	if lost := l.limiter.lost(); lost > 0 && l.handler.Enabled(ctx, slog.LevelWarn) {
		_ = l.handler.Handle(ctx, droppedRecord(lost, l.limiter.rate))
	}
}

func attribute(a *wire.Attribute) slog.Attr {
	key := clean(a.GetKey(), 200)
	switch v := a.GetValue().(type) {
	case *wire.Attribute_Text:
		return slog.String(key, clean(v.Text, maxLine))
	case *wire.Attribute_Flag:
		return slog.Bool(key, v.Flag)
	case *wire.Attribute_Number:
		return slog.Int64(key, v.Number)
	case *wire.Attribute_Count:
		return slog.Uint64(key, v.Count)
	case *wire.Attribute_Real:
		return slog.Float64(key, v.Real)
	case *wire.Attribute_DurationNanos:
		return slog.Duration(key, time.Duration(v.DurationNanos))
	case *wire.Attribute_Time:
		return slog.Time(key, wire.DecodeTime(v.Time))
	default:
		return slog.String(key, "")
	}
}
