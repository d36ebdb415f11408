package objects

const (
	most       = 999999999
	longestMsg = 104857600 // MAXMSGL
)

// localQueue are the attributes of QLOCAL in the order of DISPLAY QLOCAL ALL,
// as 7.1 and 9.x print them.
var localQueue = []Attribute{
	word("ACCTQ", "QMGR", "ON", "OFF"), shown("ALTDATE", ""), shown("ALTTIME", ""),
	object("BOQNAME"), number("BOTHRESH", 0, 0, most),
	number("CAPEXPRY", 0, 0, most, "NOLIMIT").as("NOLIMIT").since(9, 3, 1),
	object("CLUSNL"), object("CLUSTER"), object("CLCHNAME").since(7, 5, 0),
	number("CLWLPRTY", 0, 0, 9), number("CLWLRANK", 0, 0, 9), word("CLWLUSEQ", "QMGR", "ANY", "LOCAL"),
	shown("CRDATE", ""), shown("CRTIME", ""), shown("CURDEPTH", "0"), text("CUSTOM", 128).since(7, 1, 0),
	word("DEFBIND", "OPEN", "NOTFIXED", "GROUP"), number("DEFPRTY", 0, 0, 9), word("DEFPSIST", "NO", "YES"),
	word("DEFPRESP", "SYNC", "ASYNC"), word("DEFREADA", "NO", "YES", "DISABLED"), word("DEFSOPT", "SHARED", "EXCL"),
	shown("DEFTYPE", "PREDEFINED"), text("DESCR", 64), word("DISTL", "NO", "YES"), word("GET", "ENABLED", "DISABLED"),
	flag("HARDENBO", "NOHARDENBO"), word("IMGRCOVQ", "QMGR", "YES", "NO").since(9, 0, 2), object("INITQ"),
	shown("IPPROCS", "0"), number("MAXDEPTH", 5000, 0, most),
	number("MAXFSIZE", 0, 20, 267386880, "DEFAULT").as("DEFAULT").since(9, 1, 5),
	number("MAXMSGL", 4194304, 0, longestMsg), word("MONQ", "QMGR", "OFF", "LOW", "MEDIUM", "HIGH"),
	word("MSGDLVSQ", "PRIORITY", "FIFO"), flag("NOTRIGGER", "TRIGGER"), word("NPMCLASS", "NORMAL", "HIGH"),
	shown("OPPROCS", "0"), object("PROCESS"), word("PUT", "ENABLED", "DISABLED"),
	word("PROPCTL", "COMPAT", "ALL", "FORCE", "NONE", "V6COMPAT"),
	number("QDEPTHHI", 80, 0, 100), number("QDEPTHLO", 20, 0, 100), word("QDPHIEV", "DISABLED", "ENABLED"),
	word("QDPLOEV", "DISABLED", "ENABLED"), word("QDPMAXEV", "ENABLED", "DISABLED"), word("QSVCIEV", "NONE", "HIGH", "OK"),
	number("QSVCINT", most, 0, most), number("RETINTVL", most, 0, most), word("SCOPE", "QMGR", "CELL"),
	flag("SHARE", "NOSHARE"), word("STATQ", "QMGR", "ON", "OFF"),
	object("STREAMQ").since(9, 2, 3), word("STRMQOS", "BESTEF", "MUSTDUP").since(9, 2, 3),
	text("TRIGDATA", 64), number("TRIGDPTH", 1, 1, most), number("TRIGMPRI", 0, 0, 9),
	word("TRIGTYPE", "FIRST", "EVERY", "DEPTH", "NONE"), word("USAGE", "NORMAL", "XMITQ"),
}

