package collector

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
)

// tools are the commands of POSIX that the script uses; extras are those that
// it can do without.
var (
	tools  = []string{"awk", "cat", "date", "df", "find", "id", "ls", "od", "sleep", "sort", "tr", "true", "uname", "wc"}
	extras = []string{"base64", "iconv", "perl", "stat", "timeout"}
)

// station is a laid-out host of a queue manager with stand-ins for its
// commands.
type station struct {
	t                  *testing.T
	root, bin, out     string
	manager, data, log string // log: with active
	path               string // PATH of the script
	seconds            int    // time limit of each command; 0: its own
}

const qmstatus = `5724-H72 (C) Copyright IBM Corp. 1994, 2024.
Starting MQSC for queue manager %QM%.


     1 : DISPLAY QMSTATUS ALL
AMQ8705I: Display Queue Manager Status Details.
   QMNAME(%QM%)                            STATUS(RUNNING)
   LOGTYPE(LINEAR)                         CURRLOG(S0000130.LOG)
   RECLOG(S0000112.LOG)                    MEDIALOG(S0000104.LOG)
   LOGPATH(%LOG%/)
One MQSC command read.
`

// newStation lays out a queue manager of a name, with blanks and quotes in the
// paths of its data and its log.
func newStation(t *testing.T, manager string) *station {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the script is one for Linux and AIX")
	}
	root := t.TempDir()
	s := &station{
		t: t, root: filepath.Join(root, "var mqm"), bin: filepath.Join(root, "bin"), out: filepath.Join(root, "it's out.mqt"),
		manager: manager, data: filepath.Join(root, "data of q'm"), log: filepath.Join(root, "log $HOME `x`", "active"),
	}
	s.file(filepath.Join(s.root, "mqs.ini"), "AllQueueManagers:\n   DefaultPrefix=/var/mqm\nQueueManager:\n   Name=OTHER\n   DataPath=/nowhere\n"+
		"QueueManager:\n   Name = "+manager+"  \r\n   Prefix=/var/mqm\n   Directory=X\n   DataPath="+s.data+"\n")
	s.file(filepath.Join(s.data, "qm.ini"), "Log:\n   LogType=LINEAR\n   LogPath="+filepath.Dir(s.log)+"/\n   LogManagement=Automatic\n")
	for _, name := range []string{"S0000100.LOG", "S0000130.LOG", "R0000099.LOG", "a b.txt", `say "hi"\`, "tab\there", "S0000131.LOG -> x", "käse"} {
		s.file(filepath.Join(s.log, name), strings.Repeat("x", 4096+len(name)))
	}
	s.file(filepath.Join(filepath.Dir(s.log), "amqhlctl.lfh"), "control")
	s.must(os.Chtimes(filepath.Join(s.log, "S0000100.LOG"), time.Time{}, time.Date(2026, 2, 28, 23, 59, 59, 123400000, time.UTC)))
	s.must(os.Chtimes(filepath.Join(s.log, "R0000099.LOG"), time.Time{}, time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)))
	s.says("DISPLAY QMSTATUS ALL", qmstatus, 0)
	s.says("DISPLAY QMGR QMID", "AMQ8408I: Display Queue Manager details.\n   QMNAME(%QM%)   QMID(%QM%_2026-01-01_10.00.00)\n", 0)
	s.says("DISPLAY CONN(*) ALL", "AMQ8276I: Display Connection details.\n   CONN(6F4A1568220E0021)\n   CONNAME(10.0.0.1)\n", 0)
	s.says("DISPLAY QSTATUS(*) TYPE(QUEUE) ALL", "AMQ8147E: IBM MQ object * not found.\n", 10)
	s.says("DISPLAY QLOCAL(*) MAXMSGL IMGRCOVQ USAGE", "AMQ8405I: Syntax error detected at or near end of command segment below:-\n", 10)
	s.command("runmqsc", `[ "$1" = '`+manager+`' ] || exit 20
read -r asked
[ -f "`+s.answers()+`/$asked" ] || exit 20
cat "`+s.answers()+`/$asked"
exit "$(cat "`+s.answers()+`/$asked.status")"
`)
	s.command("dspmq", "echo 'QMNAME("+manager+")  STATUS(Running)'\n")
	s.command("dspmqinf", "echo 'AMQ7272E: no'; exit 72\n")
	s.path = s.tools(extras...)
	return s
}

func (s *station) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *station) file(path, content string) {
	s.t.Helper()
	s.must(os.MkdirAll(filepath.Dir(path), 0o750))
	s.must(os.WriteFile(path, []byte(content), 0o640))
}

// command makes a stand-in.
func (s *station) command(name, script string) {
	s.t.Helper()
	s.file(filepath.Join(s.bin, name), "#!/bin/sh\n"+script)
	s.must(os.Chmod(filepath.Join(s.bin, name), 0o750))
}

func (s *station) answers() string { return filepath.Join(filepath.Dir(s.bin), "answers") }

// says lays down what runmqsc prints for a command, and how it ends.
func (s *station) says(command, text string, status int) {
	s.t.Helper()
	text = strings.NewReplacer("%QM%", s.manager, "%LOG%", s.log).Replace(text)
	s.file(filepath.Join(s.answers(), command), text)
	s.file(filepath.Join(s.answers(), command+".status"), strconv.Itoa(status))
}

// tools gives a PATH with the stand-ins, what POSIX has, and these.
func (s *station) tools(extra ...string) string {
	s.t.Helper()
	dir, err := os.MkdirTemp(filepath.Dir(s.bin), "tools")
	s.must(err)
	for _, name := range append(append([]string{}, tools...), extra...) {
		found, err := exec.LookPath(name)
		if err != nil {
			s.t.Skipf("no %s here", name)
		}
		s.must(os.Symlink(found, filepath.Join(dir, name)))
	}
	return s.bin + string(os.PathListSeparator) + dir
}

// shells are those of this machine that the script has to run in.
func shells(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, words := range [][]string{{"sh"}, {"dash"}, {"bash"}, {"bash", "--posix"}, {"ksh"}, {"ksh93"}, {"mksh"}, {"busybox", "sh"}} {
		if path, err := exec.LookPath(words[0]); err == nil {
			found[strings.Join(words, " ")] = append([]string{path}, words[1:]...)
		}
	}
	return found
}

// run runs the script in a shell and gives what it said beside the transcript.
func (s *station) run(shell ...string) (string, error) {
	s.t.Helper()
	script, err := Script(observe.Multiplatforms, Options{QueueManager: s.manager, Output: s.out, DataRoot: s.root})
	s.must(err)
	file := filepath.Join(filepath.Dir(s.bin), "script.sh")
	s.file(file, script)
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute) // against a script that hangs
	defer cancel()
	cmd := exec.CommandContext(ctx, shell[0], append(shell[1:], file)...)
	cmd.Env = []string{"PATH=" + s.path, "HOME=/nonexistent", "LANG=de_DE.UTF-8", "TZ=Europe/Berlin"}
	if s.seconds > 0 {
		cmd.Env = append(cmd.Env, "MQHK_SECONDS="+strconv.Itoa(s.seconds))
	}
	cmd.Dir = filepath.Dir(s.bin)
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// collected runs the script and reads what it wrote.
func (s *station) collected(shell ...string) *transcript.Player {
	s.t.Helper()
	said, err := s.run(shell...)
	if err != nil {
		s.t.Fatalf("%v: %s", err, said)
	}
	got, err := transcript.Open(s.out)
	s.must(err)
	targets := got.Targets()
	if len(targets) != 1 || targets[0].Name != s.manager || targets[0].Platform != observe.Multiplatforms || len(got.Warnings()) > 0 {
		s.t.Fatalf("targets %+v, warnings %q", targets, got.Warnings())
	}
	return got.Player()
}

// ask gives the answer to a question, or what came back of one that failed.
func (s *station) ask(p *transcript.Player, language observe.Language, text string) (string, error) {
	s.t.Helper()
	answer, err := p.Ask(s.t.Context(), observe.Question{Language: language, QueueManager: s.manager, Text: text})
	var failed *observe.Failed
	if errors.As(err, &failed) {
		return string(failed.Body), err
	}
	if err == nil && answer.At.IsZero() {
		s.t.Errorf("%s %s: nobody knows when", language, text)
	}
	return string(answer.Body), err
}

// listed gives what LOGDIR has to say of a directory: by name, the rest of the
// line.
func (s *station) listed(dir string) map[string]string {
	s.t.Helper()
	want := map[string]string{}
	entries, err := os.ReadDir(dir)
	s.must(err)
	for _, entry := range entries {
		info, err := entry.Info()
		s.must(err)
		mode := info.Mode().String()
		want[entry.Name()] = strconv.FormatInt(info.Size(), 10) + " " + info.ModTime().UTC().Format(time.RFC3339Nano) + " " + owner(s.t, info) + " " + mode
	}
	return want
}

// owner gives user:group of a file as the system names them.
func owner(t *testing.T, info fs.FileInfo) string {
	t.Helper()
	user, group := ids(info)
	name := func(database, id string) string {
		out, err := exec.Command("getent", database, id).Output()
		if err != nil {
			return id
		}
		name, _, _ := strings.Cut(string(out), ":")
		return name
	}
	return name("passwd", user) + ":" + name("group", group)
}

// lines reads a LOGDIR answer.
func lines(t *testing.T, body string) map[string]string {
	t.Helper()
	got := map[string]string{}
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		name, rest, _ := strings.Cut(line, " ")
		if quoted, err := strconv.QuotedPrefix(line); err == nil {
			rest = strings.TrimPrefix(line[len(quoted):], " ")
			if name, err = strconv.Unquote(quoted); err != nil {
				t.Fatal(err)
			}
		}
		got[name] = rest
	}
	return got
}
