package objects

// The groups of channel types by what they have.
var (
	callers   = []string{"SDR", "SVR", "CLUSSDR", "CLUSRCVR"}
	movers    = []string{"SDR", "SVR", "RCVR", "RQSTR", "CLUSSDR", "CLUSRCVR"}
	callable  = []string{"SDR", "SVR", "RQSTR", "CLUSSDR", "CLUSRCVR"}
	receivers = []string{"RCVR", "RQSTR", "CLUSRCVR"}
	clustered = []string{"CLUSSDR", "CLUSRCVR"}
	mqi       = []string{"SDR", "SVR", "RCVR", "RQSTR", "CLUSSDR", "CLUSRCVR", "SVRCONN"} // all but AMQP
	withUser  = []string{"SDR", "SVR", "RQSTR", "CLUSSDR"}
)

// ChannelTypes are the values of CHLTYPE of a channel; CLNTCONN is a kind of
// its own.
var ChannelTypes = []string{"SDR", "SVR", "RCVR", "RQSTR", "SVRCONN", "CLUSSDR", "CLUSRCVR", "AMQP"}

// channel are the attributes of channels in the order of DISPLAY CHANNEL ALL of
// 9.4, by type.
var channel = []Attribute{
	shown("ALTDATE", ""), shown("ALTTIME", ""),
	number("BATCHHB", 0, 0, 999999).only(callers...), number("BATCHINT", 0, 0, most).only(callers...),
	number("BATCHLIM", 5000, 0, 999999).only(callers...).since(7, 1, 0), number("BATCHSZ", 50, 1, 9999).only(movers...),
	text("CERTLABL", 64).only("SDR", "SVR", "RCVR", "RQSTR", "CLUSRCVR", "SVRCONN", "AMQP").since(8, 0, 0),
	object("CLUSNL").only(clustered...), object("CLUSTER").only(clustered...),
	number("CLWLPRTY", 0, 0, 9).only(clustered...), number("CLWLRANK", 0, 0, 9).only(clustered...),
	number("CLWLWGHT", 50, 1, 99).only(clustered...),
	word("COMPHDR", "NONE", "SYSTEM").only(mqi...), text("COMPMSG", 64).as("NONE").only(mqi...),
	text("CONNAME", 264).only(callable...), word("CONVERT", "NO", "YES").only(callers...), text("DESCR", 64),
	number("AMQPKA", 0, 0, 99999, "AUTO").as("AUTO").only("AMQP"),
	number("DISCINT", 6000, 0, 999999).usually("SVRCONN", "0").only("SDR", "SVR", "CLUSSDR", "CLUSRCVR", "SVRCONN"),
	number("HBINT", 300, 0, 999999).only(mqi...), number("KAINT", 0, 0, 99999, "AUTO").as("AUTO").only(mqi...),
	text("LOCLADDR", 48).only("SDR", "SVR", "RQSTR", "CLUSSDR", "CLUSRCVR", "AMQP"),
	number("LONGRTY", most, 0, most).only(callers...), number("LONGTMR", 1200, 0, most).only(callers...),
	number("MAXINST", most, 0, most).only("SVRCONN", "AMQP"), number("MAXINSTC", most, 0, most).only("SVRCONN"),
	number("MAXMSGL", 4194304, 0, longestMsg), text("MCANAME", 20).only(callable...),
	word("MCATYPE", "PROCESS", "THREAD").usually("CLUSSDR", "THREAD").usually("CLUSRCVR", "THREAD").only(callable...),
	text("MCAUSER", 64), text("MODENAME", 8).only(callable...),
	word("MONCHL", "QMGR", "OFF", "LOW", "MEDIUM", "HIGH").only(mqi...),
	text("MRDATA", 32).only(receivers...), text("MREXIT", 128).only(receivers...),
	number("MRRTY", 10, 0, most).only(receivers...), number("MRTMR", 1000, 0, most).only(receivers...),
	text("MSGDATA", 999).only(movers...), text("MSGEXIT", 999).only(movers...),
	number("NETPRTY", 0, 0, 9).only("CLUSRCVR"), word("NPMSPEED", "FAST", "NORMAL").only(movers...),
	text("PASSWORD", 12).only(withUser...), number("PORT", 5672, 0, 65535).only("AMQP"),
	word("PROPCTL", "COMPAT", "ALL", "NONE").only(callers...), word("PUTAUT", "DEF", "CTX").only(receivers...),
	text("RCVDATA", 999).only(mqi...), text("RCVEXIT", 999).only(mqi...), resetSequence, text("SCYDATA", 32).only(mqi...),
	text("SCYEXIT", 128).only(mqi...), text("SENDDATA", 999).only(mqi...), text("SENDEXIT", 999).only(mqi...),
	number("SEQWRAP", most, 100, most).only(movers...), number("SHARECNV", 10, 0, most).only("SVRCONN"),
	number("SHORTRTY", 10, 0, most).only(callers...), number("SHORTTMR", 60, 0, most).only(callers...),
	word("SSLCAUTH", "REQUIRED", "OPTIONAL").only("SVR", "RCVR", "RQSTR", "CLUSRCVR", "SVRCONN", "AMQP"),
	text("SSLCIPH", 64), text("SSLPEER", 1024), word("STATCHL", "QMGR", "OFF", "LOW", "MEDIUM", "HIGH").only(movers...),
	text("TPNAME", 64).only(callable...), text("TPROOT", 1024).as("SYSTEM.BASE.TOPIC").only("AMQP"),
	object("TMPMODEL").as("SYSTEM.DEFAULT.MODEL.QUEUE").only("AMQP"), text("TMPQPRFX", 32).as("AMQP.*").only("AMQP"),
	word("USECLTID", "NO", "YES").only("AMQP"), word("TRPTYPE", "TCP", "LU62", "NETBIOS", "SPX").only(mqi...),
	word("USEDLQ", "YES", "NO").only(movers...), text("USERID", 12).only(withUser...), object("XMITQ").only("SDR", "SVR"),
}

var resetSequence = shown("RESETSEQ", "NO").only(movers...)

// clientChannel are those of a client-connection channel.
var clientChannel = []Attribute{
	word("AFFINITY", "PREFERRED", "NONE"), shown("ALTDATE", ""), shown("ALTTIME", ""), text("CERTLABL", 64).since(8, 0, 0),
	number("CLNTWGHT", 0, 0, 99), word("COMPHDR", "NONE", "SYSTEM"), text("COMPMSG", 64).as("NONE"), text("CONNAME", 264),
	word("DEFRECON", "NO", "YES", "QMGR", "DISABLED").since(7, 0, 1), text("DESCR", 64), number("HBINT", 300, 0, 999999),
	number("KAINT", 0, 0, 99999, "AUTO").as("AUTO"), text("LOCLADDR", 48), number("MAXMSGL", 4194304, 0, longestMsg),
	text("MODENAME", 8), text("PASSWORD", 12), object("QMNAME"), text("RCVDATA", 999), text("RCVEXIT", 999),
	text("SCYDATA", 32), text("SCYEXIT", 128), text("SENDDATA", 999), text("SENDEXIT", 999), number("SHARECNV", 10, 0, most),
	text("SSLCIPH", 64), text("SSLPEER", 1024), text("TPNAME", 64), word("TRPTYPE", "TCP", "LU62", "NETBIOS", "SPX"), text("USERID", 12),
}
