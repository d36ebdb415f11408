package observe

// clLibraries are the libraries a command may be said to be in. A command of
// the same name in another library is somebody's own program.
var clLibraries = []string{"", "QSYS", "QMQM", "*LIBL", "*SYSTEM", "*NLVLIBL"}

// clRelease lets receivers go whatever its parameters are.
var clRelease = []string{"DLTJRNRCV"}

// clFreeing are words by which a command lets receivers go that otherwise
// does not, or that is refused.
var clFreeing = map[string][]string{
	"SAVOBJ": {"*FREE", "*DELETE"},
	"SAVLIB": {"*FREE", "*DELETE"},
	"DLTOBJ": {"*JRNRCV", "*ALL"},
}

// clNever are commands that only a person gives (design: Never automatic).
var clNever = []string{"RCRMQMOBJ"}

// clWrappers execute another command, a program or a script.
var clWrappers = []string{
	"CALL", "CALLPRC", "TFRCTL", "SBMJOB", "SBMDBJOB", "SBMRMTCMD", "SBMNETJOB", "RUNRMTCMD", "STRRMTCMD", "BCHJOB",
	"QSH", "STRQSH", "QP2TERM", "CALLQP2", "RUNSQL", "RUNSQLSTM", "STRSQL", "STRQMQRY", "RUNQRY", "STRREXPRC",
	"STRPASTHR", "STRTCPTELN", "TELNET", "SSH", "FTP", "STRTCPFTP", "RUNJVA", "JAVA", "SQL", "SYSTEM",
	"QCMDEXC", "QCAPCMD", "QCMD", "CMDEXC", "ADDJOBSCDE", "CHGJOBSCDE", "STRMQMMQSC", "RUNMQSC", "EVOKE",
	"IF", "ELSE", "DO", "DOWHILE", "DOUNTIL", "DOFOR", "WHEN", "OTHERWISE", "MONMSG", "CALLSUBR", "ON", "CHGCMDDFT",
}

// clRefused are commands that are known and not for a housekeeper.
var clRefused = map[string]string{
	"DSPJRN":    "journal entries hold message bodies",
	"RCVJRNE":   "journal entries hold message bodies",
	"RTVJRNE":   "journal entries hold message bodies",
	"DSPMQMMSG": "it shows message bodies",
	"WRKMQMMSG": "it shows message bodies",
	"DSPPFM":    "it shows what is in a file, save files among them",
	"ENDMQM":    "it ends the queue manager",
	"STRMQM":    "it starts the queue manager, which is a recovery",
	"DLTMQM":    "it deletes the queue manager",
}

// clChanges are the commands that change something a recovery does not depend
// on, each with the keywords that may be used. CHGJRN has more, some of which
// stop the journal.
var clChanges = map[string][]string{
	"CHGJRN":    {"JRN", "JRNRCV", "SEQOPT", "TEXT"},
	"RCDMQMIMG": {"OBJ", "OBJTYPE", "MQMNAME", "DSPJRNDTA"},
	"SAVOBJ": {"OBJ", "LIB", "DEV", "OBJTYPE", "SAVF", "VOL", "SEQNBR", "EXPDATE", "ENDOPT", "STG", "PRECHK", "SAVACT",
		"DTACPR", "COMPACT", "TGTRLS", "UPDHST", "ASPDEV", "OUTPUT"},
	"CRTSAVF": {"FILE", "TEXT", "AUT", "MAXRCDS", "ASP"},
}

// clShows show something and print it in a batch job. No name is taken for a
// display because of how it begins.
var clShows = []string{
	"CHKOBJ", "DSPASPSTS", "DSPAUTL", "DSPDTAARA", "DSPF", "DSPFD", "DSPJOB", "DSPJOBLOG", "DSPJRNRCVA", "DSPLIB",
	"DSPLIBD", "DSPLIBL", "DSPLOG", "DSPMQM", "DSPMQMAUT", "DSPMQMAUTI", "DSPMQMCHL", "DSPMQMCSVR", "DSPMQMOBJN",
	"DSPMQMQ", "DSPMQMSTS", "DSPMQMVER", "DSPMSG", "DSPMSGD", "DSPOBJAUT", "DSPOBJD", "DSPPTF",
	"DSPRCDLCK", "DSPSAVF", "DSPSBSD", "DSPSFWRSC", "DSPSYSSTS", "DSPSYSVAL", "DSPUSRPRF",
	"RTVJOBA", "RTVLIBD", "RTVNETA", "RTVOBJD", "RTVSYSVAL",
}

// clPanels show a panel, unless they are told to print.
var clPanels = []string{
	"WRKACTJOB", "WRKASPJOB", "WRKDSKSTS", "WRKJOB", "WRKJRNA", "WRKMQM", "WRKMQMCHL", "WRKMQMCHST", "WRKMQMCONN",
	"WRKMQMJRN", "WRKMQMLSR", "WRKMQMQ", "WRKMQMQSTS", "WRKMQMSTS", "WRKMQMTRN", "WRKOBJLCK", "WRKSBS", "WRKSBSJOB",
	"WRKSPLF", "WRKSYSSTS", "WRKSYSVAL", "WRKUSRJOB",
}