var modelQueue = []Attribute{
	word("ACCTQ", "QMGR", "ON", "OFF"), shown("ALTDATE", ""), shown("ALTTIME", ""),
	object("BOQNAME"), number("BOTHRESH", 0, 0, most),
	number("CAPEXPRY", 0, 0, most, "NOLIMIT").as("NOLIMIT").since(9, 3, 1),
	shown("CRDATE", ""), shown("CRTIME", ""), text("CUSTOM", 128).since(7, 1, 0),
	number("DEFPRTY", 0, 0, 9), word("DEFPSIST", "NO", "YES"),
	word("DEFPRESP", "SYNC", "ASYNC"), word("DEFREADA", "NO", "YES", "DISABLED"), word("DEFSOPT", "EXCL", "SHARED"),
	word("DEFTYPE", "TEMPDYN", "PERMDYN"), text("DESCR", 64), word("DISTL", "NO", "YES"), word("GET", "ENABLED", "DISABLED"),
	flag("NOHARDENBO", "HARDENBO"), word("IMGRCOVQ", "QMGR", "YES", "NO").since(9, 0, 2), object("INITQ"),
	number("MAXDEPTH", 5000, 0, most), number("MAXFSIZE", 0, 20, 267386880, "DEFAULT").as("DEFAULT").since(9, 1, 5),
	number("MAXMSGL", 4194304, 0, longestMsg), word("MONQ", "QMGR", "OFF", "LOW", "MEDIUM", "HIGH"),
	word("MSGDLVSQ", "PRIORITY", "FIFO"), flag("NOTRIGGER", "TRIGGER"), word("NPMCLASS", "NORMAL", "HIGH"),
	object("PROCESS"), word("PUT", "ENABLED", "DISABLED"),
	word("PROPCTL", "COMPAT", "ALL", "FORCE", "NONE", "V6COMPAT"),
	number("QDEPTHHI", 80, 0, 100), number("QDEPTHLO", 20, 0, 100), word("QDPHIEV", "DISABLED", "ENABLED"),
	word("QDPLOEV", "DISABLED", "ENABLED"), word("QDPMAXEV", "ENABLED", "DISABLED"), word("QSVCIEV", "NONE", "HIGH", "OK"),
	number("QSVCINT", most, 0, most), number("RETINTVL", most, 0, most),
	flag("NOSHARE", "SHARE"), word("STATQ", "QMGR", "ON", "OFF"),
	object("STREAMQ").since(9, 2, 3), word("STRMQOS", "BESTEF", "MUSTDUP").since(9, 2, 3),
	text("TRIGDATA", 64), number("TRIGDPTH", 1, 1, most), number("TRIGMPRI", 0, 0, 9),
	word("TRIGTYPE", "FIRST", "EVERY", "DEPTH", "NONE"), word("USAGE", "NORMAL", "XMITQ"),
}

var aliasQueue = []Attribute{
	shown("ALTDATE", ""), shown("ALTTIME", ""),
	number("CAPEXPRY", 0, 0, most, "NOLIMIT").as("NOLIMIT").since(9, 3, 1),
	object("CLUSNL"), object("CLUSTER"), number("CLWLPRTY", 0, 0, 9), number("CLWLRANK", 0, 0, 9),
	text("CUSTOM", 128).since(7, 1, 0), word("DEFBIND", "OPEN", "NOTFIXED", "GROUP"), number("DEFPRTY", 0, 0, 9),
	word("DEFPSIST", "NO", "YES"), word("DEFPRESP", "SYNC", "ASYNC"), word("DEFREADA", "NO", "YES", "DISABLED"),
	text("DESCR", 64), word("GET", "ENABLED", "DISABLED"), word("PUT", "ENABLED", "DISABLED"),
	word("PROPCTL", "COMPAT", "ALL", "FORCE", "NONE", "V6COMPAT"), word("SCOPE", "QMGR", "CELL"),
	object("TARGET"), word("TARGTYPE", "QUEUE", "TOPIC"),
}

var remoteQueue = []Attribute{
	shown("ALTDATE", ""), shown("ALTTIME", ""),
	number("CAPEXPRY", 0, 0, most, "NOLIMIT").as("NOLIMIT").since(9, 3, 1),
	object("CLUSNL"), object("CLUSTER"), number("CLWLPRTY", 0, 0, 9), number("CLWLRANK", 0, 0, 9),
	text("CUSTOM", 128).since(7, 1, 0), word("DEFBIND", "OPEN", "NOTFIXED", "GROUP"), number("DEFPRTY", 0, 0, 9),
	word("DEFPSIST", "NO", "YES"), word("DEFPRESP", "SYNC", "ASYNC"), text("DESCR", 64),
	word("PUT", "ENABLED", "DISABLED"), object("RQMNAME"), object("RNAME"), word("SCOPE", "QMGR", "CELL"), object("XMITQ"),
}
