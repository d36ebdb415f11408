package observe

import "slices"

// mqscVerbs are the verbs of MQSC. A verb may be cut to three letters or more
// where no other begins so: DIS, ALT, DEF, REC, but not RES.
var mqscVerbs = []string{
	"ALTER", "ARCHIVE", "BACKUP", "CLEAR", "DEFINE", "DELETE", "DISPLAY", "MOVE", "PING", "PURGE", "RECOVER",
	"REFRESH", "RESET", "RESOLVE", "RESUME", "RVERIFY", "SET", "START", "STOP", "SUSPEND",
}

// mqscSynonyms are the documented short names of objects.
var mqscSynonyms = map[string]string{
	"Q": "QUEUE", "QL": "QLOCAL", "QA": "QALIAS", "QR": "QREMOTE", "QM": "QMODEL", "QC": "QCLUSTER", "QS": "QSTATUS",
	"CHL": "CHANNEL", "CHS": "CHSTATUS", "CHI": "CHINIT", "PRO": "PROCESS", "NL": "NAMELIST", "STC": "STGCLASS",
	"LSTR": "LISTENER", "SEC": "SECURITY", "TPS": "TPSTATUS", "SBS": "SBSTATUS", "CS": "CMDSERV", "THD": "THREAD",
	"ARC": "ARCHIVE", "BP": "BUFFPOOL",
}

// mqscNever are commands that only a person gives (design: Never automatic).
// RECOVER of anything and RESET QMGR TYPE(ARCHLOG) are among them too.
var mqscNever = []string{"RESET CFSTRUCT", "RESET SMDS", "STOP SMDSCONN"}

// mqscRefused are commands that are known and not for a housekeeper.
var mqscRefused = map[string]string{
	"DELETE CFSTRUCT": "the record of the structure's backups goes with it",
	"DELETE PSID":     "messages go with the page set",
	"SET LOG":         "it changes how many archive logs the BSDS knows",
	"SET ARCHIVE":     "it changes how long archive logs are kept",
	"STOP QMGR":       "it ends the queue manager",
}

// defined are the objects that are defined, altered and deleted.
var defined = []string{
	"AUTHINFO", "CFSTRUCT", "CHANNEL", "COMMINFO", "LISTENER", "NAMELIST", "PROCESS", "QALIAS", "QLOCAL", "QMODEL",
	"QREMOTE", "SERVICE", "STGCLASS", "SUB", "TOPIC", "BUFFPOOL", "PSID",
}

// mqscChanges are the commands that change something a recovery does not
// depend on, by verb. PING is one: it sends something.
var mqscChanges = map[string][]string{
	"ALTER":   slices.Concat(defined, []string{"QMGR", "SMDS", "SECURITY", "TRACE"}),
	"ARCHIVE": {"LOG"},
	"BACKUP":  {"CFSTRUCT"},
	"CLEAR":   {"QLOCAL", "TOPICSTR"},
	"DEFINE":  slices.Concat(defined, []string{"LOG", "MAXSMSGS"}),
	"DELETE":  slices.Concat(defined, []string{"AUTHREC", "POLICY"}),
	"MOVE":    {"QLOCAL"},
	"PING":    {"CHANNEL", "QMGR"},
	"PURGE":   {"CHANNEL"},
	"REFRESH": {"CLUSTER", "QMGR", "SECURITY"},
	"RESET":   {"CHANNEL", "CLUSTER", "QMGR", "QSTATS", "TPIPE"},
	"RESOLVE": {"CHANNEL", "INDOUBT"},
	"RESUME":  {"QMGR"},
	"RVERIFY": {"SECURITY"},
	"SET":     {"AUTHREC", "CHLAUTH", "POLICY", "SYSTEM"},
	"START":   {"CHANNEL", "CHINIT", "CMDSERV", "LISTENER", "QMGR", "SERVICE", "SMDSCONN", "TRACE"},
	"STOP":    {"CHANNEL", "CHINIT", "CMDSERV", "CONN", "LISTENER", "SERVICE", "TRACE"},
	"SUSPEND": {"QMGR"},
}
