package objects

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mqhk/mqhk/core/sim/multi/level"
)

// Form says what values an attribute may have.
type Form uint8

// The forms.
const (
	Text   Form = iota // up to Length characters
	Number             // from Least to Most, or one of the words
	Word               // one of the words
	Flag               // two words of which one is shown without a value: SHARE, NOSHARE
	List               // texts of up to Length characters, apart by commas
)

// Attribute is one attribute of a kind.
type Attribute struct {
	Name string
	// No is the other word of a flag.
	No    string
	Form  Form
	Words []string
	// Least and Most bound a number; Length a text, and each of a list.
	Least, Most int64
	Length      int
	// Usual is the value of a new object, and UsualOf that of one whose
	// selector has a value, where it differs.
	Usual   string
	UsualOf map[string]string
	// Only are the values of the selector that have the attribute; nil: all.
	Only []string
	// Since is the first level that has it; zero: all.
	Since level.Level
	// Fixed: it is shown and never set. Made: it is set by DEFINE alone.
	Fixed, Made bool
}

func (a *Attribute) at(l level.Level) bool {
	return l.AtLeast(a.Since.Version, a.Since.Release, a.Since.Modification)
}

func (a *Attribute) usual(selected string) string {
	if value, ok := a.UsualOf[selected]; ok {
		return value
	}
	return a.Usual
}

// Check takes the values of NAME(values) and gives the one that is kept, or
// says why it can't be. A blank value stands for none.
func (a *Attribute) Check(values []string) (string, error) {
	switch {
	case a.Form == List:
		return a.list(values)
	case len(values) == 0:
		values = []string{""}
	case len(values) > 1 && a.Form == Text && a.Length > 0:
		values = []string{strings.Join(values, ",")} // as CONNAME has them
	case len(values) > 1:
		return "", fmt.Errorf("%s takes one value", a.Name)
	}
	value := strings.TrimRight(values[0], " ")
	switch a.Form {
	case Text:
		if utf8.RuneCountInString(value) > a.Length {
			return "", fmt.Errorf("%s takes %d characters", a.Name, a.Length)
		}
		return value, nil
	case Number:
		n, err := strconv.ParseInt(value, 10, 64)
		if err == nil && n >= a.Least && n <= a.Most {
			return strconv.FormatInt(n, 10), nil
		}
	}
	if slices.Contains(a.Words, value) {
		return value, nil
	}
	return "", fmt.Errorf("%s does not take %q", a.Name, value)
}

func (a *Attribute) list(values []string) (string, error) {
	var kept []string
	for _, value := range values {
		value = strings.TrimSpace(value)
		switch {
		case value == "":
			continue
		case len(value) > a.Length || strings.Contains(value, ","):
			return "", fmt.Errorf("%s does not take %q", a.Name, value)
		}
		kept = append(kept, value)
	}
	if len(kept) > int(a.Most) {
		return "", fmt.Errorf("%s takes %d values", a.Name, a.Most)
	}
	return strings.Join(kept, ","), nil
}

// The makers of the rows of the tables.

func text(name string, length int) Attribute {
	return Attribute{Name: name, Form: Text, Length: length}
}

// object is a text that names an object.
func object(name string) Attribute { return text(name, 48) }

// number is one from least to most, or one of the words.
func number(name string, usual, least, most int64, words ...string) Attribute {
	return Attribute{Name: name, Form: Number, Usual: strconv.FormatInt(usual, 10), Least: least, Most: most, Words: words}
}

// word is one of the words, of which the first is usual.
func word(name string, words ...string) Attribute {
	return Attribute{Name: name, Form: Word, Usual: words[0], Words: words}
}

// flag is one of two words, of which the first is usual.
func flag(usual, other string) Attribute {
	name, no := usual, other
	if strings.HasPrefix(usual, "NO") {
		name, no = other, usual
	}
	return Attribute{Name: name, No: no, Form: Flag, Usual: usual, Words: []string{name, no}}
}

func list(name string, length int, most int64) Attribute {
	return Attribute{Name: name, Form: List, Length: length, Most: most}
}

// shown is an attribute that the queue manager itself sets.
func shown(name, usual string) Attribute {
	return Attribute{Name: name, Form: Text, Usual: usual, Fixed: true}
}

func (a Attribute) as(usual string) Attribute {
	a.Usual = usual
	return a
}

// usually gives the value for one value of the selector.
func (a Attribute) usually(selected, usual string) Attribute {
	of := map[string]string{selected: usual}
	for k, v := range a.UsualOf {
		of[k] = v
	}
	a.UsualOf = of
	return a
}

func (a Attribute) only(selected ...string) Attribute {
	a.Only = selected
	return a
}

func (a Attribute) since(version, release, modification int) Attribute {
	a.Since = level.Level{Version: version, Release: release, Modification: modification}
	return a
}

func (a Attribute) made() Attribute {
	a.Made = true
	return a
}
