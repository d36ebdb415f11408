package mqini

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// plain shows a file on a few lines: stanzas as Name{Key=Value ...}, problems
// behind.
func plain(f File) string {
	var b strings.Builder
	for _, stanza := range f.Stanzas {
		fmt.Fprintf(&b, "%d-%d %s{", stanza.Line, stanza.End, stanza.Name)
		for i, attribute := range stanza.Attributes {
			if i > 0 {
				b.WriteString("|")
			}
			fmt.Fprintf(&b, "%s=%s", attribute.Name, attribute.Value)
		}
		b.WriteString("}\n")
	}
	for _, problem := range f.Problems {
		fmt.Fprintln(&b, problem)
	}
	return b.String()
}

// The ragged forms of case 24, and what editors and people make of a file.
func TestParse(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"case 24":         {"Log:\n   LogType          = REPLICATED\n   LogManagement    = Automatic\n", "1-4 Log{LogType=REPLICATED|LogManagement=Automatic}\n"},
		"ragged":          {"  Log:\nLogType=LINEAR\n\t LogPath =\t/var/mqm/log/QM1/  \n TCP:\n      KeepAlive = Yes\n", "1-3 Log{LogType=LINEAR|LogPath=/var/mqm/log/QM1/}\n4-6 TCP{KeepAlive=Yes}\n"},
		"line ends":       {"Log:\r\n   LogType=LINEAR\r\nTCP:\rKeepAlive=No", "1-2 Log{LogType=LINEAR}\n3-4 TCP{KeepAlive=No}\n"},
		"byte order mark": {"\ufeffLog:\n LogType=LINEAR", "1-2 Log{LogType=LINEAR}\n"},
		"UTF-16":          {"\xff\xfeL\x00o\x00g\x00:\x00\r\x00\n\x00A\x00=\x00b\x00", "1-2 Log{A=b}\n"},
		"ISO 8859-1":      {"Service:\n  Name=Pr\xfcfung\n  Module=/opt/mqm", "1-3 Service{Name=Prüfung|Module=/opt/mqm}\n"},
		"comments":        {"#* Module Name: qm.ini *#\n; old\n   # LogType=LINEAR\nLog:\n#  LogType=CIRCULAR\n   LogType=LINEAR\n", "4-7 Log{LogType=LINEAR}\n"},
		"values":          {"XAResourceManager:\n  XAOpenString=DB=a,b c;d\n  XACloseString=\n  Data=\"C:\\My Data\\x\"\n  Module='a'b'", "1-5 XAResourceManager{XAOpenString=DB=a,b c;d|XACloseString=|Data=C:\\My Data\\x|Module='a'b'}\n"},
		"repeated":        {"ApiExitCommon:\n Name=A\nApiExitCommon:\n Name=B\n", "1-2 ApiExitCommon{Name=A}\n3-5 ApiExitCommon{Name=B}\n"},
		"note":            {"Channels: 2\n   MaxChannels=20\n", "1-3 Channels{MaxChannels=20}\nline 1: text behind the name of the stanza Channels\n"},
		"twice":           {"Log:\n LogType=LINEAR\n logtype=CIRCULAR\n", "1-4 Log{LogType=LINEAR|logtype=CIRCULAR}\nline 3: logtype twice in the stanza Log, first in line 2\n"},
		"lost":            {"A=b\nLog:\n LogType LINEAR\n Log:LogType=X\n =y\n", "2-6 Log{}\nline 1: the attribute A stands before the first stanza\nline 3: neither a stanza nor an attribute\nline 4: no attribute's name stands before the =\nline 5: no attribute's name stands before the =\n"},
		"colon":           {"Log:\n LogType: LINEAR\n LogPath=/a\n", "1-1 Log{}\n2-4 LogType{LogPath=/a}\nline 2: text behind the name of the stanza LogType\n"},
		"torn":            {"Log:\n Log\x00\x00\n LogPath=/a", "1-3 Log{LogPath=/a}\nline 2: a control character\n"},
		"nothing":         {"", ""},
		"command": {"addmqinf -s QueueManager -v Name=QM.NAME -v Directory=QM!NAME -v Prefix=/var/mqm -v DataPath=/MQHA/qmgrs/QM!NAME\n",
			"1-2 QueueManager{Name=QM.NAME|Directory=QM!NAME|Prefix=/var/mqm|DataPath=/MQHA/qmgrs/QM!NAME}\n"},
		"command of Windows": {`"C:\MQ\bin\addmqinf.exe" -v Name=A` + "\n" + `C:\MQ\bin\addmqinf.exe -v Name=A -v Prefix="C:\ProgramData\IBM\MQ 9"`,
			"2-2 QueueManager{Name=A|Prefix=C:\\ProgramData\\IBM\\MQ 9}\nline 1: no attribute's name stands before the =\n"},
		"command, bad": {"addmqinf -x\naddmqinf -v 'a\naddmqinf -v Name\naddmqinf -s 'a b' -v Name=x\n",
			"3-5 QueueManager{}\nline 1: no parameter of addmqinf that is known\nline 2: a quote is not closed\nline 3: -v without an attribute and its value\nline 4: no name of a stanza behind -s\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, plain(Parse([]byte(test.text)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReading(t *testing.T) {
	f := Parse([]byte("Log:\n LogType=LINEAR\nSERVICE:\n Name=A\nService:\n Name=B\n"))
	if log, ok := f.Get("log"); !ok || log.Line != 1 {
		t.Errorf("%+v %v", log, ok)
	} else if value, ok := log.Get("LOGTYPE"); !ok || value != "LINEAR" {
		t.Errorf("%q %v", value, ok)
	} else if _, ok := log.Get("LogPath"); ok {
		t.Error("a path out of nothing")
	}
	if _, ok := f.Get("TCP"); ok || len(f.All("service")) != 2 {
		t.Errorf("%+v", f)
	}
}

// However a file is laid out, it says the same.
func TestLayouts(t *testing.T) {
	name := rapid.StringMatching(`[A-Z][A-Za-z0-9]{0,9}`)
	value := rapid.StringMatching(`([!-~äß]([ -~äß]{0,12}[!-~äß])?)?`).Filter(func(v string) bool { return v == unquoted(v) })
	rapid.Check(t, func(t *rapid.T) {
		blanks := func() string { return rapid.StringMatching(`[ \t]{0,4}`).Draw(t, "blanks") }
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		var want []Stanza
		text := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark")
		for range rapid.IntRange(0, 4).Draw(t, "stanzas") {
			stanza := Stanza{Name: name.Draw(t, "stanza")}
			text += blanks() + stanza.Name + ":" + blanks() + end
			keys := rapid.SliceOfNDistinct(name, 0, 4, strings.ToLower).Draw(t, "keys")
			for _, key := range keys {
				attribute := Attribute{Name: key, Value: value.Draw(t, "value")}
				stanza.Attributes = append(stanza.Attributes, attribute)
				text += blanks() + key + blanks() + "=" + blanks() + attribute.Value + blanks() + end
				text += rapid.SampledFrom([]string{"", "# a=b" + end, " ; B:" + end, end}).Draw(t, "between")
			}
			want = append(want, stanza)
		}
		got := Parse([]byte(text))
		for i := range got.Stanzas {
			got.Stanzas[i].Line, got.Stanzas[i].End = 0, 0
			for j := range got.Stanzas[i].Attributes {
				got.Stanzas[i].Attributes[j].Line = 0
			}
		}
		if diff := cmp.Diff(want, got.Stanzas); diff != "" || len(got.Problems) > 0 {
			t.Fatalf("%q: %v\n%s", text, got.Problems, diff)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(qmIni))
	f.Add([]byte(mqsIni))
	f.Add([]byte("addmqinf -s QueueManager -v Name=QM.NAME -v Prefix=\"C:\\a b\""))
	f.Add([]byte("\xff\xfeL\x00:\x00\n\x00\x00"))
	f.Add([]byte("Log:\n LogType=LINEAR\n LogType=x\nLog:\n LogPrimaryFiles=1\nDiagnosticMessages:\n Service=File\n Severities=E+\n ExcludeMessage=1"))
	f.Fuzz(func(t *testing.T, body []byte) {
		file := Parse(body)
		last := 0
		for _, stanza := range file.Stanzas {
			if stanza.Name == "" || stanza.Line < last || stanza.End < stanza.Line-1 {
				t.Fatalf("%+v after line %d", stanza, last)
			}
			last = stanza.Line
		}
		for _, problem := range file.Problems {
			if problem.Line < 1 || problem.Text == "" {
				t.Fatalf("%+v", problem)
			}
		}
		log := Log(file)
		if log.Type.Known() != (log.Type.Value != "") || log.Path.Known() != (log.Path.Value != "") {
			t.Fatalf("%+v", log)
		}
		for _, service := range MessageServices(file) {
			service.Hides("AMQ7467I")
			service.Files("/a", "/b")
		}
		for _, manager := range Managers(file) {
			if dir, ok := manager.DataDir(); ok != (dir != "") {
				t.Fatalf("%+v: %q, %v", manager, dir, ok)
			}
		}
	})
}
