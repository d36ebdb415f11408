package collector

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
)

// In every shell the answers are those of the tree and of the commands, and
// nothing but the output file has changed.
func TestCollectedOnHost(t *testing.T) {
	for name, shell := range shells(t) {
		t.Run(name, func(t *testing.T) {
			s := newStation(t, "PAY.%1_a")
			before := s.tree()
			p := s.collected(shell...)
			if diff := cmp.Diff(before, s.tree()); diff != "" {
				t.Errorf("it changed\n%s", diff)
			}
			for _, dir := range []string{s.log, filepath.Dir(s.log)} {
				body, err := s.ask(p, observe.LogDir, dir)
				if diff := cmp.Diff(s.listed(dir), lines(t, body)); diff != "" || err != nil {
					t.Errorf("%v\n%s", err, diff)
				}
			}
			for range 2 {
				if body, err := s.ask(p, observe.MQSC, "DISPLAY QMSTATUS ALL"); err != nil || !strings.Contains(body, "LOGPATH("+s.log+"/)") {
					t.Errorf("%v\n%s", err, body)
				}
			}
			for name, path := range map[string]string{"/var/mqm/mqs.ini": filepath.Join(s.root, "mqs.ini"), filepath.Join(s.data, "qm.ini"): filepath.Join(s.data, "qm.ini")} {
				want, err := os.ReadFile(path)
				s.must(err)
				if body, err := s.ask(p, observe.File, name); err != nil || body != strings.ReplaceAll(string(want), "\r", "") {
					t.Errorf("%v: %q", err, body)
				}
			}
			s.others(p)
			s.facts(p)
		})
	}
}

