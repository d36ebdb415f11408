package observe

import (
	"slices"
	"strings"
	"testing"
)

// What a person may write for a command that a task allows, and what it is.
func TestChangeVerb(t *testing.T) {
	for name, want := range map[string]Verb{
		"BACKUP CFSTRUCT": "BACKUP CFSTRUCT", "backup cfstruct": "BACKUP CFSTRUCT", "  Backup\tCfstruct ": "BACKUP CFSTRUCT",
		"BAC CFSTRUCT": "BACKUP CFSTRUCT", "DEF QL": "DEFINE QLOCAL", "alt ql": "ALTER QLOCAL", "DEL CHL": "DELETE CHANNEL", "ARC LOG": "ARCHIVE LOG",
		"RESET QMGR": "RESET QMGR", "suspend qmgr": "SUSPEND QMGR",
		"CHGJRN": "CHGJRN", "chgjrn": "CHGJRN", "RCDMQMIMG": "RCDMQMIMG", "SAVOBJ": "SAVOBJ",
		"rcdmqimg": "RCDMQIMG",
	} {
		if got, err := ChangeVerb(name); got != want || err != nil {
			t.Errorf("%q is %q, %v; want %q", name, got, err, want)
		}
	}
}

// What no task can allow, with the reason: releases, what only a person gives,
// wrappers, and whatever is in no table.
func TestChangeVerbRefuses(t *testing.T) {
	for name, why := range map[string]string{
		"DLTJRNRCV":                      "lets log pieces go",
		"dltjrnrcv jrnrcv(a/b)":          "lets log pieces go",
		"SET LOG":                        "lets log pieces go",
		"SET LOG ARCHIVED(S0000001.LOG)": "lets log pieces go",
		"DLTOBJ":                         "lets log pieces go",
		"DELETE":                         "lets log pieces go",
		"RECOVER CFSTRUCT":               "a person gives it",
		"rec cfstruct":                   "a person gives it",
		"RECOVER CFSTRUCT TYPE(PURGE)":   "a person gives it",
		"RESET CFSTRUCT":                 "a person gives it",
		"RESET SMDS":                     "a person gives it",
		"STOP SMDSCONN":                  "a person gives it",
		"SUSPEND QMGR LOG":               "a person gives it",
		"RESUME QMGR LOG":                "a person gives it",
		"SETXCF FORCE":                   "a person gives it",
		"CSQ5PQSG FORCE":                 "a person gives it",
		"HIGHRBA":                        "a person gives it",
		"RESET QMGR TYPE(ARCHLOG)":       "a person gives it",
		"R 12,Y":                         "a person gives it",
		"RCRMQMOBJ":                      "a person gives it",
		"rcrmqobj":                       "a person gives it",
		"/opt/mqm/bin/rcrmqobj":          "a person gives it",
		"CALL":                           "runs another command",
		"SBMJOB":                         "runs another command",
		"runmqsc":                        "runs another command",
		"rm":                             "works on files",
		"ENDMQM":                         "ends the queue manager",
		"STOP QMGR":                      "ends the queue manager",
		"DELETE CFSTRUCT":                "backups",
		"DISPLAY QMSTATUS":               "changes nothing",
		"dis q":                          "changes nothing",
		"DSPMQMSTS":                      "changes nothing",
		"WRKJRNA":                        "changes nothing",
		"dspmq":                          "changes nothing",
		"BACKUP":                         "of what?",
		"FROB":                           "in no table",
		"ALTER WIDGET":                   "in no table",
		"RES CFSTRUCT":                   "in no table",
		"/opt/mqm/bin/rcdmqimg":          "without its folder",
		"rcdmqimg.exe":                   "without its folder",
		"BACKUP CFSTRUCT(A)":             "without parameters",
		"DELETE QLOCAL(A)":               "without parameters",
		"BACKUP CFSTRUCT EXCLINT":        "without parameters",
		"*":                              "without parameters",
		"":                               "without parameters",
		"CHGJRN\nDLTJRNRCV":              "in no table",
		"CHGJRN;DLTJRNRCV":               "without parameters",
	} {
		if got, err := ChangeVerb(name); got != "" || err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q is %q, %v; want %q", name, got, err, why)
		}
	}
}

