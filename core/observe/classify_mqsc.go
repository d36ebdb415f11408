package observe

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
)

func classifyMQSC(text string) (ruled, error) {
	command, err := readMQSC(text)
	if err != nil {
		return ruled{}, err
	}
	verb, object := command.Verb, command.Object()
	found := ruled{verb: Verb(strings.TrimSuffix(verb+" "+object, " "))}
	if !slices.Contains(mqscVerbs, verb) {
		return found, fmt.Errorf("the verb %s is not known", verb)
	}
	if object == "" {
		return found, fmt.Errorf("%s of nothing", verb)
	}
	found.class, err = mqscClass(command)
	return found, err
}

// readMQSC reads one command, its verb and object in full: DIS Q(X) is
// DISPLAY QUEUE(X). A comment line within a command is refused: not every
// program that reads MQSC passes over it, and one that does not would take
// what follows for a command of its own.
func readMQSC(text string) (mqsc.Command, error) {
	command, err := mqsc.ParseCommand(text)
	if err != nil {
		return command, err
	}
	if commentWithin(text) {
		return command, errors.New("a comment line behind the first line of a command")
	}
	spellOut(&command)
	return command, nil
}

// spellOut writes the verb and the object of a command in full.
func spellOut(command *mqsc.Command) {
	command.Verb = mqscVerb(command.Verb)
	if len(command.Params) > 0 {
		first := &command.Params[0]
		if full, ok := mqscSynonyms[first.Keyword]; ok {
			first.Keyword = full
		}
	}
}

func commentWithin(text string) bool {
	begun := false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimLeft(line, " \t\r")
		if begun && strings.HasPrefix(line, "*") {
			return true
		}
		begun = begun || line != "" && !strings.HasPrefix(line, "*")
	}
	return false
}

// mqscVerb gives the verb of which a word is the only possible abbreviation,
// of three letters or more; else the word.
func mqscVerb(word string) string {
	if word == "REV" { // the documented synonym of RVERIFY
		return "RVERIFY"
	}
	fits := ""
	for _, verb := range mqscVerbs {
		if len(word) < 3 || !strings.HasPrefix(verb, word) {
			continue
		}
		if fits != "" {
			return word
		}
		fits = verb
	}
	if fits == "" {
		return word
	}
	return fits
}

// mqscClass looks a command up. The order matters: what lets go and what is
// never done come first.
func mqscClass(command mqsc.Command) (Class, error) {
	verb, object := command.Verb, command.Object()
	has := func(keyword string) bool { _, ok := command.Get(keyword); return ok }
	pair := verb + " " + object
	switch {
	case verb == "DISPLAY":
		return Display, nil
	case verb == "RECOVER", slices.Contains(mqscNever, pair), holds(command, "TYPE", "ARCHLOG"), has("ARCHLOG"):
		return Never, nil
	case (pair == "SUSPEND QMGR" || pair == "RESUME QMGR") && has("LOG"):
		return Never, nil
	case pair == "SET LOG" && has("ARCHIVED"):
		return Release, nil
	case pair == "RESET QMGR" && !mqscResets(command):
		return Unknown, errors.New("RESET QMGR of a type that is not known")
	}
	if why, ok := mqscRefused[pair]; ok {
		return Unknown, fmt.Errorf("%s: %s", pair, why)
	}
	for _, keyword := range []string{"RECOVER", "IMGRCOVQ", "IMGRCOVO"} {
		if holds(command, keyword, "NO") {
			return Unknown, fmt.Errorf("%s %s(NO) takes away what a recovery depends on", pair, keyword)
		}
	}
	if slices.Contains(mqscChanges[verb], object) {
		return Change, nil
	}
	return Unknown, fmt.Errorf("%s is in no table", pair)
}

// mqscResets tells whether every TYPE of a RESET QMGR is one that changes no
// more than it should, and there is one.
func mqscResets(command mqsc.Command) bool {
	count := 0
	for _, param := range command.Params {
		if param.Keyword != "TYPE" {
			continue
		}
		if len(param.Values) != 1 || !slices.Contains([]string{"ADVANCELOG", "STATISTICS", "PUBSUB", "REDUCELOG"}, param.Values[0]) {
			return false
		}
		count++
	}
	return count == 1
}

// holds tells whether any parameter of that keyword has the value, in any
// case.
func holds(command mqsc.Command, keyword, value string) bool {
	for _, param := range command.Params {
		if param.Keyword == keyword && slices.ContainsFunc(param.Values, func(v string) bool { return strings.EqualFold(v, value) }) {
			return true
		}
	}
	return false
}
