package collector

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/transcript"
)

// Each question that failed is named at the end of the script's work, and its
// exit status says whether a plan has anything to go by.
func TestCollectedSaysWhatFailed(t *testing.T) {
	const silent = "runmqsc"
	for name, test := range map[string]struct {
		gone []string // below the station's folder
		code int
		says []string
	}{
		"all is there":            {nil, 0, []string{"not answered: MQSC QM1: DISPLAY QLOCAL(*) MAXMSGL IMGRCOVQ USAGE\n"}},
		"no answer but the files": {[]string{"bin/" + silent}, 0, []string{"not answered: MQSC QM1: DISPLAY QMSTATUS ALL\n", "not answered: MQSC QM1: DISPLAY QMSTATUS LOG\n"}},
		"nothing":                 {[]string{"bin/" + silent, "bin/dspmq", "bin/dspmqinf", "var mqm", "data of q'm", "log $HOME `x`"}, 1, []string{"not answered: FILE QM1: /var/mqm/mqs.ini\n", "not answered: LOGDIR QM1: ", "nothing was learned of queue manager QM1"}},
		"another host":            {[]string{"bin/" + silent, "data of q'm", "log $HOME `x`"}, 1, []string{"nothing was learned of queue manager QM1"}},
		"only qm.ini and the log": {[]string{"bin/" + silent, "bin/dspmq"}, 0, []string{"not answered: CTL QM1: dspmq -m QM1 -o status -x\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStation(t, "QM1")
			for _, path := range test.gone {
				s.must(os.RemoveAll(filepath.Join(filepath.Dir(s.bin), path)))
			}
			said, err := s.run("/bin/sh")
			code := 0
			if ended := new(exec.ExitError); errors.As(err, &ended) {
				code = ended.ExitCode()
			}
			if code != test.code {
				t.Errorf("it ended with %d: %s", code, said)
			}
			for _, want := range test.says {
				if !strings.Contains(said, want) {
					t.Errorf("%q is not said in:\n%s", want, said)
				}
			}
			if _, err := transcript.Open(s.out); err != nil {
				t.Error(err)
			}
		})
	}
}

// The script says how it is run in the words of the page on transcripts.
func TestScriptSpeaksAsThePage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "transcript.md"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := Script("multiplatforms", Options{QueueManager: "QM1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{". /opt/mqm/bin/setmqenv -m QM1", "sh qm1.sh"} {
		if !strings.Contains(string(page), "\n"+line+"\n") || !strings.Contains(script, "#     "+line) {
			t.Errorf("%q is not in both", line)
		}
	}
}
