package objects

import (
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// otherWords are type words of files that are no objects.
var otherWords = map[string]engine.Kind{
	"catalog": Catalogue, "ctlg": Catalogue, "syncfile": SyncFile, "clchltab": ClientChannelTable,
}

// ByWord gives the kinds that a type word of rcdmqimg and rcrmqobj stands for:
// all and * for every object, q for every kind of queue. False: it is none.
func ByWord(word string) ([]engine.Kind, bool) {
	word = strings.ToLower(word)
	if kind, ok := otherWords[word]; ok {
		return []engine.Kind{kind}, true
	}
	var kinds []engine.Kind
	for _, c := range Classes() {
		if word == "all" || word == "*" || slices.Contains(c.Words, word) {
			kinds = append(kinds, c.Kind)
		}
	}
	return kinds, kinds != nil
}

// WordOf gives the word by which messages call a kind: "Media image for object
// QL.A, type qlocal recorded."
func WordOf(kind engine.Kind) string {
	for word, other := range otherWords {
		if other == kind && word != "ctlg" {
			return word
		}
	}
	return Of(kind).Word
}

// Once tells whether a queue manager has one thing of a kind, whose name is left
// out in commands (reference, Multiplatforms 3.4 item 64).
func Once(kind engine.Kind) bool {
	switch kind {
	case QueueManager, Catalogue, SyncFile, ClientChannelTable:
		return true
	}
	return false
}

// Recoverable tells whether an object has media images, and so can be created
// anew from the log, on a queue manager with a linear log: the kind has them,
// and neither the object nor the queue manager says otherwise (IMGRCOVO,
// IMGRCOVQ: reference, Multiplatforms 1.3). An attribute that is not set is the
// usual one: images are kept.
func Recoverable(ref engine.Ref, attributes, manager map[string]string) bool {
	switch ref.Kind {
	case Catalogue, SyncFile:
		return true // of the queue manager itself
	case ClientChannelTable:
		return false // made anew from what the queue manager has
	}
	if c := Of(ref.Kind); !c.Image {
		return false
	}
	switch ref.Kind {
	case Queue:
		switch attributes["IMGRCOVQ"] {
		case "YES":
			return true
		case "NO":
			return false
		}
		return manager["IMGRCOVQ"] != "NO"
	case AuthInfo, Listener, Namelist, Process, AliasQueue, RemoteQueue, Service:
		return manager["IMGRCOVO"] != "NO"
	}
	return true
}

// Fits tells whether a name is the one that is wanted, which may be generic: a
// star at its end stands for anything.
func Fits(wanted, name string) bool {
	if stem, generic := strings.CutSuffix(wanted, "*"); generic {
		return strings.HasPrefix(name, stem)
	}
	return wanted == name
}
