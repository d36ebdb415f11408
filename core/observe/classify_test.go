package observe

import (
	"strings"
	"testing"
)

// classified is what a text should be; for Unknown, a part of the error.
type classified struct {
	language Language
	text     string
	class    Class
	verb     Verb
	why      string
}

func (c classified) check(t *testing.T) {
	t.Helper()
	class, verb, err := Classify(c.language, c.text)
	if class != c.class || (class == Unknown) != (err != nil) {
		t.Errorf("%s %q: %v, %v; want %v", c.language, c.text, class, err, c.class)
		return
	}
	if err != nil && !strings.Contains(err.Error(), c.why) {
		t.Errorf("%s %q: %v; want %q", c.language, c.text, err, c.why)
	}
	if class != Unknown && verb != c.verb {
		t.Errorf("%s %q: verb %q, want %q", c.language, c.text, verb, c.verb)
	}
}

func TestClassifyMQSC(t *testing.T) {
	for _, test := range []classified{
		{MQSC, "DISPLAY QMSTATUS ALL", Display, "DISPLAY QMSTATUS", ""},
		{MQSC, "dis q(*) where(curdepth gt 0)", Display, "DISPLAY QUEUE", ""},
		{MQSC, "DISP CFSTATUS(APPL1) TYPE(BACKUP)", Display, "DISPLAY CFSTATUS", ""},
		{MQSC, "* which log\nDIS QMSTATUS +\n   RECLOG -\nMEDIALOG;\n", Display, "DISPLAY QMSTATUS", ""},
		{MQSC, "DISPLAY QUEUE('SET LOG ARCHIVED(X)')", Display, "DISPLAY QUEUE", ""},
		{MQSC, "DISPLAY QUEUE('DLTJRNRCV')", Display, "DISPLAY QUEUE", ""},
		{MQSC, "DISPLAY QMSTATUS LOG", Display, "DISPLAY QMSTATUS", ""},
		{MQSC, "DISPLAY CONN(*) TYPE(CONN) UOWLOG UOWLOGDA UOWLOGTI UOWSTATE WHERE(UOWSTATE EQ ACTIVE)", Display, "DISPLAY CONN", ""},
		{MQSC, "DISPLAY QSTATUS(*) MEDIALOG", Display, "DISPLAY QSTATUS", ""},
		{MQSC, "DISPLAY QLOCAL(*) IMGRCOVQ CURDEPTH", Display, "DISPLAY QLOCAL", ""},
		{MQSC, "DISPLAY QMGR IMGSCHED IMGINTVL IMGLOGLN", Display, "DISPLAY QMGR", ""},
		{MQSC, "PING QMGR", Change, "PING QMGR", ""},
		{MQSC, "ALT QL(A) DESCR('x')", Change, "ALTER QLOCAL", ""},
		{MQSC, "BACKUP CFSTRUCT(APPL1) EXCLINT(30)", Change, "BACKUP CFSTRUCT", ""},
		{MQSC, "ARC LOG", Change, "ARCHIVE LOG", ""},
		{MQSC, "START SMDSCONN(*) CFSTRUCT(APPSTR1)", Change, "START SMDSCONN", ""},
		{MQSC, "ALTER SMDS(QMA1) CFSTRUCT(A) DSEXPAND(YES)", Change, "ALTER SMDS", ""},
		{MQSC, "STOP CHANNEL(A)", Change, "STOP CHANNEL", ""},
		{MQSC, "RESET QMGR TYPE(ADVANCELOG)", Change, "RESET QMGR", ""},
		{MQSC, "SUSPEND QMGR FACILITY(DB2)", Change, "SUSPEND QMGR", ""},
		{MQSC, "SET LOG ARCHIVED(S0000001.LOG)", Release, "SET LOG", ""},
		{MQSC, "set +\nlog archi-\nved('S0000001.LOG')", Release, "SET LOG", ""},
		{MQSC, "RESET QMGR TYPE(ARCHLOG) ARCHIVED(S0000001.LOG)", Never, "RESET QMGR", ""},
		{MQSC, "RESET QMGR TYPE(ADVANCELOG) TYPE(ARCHLOG) ARCHIVED(S0000001.LOG)", Never, "RESET QMGR", ""},
		{MQSC, "RESET QMGR TYPE('archlog')", Never, "RESET QMGR", ""},
		{MQSC, "RESET QMGR TYPE(STATISTICS) TYPE(ARCHLOG)", Never, "RESET QMGR", ""},
		{MQSC, "RECOVER CFSTRUCT(A)", Never, "RECOVER CFSTRUCT", ""},
		{MQSC, "REC CFSTRUCT(A) TYPE(PURGE)", Never, "RECOVER CFSTRUCT", ""},
		{MQSC, "RESET CFSTRUCT(A) ACTION(FAIL)", Never, "RESET CFSTRUCT", ""},
		{MQSC, "RESET SMDS(*) CFSTRUCT(A) ACCESS(DISABLED)", Never, "RESET SMDS", ""},
		{MQSC, "STOP SMDSCONN(*) CFSTRUCT(A)", Never, "STOP SMDSCONN", ""},
		{MQSC, "SUS QMGR LOG", Never, "SUSPEND QMGR", ""},
		{MQSC, "RESUME QMGR LOG", Never, "RESUME QMGR", ""},

		{MQSC, "DIS QMGR\nALTER QMGR", Unknown, "", "a second command"},
		{MQSC, "DIS QMGR; SET LOG ARCHIVED(A)", Unknown, "", "a second command"},
		{MQSC, "DIS QMGR,, ALTER QMGR", Unknown, "", "a keyword was expected"},
		{MQSC, "DIS QMGR +\n\n\n DESCR", Unknown, "", "a second command"},
		{MQSC, "DIS QMGR\rALTER QMGR", Unknown, "", "a control character"},
		{MQSC, "DIS QMGR +\n* a comment\nALTER", Unknown, "", "a comment line"},
		{MQSC, "DIS QMGR +\n\nALTER QMGR", Unknown, "", "a second command"},
		{MQSC, "DIS QUEUE(DLTJRNRCV)", Unknown, "", "DLTJRNRCV"},
		{MQSC, "DI QMGR", Unknown, "", "the verb DI is not known"},
		{MQSC, "RES CFSTRUCT(A)", Unknown, "", "the verb RES is not known"},
		{MQSC, "END", Unknown, "", "the verb END is not known"},
		{MQSC, "DISPLAY", Unknown, "", "of nothing"},
		{MQSC, "+CSQ1 DIS QMGR", Unknown, "", "a keyword was expected"},
		{MQSC, "DIS QMGR | rm x", Unknown, "", "a keyword was expected"},
		{MQSC, "RESET QMGR", Unknown, "", "a type that is not known"},
		{MQSC, "RESET CFSTR(A)", Unknown, "", "in no table"},
		{MQSC, "SET LOG MAXARCH(10)", Unknown, "", "archive logs"},
		{MQSC, "DELETE CFSTRUCT(A)", Unknown, "", "backups"},
		{MQSC, "ALTER CFSTRUCT(A) RECOVER(NO)", Unknown, "", "what a recovery depends on"},
		{MQSC, "ALTER QMGR IMGRCOVQ('No')", Unknown, "", "what a recovery depends on"},
		{MQSC, "", Unknown, "", "there is no command"},
	} {
		test.check(t)
	}
}

