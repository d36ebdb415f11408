package observe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/cl"
)

func classifyCL(text string) (ruled, error) {
	command, err := cl.Parse(text)
	if err != nil {
		return ruled{}, err
	}
	found := ruled{verb: Verb(command.Name)}
	found.class, err = clClass(command, text)
	return found, err
}

// clClass looks a command up. What lets go and what is never done comes first,
// whatever library the command is said to be in.
func clClass(command cl.Command, text string) (Class, error) {
	name := command.Name
	switch {
	case slices.Contains(clRelease, name) || clFrees(command):
		return Release, nil
	case slices.Contains(clNever, name):
		return Never, nil
	case slices.Contains(clWrappers, name):
		return Unknown, wrapper(name, text)
	case !slices.Contains(clLibraries, command.Library):
		return Unknown, fmt.Errorf("%s of the library %s: only the system's own commands are known", name, command.Library)
	}
	if why, ok := clRefused[name]; ok {
		return Unknown, fmt.Errorf("%s: %s", name, why)
	}
	if err := onlyPlain(command); err != nil {
		return Unknown, err
	}
	if keywords, ok := clChanges[name]; ok {
		if err := onlyKeywords(command, keywords); err != nil {
			return Unknown, err
		}
		return Change, nil
	}
	return clDisplay(command)
}

// clDisplay takes the commands that only show something, and only when they
// print it: OUTPUT(*OUTFILE) writes a file, and a panel needs a screen.
func clDisplay(command cl.Command) (Class, error) {
	output, given := command.Get("OUTPUT")
	switch {
	case slices.Contains(clShows, command.Name):
		if given && !output.Is("*") && !output.Is("*PRINT") {
			return Unknown, fmt.Errorf("%s with OUTPUT(%s): only * and *PRINT show without writing", command.Name, output)
		}
	case slices.Contains(clPanels, command.Name):
		if !output.Is("*PRINT") {
			return Unknown, fmt.Errorf("%s without OUTPUT(*PRINT) needs a screen", command.Name)
		}
	default:
		return Unknown, fmt.Errorf("%s is in no table", command.Name)
	}
	if err := onlyShows(command); err != nil {
		return Unknown, err
	}
	return Display, nil
}

// onlyShows refuses the words by which a display writes what it shows. As the
// type of the object that is looked at, *USRSPC is none of them.
func onlyShows(command cl.Command) error {
	var err error
	for _, param := range command.Params {
		for _, value := range param.Values {
			if param.Keyword == "OBJTYPE" && value.Is("*USRSPC") {
				continue
			}
			value.Walk(func(value cl.Value) {
				for _, word := range []string{"*OUTFILE", "*STMF", "*USRSPC"} {
					if says(value, word) {
						err = fmt.Errorf("%s with %s writes what it shows", command.Name, word)
					}
				}
			})
		}
	}
	return err
}

// clFrees finds the options by which other commands let receivers go: DLTOBJ
// of receivers, SAVOBJ that frees the storage, and the system's own deleting,
// which knows nothing of MQ's recovery points (reference, IBM i 1.7).
func clFrees(command cl.Command) bool {
	words := clFreeing[command.Name]
	frees := false
	walkValues(command, func(value cl.Value) {
		frees = frees || slices.ContainsFunc(words, func(word string) bool { return says(value, word) })
	})
	if value, ok := command.Get("DLTRCV"); ok {
		frees = frees || !value.Is("*NO") && !value.Is("*SAME")
	}
	return frees
}

// says tells whether a value is a word, in quotes or without: STG('*FREE') is
// STG(*FREE).
func says(value cl.Value, word string) bool {
	return value.Is(word) || value.Kind == cl.Text && strings.EqualFold(strings.TrimSpace(value.Text), word)
}

// onlyPlain refuses values that are only known when the command is executed,
// or that are written so that nobody sees what they are.
func onlyPlain(command cl.Command) error {
	var err error
	walkValues(command, func(value cl.Value) {
		if value.Kind == cl.Hex || value.Kind == cl.Keyed || value.Kind == cl.Word && strings.ContainsAny(value.Text, "&%") {
			err = fmt.Errorf("%s with %s, whose value is not known here", command.Name, value)
		}
	})
	return err
}

// onlyKeywords refuses a change with a parameter beyond the ones that are
// known, and values without a keyword.
func onlyKeywords(command cl.Command, keywords []string) error {
	for _, param := range command.Params {
		if !slices.Contains(keywords, param.Keyword) {
			if param.Keyword == "" {
				return fmt.Errorf("%s with a value without a keyword: what it sets is not known here", command.Name)
			}
			return fmt.Errorf("%s with %s, which is in no table", command.Name, param.Keyword)
		}
	}
	return nil
}

func walkValues(command cl.Command, visit func(cl.Value)) {
	for _, param := range command.Params {
		for _, value := range param.Values {
			value.Walk(visit)
		}
	}
}
