package serve

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// maxText is how many bytes of one attribute or message travel; the host
// cuts at its own limit too.
const maxText = 64 << 10

// logHandler sends records over a session. When the session is over, or the
// host does not take a record, the record goes to fallback.
type logHandler struct {
	session    *session
	attributes []*wire.Attribute // of WithAttrs
	prefix     string            // of WithGroup, with a dot at its end
	fallback   slog.Handler
}

// Enabled tells whether the host wants records of the level.
func (h *logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= h.session.level
}

// Handle sends one record; its error is that of the fallback.
func (h *logHandler) Handle(ctx context.Context, record slog.Record) error {
	message := &wire.Record{
		Time:       wire.EncodeTime(record.Time),
		Level:      int32(min(max(record.Level, math.MinInt32), math.MaxInt32)),
		Message:    cut(record.Message),
		Attributes: slices.Clip(h.attributes),
	}
	record.Attrs(func(a slog.Attr) bool {
		message.Attributes = appendAttr(message.Attributes, h.prefix, a)
		return true
	})
	if h.session.send(&wire.FromPlugin{Message: &wire.FromPlugin_Record{Record: message}}) == nil {
		return nil
	}
	if !h.fallback.Enabled(ctx, record.Level) {
		return nil
	}
	return h.fallback.Handle(ctx, record)
}

// WithAttrs gives a handler whose records carry the attributes too.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	more := *h
	more.attributes = slices.Clip(h.attributes)
	for _, a := range attrs {
		more.attributes = appendAttr(more.attributes, h.prefix, a)
	}
	more.fallback = h.fallback.WithAttrs(attrs)
	return &more
}

// WithGroup gives a handler whose later attributes are named group.key.
func (h *logHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	more := *h
	more.prefix = h.prefix + name + "."
	more.fallback = h.fallback.WithGroup(name)
	return &more
}

// appendAttr adds an attribute, a group as several.
func appendAttr(list []*wire.Attribute, prefix string, a slog.Attr) []*wire.Attribute {
	value := a.Value.Resolve()
	if value.Kind() == slog.KindGroup {
		if a.Key != "" {
			prefix += a.Key + "."
		}
		for _, member := range value.Group() {
			list = appendAttr(list, prefix, member)
		}
		return list
	}
	if a.Key == "" && value.Any() == nil {
		return list // slog: an empty attribute is none
	}
	attribute := &wire.Attribute{Key: cut(prefix + a.Key)}
	switch value.Kind() {
	case slog.KindBool:
		attribute.Value = &wire.Attribute_Flag{Flag: value.Bool()}
	case slog.KindInt64:
		attribute.Value = &wire.Attribute_Number{Number: value.Int64()}
	case slog.KindUint64:
		attribute.Value = &wire.Attribute_Count{Count: value.Uint64()}
	case slog.KindFloat64:
		attribute.Value = &wire.Attribute_Real{Real: value.Float64()}
	case slog.KindDuration:
		attribute.Value = &wire.Attribute_DurationNanos{DurationNanos: int64(value.Duration())}
	default: // strings, errors and whatever prints
		attribute.Value = &wire.Attribute_Text{Text: cut(value.String())}
		if value.Kind() == slog.KindTime && !value.Time().IsZero() {
			attribute.Value = &wire.Attribute_Time{Time: wire.EncodeTime(value.Time())}
		}
	}
	return append(list, attribute)
}

// cut shortens a text to what travels.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "..."
}
