package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// What can be wrong with the text of a kept plan.
var (
	ErrNotAPlan    = errors.New("it is not a kept plan")
	ErrPlanVersion = errors.New("it is a kept plan of another version of mqhk; plan again")
	ErrPlanEdited  = errors.New("it was changed after it was made; plan again")
)

// maxKept bounds the file of a kept plan, in bytes: some 200,000 deletes.
const maxKept = 128 << 20

// canonical is the plan as its digest is made of it: JSON without white space.
func (k Kept) canonical() ([]byte, error) {
	var text bytes.Buffer
	w := json.NewEncoder(&text)
	w.SetEscapeHTML(false) // a person reads it
	if err := w.Encode(k); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// digest gives the plan's ID.
func (k Kept) digest() (string, error) {
	k.ID = ""
	text, err := k.canonical()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Text gives the plan as it stands in its file, and as the ledger keeps it.
func (k Kept) Text() ([]byte, error) {
	canonical, err := k.canonical()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, canonical, "", "  "); err != nil {
		return nil, err
	}
	text.WriteByte('\n')
	if text.Len() > maxKept {
		return nil, fmt.Errorf("it has %d bytes, more than %d", text.Len(), maxKept)
	}
	return text.Bytes(), nil
}

// parseKept reads a plan. What was edited, beyond white space, is refused:
// also what Go's decoder would pass over, such as a name given twice.
func parseKept(text []byte) (Kept, error) {
	var version struct {
		Schema string `json:"schema"`
	}
	switch err := json.Unmarshal(text, &version); {
	case err != nil:
		return Kept{}, fmt.Errorf("%w: %w", ErrNotAPlan, err)
	case version.Schema == "":
		return Kept{}, fmt.Errorf("%w: it names no schema", ErrNotAPlan)
	case version.Schema != KeptSchema:
		return Kept{}, fmt.Errorf("%w: its schema is %q, this mqhk reads %q", ErrPlanVersion, version.Schema, KeptSchema)
	}
	var k Kept
	r := json.NewDecoder(bytes.NewReader(text))
	r.DisallowUnknownFields()
	if err := r.Decode(&k); err != nil {
		return Kept{}, fmt.Errorf("%w: %w", ErrNotAPlan, err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return Kept{}, fmt.Errorf("%w: %w", ErrNotAPlan, err)
	}
	again, err := k.canonical()
	if err != nil {
		return Kept{}, fmt.Errorf("%w: %w", ErrNotAPlan, err)
	}
	if id, err := k.digest(); err != nil || id != k.ID || !bytes.Equal(again, compact.Bytes()) {
		return Kept{}, ErrPlanEdited
	}
	if err := k.check(); err != nil {
		return Kept{}, fmt.Errorf("%w: %w", ErrNotAPlan, err)
	}
	return k, nil
}