// Every verb names itself, no two languages share one, and none is a release or
// never given, in whatever language it is read.
func TestChangeVerbs(t *testing.T) {
	verbs := ChangeVerbs()
	for _, want := range []Verb{"BACKUP CFSTRUCT", "CHGJRN", "RCDMQIMG", "RCDMQMIMG"} {
		if !slices.Contains(verbs, want) {
			t.Errorf("%s is no change", want)
		}
	}
	for _, verb := range verbs {
		if got, err := ChangeVerb(string(verb)); got != verb || err != nil {
			t.Errorf("%s is %q, %v", verb, got, err)
		}
		known := 0
		for _, is := range []bool{strings.Contains(string(verb), " "), len(clChanges[string(verb)]) > 0, slices.Contains(controlChanges, string(verb))} {
			if is {
				known++
			}
		}
		if known != 1 {
			t.Errorf("%s is a command of %d languages", verb, known)
		}
		for _, language := range Languages() {
			if language == IDCAMS {
				continue // there every DELETE is one, and none is a command that is sent
			}
			if class, _, _ := Classify(language, string(verb)); class == Release || class == Never {
				t.Errorf("%s of %s is a %s", verb, language, class)
			}
		}
	}
}

// However a command is written, its verb is the one that a task allows: a
// comment, a continued line, lower case and an abbreviation change nothing.
func TestClassifyGivesTheVerbThatIsAllowed(t *testing.T) {
	for text, want := range map[Question]Verb{
		{Language: MQSC, Text: "backup cfstruct(APPL1)"}:                                        "BACKUP CFSTRUCT",
		{Language: MQSC, Text: "* nightly\nBackup +\n   CfStruct(APPL1) -\nEXCLINT(30)"}:        "BACKUP CFSTRUCT",
		{Language: MQSC, Text: "back-\nup cf+\n struct(A)"}:                                     "BACKUP CFSTRUCT",
		{Language: MQSC, Text: "BAC CFSTRUCT (A) ;"}:                                            "BACKUP CFSTRUCT",
		{Language: MQSC, Text: "DEF QL(A) DESCR('x; SET LOG ARCHIVED(Y)')"}:                     "DEFINE QLOCAL",
		{Language: CL, Text: "chgjrn jrn(a/b) jrnrcv(*gen)"}:                                    "CHGJRN",
		{Language: CL, Text: "/* nightly */ QSYS/CHGJRN +\n JRN(A/B) /* x */ -\n JRNRCV(*GEN)"}: "CHGJRN",
		{Language: CL, Text: "L: chg-\njrn jrn(a/b) jrnrcv(*gen)"}:                              "CHGJRN",
		{Language: CTL, Text: " rcdmqimg -m QM1 -t all '*' "}:                                   "RCDMQIMG",
		{Language: CTL, Text: `RcdMqImg -m "QM1" -t 'ql' "A*"`}:                                 "RCDMQIMG",
	} {
		class, verb, err := Classify(text.Language, text.Text)
		if class != Change || verb != want || err != nil {
			t.Errorf("%s %q: %s of %q, %v; want a change of %q", text.Language, text.Text, class, verb, err, want)
		}
	}
}

func FuzzChangeVerb(f *testing.F) {
	for _, name := range []string{"BACKUP CFSTRUCT", "alt ql", "DLTJRNRCV", "rcrmqobj.exe", "RESET QMGR TYPE(ARCHLOG)", "CHGJRN +\nX", "/", ""} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		verb, err := ChangeVerb(name)
		if (err != nil) != (verb == "") {
			t.Fatalf("%q is %q, %v", name, verb, err)
		}
		if err == nil && !slices.Contains(ChangeVerbs(), verb) {
			t.Fatalf("%q is %q, which is no change", name, verb)
		}
	})
}
