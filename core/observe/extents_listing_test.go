package observe

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestParseListing(t *testing.T) {
	at := time.Date(2026, 5, 27, 20, 0, 0, 5e8, time.UTC)
	for _, c := range []struct {
		line string
		want listedFile
		says string // of the error; empty: none
	}{
		{"S0000001.LOG 16785408", listedFile{name: "S0000001.LOG", bytes: 16785408}, ""},
		{"S0000001.LOG 0 2026-05-27T20:00:00.5Z mqm:mqm -rw-rw----", listedFile{"S0000001.LOG", 0, at, "mqm:mqm", "-rw-rw----"}, ""},
		{"  x\t7  2026-05-27T20:00:00.5Z\r", listedFile{name: "x", bytes: 7, modified: at}, ""},
		{"x 7 - - -", listedFile{name: "x", bytes: 7}, ""},
		{`"a b" 7 - "NT AUTHORITY\\SYSTEM" drwxrws---`, listedFile{"a b", 7, time.Time{}, `NT AUTHORITY\SYSTEM`, "drwxrws---"}, ""},
		{`"a\"b" 7`, listedFile{name: `a"b`, bytes: 7}, ""},
		{"S0000001.LOG", listedFile{}, "has no size"},
		{"S0000001.LOG x", listedFile{}, "is no size"},
		{"S0000001.LOG -1", listedFile{}, "is no size"},
		{"S0000001.LOG 1 yesterday", listedFile{}, "is no time"},
		{"S0000001.LOG 1 - mqm rw", listedFile{}, "is no mode"},
		{"a b 7", listedFile{}, "is no size"},
		{"a 7 - mqm -rw-rw---- x", listedFile{}, "stands behind the mode"},
		{`"a 7`, listedFile{}, "is not closed"},
		{`"a"7`, listedFile{}, "stands behind a quote"},
		{"active/S0000001.LOG 7", listedFile{}, "is no name"},
		{`"" 7`, listedFile{}, "is no name"},
	} {
		files, err := parseListing([]byte("\n" + c.line + "\n"))
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "line 2") {
				t.Errorf("%q: %v", c.line, err)
			}
			continue
		}
		if err != nil || len(files) != 1 || files[0] != c.want {
			t.Errorf("%q: %+v, %v", c.line, files, err)
		}
	}
	if _, err := parseListing([]byte("a 1\na 2\n")); err == nil {
		t.Error("a name that stands twice")
	}
}

func TestPaths(t *testing.T) {
	for text, want := range map[string][2]string{
		"/var/mqm/log/QM1/active":     {"/var/mqm/log/QM1", "active"},
		"/active":                     {"/", "active"},
		"active":                      {".", "active"},
		`C:\MQ\log\QM1\active`:        {`C:\MQ\log\QM1`, "active"},
		`/var/mqm/log/a\b`:            {"/var/mqm/log", `a\b`},
		"/var/mqm/log/with blank/QM1": {"/var/mqm/log/with blank", "QM1"},
	} {
		if parent, name := splitPath(text); parent != want[0] || name != want[1] {
			t.Errorf("%s: %s, %s", text, parent, name)
		}
	}
	if joinPath("/a/", "b") != "/a/b" || joinPath(`C:\a`, "b") != `C:\a\b` || cleanPath("/a//b/./") != "/a/b" || cleanPath(`C:\a\`) != `C:\a` || cleanPath("") != "" {
		t.Error("paths")
	}
}

func FuzzParseListing(f *testing.F) {
	for _, body := range []string{"S0000001.LOG 16785408\n", "S0000001.LOG 0 2026-05-27T20:00:00.5Z mqm:mqm -rw-rw----\r\n", "\"a b\" 7 - \"x y\" drwxrws---\n", "a 1\na 2\n", "\"", ""} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		files, err := parseListing(body)
		if err != nil {
			if files != nil {
				t.Errorf("%q: an error and %d files", body, len(files))
			}
			return
		}
		names := map[string]bool{}
		for _, file := range files {
			if file.name == "" || file.bytes < 0 || names[file.name] || strings.Contains(file.name, "/") {
				t.Errorf("%q: %+v", body, file)
			}
			names[file.name] = true
			line := strconv.Quote(file.name) + " " + strconv.FormatInt(file.bytes, 10) + "\n"
			if again, err := parseListing([]byte(line)); err != nil || again[0].name != file.name || again[0].bytes != file.bytes {
				t.Errorf("%q: read again %+v, %v", line, again, err)
			}
		}
	})
}

func BenchmarkParseListing(b *testing.B) {
	const n = 100_000
	var text strings.Builder
	for i := range n {
		text.WriteString(ExtentName(i) + " 16785408 2026-05-27T20:00:00.123456789Z mqm:mqm -rw-rw----\n")
	}
	body := []byte(text.String())
	for b.Loop() {
		if _, err := parseListing(body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/line")
}
