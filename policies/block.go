package policies

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// block reads one block. Each getter names an argument that is known; finish
// complains of what was left over.
type block struct {
	kind   string // "task", "schedule", ... for messages
	labels []string
	at     Place // its header
	body   *hclsyntax.Body
	source *source
	ds     *Diagnostics
	known  []string // arguments asked for
	kinds  []string // blocks asked for
}

// open reads the header of a block. Where the labels don't have the given
// roles it complains and gives nil.
func open(s *source, b *hclsyntax.Block, ds *Diagnostics, roles ...string) *block {
	header := b.TypeRange
	if len(b.LabelRanges) > 0 {
		header.End = b.LabelRanges[len(b.LabelRanges)-1].End
	}
	opened := &block{kind: b.Type, labels: b.Labels, at: s.place(header), body: b.Body, source: s, ds: ds}
	if len(b.Labels) == len(roles) {
		return opened
	}
	if len(roles) == 0 {
		ds.add(opened.at, "a label too many", "%s has no name", b.Type)
	} else {
		ds.add(opened.at, "wrong number of names", "write %s \"%s\" { ... }", b.Type, strings.Join(roles, `" "`))
	}
	return nil
}

// label gives the place of a label.
func (b *block) label(raw *hclsyntax.Block, i int) Place { return b.source.place(raw.LabelRanges[i]) }

// argument reads an argument of one kind. It is false where the argument is
// not written or is not of that kind, of which it complains.
func (b *block) argument(name string, want valueKind) (value, bool) {
	b.known = append(b.known, name)
	attribute, ok := b.body.Attributes[name]
	if !ok {
		return value{}, false
	}
	v := evaluator{source: b.source, hint: hintFor(name, want), ds: b.ds}.value(attribute.Expr)
	if v.kind != wrongValue && v.kind != want {
		b.ds.add(v.at, "wrong kind of value", "%s is a %s, not a %s", name, want, v.kind)
	}
	return v, v.kind == want
}

// hintFor says how a value of a kind is written; nothing for a string.
func hintFor(name string, want valueKind) string {
	switch want {
	case numberValue:
		return name + " is a number, written in digits: " + name + " = 3"
	case flagValue:
		return name + " is true or false"
	case listValue:
		return name + ` is a list of strings: ` + name + ` = ["..."]`
	default:
		return ""
	}
}

// written tells whether an argument stands in the block at all.
func (b *block) written(name string) bool {
	_, ok := b.body.Attributes[name]
	return ok
}

// is tells whether an argument is written, and as a value of the kind.
func (b *block) is(name string, kind valueKind) bool {
	attribute, ok := b.body.Attributes[name]
	if !ok {
		return false
	}
	var unheard Diagnostics
	return evaluator{source: b.source, ds: &unheard}.value(attribute.Expr).kind == kind
}

// require complains where an argument is not written.
func (b *block) require(name, why string) {
	if !b.written(name) {
		b.lacks(b.at, "missing "+name, why)
	}
}

// lacks complains of something that is not there, unless it may be where the
// syntax is broken.
func (b *block) lacks(at Place, summary, why string) {
	if !b.source.broken {
		b.ds.add(at, summary, "%s", why)
	}
}

// place is where the value of an argument stands, or the block's header.
func (b *block) place(name string) Place {
	if attribute, ok := b.body.Attributes[name]; ok {
		return b.source.place(attribute.Expr.Range())
	}
	return b.at
}

// places are where the values of the arguments stand.
func (b *block) places() map[string]Place {
	places := make(map[string]Place, len(b.body.Attributes))
	for name := range b.body.Attributes {
		places[name] = b.place(name)
	}
	return places
}

func (b *block) text(name string) string {
	v, _ := b.argument(name, textValue)
	return v.text
}

func (b *block) flag(name string) bool {
	v, _ := b.argument(name, flagValue)
	return v.flag
}

