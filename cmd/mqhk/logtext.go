package main

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/lmittmann/tint"

	"github.com/mqhk/mqhk/agent/report"
)

// harmless is a log handler for people, before one that writes to a terminal:
// what comes from systems and plugins is shown as a report shows it, so that
// nothing of it acts and nothing is lost. The writer alone would drop what it
// takes for an escape sequence, text behind it included, and in colour let it
// through.
type harmless struct{ slog.Handler }

// newTextLog makes the log handler for people.
func newTextLog(w io.Writer, level slog.Level, colour bool) slog.Handler {
	return harmless{tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !colour})}
}

// Handle hands on a record in which nothing acts.
func (h harmless) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, harmlessText(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(harmlessAttr(a))
		return true
	})
	return h.Handler.Handle(ctx, clean)
}

// WithAttrs is a handler with attributes, cleaned once.
func (h harmless) WithAttrs(attrs []slog.Attr) slog.Handler {
	return harmless{h.Handler.WithAttrs(harmlessAttrs(attrs))}
}

// WithGroup is a handler of a group.
func (h harmless) WithGroup(name string) slog.Handler {
	return harmless{h.Handler.WithGroup(harmlessText(name))}
}

func harmlessAttrs(attrs []slog.Attr) []slog.Attr {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = harmlessAttr(a)
	}
	return clean
}

func harmlessAttr(a slog.Attr) slog.Attr {
	value := a.Value.Resolve()
	switch value.Kind() {
	case slog.KindString:
		value = slog.StringValue(harmlessText(value.String()))
	case slog.KindGroup:
		value = slog.GroupValue(harmlessAttrs(value.Group())...)
	case slog.KindAny:
		value = harmlessAny(value.Any())
	}
	return slog.Attr{Key: harmlessText(a.Key), Value: value}
}

// harmlessAny gives what is no plain value as the writer would show it. An
// error stays one, since it has a colour of its own.
func harmlessAny(v any) slog.Value {
	switch v := v.(type) {
	case nil:
		return slog.AnyValue(nil)
	case error:
		return slog.AnyValue(errors.New(harmlessText(fmt.Sprint(v)))) // Sprint survives a nil pointer
	case encoding.TextMarshaler:
		if text, err := v.MarshalText(); err == nil {
			return slog.StringValue(harmlessText(string(text)))
		}
	}
	return slog.StringValue(harmlessText(fmt.Sprintf("%+v", v)))
}

// harmlessText writes the escape character in another way than a report does:
// tint makes the four characters \x1b of a quoted text an escape again where
// it writes in colour.
func harmlessText(text string) string {
	return strings.ReplaceAll(report.Harmless(text), `\x1b`, `\u001b`)
}
