package collector

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// Options say what a script is about. They are written into it, so their
// character sets are narrow: a name that could end a literal is an error.
type Options struct {
	// QueueManager is the name as MQ writes it; case matters. Required.
	QueueManager string
	// Library is the queue manager library of IBM i, as mqs.ini names it.
	// Empty: QM and the queue manager's name, which is only right for a name
	// of at most eight characters that CL takes for a name.
	Library string
	// Zone is the Area/City in which the system's local stamps are. Empty: the
	// transcript has no ZONE line, and an hour that came twice stays doubtful.
	Zone string
	// Output is the absolute path of the file to be written, which must not
	// exist. Empty: mqhk-NAME.mqt in /home of whoever runs the script on IBM i,
	// in the working directory on Multiplatforms.
	Output string
	// DataRoot is the folder in which MQ keeps mqs.ini on Multiplatforms. Empty:
	// /var/mqm.
	DataRoot string
	// MQSC asks for the commands of the queue manager alone, as runmqsc reads
	// them (Multiplatforms).
	MQSC bool
}

// ErrUnsupported says that there is no script for a platform yet.
type ErrUnsupported struct {
	Platform  observe.Platform
	Supported []observe.Platform
}

func (e *ErrUnsupported) Error() string {
	names := make([]string, len(e.Supported))
	for i, p := range e.Supported {
		names[i] = string(p)
	}
	return fmt.Sprintf("no collector for %s; there is one for %s", e.Platform, strings.Join(names, ", "))
}

// Supported lists the platforms that [Script] knows.
func Supported() []observe.Platform {
	return []observe.Platform{observe.IBMi, observe.Multiplatforms}
}

// Script gives the text of the script for a platform. A platform without one
// is an [ErrUnsupported]; options that do not fit into a script are an error
// that names the option.
func Script(platform observe.Platform, options Options) (string, error) {
	var write func(Options) (string, error)
	var err error
	switch platform {
	case observe.IBMi:
		write = ibmi
		options, err = options.checked()
	case observe.Multiplatforms:
		write = multiplatforms
		options, err = options.onHost()
	default:
		return "", &ErrUnsupported{Platform: platform, Supported: Supported()}
	}
	if err != nil {
		return "", fmt.Errorf("collector for %s: %w", platform, err)
	}
	return write(options)
}

var (
	// managerName are the characters of an MQ object name (IBM Docs "Rules for
	// naming IBM MQ objects").
	managerName = regexp.MustCompile(`^[A-Za-z0-9._/%]{1,48}$`)
	// libraryName is a simple name of CL, with the period that CRTMQM allows
	// itself (QMSATURN.Q).
	libraryName = regexp.MustCompile(`^[A-Z$#@][A-Z0-9$#@_.]{0,9}$`)
	// plainName is a queue manager's name from which CRTMQM MQMLIB(*AUTO)
	// makes the library by putting QM before it.
	plainName = regexp.MustCompile(`^[A-Z0-9]{1,8}$`)
	// outputPath is an absolute path without what SQL or a shell reads.
	outputPath = regexp.MustCompile(`^/[A-Za-z0-9._/-]{1,255}$`)
)

// named refuses a name that no queue manager has, and a zone that is none.
func (o Options) named() error {
	if !managerName.MatchString(o.QueueManager) {
		return fmt.Errorf("queue manager %q is not a name: 1 to 48 of A-Z a-z 0-9 . _ / %%", o.QueueManager)
	}
	if o.Zone == "" {
		return nil
	}
	if _, err := time.LoadLocation(o.Zone); err != nil || o.Zone == "Local" {
		return fmt.Errorf("zone %q is no Area/City", o.Zone)
	}
	return nil
}

// checked fills in what follows from the name on IBM i and refuses what does
// not fit there.
func (o Options) checked() (Options, error) {
	if err := o.named(); err != nil {
		return o, err
	}
	if o.MQSC || o.DataRoot != "" {
		return o, errors.New("a data root, and MQSC alone, are for multiplatforms")
	}
	if o.Library == "" {
		if !plainName.MatchString(o.QueueManager) {
			return o, fmt.Errorf("the library of %s does not follow from its name: see /QIBM/UserData/mqm/mqs.ini", o.QueueManager)
		}
		o.Library = "QM" + o.QueueManager
	}
	if !libraryName.MatchString(o.Library) {
		return o, fmt.Errorf("library %q is not a name of CL", o.Library)
	}
	if o.Output != "" && !outputPath.MatchString(o.Output) {
		return o, fmt.Errorf("output %q is not an absolute path of 2 to 256 letters, digits and . _ - /", o.Output)
	}
	return o, nil
}

// name is the file's own name where no output was named.
func (o Options) name() string {
	return "mqhk-" + strings.NewReplacer("/", "-", "%", "-").Replace(o.QueueManager) + ".mqt"
}

// path gives the SQL that makes the path of the file. Without an output that
// was named it is in the home of the user: a file of a fixed name in a folder
// that everybody writes to may be somebody else's.
func (o Options) path() string {
	if o.Output != "" {
		return literal(4, o.Output)
	}
	return "'/home/' CONCAT RTRIM(SESSION_USER)\n    CONCAT " + literal(4, "/"+o.name())
}

// file gives the path for a person to type.
func (o Options) file() string {
	if o.Output != "" {
		return o.Output
	}
	return "/home/YOU/" + o.name()
}
