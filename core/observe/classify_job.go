package observe

import (
	"fmt"
	"regexp"
)

// jobWord is a word of what is asked of a utility.
var jobWord = regexp.MustCompile(`[A-Z0-9]+`)

// classifyJob reads the name of a utility whose print is asked for, and what
// is asked of it. Those that change the BSDS or the shared repository are
// refused, and their worst statements are never given automatically.
func classifyJob(text string) (ruled, error) {
	found := ruled{class: Display, verb: Verb(Job)}
	if err := checkOneLine(text); err != nil {
		return found, err
	}
	for _, word := range jobWord.FindAllString(asciiUpper(text), -1) {
		switch word {
		case "FORCE", "CHECKPT", "HIGHRBA":
			found.class = Never
			return found, nil
		case "CSQJU003", "CSQJUFMT":
			return found, fmt.Errorf("%s changes the BSDS or a log data set", word)
		}
	}
	return found, nil
}
