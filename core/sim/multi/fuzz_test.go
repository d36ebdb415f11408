package multi

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// What was given to a command is among its flags and operands, whole.
func FuzzArguments(f *testing.F) {
	f.Add("-m QM1 -t all *")
	f.Add("-mQM1 -lla -lf 64 --")
	f.Add("-l -z - -t")
	f.Fuzz(func(t *testing.T, line string) {
		known := []string{"m=", "z", "l", "ll", "lla", "lf=", "t="}
		args := strings.Split(line, " ")
		given, words, err := parseArguments(args, known)
		if err != nil {
			return
		}
		n := len(words)
		for name, values := range given {
			takes := slices.Contains(known, name+"=")
			if !takes && !slices.Contains(known, name) {
				t.Errorf("flag %q", name)
			}
			for _, v := range values {
				n++
				if takes && !slices.Contains(args, "-"+name+v) {
					n++ // its value was a word of its own
				}
			}
		}
		if n > len(args) {
			t.Errorf("%q gives %v and %q", args, given, words)
		}
	})
}

func FuzzHostState(f *testing.F) {
	f.Add([]byte(`{"Format":1,"Name":"lnx1","Release":"9.4","Quiescing":["QM1"]}`))
	f.Add([]byte(`{"Format":2}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		if s, err := parseHost(content); err == nil && (s.Format != hostFormat || s.FileSystem < 0) {
			t.Errorf("%+v", s)
		}
	})
}

// A stanza that is taken out of a file takes no other with it.
func FuzzWithoutStanza(f *testing.F) {
	f.Add([]byte("QueueManager:\n Name=QM1\nQueueManager:\n Name=A\nLog:\n"))
	f.Add([]byte("QueueManager:\r\n   Name=QM1\r\n# QM1"))
	f.Fuzz(func(t *testing.T, content []byte) {
		ini := machineIni{content, mqini.Parse(content)}
		after, err := ini.without("QueueManager", "QM1")
		if err != nil {
			if !bytes.Equal(after.content, content) {
				t.Errorf("%q was changed", content)
			}
			return
		}
		var want, got []mqini.Stanza
		for _, s := range ini.file.Stanzas {
			if name, _ := s.Get("Name"); name != "QM1" || !strings.EqualFold(s.Name, "QueueManager") || len(s.All("Name")) > 1 {
				want = append(want, s)
			}
		}
		got = mqini.Parse(after.content).Stanzas
		if !slices.EqualFunc(want, got, sameStanza) {
			t.Errorf("%q: %v, wanted %v", content, got, want)
		}
	})
}

// A configuration that was moved names everything below the new folder, as often
// as it is moved, and back again it is what it was.
func TestRebase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folder := rapid.StringMatching(`(/[a-c]{1,3}){1,4}`)
		from, to := folder.Draw(t, "from"), folder.Draw(t, "to")
		content := []byte("Log:\n   LogPath=" + from + "/var/mqm/log/QM1/\n   LogType=LINEAR\n# LogPath=/somewhere\n   Other=" + from + "x/y\n")
		moved := rebase(content, from, to)
		if !bytes.Contains(moved, []byte("LogPath="+to+"/var/mqm/log/QM1/\n")) || !bytes.Contains(moved, []byte("Other="+from+"x/y")) {
			t.Errorf("%s to %s:\n%s", from, to, moved)
		}
		if again := rebase(moved, from, to); !bytes.Equal(again, moved) {
			t.Errorf("again, %s to %s:\n%s", from, to, again)
		}
		if back := rebase(moved, to, from); !bytes.Equal(back, content) && !strings.HasPrefix(from+"x", to+"/") {
			t.Errorf("back, %s to %s:\n%s", to, from, back)
		}
	})
}

// Whatever is typed, a command ends; and one that fails says why.
func FuzzRun(f *testing.F) {
	for name, c := range commands() {
		f.Add(name+" QM1", "")
		for _, flag := range c.takes {
			f.Add(name+" -"+strings.TrimSuffix(flag, "=")+" QM1 -m QM1 -t all *", "DISPLAY QMGR ALL\n")
		}
	}
	now := time.Date(2026, 3, 10, 22, 0, 0, 0, time.UTC)
	h, err := Create(Options{Disk: crashdisk.New(), Now: func() time.Time { now = now.Add(time.Millisecond); return now }, NoSync: true}, Settings{})
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range []string{"crtmqm -ll -lf 64 -q QM1", "crtmqm -lc -lf 64 QM2"} {
		if r := h.Run(f.Context(), strings.Fields(line), nil); r.Code != 0 {
			f.Fatalf("%s", r.Err)
		}
	}
	f.Fuzz(func(t *testing.T, line, stdin string) {
		if strings.Contains(line, "crtmqm") && len(h.Managers()) > 5 {
			return // each takes a megabyte of memory
		}
		r := h.Run(t.Context(), strings.Split(line, " "), []byte(stdin))
		if r.Code != 0 && len(r.Err) == 0 && len(r.Out) == 0 && !strings.Contains(line, "-z") {
			t.Errorf("%q: exit code %d and no word", line, r.Code)
		}
	})
}