func TestClassifyCL(t *testing.T) {
	for _, test := range []classified{
		{CL, "DSPJRNRCVA JRNRCV(QMTEST/AMQA000007)", Display, "DSPJRNRCVA", ""},
		{CL, "wrkjrna jrn(qmtest/amqajrn) /* the +\n directory */ output(*print) +\n  detail(*rcvdir)", Display, "WRKJRNA", ""},
		{CL, "QSYS/DSPOBJD OBJ(QMTEST/*ALL) OBJTYPE(*JRNRCV)", Display, "DSPOBJD", ""},
		{CL, "DSPF STMF('/QSYS.LIB/DLTJRNRCV.LIB/A.USRSPC')", Display, "DSPF", ""},
		{CL, "DSPMQMSTS MQMNAME(ORDERS) OUTPUT(*PRINT)", Display, "DSPMQMSTS", ""},
		{CL, "CHKOBJ OBJ(A/AMQJRNINF) OBJTYPE(*USRSPC) AUT(*USE)", Display, "CHKOBJ", ""},
		{CL, "DSPUSRPRF USRPRF(*CURRENT) TYPE(*BASIC) OUTPUT(*PRINT)", Display, "DSPUSRPRF", ""},
		{CL, "CHGJRN JRN(QMTEST/AMQAJRN) JRNRCV(*GEN)", Change, "CHGJRN", ""},
		{CL, "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME('Orders') DSPJRNDTA(*YES)", Change, "RCDMQMIMG", ""},
		{CL, "SAVOBJ OBJ(A) LIB(B) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(C/D) STG(*KEEP)", Change, "SAVOBJ", ""},
		{CL, "CRTSAVF FILE(A/B)", Change, "CRTSAVF", ""},
		{CL, "DLTJRNRCV JRNRCV(A/B)", Release, "DLTJRNRCV", ""},
		{CL, "X: mylib/dltjrnrcv A/B", Release, "DLTJRNRCV", ""},
		{CL, "DLT+\n   JRNRCV A/B", Release, "DLTJRNRCV", ""},
		{CL, "SAVOBJ OBJ(A) LIB(B) DEV(*SAVF) STG(*FREE)", Release, "SAVOBJ", ""},
		{CL, "SAVOBJ OBJ(A) LIB(B) DEV(*SAVF) STG('*free')", Release, "SAVOBJ", ""},
		{CL, "CHGJRN JRN(A/B) DLTRCV(*YES)", Release, "CHGJRN", ""},
		{CL, "DLTOBJ OBJ(A/AMQA*) OBJTYPE(*JRNRCV)", Release, "DLTOBJ", ""},
		{CL, "RCRMQMOBJ OBJ(*ALL) OBJTYPE(*ALL)", Never, "RCRMQMOBJ", ""},

		{CL, "DSPLIB A\nDLTJRNRCV A/B", Unknown, "", "a second command"},
		{CL, "DSPLIB A\u0085DLTJRNRCV A/B", Unknown, "", "a control character"},
		{CL, "DSPLIB A;DLTJRNRCV A/B", Unknown, "", "a blank is missing"},
		{CL, "CALL QCMDEXC ('DLTJRNRCV A/B' 13)", Unknown, "", "DLTJRNRCV in it lets a log piece go"},
		{CL, "SBMJOB CMD(DLTJRNRCV JRNRCV(A/B))", Unknown, "", "DLTJRNRCV in it"},
		{CL, "CALL PGM(MYLIB/NIGHTLY)", Unknown, "", "runs another command, which is not read"},
		{CL, "QSH CMD('rm /QSYS.LIB/A.LIB/B.JRNRCV')", Unknown, "", "RM in it"},
		{CL, "STRQSH CMD('system dltjrnrcv')", Unknown, "", "DLTJRNRCV in it"},
		{CL, "RUNSQL SQL('call systools.delete_old_journal_receivers()')", Unknown, "", "DELETE_OLD_JOURNAL_RECEIVERS in it"},
		{CL, "STRPASTHR RMTLOCNAME(B)", Unknown, "", "runs another command"},
		{CL, "MYLIB/DSPLIB A", Unknown, "", "only the system's own"},
		{CL, "DSPLIB DLTJRNRCV", Unknown, "", "DLTJRNRCV stands outside quotes"},
		{CL, "DSPLIB LIB(A) /* DLTJRNRCV */", Unknown, "", "DLTJRNRCV stands outside quotes"},
		{CL, "DSPFANCY A", Unknown, "", "in no table"},
		{CL, "WRKJRNA JRN(A/B)", Unknown, "", "needs a screen"},
		{CL, "DSPOBJD OBJ(A/B) OUTPUT(*OUTFILE) OUTFILE(A/C)", Unknown, "", "show without writing"},
		{CL, "DSPOBJD A/B *PGM *FULL '*outfile'", Unknown, "", "writes what it shows"},
		{CL, "DSPOBJD OBJ(A/B) OBJTYPE(*USRSPC) DETAIL(*USRSPC)", Unknown, "", "writes what it shows"},
		{CL, "GRTOBJAUT OBJ(A/B) OBJTYPE(*LIB) USER(C) AUT(*USE)", Unknown, "", "in no table"},
		{CL, "DSPOBJD OBJ(&X)", Unknown, "", "whose value is not known"},
		{CL, "SAVOBJ OBJ(A) LIB(B) DEV(*SAVF) STG(X'5CC6D9C5C5')", Unknown, "", "whose value is not known"},
		{CL, "SAVOBJ OBJ(A) LIB(B) DEV(*SAVF) CLEAR(*ALL)", Unknown, "", "CLEAR, which is in no table"},
		{CL, "CHGJRN JRN(A/B) JRNSTATE(*INACTIVE)", Unknown, "", "JRNSTATE, which is in no table"},
		{CL, "CHGJRN A/B *GEN", Unknown, "", "without a keyword"},
		{CL, "DSPJRN A/B", Unknown, "", "message bodies"},
		{CL, "ENDMQM MQMNAME(A)", Unknown, "", "ends the queue manager"},
		{CL, "?DSPLIB", Unknown, "", "prompting"},
	} {
		test.check(t)
	}
}

