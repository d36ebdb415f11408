package observe

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// glue is what may stand between two commands of a language.
type glue struct {
	first  []string // displays and changes that are accepted
	second []string // commands that nobody shall get in behind them
	breaks []string // by which some system or other begins a new command, or goes on behind its back
	noise  []string // by which none does: blanks, comments, and the signs that continue a line
}

// ends are characters that some program takes for the end of a line, or of the
// text.
var ends = []string{"\n", "\r\n", "\r", "\n\n", "\v", "\f", "\x00", "\x1a", "\x1b", "\x85", "\u0085", "\u2028", "\u2029"}

func glues() map[Language]glue {
	return map[Language]glue{
		MQSC: {
			first:  []string{"DISPLAY QMSTATUS ALL", "dis q(*) where(curdepth gt 0)", "BACKUP CFSTRUCT(A)", "alt ql(A) descr('x')", "DISPLAY QUEUE('; a''b')", "* note\nDIS QMGR"},
			second: []string{"SET LOG ARCHIVED(S0000001.LOG)", "RECOVER CFSTRUCT(A)", "ALTER QMGR", "dis qmgr", "END"},
			breaks: append([]string{";", " ; ", ";;", "\n* note\n", "+\n\n", "-\n\n", "+\n* note\n"}, ends...),
			noise:  []string{"", " ", "\t", " +\n", " + \n  ", " -\n ", "+\r\n "},
		},
		CL: {
			first:  []string{"DSPLIB LIB(A)", "wrkjrna jrn(a/b) output(*print)", "CHGJRN JRN(A/B) JRNRCV(*GEN)", "/* note */ QSYS/DSPOBJD OBJ(A/*ALL) OBJTYPE(*LIB)", "DSPLIB LIB('; a')"},
			second: []string{"DLTJRNRCV JRNRCV(A/B)", "CALL PGM(X)", "ENDMQM MQMNAME(A)", "DSPLIB LIB(B)", "L: CHGJRN JRN(A/B)"},
			breaks: append([]string{";", " ; ", "\n/* note */\n", " /* note */\n", "+\n\n", "-\n\n", " && ", " | "}, ends...),
			noise:  []string{"", " ", "\t", " /* note */ ", " +\n", " -\n ", " + /* note */\n", "+\r\n "},
		},
		CTL: {
			first:  []string{"dspmq -m QM1", "rcdmqimg -m QM1 -t all '*'", `id "mqm"`},
			second: []string{"rm -f x", "rcrmqobj -m QM1", "dspmq", "sh"},
			breaks: append([]string{";", "&", "&&", "|", "||", "`", "$(", "\\\n", ">", ">>", "<", "<<", "(", "{", "!", "#", "^&", "%0A;"}, ends...),
			noise:  []string{"", " ", "\t", "''", `""`},
		},
		IDCAMS: {
			first:  []string{"LISTCAT ALL", "listc ent('A.B') all", " LISTCAT LVL(A) -\n NAME"},
			second: []string{"DELETE (A)", "DEL(A) PURGE", "REPRO INFILE(A) OUTFILE(B)", "LISTCAT ALL"},
			breaks: append([]string{";", " ; ", "\n /* note */\n"}, ends...),
			noise:  []string{"", " ", " /* note */ ", " -\n ", " +\n "},
		},
		MVS: {
			first:  []string{"D T", "DISPLAY XCF,STRUCTURE", "D GRS,RES=(A,*)"},
			second: []string{"R 12,Y", "SETXCF FORCE,STRUCTURE,STRNAME=A", "D T"},
			breaks: append([]string{";", " ; "}, ends...),
			noise:  []string{"", " "},
		},
	}
}

// Whatever stands between two commands, other than what continues the first: no
// reader passes the text as a display or a change.
func TestNoSecondCommand(t *testing.T) {
	for language, g := range glues() {
		t.Run(string(language), func(t *testing.T) {
			for _, text := range g.first {
				if class, _, err := Classify(language, text); class != Display && class != Change {
					t.Errorf("%q alone is %s: %v", text, class, err)
				}
			}
			rapid.Check(t, func(t *rapid.T) {
				noise := func(label string) string {
					return strings.Join(rapid.SliceOfN(rapid.SampledFrom(g.noise), 0, 3).Draw(t, label), "")
				}
				text := rapid.SampledFrom(g.first).Draw(t, "first") + noise("before") +
					rapid.SampledFrom(g.breaks).Draw(t, "break") + noise("behind") + rapid.SampledFrom(g.second).Draw(t, "second") +
					rapid.SampledFrom([]string{"", "\n", ";", " "}).Draw(t, "end")
				if class, verb, _ := Classify(language, text); class == Display || class == Change {
					t.Fatalf("%q is a %s of %s", text, class, verb)
				}
			})
		})
	}
}

// passes tells what is wrong with a text that was passed as a display or a change,
// as far as can be told without reading it as its language; empty: nothing.
func passes(language Language, text string) string {
	for i, c := range text {
		after := text[i+len(string(c)):]
		switch {
		case c == '\n' && (language == CTL || language == MVS), c == '\r' && !strings.HasPrefix(after, "\n"),
			c < ' ' && c != '\n' && c != '\r' && c != '\t', 0x7f <= c && c <= 0x9f, c == '\u2028', c == '\u2029':
			return "a control character"
		case c == ';' && (language == CTL || language == MVS),
			strings.ContainsRune("|&`$<>(){}\\\n!#^", c) && language == CTL:
			return "a character that parts commands"
		}
	}
	if strings.ContainsAny(text, "'*") || strings.Contains(text, "/*") {
		return "" // quotes and comments, of which this knows nothing
	}
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	begun := false
	for i, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		begun = begun || line != ""
		if begun && i < len(lines)-1 && !strings.HasSuffix(line, "+") && !strings.HasSuffix(line, "-") {
			return "a line that is not continued"
		}
		if before, after, found := strings.Cut(line, ";"); language == MQSC && found && strings.Trim(before, " \t;") != "" && strings.Trim(after, " \t;") != "" {
			return "a command behind a semicolon"
		}
	}
	return ""
}

// FuzzNoSecondCommand holds whatever is passed as a display or a change against
// what can be told without the readers.
func FuzzNoSecondCommand(f *testing.F) {
	for language, g := range glues() {
		for _, first := range g.first {
			f.Add(string(language), first)
			f.Add(string(language), first+g.breaks[0]+g.second[0])
			f.Add(string(language), first+g.noise[len(g.noise)-1]+g.second[0])
		}
	}
	f.Fuzz(func(t *testing.T, language, text string) {
		if !spoken(Language(language)) {
			return
		}
		if class, verb, _ := Classify(Language(language), text); class == Display || class == Change {
			if why := passes(Language(language), text); why != "" {
				t.Fatalf("%s %q is a %s of %s: %s", language, text, class, verb, why)
			}
		}
	})
}
