package observe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

var (
	// controlShows only show. dmpmqlog runs on a stopped queue manager's log
	// and reads it; id shows who asks, and to what groups that user belongs.
	controlShows = []string{"ID", "DSPMQ", "DSPMQVER", "DSPMQINF", "DSPMQINST", "DSPMQFLS", "DSPMQTRN", "DSPMQAUT", "DSPMQCSV", "DMPMQLOG", "DMPMQCFG", "DMPMQAUT"}

	controlChanges = []string{"RCDMQIMG"}

	// controlNever are commands that only a person gives (design: Never
	// automatic).
	controlNever = []string{"RCRMQOBJ"}

	controlWrappers = []string{
		"SH", "BASH", "KSH", "ZSH", "CSH", "DASH", "CMD", "POWERSHELL", "PWSH", "ENV", "EXEC", "EVAL", "SOURCE", "SUDO", "SU",
		"DOAS", "RUNAS", "NOHUP", "NICE", "TIMEOUT", "TIME", "XARGS", "FIND", "SSH", "RSH", "AT", "BATCH", "CRONTAB",
		"RUNMQSC", "SYSTEM", "QSH", "PYTHON", "PYTHON3", "PERL", "AWK", "SETSID", "SCREEN", "TMUX", "BUSYBOX", "DB2",
	}

	controlRemoves = []string{"RM", "RMDIR", "UNLINK", "DEL", "ERASE", "MV", "MOVE", "REN", "RENAME", "SHRED", "TRUNCATE", "CP", "COPY", "DD", "LN", "TEE", "GZIP", "COMPRESS"}
)

func classifyControl(text string) (ruled, error) {
	words, err := ControlWords(text)
	if err != nil {
		return ruled{}, err
	}
	name := asciiUpper(controlName(words[0]))
	found := ruled{verb: Verb(name)}
	aside := name != asciiUpper(words[0])
	switch {
	case aside && (slices.Contains(controlShows, name) || slices.Contains(controlChanges, name)):
		return found, fmt.Errorf("%s says where %s is: a command of that name in another folder is somebody's own program, and the connection knows the folder", words[0], controlName(words[0]))
	case slices.Contains(controlShows, name):
		found.class = Display
	case slices.Contains(controlChanges, name):
		found.class = Change
	case slices.Contains(controlNever, name):
		found.class = Never
	case slices.Contains(controlWrappers, name):
		return found, wrapper(words[0], text)
	case slices.Contains(controlRemoves, name):
		return found, fmt.Errorf("%s works on files: a log piece goes only as the action delete of a segment", words[0])
	default:
		return found, fmt.Errorf("the control command %s is in no table", words[0])
	}
	if check, ok := controlRules[name]; ok {
		if err := check(words); err != nil {
			return ruled{verb: found.verb}, err
		}
	}
	return found, nil
}

// controlName gives the name of a command without its folder and the ending that
// an executable file has on Windows. What is never given is known by it wherever
// it is said to be; what may be sent is named without (as in CL, MYLIB/DSPLIB is
// somebody's own program).
func controlName(word string) string {
	name := word[strings.LastIndexAny(word, `/\`)+1:]
	for _, ending := range []string{".EXE", ".CMD", ".BAT", ".COM"} {
		if cut, found := strings.CutSuffix(asciiUpper(name), ending); found {
			return controlName(name[:len(cut)])
		}
	}
	return name
}

// ControlWords splits a control command into the words of its argument list,
// without their quotes; the first is the command. A word holds letters, digits
// and any of . _ / % @ : + , = - *, and blanks within quotes. Anything that a
// shell could take for more than a word is an error, line ends among them; a
// connection that needs a shell still quotes every word, for the asterisk.
func ControlWords(text string) ([]string, error) {
	var words []string
	for rest := strings.Trim(text, " \t"); rest != ""; {
		word, after, err := controlWord(rest)
		if err != nil {
			return nil, err
		}
		words = append(words, word)
		rest = strings.TrimLeft(after, " \t")
	}
	if len(words) == 0 || words[0] == "" || strings.Contains(words[0], " ") {
		return nil, errors.New("there is no command")
	}
	return words, nil
}

// controlWord reads the first word and gives what is behind it.
func controlWord(text string) (word, after string, err error) {
	var quote rune
	for i, c := range text {
		switch {
		case quote == 0 && (c == ' ' || c == '\t'):
			return word, text[i:], nil
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		case controlChar(c) || quote != 0 && c == ' ':
			word += string(c)
		default:
			return "", "", fmt.Errorf("%q in a control command: a shell could take it for more than a word", c)
		}
	}
	if quote != 0 {
		return "", "", errors.New("a quote is not closed in a control command")
	}
	return word, "", nil
}

func controlChar(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("._/%@:+,=-*", c)
}
