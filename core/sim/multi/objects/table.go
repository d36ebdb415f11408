package objects

// classes are all kinds of objects, in the order in which DISPLAY QUEUE and
// crtmqm go through them. Words are those of rcdmqimg and rcrmqobj (reference,
// Multiplatforms 3.4 item 64; some of them unverified there).
var classes = []Class{
	{
		Kind: Queue, MQSC: "QLOCAL", Short: []string{"QL"}, Heading: "QUEUE", Family: "queue", Longest: 48, Image: true,
		Word: "qlocal", Words: []string{"qlocal", "ql", "queue", "q"}, Default: map[string]string{"": "SYSTEM.DEFAULT.LOCAL.QUEUE"},
		Shown: "AMQ8409", Created: "AMQ8006", Changed: "AMQ8008", Deleted: "AMQ8007", Attributes: localQueue,
	},
	{
		Kind: AliasQueue, MQSC: "QALIAS", Short: []string{"QA"}, Heading: "QUEUE", Family: "queue", Longest: 48, Image: true,
		Word: "qalias", Words: []string{"qalias", "qa", "queue", "q"}, Default: map[string]string{"": "SYSTEM.DEFAULT.ALIAS.QUEUE"},
		Shown: "AMQ8409", Created: "AMQ8006", Changed: "AMQ8008", Deleted: "AMQ8007", Attributes: aliasQueue,
	},
	{
		Kind: RemoteQueue, MQSC: "QREMOTE", Short: []string{"QR"}, Heading: "QUEUE", Family: "queue", Longest: 48, Image: true,
		Word: "qremote", Words: []string{"qremote", "qr", "queue", "q"}, Default: map[string]string{"": "SYSTEM.DEFAULT.REMOTE.QUEUE"},
		Shown: "AMQ8409", Created: "AMQ8006", Changed: "AMQ8008", Deleted: "AMQ8007", Attributes: remoteQueue,
	},
	{
		Kind: ModelQueue, MQSC: "QMODEL", Short: []string{"QM"}, Heading: "QUEUE", Family: "queue", Longest: 48, Image: true,
		Word: "qmodel", Words: []string{"qmodel", "qm", "queue", "q"}, Default: map[string]string{"": "SYSTEM.DEFAULT.MODEL.QUEUE"},
		Shown: "AMQ8409", Created: "AMQ8006", Changed: "AMQ8008", Deleted: "AMQ8007", Attributes: modelQueue,
	},
	{
		Kind: Process, MQSC: "PROCESS", Short: []string{"PRO"}, Heading: "PROCESS", Family: "process", Longest: 48, Image: true,
		Word: "process", Words: []string{"process", "prcs"}, Default: map[string]string{"": "SYSTEM.DEFAULT.PROCESS"},
		Shown: "AMQ8407", Created: "AMQ8010", Changed: "AMQ8012", Deleted: "AMQ8011", Attributes: process,
	},
	{
		Kind: Namelist, MQSC: "NAMELIST", Short: []string{"NL"}, Heading: "NAMELIST", Family: "namelist", Longest: 48, Image: true,
		Word: "namelist", Words: []string{"namelist", "nl"}, Default: map[string]string{"": "SYSTEM.DEFAULT.NAMELIST"},
		Shown: "AMQ8550", Created: "AMQ8552", Changed: "AMQ8551", Deleted: "AMQ8553", Attributes: namelist,
	},
	{
		Kind: Channel, MQSC: "CHANNEL", Short: []string{"CHL"}, Heading: "CHANNEL", Family: "channel", Longest: 20,
		Word: "channel", Words: []string{"channel", "chl"}, Selector: "CHLTYPE", Default: map[string]string{
			"SDR": "SYSTEM.DEF.SENDER", "SVR": "SYSTEM.DEF.SERVER", "RCVR": "SYSTEM.DEF.RECEIVER", "RQSTR": "SYSTEM.DEF.REQUESTER",
			"SVRCONN": "SYSTEM.DEF.SVRCONN", "CLUSSDR": "SYSTEM.DEF.CLUSSDR", "CLUSRCVR": "SYSTEM.DEF.CLUSRCVR", "AMQP": "SYSTEM.DEF.AMQP",
		},
		Shown: "AMQ8414", Created: "AMQ8014", Changed: "AMQ8016", Deleted: "AMQ8015", Attributes: channel,
	},
	{
		Kind: ClientChannel, MQSC: "CLNTCONN", Heading: "CHANNEL", Family: "client-channel", Longest: 20,
		Word: "clntconn", Words: []string{"clntconn", "clcn"}, Default: map[string]string{"": "SYSTEM.DEF.CLNTCONN"},
		Shown: "AMQ8414", Created: "AMQ8014", Changed: "AMQ8016", Deleted: "AMQ8015", Attributes: clientChannel,
	},
	{
		Kind: Listener, MQSC: "LISTENER", Short: []string{"LSTR"}, Heading: "LISTENER", Family: "listener", Longest: 48, Image: true,
		Word: "listener", Words: []string{"listener", "lstr"}, Default: map[string]string{"": "SYSTEM.DEFAULT.LISTENER.TCP"},
		Shown: "AMQ8630", Created: "AMQ8626", Changed: "AMQ8623", Deleted: "AMQ8624", Attributes: listener,
	},
	{
		Kind: Service, MQSC: "SERVICE", Heading: "SERVICE", Family: "service", Longest: 48, Image: true,
		Word: "service", Words: []string{"service", "srvc"}, Default: map[string]string{"": "SYSTEM.DEFAULT.SERVICE"},
		Shown: "AMQ8629", Created: "AMQ8625", Changed: "AMQ8622", Deleted: "AMQ8621", Attributes: service,
	},
	{
		Kind: Topic, MQSC: "TOPIC", Heading: "TOPIC", Family: "topic", Longest: 48, Image: true,
		Word: "topic", Words: []string{"topic", "top"}, Default: map[string]string{"": "SYSTEM.DEFAULT.TOPIC"},
		Shown: "AMQ8633", Created: "AMQ8690", Changed: "AMQ8691", Deleted: "AMQ8692", Attributes: topic,
	},
	{
		Kind: Subscription, MQSC: "SUB", Heading: "SUB", Family: "subscription", Longest: 48,
		Word: "sub", Default: map[string]string{"": "SYSTEM.DEFAULT.SUB"},
		Shown: "AMQ8096", Created: "AMQ8094", Changed: "AMQ8095", Deleted: "AMQ8097", Attributes: subscription,
	},
	{
		Kind: AuthInfo, MQSC: "AUTHINFO", Heading: "AUTHINFO", Family: "auth-info", Longest: 48, Image: true,
		Word: "authinfo", Words: []string{"authinfo"}, Selector: "AUTHTYPE", Default: map[string]string{
			"CRLLDAP": "SYSTEM.DEFAULT.AUTHINFO.CRLLDAP", "OCSP": "SYSTEM.DEFAULT.AUTHINFO.OCSP",
			"IDPWOS": "SYSTEM.DEFAULT.AUTHINFO.IDPWOS", "IDPWLDAP": "SYSTEM.DEFAULT.AUTHINFO.IDPWLDAP",
		},
		Shown: "AMQ8566", Created: "AMQ8563", Changed: "AMQ8567", Deleted: "AMQ8564", Attributes: authInfo,
	},
	{
		Kind: CommInfo, MQSC: "COMMINFO", Heading: "COMMINFO", Family: "comm-info", Longest: 48, Image: true,
		Word: "comminfo", Words: []string{"comminfo"}, Default: map[string]string{"": "SYSTEM.DEFAULT.COMMINFO.MULTICAST"},
		Shown: "AMQ8864", Created: "AMQ8861", Changed: "AMQ8862", Deleted: "AMQ8863", Attributes: commInfo,
	},
	{
		Kind: QueueManager, MQSC: "QMGR", Heading: "QMNAME", Family: "queue-manager", Longest: 48, Image: true,
		Word: "qmgr", Words: []string{"qmgr"},
		Shown: "AMQ8408", Changed: "AMQ8005", Attributes: manager,
	},
}