// word reads one of a few words; the first is the default. It is empty for
// any other, of which it complains.
func (b *block) word(name string, words ...string) string {
	v, ok := b.argument(name, textValue)
	switch {
	case !b.written(name):
		return words[0]
	case !ok:
		return ""
	case !slices.Contains(words, v.text):
		b.ds.add(v.at, "unknown "+name, "%q is not known; %s", v.text, suggest(v.text, words))
		return ""
	}
	return v.text
}

// count reads a whole number between low and high.
func (b *block) count(name string, low, high int64) int {
	v, ok := b.argument(name, numberValue)
	if ok && (v.number < low || v.number > high) {
		b.ds.add(v.at, "out of bounds", "%s is between %d and %d", name, low, high)
		return 0
	}
	return int(v.number)
}

// duration reads a string with a unit, between low and high. A bare number is
// the mistake of case 79.
func (b *block) duration(name string, fallback, low, high time.Duration) time.Duration {
	b.known = append(b.known, name)
	if !b.written(name) {
		return fallback
	}
	v := evaluator{source: b.source, hint: durationForm, ds: b.ds}.value(b.body.Attributes[name].Expr)
	d, problem, detail := v.asDuration()
	if problem != "" {
		b.ds.add(v.at, problem, "%s", detail)
		return fallback
	}
	if v.kind == textValue && (d < low || d > high) {
		b.ds.add(v.at, "out of bounds", "%s is between %s and %s", name, formatDuration(low), formatDuration(high))
		return fallback
	}
	return d
}

// size reads a string with a unit, between low and high bytes; 0 where it is
// not written. A bare number is the mistake of case 79.
func (b *block) size(name string, low, high int64) int64 {
	b.known = append(b.known, name)
	if !b.written(name) {
		return 0
	}
	v := evaluator{source: b.source, hint: sizeForm, ds: b.ds}.value(b.body.Attributes[name].Expr)
	n, problem, detail := v.asSize()
	switch {
	case problem != "":
		b.ds.add(v.at, problem, "%s", detail)
		return 0
	case v.kind == textValue && (n < low || n > high):
		b.ds.add(v.at, "out of bounds", "%s is between %s and %s", name, formatSize(low), formatSize(high))
		return 0
	}
	return n
}

// words reads a list of strings.
func (b *block) words(name string) []value {
	v, _ := b.argument(name, listValue)
	return v.list
}

// blocks gives the blocks of a kind, in the order of the file.
func (b *block) blocks(kind string) []*hclsyntax.Block {
	b.kinds = append(b.kinds, kind)
	var found []*hclsyntax.Block
	for _, inner := range b.body.Blocks {
		if inner.Type == kind {
			found = append(found, inner)
		}
	}
	return found
}

// single gives the only block of a kind, or nil; a second one is complained
// of with the place of the first.
func (b *block) single(kind string) *hclsyntax.Block {
	found := b.blocks(kind)
	if len(found) == 0 {
		return nil
	}
	for _, again := range found[1:] {
		b.ds.add(b.source.place(again.TypeRange), "a second "+kind, "the first is at %s", b.source.place(found[0].TypeRange))
	}
	return found[0]
}

// finish complains of every argument and block that nobody asked for. Where
// the syntax is broken they may be those of another block.
func (b *block) finish() {
	if b.source.broken {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(b.body.Attributes)) {
		if slices.Contains(b.known, name) {
			continue
		}
		at := b.source.place(b.body.Attributes[name].NameRange)
		if slices.Contains(b.kinds, name) {
			b.ds.add(at, "not an argument", "%s is a block: write it without an equals sign", name)
			continue
		}
		b.ds.add(at, "unknown argument", "%s has no argument %q; %s", b.kind, name, suggest(name, b.known))
	}
	for _, inner := range b.body.Blocks {
		if slices.Contains(b.kinds, inner.Type) {
			continue
		}
		at := b.source.place(inner.TypeRange)
		if slices.Contains(b.known, inner.Type) {
			b.ds.add(at, "not a block", "%s is an argument: write %s = ...", inner.Type, inner.Type)
			continue
		}
		b.ds.add(at, "unknown block", "%s has no block %q; %s", b.kind, inner.Type, suggest(inner.Type, b.kinds))
	}
}
