package observe

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
)

// verbWords is a command without its parameters: "BACKUP CFSTRUCT", "CHGJRN".
var verbWords = regexp.MustCompile(`^[A-Z][A-Z0-9]*(?: [A-Z][A-Z0-9]*)?$`)

// ChangeVerbs gives the verbs that [Classify] gives for a [Change], in order. No
// two languages share one, so a verb alone says which command is meant.
func ChangeVerbs() []Verb {
	var verbs []Verb
	for verb, objects := range mqscChanges {
		for _, object := range objects {
			if pair := verb + " " + object; mqscRefused[pair] == "" && !slices.Contains(mqscNever, pair) {
				verbs = append(verbs, Verb(pair))
			}
		}
	}
	for name := range maps.Keys(clChanges) {
		verbs = append(verbs, Verb(name))
	}
	for _, name := range controlChanges {
		verbs = append(verbs, Verb(name))
	}
	slices.Sort(verbs)
	return slices.Compact(verbs)
}

// ChangeVerb gives the verb of the change that a person names, as [Classify]
// gives it: in any case, MQSC with its abbreviations, so that "alt ql" is ALTER
// QLOCAL. Parameters are no part of a name: they are read each time the command
// is to be sent. The error says why no change is named so, or why nobody can
// let it happen.
func ChangeVerb(name string) (Verb, error) {
	folded := Fold(name)
	if !verbWords.MatchString(folded) {
		return "", notBare(name)
	}
	for _, verb := range []Verb{Verb(folded), mqscPair(folded)} {
		if slices.Contains(ChangeVerbs(), verb) {
			return verb, nil
		}
		if err := ungrantable(verb); err != nil {
			return "", err
		}
	}
	if slices.Contains(mqscVerbs, mqscVerb(folded)) {
		return "", fmt.Errorf("%s of what? Name the object too, as in BACKUP CFSTRUCT", folded)
	}
	return "", fmt.Errorf("%s is in no table of commands", folded)
}

// mqscPair writes a verb and its object in full.
func mqscPair(folded string) Verb {
	verb, object, _ := strings.Cut(folded, " ")
	command := mqsc.Command{Verb: verb, Params: []mqsc.Param{{Keyword: object}}}
	spellOut(&command)
	return Verb(command.Verb + " " + command.Object())
}

// notBare says what is wrong with a name that is more than a verb. What could
// not be granted under any name is told first: nobody shall go on to look for
// the right way to write it.
func notBare(name string) error {
	if err := harmful(name, MQSC, CL, CTL, MVS, Job); err != nil {
		return err
	}
	if controlName(name) != name {
		return fmt.Errorf("%q: a control command is named without its folder and ending, since the connection knows where it is: rcdmqimg", name)
	}
	return fmt.Errorf("%q: name the command alone, without parameters, as in BACKUP CFSTRUCT or CHGJRN", name)
}

// ungrantable tells why a command can't be granted that is known to do harm;
// nil: it is not.
func ungrantable(verb Verb) error {
	word := string(verb)
	if err := harmful(word, MQSC, MVS, Job); err != nil {
		return err
	}
	class, _, err := Classify(MQSC, word)
	switch {
	case verb == "SET LOG", slices.Contains(clRelease, word), len(clFreeing[word]) > 0 && len(clChanges[word]) == 0, word == "DELETE":
		return ungranted(verb, Release)
	case slices.Contains(clNever, word), slices.Contains(controlNever, word):
		return ungranted(verb, Never)
	case class == Display, slices.Contains(clShows, word), slices.Contains(clPanels, word), slices.Contains(controlShows, word):
		return fmt.Errorf("%s changes nothing: a plugin may ask it without being allowed to", verb)
	case slices.Contains(clWrappers, word), slices.Contains(controlWrappers, word):
		return fmt.Errorf("%s runs another command, which is not read: that is refused, whoever plans it", verb)
	case slices.Contains(controlRemoves, word):
		return fmt.Errorf("%s works on files: a log piece goes only as the action delete of a segment", verb)
	case clRefused[word] != "":
		return fmt.Errorf("%s is refused, whoever plans it: %s", verb, clRefused[word])
	case mqscRefused[word] != "":
		return err // which says why
	}
	return nil
}

// harmful tells whether a text is a release, or never given, in one of the
// languages.
func harmful(text string, languages ...Language) error {
	for _, language := range languages {
		if class, verb, _ := Classify(language, text); class == Release || class == Never {
			return ungranted(verb, class)
		}
	}
	return nil
}

func ungranted(verb Verb, class Class) error {
	if class == Release {
		return fmt.Errorf("%s lets log pieces go: that is never a command, only the action delete or mark-archived of a segment", verb)
	}
	return errors.New(string(verb) + " is never given automatically, whoever plans it: a person gives it")
}
