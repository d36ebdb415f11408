package collector

import (
	_ "embed"
	"errors"
	"fmt"
	"path"
	"strings"
	"text/template"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/internal/shell"
)

// multiplatformsTemplate is the script for Linux and AIX: POSIX sh, and of the
// commands what POSIX has, but for the times and owners of files.
//
//go:embed multiplatforms.sh.tmpl
var multiplatformsTemplate string

// defaultRoot is where MQ keeps its data on AIX and Linux.
const defaultRoot = "/var/mqm"

// mostPath is the longest path of AIX and Linux.
const mostPath = 1023

// displays are the commands that the queue manager is asked, in order. The
// first stands again behind the list of extents, so that a recovery point that
// moved in between is seen.
var displays = []string{
	"DISPLAY QMSTATUS ALL",
	"DISPLAY QMGR QMID",
	"DISPLAY CONN(*) ALL",
	"DISPLAY QSTATUS(*) TYPE(QUEUE) ALL",
	"DISPLAY QLOCAL(*) MAXMSGL IMGRCOVQ USAGE",
}

// onHost checks the options of a script that runs beside a queue manager, and
// fills in what follows from the name.
func (o Options) onHost() (Options, error) {
	if err := o.named(); err != nil {
		return o, err
	}
	if o.Library != "" {
		return o, errors.New("a library is one of IBM i")
	}
	if o.DataRoot == "" {
		o.DataRoot = defaultRoot
	}
	if o.Output == "" {
		o.Output = o.name()
	} else if err := absolute("output", o.Output); err != nil {
		return o, err
	}
	o.DataRoot = path.Clean(o.DataRoot)
	return o, absolute("data root", o.DataRoot)
}

// absolute refuses a path that a line of a script can't hold. Blanks and quotes
// it can.
func absolute(what, name string) error {
	if !path.IsAbs(name) || len(name) > mostPath || !shell.Printable(name) {
		return fmt.Errorf("%s %q is not an absolute path of at most %d printable characters", what, name, mostPath)
	}
	return nil
}

// multiplatforms gives the shell script, or the MQSC commands alone.
func multiplatforms(o Options) (string, error) {
	if o.MQSC {
		return commands(o), nil
	}
	t, err := template.New("multiplatforms").Funcs(template.FuncMap{
		"quote":   quote,
		"comment": func(words ...string) string { return "# " + strings.Join(words, " ") },
	}).Parse(multiplatformsTemplate)
	if err != nil {
		return "", fmt.Errorf("collector for multiplatforms: %w", err)
	}
	var out strings.Builder
	err = t.Execute(&out, struct {
		Options
		Script, File, Folder string
		Displays             []string
	}{o, o.script(), o.Output, mqini.MangledName(o.QueueManager), displays})
	if err != nil {
		return "", fmt.Errorf("collector for multiplatforms: %w", err)
	}
	return out.String(), nil
}

// script is what the script's own file is called on its pages: QM1 in qm1.sh.
func (o Options) script() string {
	return strings.ToLower(strings.NewReplacer("/", "-", "%", "-").Replace(o.QueueManager)) + ".sh"
}

// quote writes a word of the shell that nothing in it ends.
func quote(text string) (string, error) {
	word, ok := shell.Word(text)
	if !ok {
		return "", fmt.Errorf("%q holds what can't be shown", text)
	}
	return word, nil
}

// commands gives the displays as runmqsc reads them from a file, each below the
// header that its answer gets in a transcript.
func commands(o Options) string {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line("* mqhk collector for Multiplatforms: what queue manager %s is asked.", o.QueueManager)
	line("* They are displays alone:  runmqsc %s < FILE", o.QueueManager)
	line("* In the transcript each answer stands below its header, which is the")
	line("* comment above the command without its asterisk (docs/transcript.md).")
	for _, text := range append(displays[:len(displays):len(displays)], displays[0]) {
		line("*\n* >>> MQSC %s: %s\n%s", o.QueueManager, text, text)
	}
	return out.String()
}
