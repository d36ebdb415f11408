package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/plugins"
)

// manager is a runmqsc that answers SET LOG with one text and exit code, and
// DISPLAY QMSTATUS with one text before that and another behind it; without a
// text it does not run.
const manager = `#!/bin/sh
read -r asked
echo "5724-H72 (C) Copyright IBM Corp. 1994, 2024."
echo "Starting MQSC for queue manager $1."
case $asked in
SET*) >"$0.sent"; cat "$0.said"; code=$(cat "$0.code") ;;
*) state=before; code=0; test -e "$0.sent" && state=after
   test -s "$0.$state" || { echo "AMQ8146E: IBM MQ queue manager not available."; exit 20; }
   cat "$0.$state" ;;
esac
echo "One MQSC command read."
exit "$code"
`

// That a report was accepted is taken from no answer without a message, and from
// none that does not say afterwards what the queue manager waits for (reference,
// Multiplatforms 3.2 items 53 to 58). The id of a yes may be any of severity I.
func TestMarkArchivedIsHeard(t *testing.T) {
	status := func(waits string) string {
		return "AMQ8705I: Display Queue Manager Status Details.\n   QMNAME(QM1)                             CURRLOG(S0000130.LOG)\n   RECLOG(S0000128.LOG)                    MEDIALOG(S0000126.LOG)\n   " + waits + "\n"
	}
	waiting, heard, none := status("ARCHLOG(S0000120.LOG)"), status("ARCHLOG(S0000121.LOG)"), status("ARCHLOG( )")
	tests := map[string]struct {
		said          string
		code          int
		before, after string
		state         plugins.State
		words         string
		sent          bool
	}{
		"accepted":                       {"AMQ8005I: IBM MQ queue manager changed.", 0, waiting, heard, plugins.Done, "", true},
		"accepted, of an id of its own":  {"AMQ7999I: Das Protokoll wurde archiviert.", 0, waiting, none, plugins.Done, "", true},
		"accepted, without a severity":   {"AMQ7999: Log extent archived.", 0, waiting, none, plugins.Done, "", true},
		"accepted, out of the order":     {"AMQ7999I: x", 0, status("ARCHLOG(S0000119.LOG)"), status("ARCHLOG(S0000119.LOG)"), plugins.Done, "", true},
		"it still waits":                 {"AMQ7999I: x", 0, waiting, waiting, plugins.Failed, "still waits", true},
		"no message":                     {"", 0, waiting, heard, plugins.Unknown, "said nothing", true},
		"a word that is no message":      {"OK", 0, waiting, heard, plugins.Unknown, "said nothing", true},
		"refused":                        {"AMQ7998E: The log extent is not known.", 10, waiting, waiting, plugins.Failed, "AMQ7998E", true},
		"refused, with the wrong code":   {"AMQ7998E: The log extent is not known.", 0, waiting, waiting, plugins.Failed, "AMQ7998E", true},
		"refused, without a severity":    {"AMQ7998: The log extent is not known.", 10, waiting, waiting, plugins.Failed, "exit code 10", true},
		"a syntax error of severity I":   {"AMQ8405I: Syntax error detected at or near end of command segment below:-\nARCHIVED", 0, waiting, waiting, plugins.Failed, "AMQ8405I", true},
		"not found":                      {"AMQ8147E: IBM MQ object S0000120.LOG not found.", 10, waiting, waiting, plugins.Failed, "AMQ8147E", true},
		"not carried out, by the count":  {"AMQ7999I: x\nOne valid MQSC command could not be processed.", 0, waiting, heard, plugins.Failed, "exit code 0", true},
		"it does not answer afterwards":  {"AMQ7999I: x", 0, waiting, "", plugins.Unknown, "AMQ8146E", true},
		"ARCHLOG is not told afterwards": {"AMQ7999I: x", 0, waiting, status("LOGINUSE(12)"), plugins.Unknown, "does not show ARCHLOG", true},
		"a level without ARCHLOG":        {"AMQ7999I: x", 0, status("LOGINUSE(12)"), none, plugins.Failed, "does not show ARCHLOG", false},
		"nothing is told":                {"AMQ7999I: x", 0, "", none, plugins.Failed, "does not show ARCHLOG", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newStation(t, standin.Manager{Name: "QM1", Management: "Archive", First: 120, Current: 130, Restart: 128, Media: 126})
			bin := filepath.Join(t.TempDir(), "with blanks")
			program := filepath.Join(bin, "runmqsc")
			must(t, os.Mkdir(bin, 0o700))
			for suffix, text := range map[string]string{"": manager, ".said": test.said + "\n", ".code": fmt.Sprint(test.code), ".before": test.before, ".after": test.after} {
				must(t, os.WriteFile(program+suffix, []byte(text), 0o700))
			}
			s.dial = Dial(Settings{Bin: bin, DataRoot: s.host.Root})
			answer, state, err := s.gated().MarkArchived(t.Context(), s.id(120))
			if state != test.state || (err == nil) != (state == plugins.Done) || test.words != "" && !contains(err, test.words) {
				t.Errorf("%s, %v", state, err)
			}
			if _, failed := os.Stat(program + ".sent"); (failed == nil) != test.sent || errors.Is(err, connect.ErrNotSent) == test.sent {
				t.Errorf("sent: %t, %v", failed == nil, err)
			}
			// What is shown of a no is what the queue manager said, and nothing of
			// what runmqsc prints around it.
			if body := string(answer.Body); state == plugins.Failed && test.state == plugins.Failed && strings.Contains(test.words, "AMQ") && body != test.said+"\n" {
				t.Errorf("it said %q, and %q is shown", test.said, body)
			}
		})
	}
}

// A no shows the messages alone; a program that did not run, all but its banner.
func TestRefusalsAreMessages(t *testing.T) {
	around := func(text string) []byte {
		return []byte("5724-H72 (C) Copyright IBM Corp. 1994, 2024.\nStarting MQSC for queue manager QM1.\n\n\n     1 : SET LOG ARCHIVED(S0000120.LOG)\n" + text +
			"\n       : \nOne MQSC command read.\nNo commands have a syntax error.\nOne valid MQSC command could not be processed.\n")
	}
	for name, test := range map[string]struct {
		result ended
		want   string
	}{
		"one":                     {ended{output: around("AMQ7998E: The log extent is not known."), code: 10}, "AMQ7998E: The log extent is not known.\n"},
		"two":                     {ended{output: around("AMQ8405I: Syntax error.\nARCHIVED\nAMQ8427I: Valid syntax."), code: 10}, "AMQ8405I: Syntax error.\nARCHIVED\nAMQ8427I: Valid syntax.\n"},
		"and what it said beside": {ended{output: around("AMQ7998E: No."), said: []byte("beside\n"), code: 10}, "AMQ7998E: No.\nbeside\n"},
		"not run":                 {ended{output: []byte("5724-H72 (C) Copyright IBM Corp. 1994, 2024.\r\nStarting MQSC for queue manager QM1.\r\n\r\nAMQ8146E: not available.\r\n"), code: 20}, "AMQ8146E: not available.\r\n"},
	} {
		for how, read := range map[string]func(string, ended) (mqsc.Answer, error){"display": judge, "change": accepted} {
			var failed *failure
			if _, err := read("QM1", test.result); !errors.As(err, &failed) || string(failed.body) != test.want {
				t.Errorf("%s, %s: %v, %q, want %q", name, how, err, failed.body, test.want)
			}
		}
	}
}
