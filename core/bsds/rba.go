package bsds

import "fmt"

// RBA is a relative byte address: a place in the log of one queue manager. It
// says nothing of another one's log (reference, trap 11). The zero value is not
// known. RBAs can be compared with ==.
type RBA struct{ address }

// lastTruncation is the highest ENDRBA that CRESTART takes for a version 1 BSDS.
const lastTruncation = 0xFFFFFFFFF000

// block is what the log is written by, and what an ENDRBA of CRESTART is a
// multiple of (CSQJU003).
const block = 4096

// ParseRBA reads 12 or 16 hexadecimal digits. The error is an [*AddressError].
func ParseRBA(text string) (RBA, error) {
	a, err := parseAddress("RBA", text)
	return RBA{a}, err
}

// NewRBA gives an RBA of a width.
func NewRBA(value uint64, width Width) (RBA, error) {
	a, err := makeAddress("RBA", value, width)
	return RBA{a}, err
}

// Add gives the address n bytes on. Beyond the highest one is an error.
func (r RBA) Add(n uint64) (RBA, error) {
	a, err := r.add("RBA", n)
	return RBA{a}, err
}

// Sub gives the address n bytes before. Below zero is an error.
func (r RBA) Sub(n uint64) (RBA, error) {
	a, err := r.sub("RBA", n)
	return RBA{a}, err
}

// Compare gives -1, 0 or 1, and false when one of them is not known or their
// widths differ.
func (r RBA) Compare(other RBA) (order int, ok bool) { return r.compare(other.address) }

// Before tells whether r is known to be lower than other.
func (r RBA) Before(other RBA) bool {
	order, ok := r.Compare(other)
	return ok && order < 0
}

// Wide gives the same place in eight bytes. Converting a BSDS leaves every
// address as it is, with zeros in front (CSQJUCNV); so a note from before it is
// still good. There is no such thing for an LRSN.
func (r RBA) Wide() RBA {
	if r.width != 0 {
		r.width = Eight
	}
	return r
}

// UnmarshalText reads what MarshalText gives; an empty text is not known.
func (r *RBA) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*r = RBA{}
		return nil
	}
	read, err := ParseRBA(string(text))
	if err == nil {
		*r = read
	}
	return err
}

// TruncationRBA gives the ENDRBA of the conditional restart that keeps a log to
// its last byte: the ENDRBA of the newest archive and one more (case 53). It is
// a multiple of 4096, and of six bytes at most FFFFFFFFF000.
func TruncationRBA(last RBA) (RBA, error) {
	end, err := last.Add(1)
	switch {
	case err != nil:
		return RBA{}, fmt.Errorf("CRESTART: %w", err)
	case end.value%block != 0:
		return RBA{}, fmt.Errorf("CRESTART: %w", &AddressError{"RBA", last.String(), "the byte behind it begins no block of 4096 bytes"})
	case end.width == Six && end.value > lastTruncation:
		return RBA{}, fmt.Errorf("CRESTART: %w", &AddressError{"RBA", last.String(), "it is above FFFFFFFFF000"})
	}
	return end, nil
}