// facts holds what a plan learns from the transcript against the tree.
func (s *station) facts(p *transcript.Player) {
	s.t.Helper()
	got, err := observe.ReadExtents(s.t.Context(), p, observe.Target{Name: s.manager, Platform: observe.Multiplatforms})
	s.must(err)
	l := got.Log
	if l.Directory != s.log || l.Type != observe.Linear || l.Management != observe.Automatic || l.Current != "S0000130.LOG" || l.Restart != "S0000112.LOG" || l.Media != "S0000104.LOG" || l.Size == 0 || l.Owner == "" {
		s.t.Errorf("the log is %+v", l)
	}
	name := func(all []observe.Extent) (names []string) {
		for _, e := range all {
			names = append(names, e.Name)
		}
		return names
	}
	if diff := cmp.Diff([][]string{{"S0000100.LOG", "S0000130.LOG"}, {"R0000099.LOG"}, {"S0000131.LOG -> x", "a b.txt", "käse", `say "hi"\`, "tab\there"}},
		[][]string{name(got.Extents), name(got.Reuse), name(got.Foreign)}); diff != "" {
		s.t.Error(diff)
	}
	for _, open := range got.Inventory.Open {
		if open.Code == finding.NotAnswered || open.Code == finding.FactsUnreadable || open.Code == finding.NotChecked || open.Code == finding.DirectoryNotProven {
			s.t.Errorf("%s %s", open.Code, open.Text)
		}
	}
}

// others asks the rest of the questions.
func (s *station) others(p *transcript.Player) {
	s.t.Helper()
	for _, want := range []struct {
		language   observe.Language
		text, says string
		fails      bool
	}{
		{observe.CTL, "dspmq -m " + s.manager + " -o status -x", "STATUS(Running)", false},
		{observe.CTL, "dspmqinf " + s.manager, "AMQ7272E: no", true},
		{observe.CTL, "id", "uid=", false},
		{observe.MQSC, "DISPLAY QMGR QMID", "QMID(" + s.manager, false},
		{observe.MQSC, "DISPLAY CONN(*) ALL", "CONN(6F4A1568220E0021)", false},
		{observe.MQSC, "DISPLAY QSTATUS(*) TYPE(QUEUE) ALL", "AMQ8147E", false},
		{observe.MQSC, "DISPLAY QLOCAL(*) MAXMSGL IMGRCOVQ USAGE", "AMQ8405I", true},
		{observe.Space, s.log, "free ", false},
	} {
		body, err := s.ask(p, want.language, want.text)
		if !strings.Contains(body, want.says) || (err != nil) != want.fails {
			s.t.Errorf("%s %s: %v, %q", want.language, want.text, err, body)
		}
	}
	if _, err := s.ask(p, observe.File, filepath.Join(s.data, "errors/AMQERR01.LOG")); !errors.As(err, new(*observe.NotAnswered)) {
		s.t.Errorf("the error log was read although the points were told: %v", err)
	}
}

// tree gives what there is below the station but the output file.
func (s *station) tree() map[string]string {
	s.t.Helper()
	found := map[string]string{}
	for _, dir := range []string{s.root, s.data, filepath.Dir(s.log)} {
		s.must(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			s.must(err)
			content, err := os.ReadFile(path)
			found[path] = info.ModTime().String() + info.Mode().String() + string(content)
			return err
		}))
	}
	return found
}

// Without stat perl lists the directory, without both ls gives the sizes;
// without timeout, iconv and base64 the answers are the same.
func TestCollectedWithLessTools(t *testing.T) {
	for name, extra := range map[string][]string{"perl": {"perl"}, "nothing": {}, "no iconv": {"stat", "timeout", "base64"}} {
		for shellName, shell := range shells(t) {
			t.Run(name+" in "+shellName, func(t *testing.T) {
				t.Parallel()
				s := newStation(t, "QM1")
				s.path = s.tools(extra...)
				p := s.collected(shell...)
				body, err := s.ask(p, observe.LogDir, s.log)
				s.must(err)
				want, got := s.listed(s.log), lines(t, body)
				for file, rest := range want {
					fields := strings.Fields(rest)
					switch name {
					case "perl": // gives whole seconds
						fields[1] = fields[1][:len("2006-01-02T15:04:05")] + "Z"
					case "nothing":
						fields[1] = "-"
					}
					want[file] = strings.Join(fields, " ")
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				s.others(p)
			})
		}
	}
}

// bodies are contents of files that a transcript has to hold.
var bodies = map[string]string{
	"empty": "", "no line end": "Log:", "headers": ">>> QMGR X ibmi\n>>>\n >>> no\n\\>>>\n\\\\\n\\", "UTF-8": "Schlüssel=größer\n",
	"Latin-1": "Schl\xfcssel\n", "NUL": "a\x00b\n", "one": "\xff", "two": "\xff\xfe", "three": "\xff\xfe\xfd", "four": "\x01\x02\x03\xf4",
	"long": strings.Repeat("\xfc0123456789", 40), "END": "END\nEND2\n$QM `x` $(x) %s \\n\n", "control": "\x1b[31mred\n", "cut": "gro\xc3",
}

// Where the points are not told the error log is read, byte for byte, whatever
// it holds.
func TestCollectedErrorLog(t *testing.T) {
	for name, extra := range map[string][]string{"all": extras, "nothing": nil} {
		t.Run(name, func(t *testing.T) {
			names := []string{"AMQERR01.LOG", "AMQERR02.LOG", "AMQERR03.LOG", "AMQERR01.json", "AMQERR02.json", "AMQERR03.json"}
			for cases := range slices.Chunk(slices.Sorted(maps.Keys(bodies)), len(names)) {
				s := newStation(t, "QM1")
				s.path = s.tools(extra...)
				s.says("DISPLAY QMSTATUS ALL", strings.Replace(qmstatus, "MEDIALOG(S0000104.LOG)", "MEDIALOG( )", 1), 0)
				for i, name := range cases {
					s.file(filepath.Join(s.data, "errors", names[i]), bodies[name])
				}
				p := s.collected("/bin/sh")
				for i, name := range names {
					got, err := s.ask(p, observe.File, filepath.Join(s.data, "errors", name))
					switch {
					case i >= len(cases):
						if err == nil {
							t.Errorf("%s is not there and is %q", name, got)
						}
					case err != nil, got != bodies[cases[i]] && got != bodies[cases[i]]+"\n":
						t.Errorf("%s: %v, %q, want %q", cases[i], err, got, bodies[cases[i]])
					}
				}
			}
		})
	}
}

// What a command prints in another language or character set is kept as it
// came; one that hangs is ended, with what it had said.
func TestCollectedAnswers(t *testing.T) {
	for name, extra := range map[string][]string{"timeout": extras, "no timeout": {"stat"}} {
		for shellName, shell := range shells(t) {
			t.Run(name+" in "+shellName, func(t *testing.T) {
				t.Parallel()
				s := newStation(t, "QM1")
				s.path, s.seconds = s.tools(extra...), 1
				german := "AMQ8147E: IBM MQ-Objekt * nicht gefunden: \xfc\n>>> QMGR X ibmi\n"
				s.says("DISPLAY QSTATUS(*) TYPE(QUEUE) ALL", german, 10)
				s.command("dspmq", "echo 'QMNAME(QM1) STATUS(Aktiv)'\nexec sleep 300\n")
				started := time.Now()
				p := s.collected(shell...)
				if took := time.Since(started); took > 30*time.Second {
					t.Errorf("it took %s", took)
				}
				if got, err := s.ask(p, observe.MQSC, "DISPLAY QSTATUS(*) TYPE(QUEUE) ALL"); err != nil || got != german {
					t.Errorf("%v, %q", err, got)
				}
				got, err := s.ask(p, observe.CTL, "dspmq -m QM1 -o status -x")
				if !errors.As(err, new(*observe.Failed)) || !strings.HasPrefix(got, "mqhk collector: no answer within 1 seconds\nQMNAME(QM1) STATUS(Aktiv)\n") {
					t.Errorf("%v, %q", err, got)
				}
				if _, err := s.ask(p, observe.LogDir, s.log); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// A queue manager that does not answer: the log is found by qm.ini, and each
// question says why it failed.
func TestCollectedWithoutAnswers(t *testing.T) {
	s := newStation(t, "QM1")
	s.must(os.Remove(filepath.Join(s.bin, "runmqsc")))
	s.must(os.Chmod(filepath.Join(s.data, "qm.ini"), 0o640))
	p := s.collected("/bin/sh")
	for _, text := range []string{"DISPLAY QMSTATUS ALL", "DISPLAY QMSTATUS LOG"} {
		if got, err := s.ask(p, observe.MQSC, text); err == nil || !strings.HasPrefix(got, "mqhk collector: no such command\n") {
			t.Errorf("%v, %q", err, got)
		}
	}
	if body, err := s.ask(p, observe.LogDir, s.log); err != nil || len(lines(t, body)) != 8 {
		t.Errorf("%v, %s", err, body)
	}
	// Then mqs.ini is not there, dspmqinf tells.
	s.must(os.Remove(s.out))
	s.must(os.Remove(filepath.Join(s.root, "mqs.ini")))
	s.command("dspmqinf", "printf 'QueueManager:\\n   Name=QM1\\n   Directory=QM1\\n   Prefix=/var/mqm\\n   DataPath=%s\\n' \""+s.data+"\"\n")
	p = s.collected("/bin/sh")
	if got, err := s.ask(p, observe.File, filepath.Join(s.data, "qm.ini")); err != nil {
		t.Errorf("%v, %s", err, got)
	}
}

// A name with a line end in it could be read as another file's line.
func TestCollectedNameWithLineEnd(t *testing.T) {
	s := newStation(t, "QM1")
	s.file(filepath.Join(s.log, "x\n1/2/3/4/5/6/S0000001.LOG"), "")
	s.file(filepath.Join(s.log, "x\nS0000001.LOG 1"), "")
	p := s.collected("/bin/sh")
	if got, err := s.ask(p, observe.LogDir, s.log); err == nil || !strings.Contains(got, "line end") {
		t.Errorf("%v, %q", err, got)
	}
}

// The output is never written over, and a link is not followed.
func TestCollectedOutputIsNew(t *testing.T) {
	for name, shell := range shells(t) {
		s := newStation(t, "QM1")
		s.file(s.out, "mine")
		if said, err := s.run(shell...); err == nil {
			t.Errorf("%s: %s", name, said)
		}
		if got, err := os.ReadFile(s.out); err != nil || !bytes.Equal(got, []byte("mine")) {
			t.Errorf("%s: %v, %q", name, err, got)
		}
		s.must(os.Remove(s.out))
		elsewhere := filepath.Join(s.root, "elsewhere")
		s.must(os.Symlink(elsewhere, s.out))
		if said, err := s.run(shell...); err == nil {
			t.Errorf("%s followed a link: %s", name, said)
		}
		if _, err := os.Lstat(elsewhere); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is kept for root is neither used nor free, so that a file system is as
// full as df says: 52 per cent here, and not 82.
func TestCollectedRoom(t *testing.T) {
	for name, line := range map[string]string{
		"room that is kept for root": "/dev/vda 264212084 49372500 46128764 52% /",
		"a name with a blank":        "//nas/the disk 264212084 49372500 46128764 52% /mnt/the log",
	} {
		t.Run(name, func(t *testing.T) {
			s := newStation(t, "QM1")
			s.command("df", "printf '%s\\n' 'Filesystem 1024-blocks Used Available Capacity Mounted on' '"+line+"'\n")
			body, err := s.ask(s.collected("sh"), observe.Space, s.log)
			if want := "size 97793294336\nfree 47235854336\n"; err != nil || body != want {
				t.Errorf("%v: %q, want %q", err, body, want)
			}
		})
	}
}
