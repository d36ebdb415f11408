package idcams

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// fieldWidth is how wide LISTCAT prints a field: its name, dashes, its value. A
// number that fills less, at the end of a long line, was cut with it.
const (
	fieldWidth = 24
	longLine   = 70
)

// field is a value of an entry by the name that it is printed with.
type field struct {
	number bool
	take   func(r *reader, value string)
}

var fields = map[string]field{
	"CREATION":        {take: func(r *reader, value string) { *r.creation() = parseDay(value) }},
	"EXPIRATION":      {take: func(r *reader, value string) { *r.expiration() = parseExpiration(value) }},
	"STORAGECLASS":    {take: func(r *reader, value string) { r.classes().Storage = value }},
	"MANAGEMENTCLASS": {take: func(r *reader, value string) { r.classes().Management = value }},
	"DATACLASS":       {take: func(r *reader, value string) { r.classes().Data = value }},
	"IN-CAT":          {take: func(r *reader, value string) { r.catalog(value) }},

	"SPACE-TYPE": {take: func(r *reader, value string) { r.data().SpaceType = value }},
	"SPACE-PRI":  {true, func(r *reader, value string) { r.data().Primary = parseNumber(value) }},
	"SPACE-SEC":  {true, func(r *reader, value string) { r.data().Secondary = parseNumber(value) }},
	"EXTENTS":    {true, func(r *reader, value string) { r.data().Extents = parseNumber(value) }},
	"CISIZE":     {true, func(r *reader, value string) { r.data().CISize = parseNumber(value) }},
	"HI-A-RBA":   {true, func(r *reader, value string) { *r.size(true) = parseNumber(value) }},
	"HI-U-RBA":   {true, func(r *reader, value string) { *r.size(false) = parseNumber(value) }},

	"VOLSER":        {take: func(r *reader, value string) { r.begin(value) }},
	"DEVTYPE":       {take: func(r *reader, value string) { r.last().Device = hexadecimal(value) }},
	"VOLFLAG":       {take: func(r *reader, value string) { r.last().Flag = value }},
	"EXTENT-NUMBER": {true, func(r *reader, value string) { r.last().Extents = parseNumber(value) }},
	"FSEQN":         {true, func(r *reader, value string) { r.last().Sequence = parseNumber(value) }},
}

// fields reads the fields and attributes of a line. What is of no entry is the
// command itself, or a count.
func (r *reader) fields(text string, words []string) error {
	if r.pending != "" {
		rest := strings.TrimLeft(words[0], "-")
		if rest == "" || rest == words[0] && !strings.ContainsRune("0123456789(", rune(rest[0])) && !strings.HasPrefix(rest, "X'") {
			return r.cut()
		}
		words = append([]string{r.pending + "--" + rest}, words[1:]...)
		r.pending = ""
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if i+1 < len(words) && strings.HasPrefix(words[i+1], "-") && fields[word].take != nil {
			i++
			word += " -" + words[i]
			if strings.Trim(words[i], "-") == "" && i+1 < len(words) {
				i++
				word += words[i]
			}
		}
		if err := r.field(text, word, i == len(words)-1); err != nil {
			return err
		}
	}
	return nil
}

// field reads one field or attribute. last tells that it ends the line.
func (r *reader) field(text, word string, last bool) error {
	name, value := split(word)
	known := fields[name]
	switch {
	case r.other == nil && r.cluster == nil:
		return nil
	case known.take == nil || !strings.Contains(word, "-"):
		r.attribute(word)
		return nil
	case value == "" && last:
		r.pending, r.broken = name, r.number
		return nil
	case value == "" || value == "(NULL)":
		return nil
	case known.number && last && len(text) >= longLine && len(word) < fieldWidth:
		return &Error{r.number, fmt.Sprintf("the line is cut within %s", name)}
	}
	known.take(r, value)
	return nil
}

