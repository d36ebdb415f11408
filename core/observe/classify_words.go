package observe

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// controlRules are the control commands whose words are read one by one.
var controlRules = map[string]func(words []string) error{
	"ID":       checkIdentity,
	"RCDMQIMG": checkImage,
}

var (
	userName     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	imageManager = regexp.MustCompile(`^[A-Za-z0-9._/%]{1,48}$`)
	imageName    = regexp.MustCompile(`^[A-Za-z0-9._/%]{0,48}\*?$`)
)

// checkIdentity lets id ask for the user and the groups of a process, or of one
// user. It has no flag that changes anything, and none is needed.
func checkIdentity(words []string) error {
	if len(words) > 2 || len(words) == 2 && !userName.MatchString(words[1]) {
		return errors.New("id with more than a user's name")
	}
	return nil
}

// imageTypes are the object types of rcdmqimg, and whether a name stands behind
// the type ("rcdmqimg (record media image)"). clchltab is one of rcrmqobj only.
var imageTypes = map[string]bool{
	"all": true, "*": true, "authinfo": true, "catalog": true, "channel": true, "chl": true, "clcn": true, "clntconn": true,
	"comminfo": true, "ctlg": true, "listener": true, "lstr": true, "namelist": true, "nl": true, "prcs": true, "process": true,
	"q": true, "qa": true, "qalias": true, "ql": true, "qlocal": true, "qm": true, "qmodel": true, "qr": true, "qremote": true,
	"queue": true, "service": true, "srvc": true, "top": true, "topic": true,
	"qmgr": false, "syncfile": false,
}

// checkImage lets rcdmqimg through with its documented words: -m with a queue
// manager, which would else be the default one, -z, -l, and -t with a type and
// the name that belongs to it.
func checkImage(words []string) error {
	rest, manager := words[1:], false
	for len(rest) > 0 && rest[0] != "-t" {
		switch flag := rest[0]; {
		case flag == "-m" && !manager && len(rest) > 1 && imageManager.MatchString(rest[1]):
			manager, rest = true, rest[2:]
		case flag == "-z", flag == "-l":
			rest = rest[1:]
		default:
			return fmt.Errorf("rcdmqimg with %q, which is not one of its words there", flag)
		}
	}
	switch {
	case !manager:
		return errors.New("rcdmqimg without -m: it would be that of the default queue manager")
	case len(rest) < 2:
		return errors.New("rcdmqimg without -t and a type")
	}
	named, known := imageTypes[rest[1]]
	switch names := rest[2:]; {
	case !known:
		return fmt.Errorf("rcdmqimg -t %q, which is no type of object", rest[1])
	case !named && len(names) > 0:
		return fmt.Errorf("rcdmqimg -t %s with a name", rest[1])
	case named && len(names) != 1, slices.Contains(names, ""), named && !imageName.MatchString(names[0]):
		return fmt.Errorf("rcdmqimg -t %s without the one name, generic at its end at most", rest[1])
	}
	return nil
}