func TestClassifyMainframe(t *testing.T) {
	for _, test := range []classified{
		{IDCAMS, "LISTCAT ENTRIES('CSQ1.ARCHLOG1.A0000001') ALL", Display, "LISTCAT", ""},
		{IDCAMS, "  listc lvl(CSQ1) -\n    /* the archive logs */ -\n  all\n", Display, "LISTCAT", ""},
		{IDCAMS, "DELETE 'CSQ1.ARCHLOG1.A0000001' PURGE", Unknown, "", "is no keyword"},
		{IDCAMS, "DELETE (CSQ1.ARCHLOG1.A0000001) PURGE", Release, "DELETE", ""},
		{IDCAMS, "DEL(CSQ1.ARCHLOG1.A0000001)", Release, "DELETE", ""},
		{IDCAMS, "LISTCAT ALL\n DELETE (A)", Unknown, "", "a second command in line 2"},
		{IDCAMS, "LISTCAT ALL -\n DELETE (A)", Unknown, "", "DELETE, which is in no table"},
		{IDCAMS, "LISTCAT ALL" + strings.Repeat(" ", 62) + "-\n NAME", Unknown, "", "longer than 72"},
		{IDCAMS, "LISTCAT ALL; DELETE (A)", Unknown, "", "is no keyword"},
		{IDCAMS, "LISTCAT ALL\x85 DELETE (A)", Unknown, "", "not UTF-8"},
		{IDCAMS, "LISTCAT ALL OUTFILE(DD1)", Unknown, "", "OUTFILE, which is in no table"},
		{IDCAMS, "LISTCAT /* ALL", Unknown, "", "is no keyword"},
		{IDCAMS, "REPRO INFILE(A) OUTFILE(B)", Unknown, "", "in no table"},
		{IDCAMS, "LISTCAT ENT('A(B)') ALL", Unknown, "", "not plain"},
		{IDCAMS, " ", Unknown, "", "there is no command"},

		{MVS, "D XCF,STRUCTURE,STRNAME=QSG1*", Display, "DISPLAY XCF", ""},
		{MVS, "display grs,res=(SYSZCSQE,*)", Display, "DISPLAY GRS", ""},
		{MVS, "SETXCF FORCE,STRUCTURE,STRNAME=QSG1APPL1", Never, "SETXCF FORCE", ""},
		{MVS, "R 12,Y", Never, "REPLY 12", ""},
		{MVS, "SETXCF START,REALLOCATE", Unknown, "", "in no table"},
		{MVS, "RO *ALL,D T", Unknown, "", "runs another command"},
		{MVS, "S MYJOB", Unknown, "", "runs another command"},
		{MVS, "D T\nR 1,Y", Unknown, "", "line end"},
		{MVS, "D T\x85R 1,Y", Unknown, "", "not UTF-8"},
		{MVS, "D T;R 1,Y", Unknown, "", "a semicolon"},
		{MVS, "D", Unknown, "", "in no table"},
		{MVS, "+CSQ1 DIS QMGR", Unknown, "", "no console command"},

		{Job, "CSQJU004", Display, "JOB", ""},
		{Job, "CSQ5PQSG VERIFY QSG", Display, "JOB", ""},
		{Job, "CSQ5PQSG FORCE QMGR", Never, "JOB", ""},
		{Job, "CSQJU003 HIGHRBA", Unknown, "", "changes the BSDS"},
		{Job, "highrba", Never, "JOB", ""},
	} {
		test.check(t)
	}
}

