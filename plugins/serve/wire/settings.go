package wire

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mqhk/mqhk/plugins/schema"
)

// errNoValue says that a setting came without a value that the reader knows.
var errNoValue = errors.New("has no value of a known type")

// encodeValue writes one of the Go types of schema.Kind.
func encodeValue(value any) (*Value, error) {
	switch v := value.(type) {
	case string:
		return &Value{Value: &Value_Text{Text: v}}, nil
	case bool:
		return &Value{Value: &Value_Flag{Flag: v}}, nil
	case int64:
		return &Value{Value: &Value_Number{Number: v}}, nil
	case time.Duration:
		return &Value{Value: &Value_DurationNanos{DurationNanos: int64(v)}}, nil
	case []string:
		return &Value{Value: &Value_Texts{Texts: &Texts{Texts: v}}}, nil
	default:
		return nil, fmt.Errorf("is a %T, which no kind of setting has", value)
	}
}

func decodeValue(value *Value) (any, error) {
	switch v := value.GetValue().(type) {
	case *Value_Text:
		return v.Text, nil
	case *Value_Flag:
		return v.Flag, nil
	case *Value_Number:
		return v.Number, nil
	case *Value_DurationNanos:
		return time.Duration(v.DurationNanos), nil
	case *Value_Texts:
		return v.Texts.GetTexts(), nil
	default:
		return nil, errNoValue
	}
}

// encodeSettings writes a configuration, sorted by name.
func encodeSettings(config schema.Value) ([]*Setting, error) {
	settings := config.Settings()
	written := make([]*Setting, 0, len(settings))
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		value, err := encodeValue(settings[name])
		if err != nil {
			return nil, fmt.Errorf("setting %s %w", name, err)
		}
		written = append(written, &Setting{Name: name, Value: value})
	}
	return written, nil
}

// decodeSettings reads a configuration and checks it against the schema once
// more: the plugin relies on it and does not know who wrote it.
func decodeSettings(s schema.Schema, settings []*Setting) (schema.Value, error) {
	held := make(map[string]any, len(settings))
	for _, setting := range settings {
		value, err := decodeValue(setting.GetValue())
		if err != nil {
			return schema.Value{}, fmt.Errorf("setting %s %w", setting.GetName(), err)
		}
		if _, twice := held[setting.GetName()]; twice {
			return schema.Value{}, fmt.Errorf("setting %s is there twice", setting.GetName())
		}
		held[setting.GetName()] = value
	}
	config, err := schema.New(s, held)
	if err != nil {
		return schema.Value{}, fmt.Errorf("configuration does not fit the plugin's schema: %w", err)
	}
	return config, nil
}

// encodeSchema writes a plugin's schema.
func encodeSchema(s schema.Schema) (*Schema, error) {
	written := &Schema{Doc: s.Doc}
	for _, f := range s.Fields {
		field := &Field{
			Name: f.Name, Doc: f.Doc, Kind: Field_Kind(f.Kind), Required: f.Required,
			Min: f.Min, Max: f.Max, OneOf: f.OneOf, Secret: f.Secret,
		}
		if f.Default != nil {
			value, err := encodeValue(f.Default)
			if err != nil {
				return nil, fmt.Errorf("default of setting %s %w", f.Name, err)
			}
			field.Default = value
		}
		written.Fields = append(written.Fields, field)
	}
	return written, nil
}

func decodeSchema(s *Schema) (schema.Schema, error) {
	read := schema.Schema{Doc: s.GetDoc()}
	for _, f := range s.GetFields() {
		field := schema.Field{
			Name: f.GetName(), Doc: f.GetDoc(), Kind: small[schema.Kind](f.GetKind()), Required: f.GetRequired(),
			Min: f.GetMin(), Max: f.GetMax(), OneOf: f.GetOneOf(), Secret: f.GetSecret(),
		}
		if f.GetDefault() != nil {
			value, err := decodeValue(f.GetDefault())
			if err != nil {
				return schema.Schema{}, fmt.Errorf("default of setting %s %w", f.GetName(), err)
			}
			field.Default = value
		}
		read.Fields = append(read.Fields, field)
	}
	return read, nil
}
