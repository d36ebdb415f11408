package objects

var process = []Attribute{
	shown("ALTDATE", ""), shown("ALTTIME", ""), text("APPLICID", 256),
	number("APPLTYPE", 0, 0, most, "UNIX", "WINDOWS", "WINDOWSNT", "OS400", "OS2", "DOS", "CICS", "DEF", "NOTESAGENT").as("UNIX"),
	text("DESCR", 64), text("ENVRDATA", 128), text("USERDATA", 128),
}

var namelist = []Attribute{
	shown("NAMCOUNT", "0"), list("NAMES", 48, 256), text("DESCR", 64), shown("ALTDATE", ""), shown("ALTTIME", ""),
}

var listener = []Attribute{
	word("CONTROL", "MANUAL", "QMGR", "STARTONLY"), word("TRPTYPE", "TCP", "LU62", "NETBIOS", "SPX"),
	number("PORT", 0, 0, 65535), text("IPADDR", 48), number("BACKLOG", 0, 0, most), text("DESCR", 64),
	shown("ALTDATE", ""), shown("ALTTIME", ""),
}

var service = []Attribute{
	word("CONTROL", "MANUAL", "QMGR", "STARTONLY"), word("SERVTYPE", "COMMAND", "SERVER"),
	text("STARTCMD", 255), text("STARTARG", 255), text("STOPCMD", 255), text("STOPARG", 255),
	text("STDOUT", 255), text("STDERR", 255), text("DESCR", 64), shown("ALTDATE", ""), shown("ALTTIME", ""),
}

var topic = []Attribute{
	text("TOPICSTR", 10240).made(), shown("ALTDATE", ""), shown("ALTTIME", ""),
	number("CAPEXPRY", 0, 0, most, "ASPARENT", "NOLIMIT").as("ASPARENT").since(9, 3, 1),
	word("CLROUTE", "DIRECT", "TOPICHOST").since(8, 0, 0), object("CLUSTER"), object("COMMINFO"), text("CUSTOM", 128).since(7, 1, 0),
	word("DEFPRESP", "ASPARENT", "SYNC", "ASYNC"), number("DEFPRTY", 0, 0, 9, "ASPARENT").as("ASPARENT"),
	word("DEFPSIST", "ASPARENT", "NO", "YES"), text("DESCR", 64), word("DURSUB", "ASPARENT", "NO", "YES"),
	word("MCAST", "ASPARENT", "DISABLED", "ENABLED", "ONLY"), object("MDURMDL"), object("MNDURMDL"),
	word("NPMSGDLV", "ASPARENT", "ALL", "ALLDUR", "ALLAVAIL"), word("PMSGDLV", "ASPARENT", "ALL", "ALLDUR", "ALLAVAIL"),
	word("PROXYSUB", "FIRSTUSE", "FORCE"), word("PUB", "ASPARENT", "ENABLED", "DISABLED"),
	word("PUBSCOPE", "ASPARENT", "ALL", "QMGR"), word("SUB", "ASPARENT", "ENABLED", "DISABLED"),
	word("SUBSCOPE", "ASPARENT", "ALL", "QMGR"), word("USEDLQ", "ASPARENT", "NO", "YES").since(7, 1, 0),
	word("WILDCARD", "PASSTHRU", "BLOCK"),
}

var subscription = []Attribute{
	text("TOPICSTR", 10240), object("TOPICOBJ"), object("DEST"), object("DESTQMGR"), text("DESTCORL", 48),
	word("DESTCLAS", "PROVIDED", "MANAGED"), shown("DURABLE", "YES"), word("SUBSCOPE", "ALL", "QMGR"), text("SELECTOR", 10240),
	shown("SELTYPE", "NONE"), text("USERDATA", 10240), text("PUBACCT", 64), text("PUBAPPID", 32),
	number("PUBPRTY", 0, 0, 9, "ASPUB", "ASQDEF").as("ASPUB"), text("SUBUSER", 64), word("VARUSER", "ANY", "FIXED"),
	word("WSCHEMA", "TOPIC", "CHAR"), shown("SUBTYPE", "ADMIN"), word("PSPROP", "MSGPROP", "COMPAT", "NONE", "RFH2"),
	word("REQONLY", "NO", "YES"), number("EXPIRY", 0, 1, most, "UNLIMITED").as("UNLIMITED"), number("SUBLEVEL", 1, 0, 9),
	shown("CRDATE", ""), shown("CRTIME", ""), shown("ALTDATE", ""), shown("ALTTIME", ""),
}

// AuthTypes are the values of AUTHTYPE.
var AuthTypes = []string{"CRLLDAP", "OCSP", "IDPWOS", "IDPWLDAP"}

var authInfo = []Attribute{
	word("ADOPTCTX", "YES", "NO").only("IDPWOS", "IDPWLDAP"), text("DESCR", 64),
	text("CONNAME", 264).only("CRLLDAP", "IDPWLDAP"),
	word("CHCKCLNT", "REQDADM", "REQUIRED", "OPTIONAL", "NONE", "ASQMGR").usually("IDPWLDAP", "REQUIRED").only("IDPWOS", "IDPWLDAP"),
	word("CHCKLOCL", "OPTIONAL", "REQUIRED", "REQDADM", "NONE").only("IDPWOS", "IDPWLDAP"),
	text("CLASSGRP", 128).only("IDPWLDAP"), text("CLASSUSR", 128).only("IDPWLDAP"), word("AUTHENMD", "OS", "PAM").only("IDPWOS"),
	word("AUTHORMD", "OS", "SEARCHGRP", "SEARCHUSR", "SRCHGRPSN").only("IDPWLDAP"),
	text("BASEDNG", 1024).only("IDPWLDAP"), text("BASEDNU", 1024).only("IDPWLDAP"),
	number("FAILDLAY", 1, 0, 60).only("IDPWOS", "IDPWLDAP"), text("FINDGRP", 128).only("IDPWLDAP"), text("GRPFIELD", 128).only("IDPWLDAP"),
	text("LDAPUSER", 1024).only("CRLLDAP", "IDPWLDAP"), text("LDAPPWD", 32).only("CRLLDAP", "IDPWLDAP"),
	word("NESTGRP", "NO", "YES").only("IDPWLDAP"), text("OCSPURL", 256).only("OCSP"), word("SECCOMM", "NO", "YES", "ANON").only("IDPWLDAP"),
	text("SHORTUSR", 128).only("IDPWLDAP"), text("USRFIELD", 128).only("IDPWLDAP"), shown("ALTDATE", ""), shown("ALTTIME", ""),
}

var commInfo = []Attribute{
	word("BRIDGE", "ENABLED", "DISABLED"), number("CCSID", 0, 0, 65535, "ASPUB").as("ASPUB"), number("COMMEV", 0, 0, 0, "DISABLED", "ENABLED", "EXCEPTION").as("DISABLED"),
	text("DESCR", 64), number("ENCODING", 0, 0, most, "ASPUB", "NORMAL", "REVERSED", "S390", "TNS").as("ASPUB"),
	text("GRPADDR", 1024), number("MCHBINT", 2000, 0, 999999), text("MCPROP", 64).as("ALL"), number("MONINT", 60, 0, 999999),
	number("MSGHIST", 100, 0, most), word("NSUBHIST", "NONE", "ALL"), number("PORT", 1414, 0, 65535), shown("ALTDATE", ""), shown("ALTTIME", ""),
}
