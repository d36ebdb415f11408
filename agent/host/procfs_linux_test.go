package host

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestParseStat(t *testing.T) {
	const rest = " S 7 42 43 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 991 1 1 18446744073709551615"
	want := proc{pid: 42, parent: 7, group: 42, session: 43, start: 991}
	for _, name := range []string{"sleep", "a) R 1 (b", "", "\xff\n"} {
		if got, err := parseStat([]byte("42 (" + name + ")" + rest)); err != nil || got != want {
			t.Errorf("%q: %+v, %v", name, got, err)
		}
	}
	for _, line := range []string{"", "42", "42 (x)", "42 (x) S 7", "x (x)" + rest, "42 )x(" + rest, "-1 (x)" + rest} {
		if got, err := parseStat([]byte(line)); err == nil {
			t.Errorf("%q is read as %+v", line, got)
		}
	}
}

func FuzzStat(f *testing.F) {
	f.Add([]byte("42 (a) b) S 7 42 43 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 991 1"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if p, err := parseStat(line); err == nil && (p.pid <= 0 || p.parent < 0 || p.group < 0 || p.session < 0) {
			t.Errorf("%q is read as %+v", line, p)
		}
	})
}

func TestParseMark(t *testing.T) {
	m := mark{dir: "/tmp/mqhk-1", host: "7.991"}
	environ := strings.Join(m.environment(), "\x00")
	for _, test := range []struct {
		environ string
		want    mark
	}{
		{"PATH=/bin\x00" + environ + "\x00", m},
		{environ + "\x00MQHK_PLUGIN_RUN=/elsewhere\x00", m},
		{"XMQHK_PLUGIN_RUN=/x\x00A=MQHK_PLUGIN_RUN=/x\x00", mark{}},
		{"", mark{}},
	} {
		if got := parseMark([]byte(test.environ)); got != test.want {
			t.Errorf("%q: %+v", test.environ, got)
		}
	}
}

func FuzzMark(f *testing.F) {
	f.Add([]byte("PATH=/bin\x00MQHK_PLUGIN_RUN=/tmp/mqhk-1\x00MQHK_PLUGIN_HOST=1.2\x00"))
	f.Fuzz(func(t *testing.T, environ []byte) {
		m := parseMark(environ)
		if strings.Contains(m.dir+m.host, "\x00") {
			t.Errorf("%q", m)
		}
		_ = lives(m.host)
	})
}

// A name that is not one of ours is never taken for that of a dead host.
func TestLives(t *testing.T) {
	own, err := readProc(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		hostName(): true, "": true, "x": true, "1": true,
		fmt.Sprintf("%d.%d", own.pid, own.start+1): false,
		"2147483647.1": false,
	} {
		if got := lives(name); got != want {
			t.Errorf("%q lives: %t", name, got)
		}
	}
}
