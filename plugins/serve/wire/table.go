package wire

import "fmt"

// tableWriter collects the texts of one part, each once.
type tableWriter struct {
	strings []string
	refs    map[string]uint32
}

func (t *tableWriter) reset() {
	t.strings = nil
	if t.refs == nil {
		t.refs = make(map[string]uint32)
	}
	clear(t.refs)
}

// has tells whether another reference to the text costs nothing.
func (t *tableWriter) has(text string) bool {
	if text == "" {
		return true
	}
	_, ok := t.refs[text]
	return ok
}

// ref gives the reference of a text: 0 for the empty one.
func (t *tableWriter) ref(text string) uint32 {
	if text == "" {
		return 0
	}
	ref, ok := t.refs[text]
	if !ok {
		t.strings = append(t.strings, text)
		ref = uint32(len(t.strings))
		t.refs[text] = ref
	}
	return ref
}

func (t *tableWriter) refList(texts []string) []uint32 {
	if len(texts) == 0 {
		return nil
	}
	refs := make([]uint32, len(texts))
	for i, text := range texts {
		refs[i] = t.ref(text)
	}
	return refs
}

// tableReader resolves references. The first that points nowhere stays in
// err; it and all after it read as empty.
type tableReader struct {
	strings []string
	err     error
}

func (t *tableReader) text(ref uint32) string {
	switch {
	case ref == 0:
		return ""
	case int64(ref) <= int64(len(t.strings)):
		return t.strings[ref-1]
	case t.err == nil:
		t.err = fmt.Errorf("text %d of %d is referred to", ref, len(t.strings))
	}
	return ""
}

func (t *tableReader) list(refs []uint32) []string {
	if len(refs) == 0 {
		return nil
	}
	texts := make([]string, len(refs))
	for i, ref := range refs {
		texts[i] = t.text(ref)
	}
	return texts
}
