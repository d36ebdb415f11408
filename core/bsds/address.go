package bsds

import (
	"fmt"
	"strconv"
	"strings"
)

// Width is how many bytes an RBA or LRSN has: six in a version 1 BSDS, eight in
// a version 2 BSDS (CSQJUCNV).
type Width uint8

// The widths.
const (
	Six   Width = 6
	Eight Width = 8
)

// digits gives how many hexadecimal digits the width is written with.
func (w Width) digits() int { return 2 * int(w) }

// highest gives the highest value of the width.
func (w Width) highest() uint64 { return ^uint64(0) >> (64 - 8*w) }

// AddressError says that a text is no RBA or LRSN, or that one can't be
// calculated.
type AddressError struct {
	Kind string // RBA or LRSN
	Text string // what was given
	Why  string
}

// Error gives "RBA "...": why".
func (e *AddressError) Error() string { return fmt.Sprintf("%s %.40q: %s", e.Kind, e.Text, e.Why) }

// address is a number of a width. The zero value is not known.
type address struct {
	value uint64
	width Width
}

// Known tells whether there is a value.
func (a address) Known() bool { return a.width != 0 }

// Width gives its bytes; 0 when it is not known.
func (a address) Width() Width { return a.width }

// Value gives the number.
func (a address) Value() uint64 { return a.value }

// Zero tells whether it is known to be all zeros, which in a log stands for no
// place.
func (a address) Zero() bool { return a.width != 0 && a.value == 0 }

// Open tells whether it is known to be all F, which stands for an end that has
// not come yet.
func (a address) Open() bool { return a.width != 0 && a.value == a.width.highest() }

// String gives 12 or 16 hexadecimal digits; empty when it is not known.
func (a address) String() string {
	if a.width == 0 {
		return ""
	}
	return fmt.Sprintf("%0*X", a.width.digits(), a.value)
}

// MarshalText gives the digits.
func (a address) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// parseAddress reads 12 or 16 digits. Blanks between them are allowed, as the
// manuals print them (case 54); a shorter text is refused, because nobody says
// which width it would have.
func parseAddress(kind, text string) (address, error) {
	folded := strings.ReplaceAll(strings.TrimSpace(text), " ", "")
	var width Width
	switch len(folded) {
	case Six.digits():
		width = Six
	case Eight.digits():
		width = Eight
	default:
		return address{}, &AddressError{kind, text, "it has neither 12 nor 16 hexadecimal digits"}
	}
	for i := range len(folded) {
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(folded[i])) {
			return address{}, &AddressError{kind, text, "it is no hexadecimal number"}
		}
	}
	value, err := strconv.ParseUint(folded, 16, 64)
	if err != nil {
		return address{}, &AddressError{kind, text, "it is no hexadecimal number"}
	}
	return address{value, width}, nil
}

// makeAddress gives a number of a width.
func makeAddress(kind string, value uint64, width Width) (address, error) {
	if width != Six && width != Eight {
		return address{}, &AddressError{kind, strconv.FormatUint(value, 16), "its width is neither six nor eight bytes"}
	}
	if value > width.highest() {
		return address{}, &AddressError{kind, strconv.FormatUint(value, 16), "it does not fit its width"}
	}
	return address{value, width}, nil
}

// add gives the number so much higher.
func (a address) add(kind string, n uint64) (address, error) {
	switch {
	case a.width == 0:
		return address{}, &AddressError{kind, "", "it is not known"}
	case n > a.width.highest()-a.value:
		return address{}, &AddressError{kind, a.String(), fmt.Sprintf("%d more do not fit its %d bytes", n, a.width)}
	}
	return address{a.value + n, a.width}, nil
}

// sub gives the number so much lower.
func (a address) sub(kind string, n uint64) (address, error) {
	switch {
	case a.width == 0:
		return address{}, &AddressError{kind, "", "it is not known"}
	case n > a.value:
		return address{}, &AddressError{kind, a.String(), fmt.Sprintf("%d less would be below zero", n)}
	}
	return address{a.value - n, a.width}, nil
}

// compare gives -1, 0 or 1, and false when one of them is not known or their
// widths differ.
func (a address) compare(b address) (int, bool) {
	switch {
	case a.width == 0 || a.width != b.width:
		return 0, false
	case a.value < b.value:
		return -1, true
	case a.value > b.value:
		return 1, true
	}
	return 0, true
}
