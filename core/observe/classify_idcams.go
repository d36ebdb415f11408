package observe

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// classifyIDCAMS reads one access method services command. A DELETE lets a
// data set go, whatever it is.
func classifyIDCAMS(text string) (ruled, error) {
	command, err := foldIDCAMS(text)
	if err != nil {
		return ruled{}, err
	}
	words, err := wordsIDCAMS(command)
	if err != nil {
		return ruled{}, err
	}
	verb := words[0]
	if full, ok := map[string]string{"LISTC": "LISTCAT", "DEL": "DELETE"}[verb]; ok {
		verb = full
	}
	found := ruled{verb: Verb(verb)}
	switch verb {
	case "LISTCAT":
		for _, word := range words[1:] {
			if !slices.Contains(listcatKeywords, word) {
				return found, fmt.Errorf("LISTCAT with %s, which is in no table", word)
			}
		}
		found.class = Display
	case "DELETE":
		found.class = Release
	default:
		return found, fmt.Errorf("the IDCAMS command %s is in no table", verb)
	}
	return found, nil
}

// listcatKeywords are the parameters of LISTCAT that name entries and say what
// is shown. OUTFILE, which writes to a data set, is none.
var listcatKeywords = []string{
	"ENTRIES", "ENTRY", "ENT", "LEVEL", "LVL", "CATALOG", "CAT", "ALL", "NAME", "HISTORY", "HIST", "VOLUME", "VOL", "ALLOCATION", "ALLOC",
	"CLUSTER", "CL", "DATA", "INDEX", "IX", "NONVSAM", "NVSAM", "GENERATIONDATAGROUP", "GDG", "ALIAS", "CREATION", "CREAT",
	"EXPIRATION", "EXPIR", "LIBRARY", "USERCATALOG", "UCAT",
}

// foldIDCAMS joins lines continued with - or + and drops comments. A line is
// at most 72 characters long: access method services does not read further,
// and a sign there continues nothing.
func foldIDCAMS(text string) (string, error) {
	var b strings.Builder
	more := true
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if err := checkOneLine(line); err != nil {
			return "", err
		}
		if len(line) > 72 {
			return "", fmt.Errorf("line %d is longer than 72 characters", i+1)
		}
		line = strings.TrimRight(withoutComments(line), " ")
		if line == "" {
			continue
		}
		if !more {
			return "", fmt.Errorf("a second command in line %d", i+1)
		}
		last := line[len(line)-1]
		if more = last == '-' || last == '+'; more {
			line = line[:len(line)-1]
		}
		b.WriteString(strings.TrimLeft(line, " ") + " ")
	}
	return b.String(), nil
}

// withoutComments makes every comment that is closed in the line a blank. What
// is not closed stays, and is no command.
func withoutComments(line string) string {
	for {
		before, rest, found := strings.Cut(line, "/*")
		_, after, closed := strings.Cut(rest, "*/")
		if !found || !closed || strings.Count(before, "'")%2 == 1 {
			return line
		}
		line = before + " " + after
	}
}

var wordIDCAMS = regexp.MustCompile(`^[A-Z]+`)

// wordsIDCAMS gives the command and its keywords, without what is in their
// brackets.
func wordsIDCAMS(text string) ([]string, error) {
	var words []string
	for rest := strings.TrimLeft(asciiUpper(text), " "); rest != ""; {
		word := wordIDCAMS.FindString(rest)
		if word == "" {
			return nil, fmt.Errorf("%.8q is no keyword", rest)
		}
		words = append(words, word)
		rest = strings.TrimLeft(rest[len(word):], " ")
		if strings.HasPrefix(rest, "(") {
			end := strings.IndexByte(rest, ')')
			if end < 0 || strings.ContainsAny(rest[1:end], "(;/") {
				return nil, errors.New("brackets that are not plain")
			}
			rest = strings.TrimLeft(rest[end+1:], " ")
		}
	}
	if len(words) == 0 {
		return nil, errors.New("there is no command")
	}
	return words, nil
}