func TestClassifyOthers(t *testing.T) {
	for _, test := range []classified{
		{SQL, "QSYS2.JOURNAL_INFO", Display, "QSYS2.JOURNAL_INFO", ""},
		{SQL, "journal_info journal_library='QMTEST'", Display, "QSYS2.JOURNAL_INFO", ""},
		{DB2, "ADMIN_B_STRBACKUP STRUCTNAME='APPL1'", Display, "CSQ.ADMIN_B_STRBACKUP", ""},
		{SQL, "X A='DLTJRNRCV'", Display, "QSYS2.X", ""},
		{SQL, "SELECT * FROM QSYS2.JOURNAL_INFO", Unknown, "", "begins a statement"},
		{SQL, "CALL QSYS2.QCMDEXC('DLTJRNRCV A/B')", Unknown, "", "begins a statement"},
		{SQL, "QSYS2.QCMDEXC", Unknown, "", "does more than show"},
		{SQL, "SYSTOOLS.DELETE_OLD_JOURNAL_RECEIVERS", Unknown, "", "does more than show"},
		{SQL, "HR.SALARIES", Unknown, "", "the schema HR"},
		{DB2, "QSYS2.JOURNAL_INFO", Unknown, "", "the schema QSYS2"},
		{DB2, "CSQ.ADMIN_MSGS_BAUX1", Unknown, "", "message bodies"},
		{SQL, "QSYS2.DLTJRNRCV", Unknown, "", "DLTJRNRCV"},
		{LogDir, "/var/mqm/log/QM1/active", Display, "LOGDIR", ""},
		{File, "/var/mqm/qmgrs/QM1/qm.ini\nrm", Unknown, "", "line end"},
		{UsrSpc, "QMTEST/AMQJRNINF\x00", Unknown, "", "control character"},
		{Space, "/var/mqm", Display, "SPACE", ""},
		{Syslog, "CSQE121I", Display, "SYSLOG", ""},
		{Store, "", Display, "STORE", ""},
		{Note, "", Display, "NOTE", ""},
		{HoldOn, "", Display, "HOLD", ""},
		{History, "", Display, "HISTORY", ""},
		{"COBOL", "DISPLAY X", Unknown, "", "no language"},
		{CL, "DSPLIB '" + strings.Repeat("x", maxText) + "'", Unknown, "", "more than 32702"},
	} {
		test.check(t)
	}
}

