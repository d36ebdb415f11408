package transcript

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// embeddings put a secret into free text; %s is the secret.
var embeddings = []string{
	"%s", "(%s)", "[%s]", "'%s'", "`%s`", "<%s>", "{%s}", "%s,", "%s.", "%s:", "%s!", "*%s*", "#%s", "%s's", "-%s-", "\u201e%s\u201c",
	"%s-prod", "prod-%s", "%s_prod", "prod_%s", "mq1.%s.de", "%s.de", "operator@%s.de", "%s@example.org", "tcp://db.%s.de:1414",
	"https://%s:8443/a?user=%s&x=1", "jdbc:db2://h/%s", "ldap://[2001:db8::77]/%s", "/home/%s/x", `C:\Users\%s`, `\\%s\share`, "%s/AMQAJRN",
	"/QSYS.LIB/%s.LIB", "AMQA000037%s", "AMQA000037%s  20260520090014327", "S0000001.LOG/%s", "%s:1414", "KEY=%s", "X(%s)", "%s(RUNNING)",
	"%s\t%s", "%s%%", "$%s", "~%s", "SYSTEM.%s.X", "*%s", "AMQ9999:%s", "1%s", "%s|%s", "%s;%s", "from %s until 2026-05-28 02.00.00",
}

// insides put one inside a longer word, where only longer names are found.
var insides = []string{"x%s", "%s2", "x%sy", "X%sX9", "AMQ%s", "%sAPP", "db7%s.acme", "%s%s", "\u00fc%s\u00fc"}

// secrets are drawn names of one site.
type secrets struct{ manager, library, user, host, application, queue, short string }

func (s secrets) list() []string {
	return []string{s.manager, s.library, s.user, s.host, s.application, s.queue, s.short}
}

func drawSecrets(t *rapid.T) secrets {
	word := func(name string) string { return rapid.StringMatching(`[A-Z][A-Z0-9]{5,7}`).Draw(t, name) }
	s := secrets{
		manager: word("manager"), library: word("library"), user: word("user"), application: word("application"),
		host: word("host") + ".x1." + word("domain"), queue: word("queue") + "." + word("kind"),
		short: rapid.StringMatching(`[B-WZ][0-9][A-Z][B-WZ]`).Draw(t, "short"),
	}
	for _, name := range s.list() {
		if strings.Trim(name, "X.") == "" || vocabulary[name] || harmless.MatchString(name) || newLexicon(nil).stays(name) || pieceLength([]rune("AMQ"+name)) > 0 {
			t.Skip("a name of the product, a message's, or one that makes one with AMQ before it")
		}
	}
	return s
}

// anyCase writes a secret with letters of any case.
func anyCase(t *rapid.T, secret string) string {
	capitals := rapid.Uint64().Draw(t, "case")
	return strings.Map(func(r rune) rune {
		capitals = capitals>>1 | capitals<<63
		if capitals&1 == 0 {
			return unicode.ToLower(r)
		}
		return r
	}, secret)
}

// drawText makes free text with secrets in it.
func drawText(t *rapid.T, s secrets) string {
	var out []string
	for range rapid.IntRange(1, 4).Draw(t, "words") {
		secret := rapid.SampledFrom(s.list()).Draw(t, "secret")
		forms := embeddings
		if len(secret) >= insideLength {
			forms = append(append([]string{}, forms...), insides...)
		}
		form := rapid.SampledFrom(forms).Draw(t, "form")
		filled := strings.ReplaceAll(form, "%s", "\x00")
		for strings.Contains(filled, "\x00") {
			filled = strings.Replace(filled, "\x00", anyCase(t, secret), 1)
		}
		out = append(out, filled)
	}
	return strings.Join(out, rapid.SampledFrom([]string{" ", ", ", " in "}).Draw(t, "between"))
}

// csvRow writes cells as one line.
func csvRow(cells ...string) string {
	var out strings.Builder
	w := csv.NewWriter(&out)
	_ = w.Write(cells)
	w.Flush()
	return out.String()
}

