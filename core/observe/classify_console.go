package observe

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// consoleCommand is a console command: a word, and what is behind it.
var consoleCommand = regexp.MustCompile(`^[ ]*([A-Z]+)(?:[ ]+([A-Z0-9]*)(.*))?$`)

// consoleWrappers start programs or hand a command on.
var consoleWrappers = []string{"RO", "ROUTE", "S", "START", "F", "MODIFY", "E", "RESET"}

// classifyConsole reads an MVS console command. Only displays are known; MQ's
// own commands, with their prefix, are MQSC and asked as such.
func classifyConsole(text string) (ruled, error) {
	if err := checkOneLine(text); err != nil {
		return ruled{}, err
	}
	if strings.ContainsRune(text, ';') {
		return ruled{}, errors.New("a semicolon, which may part two console commands")
	}
	parts := consoleCommand.FindStringSubmatch(asciiUpper(text))
	if parts == nil {
		return ruled{}, errors.New("no console command that is known")
	}
	verb, object := parts[1], parts[2]
	if full, ok := map[string]string{"D": "DISPLAY", "R": "REPLY"}[verb]; ok {
		verb = full
	}
	found := ruled{verb: Verb(strings.TrimSuffix(verb+" "+object, " "))}
	switch {
	case verb == "DISPLAY" && object != "":
		found.class = Display
	case verb == "REPLY", verb == "SETXCF" && object == "FORCE":
		found.class = Never // a reply may be the one to CSQJ245D
	case slices.Contains(consoleWrappers, verb):
		return found, wrapper(verb, text)
	default:
		return found, fmt.Errorf("the console command %s is in no table", verb)
	}
	return found, nil
}
