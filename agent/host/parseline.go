package host

import (
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"time"
)

// parseLine makes a log record of a line on standard error. A line that is a
// JSON object as slog, or go-plugin's own logger, writes it keeps its level,
// its message and its attributes, as far as they have the types they should
// have; nothing is taken for granted (go-plugin's parser panics on
// {"@message":42}). Any other line is the message of a debug record.
func parseLine(line string) slog.Record {
	fields, ok := object(line)
	if !ok {
		return slog.NewRecord(time.Now(), slog.LevelDebug, clean(line, maxLine), 0)
	}
	level := slog.LevelInfo
	if word, ok := take(fields, "level", "@level"); ok {
		level = parseLevel(word)
	}
	at := time.Now()
	if stamp, ok := take(fields, "time", "@timestamp"); ok {
		if written, err := time.Parse(time.RFC3339Nano, stamp); err == nil {
			at = written
		}
	}
	message, ok := take(fields, "msg", "@message")
	if !ok {
		message = line
	}
	record := slog.NewRecord(at, level, clean(message, maxLine), 0)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		record.AddAttrs(slog.String(clean(key, maxLine), clean(text(fields[key]), maxLine)))
	}
	return record
}

func object(line string) (fields map[string]any, ok bool) {
	if len(line) == 0 || line[0] != '{' {
		return nil, false
	}
	err := json.Unmarshal([]byte(line), &fields)
	return fields, err == nil && fields != nil
}

// take removes the first of the keys that holds a text.
func take(fields map[string]any, keys ...string) (string, bool) {
	for _, key := range keys {
		if word, ok := fields[key].(string); ok {
			delete(fields, key)
			return word, true
		}
	}
	return "", false
}

// parseLevel reads slog's and hclog's words; any other is info.
func parseLevel(word string) slog.Level {
	var level slog.Level
	switch {
	case word == "trace":
		return slog.LevelDebug
	case level.UnmarshalText([]byte(word)) == nil:
		return level
	default:
		return slog.LevelInfo
	}
}

func text(value any) string {
	if word, ok := value.(string); ok {
		return word
	}
	written, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(written)
}