// leaky writes a transcript that names every secret once where it is known to
// be a name, and has free text everywhere else.
func leaky(t *rapid.T, s secrets) string {
	text := func() string { return drawText(t, s) }
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line(">>> QMGR %s ibmi", s.manager)
	line(">>> SQL %s: QSYS2.JOURNAL_INFO JOURNAL_LIBRARY='%s'", s.manager, s.library)
	out.WriteString("JOURNAL_NAME,JOURNAL_LIBRARY,JOURNAL_TEXT,OWNER,SITE\n" + csvRow("AMQAJRN", s.library, text(), s.short, text()))
	line(">>> SQL %s: QSYS2.MESSAGE_QUEUE_INFO", s.manager)
	out.WriteString("MESSAGE_ID,MESSAGE_TEXT,MESSAGE_TOKENS,FROM_USER,FROM_JOB,FROM_PROGRAM,MESSAGE_KEY,STATUS,SIZE\n" +
		csvRow("AMQ7460", text(), text(), s.user, "123456/"+s.user+"/"+s.application, s.application, text(), text(), text()))
	line(">>> MQSC %s: DISPLAY CONN(*) ALL", s.manager)
	line("%s\nAMQ8276I: Display Connection details.", text())
	line("   CONN(6F4A1568220E0021) CONNAME(%s(1414)) APPLTAG(%s) DESCR('%s')", anyCase(t, s.host), s.application, strings.ReplaceAll(text(), "'", "."))
	line("   STATUS(%s) QUEUE(%s) TYPE(%s) PROGRAM(%s)", anyCase(t, s.queue), s.queue, anyCase(t, s.short), anyCase(t, s.user))
	line(">>> MQSC %s: DISPLAY QSTATUS('%s') WHERE(APPLTAG EQ %s)\n%s", s.manager, s.queue, anyCase(t, s.application), text())
	line(">>> FILE %s: /QIBM/UserData/mqm/%s/mqs.ini\n# %s\nSite=%s\nQueueManager:\n   Name=%s\n%s=1\n%s",
		s.manager, anyCase(t, s.manager), text(), text(), s.manager, anyCase(t, s.manager), text())
	line(`>>> FILE %s: AMQERR01.json%s{"host":"%s","message":"%s","%s":"x"}`, s.manager, "\n", s.host, strings.ReplaceAll(text(), `\`, "/"), s.manager)
	line(">>> ERROR CL %s: DSPOBJD OBJ(%s/%s)\n%s", s.manager, s.library, anyCase(t, s.application), text())
	line(">>> SYSLOG %s\n%s", s.manager, text())
	line(">>> LOGDIR %s: /var/%s/active\nS0000100.LOG 16785408 2026-05-28T02:00:00Z %s 0660", s.manager, s.user, s.user)
	line(">>> USRSPC %s: %s/AMQJRNINF BASE64\n%s", s.manager, s.library,
		strings.TrimSpace(string(encode(toBytesEBCDIC(fmt.Sprintf("AMQA000037%-10.10s20260520090014327", s.library))))))
	line(">>> FILE %s: /etc/x BASE64\n%s", s.manager, strings.TrimSpace(string(encode([]byte(text()+"\n"+text())))))
	line(">>> HOLD %s: holds", s.manager)
	out.WriteString("ID,SINCE,UNTIL,LIBRARY,SEGMENT,REASON\n" + csvRow(text(), "", "", s.library, s.library+"/AMQA000037", text()) + csvRow(s.user, "", "", "", text(), text()))
	line(">>> NOTE %s: notes", s.manager)
	out.WriteString("ID,AT,KIND,LIBRARY,SEGMENT,POSITION,TEXT\n" + csvRow(s.user+"-17", "", text(), s.library, anyCase(t, s.short), text(), text()))
	line(">>> STORE %s: manifests", s.manager)
	out.WriteString("STORE,QUEUE_MANAGER,SHA256\n" + csvRow(s.application, s.manager, text()))
	return out.String()
}

// TestAnonymiseLeaksNothing: of names that are known none is left anywhere,
// in no case of letters, whatever stands around it; short ones not as a word
// or a part between signs.
func TestAnonymiseLeaksNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSecrets(t)
		text := leaky(t, s)
		transcript, err := read(strings.ReplaceAll(text, "\n\\", "\n\\\\"), nil) // body lines that begin with a backslash
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		got, err := Anonymise(transcript, []byte("a key for tests"))
		if err != nil {
			t.Fatalf("%v of\n%s", err, text)
		}
		all := strings.ToUpper(everything(t, got))
		for _, secret := range s.list() {
			pattern := regexp.QuoteMeta(secret)
			if len(secret) < insideLength {
				pattern = `(^|[^\pL\pN])` + pattern + `($|[^\pL\pN])`
			}
			if at := regexp.MustCompile(pattern).FindStringIndex(all); at != nil {
				t.Fatalf("%s is left: ...%s...\nof\n%s", secret, all[max(0, at[0]-60):min(len(all), at[1]+60)], text)
			}
		}
	})
}

// everything gives the written text, and every body as it is once BASE64 and
// EBCDIC are read.
func everything(t interface{ Fatal(...any) }, transcript *Transcript) string {
	var out strings.Builder
	out.WriteString(written(t, transcript))
	for _, e := range transcript.entries {
		if b, ok := e.(*block); ok {
			out.Write(b.body)
			for _, c := range b.body {
				out.WriteByte(max(fromEBCDIC(c), ' '))
			}
		}
	}
	return out.String()
}
