package os400

import (
	"fmt"
	"slices"
	"strings"
)

// Authority is what a user may do with an object: any number of the ten
// specific authorities. The zero value is none, which is *EXCLUDE where it is
// said of somebody.
type Authority uint16

// The specific authorities (IBM Documentation, "Defining how information can
// be accessed").
const (
	ObjOpr   Authority = 1 << iota // look at its description; use it as the data authorities say
	ObjMgt                         // say who may use it
	ObjExist                       // delete, save and restore it
	ObjAlter
	ObjRef
	Read
	Add
	Upd
	Dlt
	Execute // of a library: find what is in it

	last
)

// The sets that have a name (IBM Documentation, "Commonly used authorities").
const (
	AutExclude Authority = 0
	AutUse               = ObjOpr | Read | Execute
	AutChange            = AutUse | Add | Upd | Dlt
	AutAll               = last - 1
)

// authorityWords are the specific authorities in the order of their bits.
var authorityWords = []string{
	"*OBJOPR", "*OBJMGT", "*OBJEXIST", "*OBJALTER", "*OBJREF", "*READ", "*ADD", "*UPD", "*DLT", "*EXECUTE",
}

var authoritySets = map[string]Authority{"*EXCLUDE": AutExclude, "*USE": AutUse, "*CHANGE": AutChange, "*ALL": AutAll}

// AuthorityWords gives the words that AUT takes, the sets first.
func AuthorityWords() []string {
	return append([]string{"*USE", "*CHANGE", "*ALL", "*EXCLUDE"}, authorityWords...)
}

// ParseAuthority reads words of AUT: one or several of [AuthorityWords].
// *EXCLUDE stands alone.
func ParseAuthority(words ...string) (Authority, error) {
	var all Authority
	for _, word := range words {
		if set, ok := authoritySets[word]; ok {
			if set == AutExclude && len(words) > 1 {
				return 0, fmt.Errorf("authority *EXCLUDE stands alone, not in %s", strings.Join(words, " "))
			}
			all |= set
			continue
		}
		bit := slices.Index(authorityWords, word)
		if bit < 0 {
			return 0, fmt.Errorf("authority %q is not known", word)
		}
		all |= 1 << bit
	}
	return all, nil
}

// Has tells whether all that is asked for is there.
func (a Authority) Has(wanted Authority) bool { return a&wanted == wanted }

// HasData tells whether a data authority other than *EXECUTE is there, which
// is what some commands ask for (reference, IBM i 6).
func (a Authority) HasData() bool { return a&(Read|Add|Upd|Dlt) != 0 }

// String gives the word of a set, or the words of what there is.
func (a Authority) String() string {
	for word, set := range authoritySets {
		if a == set {
			return word
		}
	}
	var words []string
	for bit, word := range authorityWords {
		if a&(1<<bit) != 0 {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
