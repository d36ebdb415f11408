package policies

import (
	"fmt"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// lockHead begins a lock file that is new.
const lockHead = `# The plugins of others that mqhk may start, each by the hash of its file.
# mqhk plugin lock writes it; it is for its owner to keep and to version.
`

// With gives the text of the file with a plugin in it, in place of what it
// said of that plugin. All else stays as it is, comments too. The text was
// read again, and says what it should.
func (l Lock) With(p LockedPlugin) ([]byte, error) {
	text := l.text
	if len(text) == 0 {
		text = []byte(lockHead)
	}
	file, problems := hclwrite.ParseConfig(text, l.File, hcl.InitialPos)
	if problems.HasErrors() {
		return nil, fmt.Errorf("reading %s: %w", l.File, problems)
	}
	put(file.Body(), p)
	written := hclwrite.Format(file.Bytes())
	again, err := ParseLock(l.File, written)
	if err != nil {
		return nil, fmt.Errorf("plugin %s can't be written into %s: %w", p.Name, l.File, err)
	}
	if !again.says(l, p) {
		return nil, fmt.Errorf("plugin %s can't be written into %s: what else it says would change", p.Name, l.File)
	}
	return written, nil
}

// put changes, or adds, the block of one plugin.
func put(body *hclwrite.Body, p LockedPlugin) {
	entry := body.FirstMatchingBlock("plugin", []string{p.Name})
	if entry == nil {
		if len(body.Blocks()) > 0 || len(body.Attributes()) > 0 || len(body.BuildTokens(nil)) > 0 {
			body.AppendNewline()
		}
		entry = body.AppendNewBlock("plugin", []string{p.Name})
	}
	entry.Body().SetAttributeValue("version", cty.StringVal(p.Version))
	entry.Body().SetAttributeValue("protocol", cty.NumberIntVal(int64(p.Protocol)))
	for _, old := range entry.Body().Blocks() {
		if labels := old.Labels(); old.Type() == "file" && len(labels) == 1 && p.SHA256[labels[0]] == "" {
			entry.Body().RemoveBlock(old)
		}
	}
	for _, platform := range p.Platforms() {
		hash := entry.Body().FirstMatchingBlock("file", []string{platform})
		if hash == nil {
			hash = entry.Body().AppendNewBlock("file", []string{platform})
		}
		hash.Body().SetAttributeValue("sha256", cty.StringVal(p.SHA256[platform]))
	}
}

// says tells whether a lock says what another does, but for one plugin.
func (l Lock) says(other Lock, but LockedPlugin) bool {
	want := make(map[string]LockedPlugin)
	for _, p := range other.Plugins {
		want[p.Name] = p
	}
	want[but.Name] = but
	if len(want) != len(l.Plugins) {
		return false
	}
	for _, p := range l.Plugins {
		if w, ok := want[p.Name]; !ok || !p.Same(w) {
			return false
		}
	}
	return true
}

// Same tells whether two entries say the same, wherever they stand.
func (p LockedPlugin) Same(other LockedPlugin) bool {
	return p.Name == other.Name && p.Version == other.Version && p.Protocol == other.Protocol && maps.Equal(p.SHA256, other.SHA256)
}