// Every language has a rule.
func TestClassifyKnowsEveryLanguage(t *testing.T) {
	for _, language := range Languages() {
		if _, _, err := Classify(language, "?"); err != nil && strings.Contains(err.Error(), "no language") {
			t.Errorf("%s has no rule", language)
		}
	}
}

func FuzzClassify(f *testing.F) {
	for _, seed := range []string{
		"DISPLAY QMSTATUS ALL", "SET LOG ARCHIVED(S0000001.LOG)", "WRKJRNA JRN(A/B) OUTPUT(*PRINT)", "DSPLIB A /* ' */ DLTJRNRCV",
		"dspmq -m 'QM1'", "LISTCAT ENT('A') - \n ALL", "D XCF,STR", "QSYS2.JOURNAL_INFO A='b''c' AND D='e'", "CSQJU004",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, language := range Languages() {
			class, verb, err := Classify(language, text)
			if (class == Unknown) != (err != nil) || class != Unknown && verb == "" {
				t.Fatalf("%s: %v %q %v", language, class, verb, err)
			}
			if spoken(language) && class == Display && strings.Contains(outsideQuotes(text), "DLTJRNRCV") {
				t.Fatalf("%s: a display", language)
			}
			form := VerbObject(language, text)
			if OnlyVerbObject(language, text) && form == "" {
				t.Fatalf("%s: only the verb and object, but none", language)
			}
			if form != "" && VerbObject(language, form) != form {
				t.Fatalf("%s: %q is not a form of itself: %q", language, form, VerbObject(language, form))
			}
		}
		if folded := Fold(text); Fold(folded) != folded {
			t.Fatalf("%q folds again", folded)
		}
	})
}
