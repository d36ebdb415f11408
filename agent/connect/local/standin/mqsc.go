package standin

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

// The exit codes of runmqsc.
const (
	allDone    = 0
	someFailed = 10
	notRun     = 20
)

func runmqsc(c *call) int {
	code := notRun
	c.on(func(_ *state, m *Manager) int {
		fmt.Fprintln(c.out, "5724-H72 (C) Copyright IBM Corp. 1994, 2024.")
		if m.Ended {
			fmt.Fprintln(c.out, m.message("AMQ8146E", "IBM MQ queue manager not available."))
			return 0
		}
		code = m.session(c.in, c.out)
		return 0
	})
	return code
}

// message prints an id as the level does.
func (m *Manager) message(id, text string) string {
	if m.Older {
		id = id[:len("AMQ0000")]
	}
	return id + ": " + text
}

// session carries out the commands of a standard input.
func (m *Manager) session(in io.Reader, out io.Writer) int {
	fmt.Fprintf(out, "Starting MQSC for queue manager %s.\n\n\n", m.Name)
	read, failed := 0, 0
	for lines := bufio.NewScanner(in); lines.Scan(); {
		text := lines.Text()
		read++
		fmt.Fprintf(out, "%6d : %s\n", read, text)
		if strings.TrimSpace(text) == "end" {
			read--
			break
		}
		if !m.command(text, out) {
			failed++
		}
	}
	count, noun := fmt.Sprint(read), "commands"
	if read == 1 {
		count, noun = "One", "command"
	}
	fmt.Fprintf(out, "%s MQSC %s read.\nNo commands have a syntax error.\n", count, noun)
	if failed > 0 {
		fmt.Fprintln(out, "One valid MQSC command could not be processed.")
		return someFailed
	}
	fmt.Fprintln(out, "All valid MQSC commands were processed.")
	return allDone
}

// command carries out one command, and tells whether it could.
func (m *Manager) command(text string, out io.Writer) bool {
	command, err := mqsc.ParseCommand(text)
	if err != nil {
		fmt.Fprintln(out, m.message("AMQ8405I", "Syntax error detected at or near end of command segment below:-"))
		return false
	}
	switch verb := command.Verb[:min(3, len(command.Verb))] + " " + command.Object(); verb {
	case "DIS QMSTATUS":
		return m.status(out)
	case "DIS QMGR":
		m.print(out, "AMQ8408I", "Display Queue Manager details.", "QMNAME("+m.Name+")", "QMID("+m.ID+")")
		return true
	case "DIS CONN":
		return m.objects(out, "CONN", "AMQ8276I", "Display Connection details.", "CONN(414D5143)", "EXTCONN(414D5143514D31)", "TYPE(CONN)", "APPLTAG(amqzmuc0)", "UOWLOG( )", "UOWSTATE(NONE)")
	case "DIS QSTATUS":
		return m.objects(out, "QSTATUS", "AMQ8450I", "Display queue status details.", "QUEUE(A)", "TYPE(QUEUE)", "CURDEPTH(0)", "MEDIALOG("+observe.ExtentName(m.Media)+")")
	case "DIS QLOCAL":
		return m.objects(out, "QLOCAL", "AMQ8409I", "Display Queue details.", "QUEUE(A)", "TYPE(QLOCAL)", "IMGRCOVQ(QMGR)", "MAXMSGL(4194304)", "USAGE(NORMAL)")
	case "SET LOG":
		return m.archived(command, out)
	case "ALT QMGR", "RES QMGR":
		fmt.Fprintln(out, m.message("AMQ8005I", "IBM MQ queue manager changed."))
		return true
	default:
		fmt.Fprintln(out, m.message("AMQ8405I", "Syntax error detected at or near end of command segment below:-"))
		return false
	}
}

// objects prints what a test gave for an object, else the one of the stand-in.
func (m *Manager) objects(out io.Writer, object, id, title string, attributes ...string) bool {
	if given, ok := m.Objects[object]; ok {
		fmt.Fprintf(out, "%s\n%s\n", m.message(id, title), strings.TrimRight(given, "\n"))
		return true
	}
	m.print(out, id, title, attributes...)
	return true
}

// print prints an object as runmqsc does: two columns, the second at column 44
// where the first fits.
func (m *Manager) print(out io.Writer, id, title string, attributes ...string) {
	fmt.Fprintln(out, m.message(id, title))
	for i := 0; i < len(attributes); i++ {
		if i+1 < len(attributes) && len(attributes[i]) < 40 && len(attributes[i+1]) < 40 {
			fmt.Fprintf(out, "   %-40s%s\n", attributes[i], attributes[i+1])
			i++
			continue
		}
		fmt.Fprintf(out, "   %s\n", attributes[i])
	}
}

func (m *Manager) status(out io.Writer) bool {
	linear := m.LogType != "CIRCULAR"
	attributes := []string{
		"QMNAME(" + m.Name + ")", "TYPE(QMGR)", "STATUS(RUNNING)", "CONNS(24)", "CMDSERV(RUNNING)", "CHINIT(RUNNING)",
		"STANDBY(NOPERMIT)", "INSTNAME(Installation1)", "STARTDA(2026-05-27)", "STARTTI(06.00.00)",
		"LOGPATH(" + m.Active() + string(filepath.Separator) + ")",
	}
	if !m.Mute {
		attributes = append(attributes, "CURRLOG("+extentOr(m.Current, linear)+")", "RECLOG("+extentOr(m.Restart, linear)+")", "MEDIALOG("+extentOr(m.Media, linear)+")")
	}
	attributes = append(attributes, strings.Fields(m.Begun)...)
	if !m.Older {
		waiting, err := m.waiting()
		if err != nil {
			fmt.Fprintln(out, err)
			return false
		}
		attributes = append(attributes, "LOGTYPE("+m.LogType+")", "ARCHLOG("+cmp.Or(waiting, " ")+")", "LOGINUSE(12)", "LOGUTIL(8)", "LOGPRIM(3)", "LOGSEC(2)")
	}
	m.print(out, "AMQ8705I", "Display Queue Manager Status Details.", attributes...)
	return true
}

// archived carries out SET LOG ARCHIVED by the rules of case 36: an S file that
// is complete, in any order; what was reported before is accepted without
// change.
func (m *Manager) archived(command mqsc.Command, out io.Writer) bool {
	values, _ := command.Get("ARCHIVED")
	name := strings.Join(values, ",")
	kind, number, err := observe.ParseExtent(name)
	names, failed := m.Extents()
	switch {
	case m.Management != "Archive" || failed != nil:
		err = fmt.Errorf("the log management is %s", m.Management)
	case err == nil && kind != observe.LogExtent:
		err = fmt.Errorf("%s is for reuse", name)
	case err == nil && !slices.Contains(names, name):
		err = fmt.Errorf("%s is not known", name)
	case err == nil && observe.ExtentDistance(number, m.Current) <= 0:
		err = fmt.Errorf("%s is being written", name)
	}
	if err != nil {
		fmt.Fprintln(out, cmp.Or(m.Refused, m.message("AMQ0000E", "(stand-in) refused: "+err.Error())))
		return false
	}
	if !slices.Contains(m.Reported, number) {
		m.Reported = append(m.Reported, number)
	}
	if err := m.keepHouse(); err != nil {
		fmt.Fprintln(out, err)
		return false
	}
	fmt.Fprintln(out, cmp.Or(m.Accepted, m.message("AMQ0000I", "(stand-in) accepted.")))
	return true
}