// split gives the name of a field and its value. One dash is left between them
// where the value is long.
func split(word string) (name, value string) {
	at := strings.Index(word, "--")
	if at < 0 {
		at = strings.LastIndexByte(word, '-')
	}
	if at < 0 {
		return word, ""
	}
	return strings.TrimSpace(word[:at]), strings.TrimLeft(word[at:], "-")
}

// attribute reads an attribute that has no value. Those that are not printed are
// not there: ATTRIBUTES prints every one that holds.
func (r *reader) attribute(word string) {
	c := r.cluster
	if c == nil {
		return
	}
	if regions, systems, ok := shareOptions(word); ok {
		c.ShareRegions, c.ShareSystems = regions, systems
		return
	}
	switch word {
	case "ATTRIBUTES":
		c.Linear, c.Extended, c.Addressable = No, No, No
	case "LINEAR":
		c.Linear = Yes
	case "EXTENDED":
		c.Extended = Yes
	case "EXT-ADDR":
		c.Addressable = Yes
	case "VOLUME", "VOLUMES", "STATISTICS", "ALLOCATION":
		r.volume = false
	}
}

// shareOptions reads SHROPTNS(2,3).
func shareOptions(word string) (regions, systems int, ok bool) {
	inside, found := strings.CutPrefix(word, "SHROPTNS(")
	inside, closed := strings.CutSuffix(inside, ")")
	first, second, comma := strings.Cut(inside, ",")
	regions, err := strconv.Atoi(first)
	systems, wrong := strconv.Atoi(second)
	return regions, systems, found && closed && comma && err == nil && wrong == nil
}

func (r *reader) creation() *time.Time {
	if r.other != nil {
		return &r.other.Creation
	}
	return &r.cluster.Creation
}

func (r *reader) expiration() *Expiration {
	if r.other != nil {
		return &r.other.Expiration
	}
	return &r.cluster.Expiration
}

func (r *reader) classes() *Classes {
	if r.other != nil {
		return &r.other.Classes
	}
	return &r.cluster.Classes
}

func (r *reader) catalog(name string) {
	if r.other != nil {
		r.other.Catalog = name
	} else {
		r.cluster.Catalog = name
	}
}

// data gives the cluster whose data component is read, else one to forget.
func (r *reader) data() *Cluster {
	if r.cluster == nil {
		return &Cluster{}
	}
	return r.cluster
}

// begin begins a volume.
func (r *reader) begin(serial string) {
	*r.volumes = append(*r.volumes, Volume{Serial: serial})
	r.volume = true
}

// last gives the volume that is read, else one to forget.
func (r *reader) last() *Volume {
	if !r.volume || len(*r.volumes) == 0 {
		return &Volume{}
	}
	return &(*r.volumes)[len(*r.volumes)-1]
}

// size gives where the bytes go that are allocated or used: behind a volume they
// are of the volume, else of all.
func (r *reader) size(allocated bool) *Number {
	switch {
	case r.volume && allocated:
		return &r.last().Allocated
	case r.volume:
		return &r.last().Used
	case allocated:
		return &r.data().Allocated
	}
	return &r.data().Used
}

// hexadecimal gives what stands in X'3010200F'.
func hexadecimal(text string) string {
	return strings.TrimSuffix(strings.TrimPrefix(text, "X'"), "'")
}

// parseDay reads 2026.028, the day being that of the year; zero for none.
func parseDay(text string) time.Time {
	day, err := time.Parse("2006.002", text)
	if err != nil {
		return time.Time{}
	}
	return day
}

// parseExpiration reads the day of expiration. 0000.000 is none; 1999.365 and .366
// and the last year that can be written stand for never (JCL, EXPDT).
func parseExpiration(text string) Expiration {
	switch {
	case text == "0000.000":
		return Expiration{Known: true}
	case text == "1999.365", text == "1999.366", strings.HasPrefix(text, "9999."):
		return Expiration{Known: true, Never: true}
	}
	day := parseDay(text)
	return Expiration{Known: !day.IsZero(), Day: day}
}
