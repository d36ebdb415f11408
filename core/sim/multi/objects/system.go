package objects

import (
	"maps"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/level"
)

// Definition is an object as it is to be defined.
type Definition struct {
	Ref        engine.Ref
	Attributes map[string]string
}

// systemObject is a row of the table of default objects.
type systemObject struct {
	kind       engine.Kind
	name       string
	attributes map[string]string
	since      level.Level
}

// System gives the objects that crtmqm makes at a level: "Default objects
// statistics : 84 created". The queue manager itself is not among them.
func System(l level.Level) []Definition {
	var all []Definition
	for _, o := range systemObjects {
		if l.AtLeast(o.since.Version, o.since.Release, o.since.Modification) {
			all = append(all, Definition{engine.Ref{Kind: o.kind, Name: o.name}, maps.Clone(o.attributes)})
		}
	}
	return all
}

type set = map[string]string

// systemQueues are local queues without anything of their own, by the level
// they came with.
var systemQueues = map[level.Level][]string{
	{}: {
		"SYSTEM.ADMIN.ACCOUNTING.QUEUE", "SYSTEM.ADMIN.ACTIVITY.QUEUE", "SYSTEM.ADMIN.CHANNEL.EVENT", "SYSTEM.ADMIN.COMMAND.EVENT",
		"SYSTEM.ADMIN.CONFIG.EVENT", "SYSTEM.ADMIN.LOGGER.EVENT", "SYSTEM.ADMIN.PERFM.EVENT", "SYSTEM.ADMIN.PUBSUB.EVENT",
		"SYSTEM.ADMIN.QMGR.EVENT", "SYSTEM.ADMIN.STATISTICS.QUEUE", "SYSTEM.ADMIN.TRACE.ROUTE.QUEUE", "SYSTEM.AUTH.DATA.QUEUE",
		"SYSTEM.BROKER.ADMIN.STREAM", "SYSTEM.BROKER.CONTROL.QUEUE", "SYSTEM.BROKER.DEFAULT.STREAM",
		"SYSTEM.BROKER.INTER.BROKER.COMMUNICATIONS", "SYSTEM.CHANNEL.INITQ", "SYSTEM.CHANNEL.SYNCQ", "SYSTEM.CICS.INITIATION.QUEUE",
		"SYSTEM.CLUSTER.COMMAND.QUEUE", "SYSTEM.DEAD.LETTER.QUEUE", "SYSTEM.DEFAULT.INITIATION.QUEUE", "SYSTEM.DEFAULT.LOCAL.QUEUE",
		"SYSTEM.DURABLE.SUBSCRIBER.QUEUE", "SYSTEM.HIERARCHY.STATE", "SYSTEM.INTER.QMGR.CONTROL", "SYSTEM.INTER.QMGR.FANREQ",
		"SYSTEM.INTER.QMGR.PUBS", "SYSTEM.INTERNAL.REPLY.QUEUE", "SYSTEM.PENDING.DATA.QUEUE", "SYSTEM.RETAINED.PUB.QUEUE",
		"SYSTEM.SELECTION.EVALUATION.QUEUE", "SYSTEM.SELECTION.VALIDATION.QUEUE",
	},
	{Version: 7, Release: 1}: {"SYSTEM.ADMIN.TRACE.ACTIVITY.QUEUE", "SYSTEM.CHLAUTH.DATA.QUEUE", "SYSTEM.CLUSTER.HISTORY.QUEUE"},
	{Version: 7, Release: 5}: {"SYSTEM.DDELAY.LOCAL.QUEUE", "SYSTEM.PROTECTION.ERROR.QUEUE", "SYSTEM.PROTECTION.POLICY.QUEUE"},
	{Version: 8}:             {"SYSTEM.AMQP.COMMAND.QUEUE", "SYSTEM.REST.REPLY.QUEUE"},
}

