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
		want ListedFile
		says string // of the error; empty: none
	}{
		{"S0000001.LOG 16785408", ListedFile{Name: "S0000001.LOG", Bytes: 16785408}, ""},
		{"S0000001.LOG 0 2026-05-27T20:00:00.5Z mqm:mqm -rw-rw----", ListedFile{"S0000001.LOG", 0, at, "mqm:mqm", "-rw-rw----"}, ""},
		{"  x\t7  2026-05-27T20:00:00.5Z\r", ListedFile{Name: "x", Bytes: 7, Modified: at}, ""},
		{"x 7 - - -", ListedFile{Name: "x", Bytes: 7}, ""},
		{`"a b" 7 - "NT AUTHORITY\\SYSTEM" drwxrws---`, ListedFile{"a b", 7, time.Time{}, `NT AUTHORITY\SYSTEM`, "drwxrws---"}, ""},
		{`"a\"b" 7`, ListedFile{Name: `a"b`, Bytes: 7}, ""},
		{"S0000001.LOG", ListedFile{}, "has no size"},
		{"S0000001.LOG x", ListedFile{}, "is no size"},
		{"S0000001.LOG -1", ListedFile{}, "is no size"},
		{"S0000001.LOG 1 yesterday", ListedFile{}, "is no time"},
		{"S0000001.LOG 1 - mqm rw", ListedFile{}, "is no mode"},
		{"a b 7", ListedFile{}, "is no size"},
		{"a 7 - mqm -rw-rw---- x", ListedFile{}, "stands behind the mode"},
		{`"a 7`, ListedFile{}, "is not closed"},
		{`"a"7`, ListedFile{}, "stands behind a quote"},
		{"active/S0000001.LOG 7", ListedFile{}, "is no name"},
		{`"" 7`, ListedFile{}, "is no name"},
	} {
		files, err := ParseListing([]byte("\n" + c.line + "\n"))
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
	if _, err := ParseListing([]byte("a 1\na 2\n")); err == nil {
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
		files, err := ParseListing(body)
		if err != nil {
			if files != nil {
				t.Errorf("%q: an error and %d files", body, len(files))
			}
			return
		}
		names := map[string]bool{}
		for _, file := range files {
			if file.Name == "" || file.Bytes < 0 || names[file.Name] || strings.Contains(file.Name, "/") {
				t.Errorf("%q: %+v", body, file)
			}
			names[file.Name] = true
			line := strconv.Quote(file.Name) + " " + strconv.FormatInt(file.Bytes, 10) + "\n"
			if again, err := ParseListing([]byte(line)); err != nil || again[0].Name != file.Name || again[0].Bytes != file.Bytes {
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
		if _, err := ParseListing(body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/line")
}
