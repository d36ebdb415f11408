package wire

import (
	"fmt"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// EncodeDescription writes what a plugin says of itself. It fails when a
// default in the schema has a type that no kind of setting has. Which of the
// optional calls the plugin has is for the caller to add.
func EncodeDescription(d plugins.Description) (*DescribeReply, error) {
	schema, err := encodeSchema(d.Schema)
	if err != nil {
		return nil, fmt.Errorf("schema of plugin %s: %w", d.Name, err)
	}
	return &DescribeReply{
		Name:      d.Name,
		Version:   d.Version,
		Doc:       d.Doc,
		Platforms: words[string](d.Platforms),
		Languages: words[string](d.Languages),
		Actions:   words[string](d.Actions),
		Schema:    schema,
	}, nil
}

// DecodeDescription reads what [EncodeDescription] wrote.
func DecodeDescription(d *DescribeReply) (plugins.Description, error) {
	schema, err := decodeSchema(d.GetSchema())
	if err != nil {
		return plugins.Description{}, fmt.Errorf("schema of plugin %s: %w", d.GetName(), err)
	}
	return plugins.Description{
		Name:      d.GetName(),
		Version:   d.GetVersion(),
		Doc:       d.GetDoc(),
		Platforms: words[observe.Platform](d.GetPlatforms()),
		Languages: words[observe.Language](d.GetLanguages()),
		Actions:   words[plugins.Kind](d.GetActions()),
		Schema:    schema,
	}, nil
}

// words converts a list of one string type to another; an empty one is nil.
func words[To, From ~string](list []From) []To {
	if len(list) == 0 {
		return nil
	}
	converted := make([]To, len(list))
	for i, word := range list {
		converted[i] = To(word)
	}
	return converted
}