// systemObjects are those of crtmqm. Which level brought which is from memory
// in parts.
var systemObjects = append(plainQueues(), []systemObject{
	{Queue, "SYSTEM.ADMIN.COMMAND.QUEUE", set{"MAXDEPTH": "3000", "MAXMSGL": "104857600"}, level.Level{}},
	{Queue, "SYSTEM.CLUSTER.REPOSITORY.QUEUE", set{"MAXDEPTH": "999999999", "DEFPSIST": "YES"}, level.Level{}},
	{Queue, "SYSTEM.CLUSTER.TRANSMIT.QUEUE", set{"USAGE": "XMITQ", "MAXDEPTH": "999999999", "PROPCTL": "ALL"}, level.Level{}},
	{ModelQueue, "SYSTEM.CLUSTER.TRANSMIT.MODEL.QUEUE", set{"USAGE": "XMITQ", "DEFTYPE": "PERMDYN"}, level.Level{Version: 7, Release: 5}},
	{ModelQueue, "SYSTEM.DEFAULT.MODEL.QUEUE", nil, level.Level{}},
	{ModelQueue, "SYSTEM.DURABLE.MODEL.QUEUE", set{"DEFTYPE": "PERMDYN"}, level.Level{}},
	{ModelQueue, "SYSTEM.JMS.TEMPQ.MODEL", nil, level.Level{}},
	{ModelQueue, "SYSTEM.MQEXPLORER.REPLY.MODEL", nil, level.Level{}},
	{ModelQueue, "SYSTEM.MQSC.REPLY.QUEUE", nil, level.Level{}},
	{ModelQueue, "SYSTEM.NDURABLE.MODEL.QUEUE", nil, level.Level{}},
	{AliasQueue, "SYSTEM.DEFAULT.ALIAS.QUEUE", nil, level.Level{}},
	{RemoteQueue, "SYSTEM.DEFAULT.REMOTE.QUEUE", nil, level.Level{}},
	{Process, "SYSTEM.DEFAULT.PROCESS", nil, level.Level{}},
	{Namelist, "SYSTEM.DEFAULT.NAMELIST", nil, level.Level{}},
	{Namelist, "SYSTEM.QPUBSUB.QUEUE.NAMELIST", set{"NAMES": "SYSTEM.BROKER.DEFAULT.STREAM,SYSTEM.BROKER.ADMIN.STREAM"}, level.Level{}},
	{Namelist, "SYSTEM.QPUBSUB.SUBPOINT.NAMELIST", set{"NAMES": "SYSTEM.BROKER.DEFAULT.SUBPOINT"}, level.Level{}},
	{Channel, "SYSTEM.AUTO.RECEIVER", set{"CHLTYPE": "RCVR", "DESCR": "Auto-defined by"}, level.Level{}},
	{Channel, "SYSTEM.AUTO.SVRCONN", set{"CHLTYPE": "SVRCONN", "DESCR": "Auto-defined by"}, level.Level{}},
	{Channel, "SYSTEM.DEF.AMQP", set{"CHLTYPE": "AMQP"}, level.Level{Version: 8}},
	{Channel, "SYSTEM.DEF.CLUSRCVR", set{"CHLTYPE": "CLUSRCVR"}, level.Level{}},
	{Channel, "SYSTEM.DEF.CLUSSDR", set{"CHLTYPE": "CLUSSDR"}, level.Level{}},
	{Channel, "SYSTEM.DEF.RECEIVER", set{"CHLTYPE": "RCVR"}, level.Level{}},
	{Channel, "SYSTEM.DEF.REQUESTER", set{"CHLTYPE": "RQSTR"}, level.Level{}},
	{Channel, "SYSTEM.DEF.SENDER", set{"CHLTYPE": "SDR"}, level.Level{}},
	{Channel, "SYSTEM.DEF.SERVER", set{"CHLTYPE": "SVR"}, level.Level{}},
	{Channel, "SYSTEM.DEF.SVRCONN", set{"CHLTYPE": "SVRCONN"}, level.Level{}},
	{ClientChannel, "SYSTEM.DEF.CLNTCONN", nil, level.Level{}},
	{Listener, "SYSTEM.DEFAULT.LISTENER.TCP", nil, level.Level{}},
	{Service, "SYSTEM.DEFAULT.SERVICE", nil, level.Level{}},
	{Service, "SYSTEM.BROKER", set{"CONTROL": "QMGR", "SERVTYPE": "SERVER"}, level.Level{}},
	{Service, "SYSTEM.AMQP.SERVICE", set{"SERVTYPE": "SERVER"}, level.Level{Version: 8}},
	{Topic, "SYSTEM.ADMIN.TOPIC", set{"TOPICSTR": "$SYS/MQ"}, level.Level{Version: 9}},
	{Topic, "SYSTEM.BASE.TOPIC", baseTopic, level.Level{}},
	{Topic, "SYSTEM.BROKER.ADMIN.STREAM", set{"TOPICSTR": "SYSTEM.BROKER.ADMIN.STREAM"}, level.Level{}},
	{Topic, "SYSTEM.BROKER.DEFAULT.STREAM", set{"TOPICSTR": "SYSTEM.BROKER.DEFAULT.STREAM"}, level.Level{}},
	{Topic, "SYSTEM.BROKER.DEFAULT.SUBPOINT", set{"TOPICSTR": "SYSTEM.BROKER.DEFAULT.SUBPOINT"}, level.Level{}},
	{Topic, "SYSTEM.DEFAULT.TOPIC", nil, level.Level{}},
	{Subscription, "SYSTEM.DEFAULT.SUB", nil, level.Level{}},
	{AuthInfo, "SYSTEM.DEFAULT.AUTHINFO.CRLLDAP", set{"AUTHTYPE": "CRLLDAP"}, level.Level{}},
	{AuthInfo, "SYSTEM.DEFAULT.AUTHINFO.OCSP", set{"AUTHTYPE": "OCSP"}, level.Level{}},
	{AuthInfo, "SYSTEM.DEFAULT.AUTHINFO.IDPWOS", set{"AUTHTYPE": "IDPWOS"}, level.Level{Version: 8}},
	{AuthInfo, "SYSTEM.DEFAULT.AUTHINFO.IDPWLDAP", set{"AUTHTYPE": "IDPWLDAP"}, level.Level{Version: 8}},
	{CommInfo, "SYSTEM.DEFAULT.COMMINFO.MULTICAST", nil, level.Level{Version: 7, Release: 1}},
}...)

// baseTopic is what all topics without a parent have.
var baseTopic = set{
	"DEFPRESP": "SYNC", "DEFPRTY": "0", "DEFPSIST": "NO", "DURSUB": "YES", "MCAST": "DISABLED", "MDURMDL": "SYSTEM.DURABLE.MODEL.QUEUE",
	"MNDURMDL": "SYSTEM.NDURABLE.MODEL.QUEUE", "NPMSGDLV": "ALLAVAIL", "PMSGDLV": "ALLDUR", "PUB": "ENABLED", "PUBSCOPE": "ALL",
	"SUB": "ENABLED", "SUBSCOPE": "ALL", "USEDLQ": "YES", "CAPEXPRY": "NOLIMIT", "DESCR": "Base topic for resolving attributes",
}

// plainQueues gives the rows of systemQueues, in order of levels.
func plainQueues() []systemObject {
	var all []systemObject
	for _, l := range []level.Level{{}, {Version: 7, Release: 1}, {Version: 7, Release: 5}, {Version: 8}} {
		for _, name := range systemQueues[l] {
			all = append(all, systemObject{Queue, name, nil, l})
		}
	}
	return all
}
