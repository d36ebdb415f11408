package finding

// The codes of the findings on shared message data sets (z/OS).
const (
	DataSetExpanded    Code = "data-set-expanded"
	ExpansionFailed    Code = "expansion-failed"
	DataSetFull        Code = "data-set-full"
	DataSetFilling     Code = "data-set-filling"
	ExtentsShort       Code = "extents-running-out"
	ExtentsUnknown     Code = "extents-unknown"
	ExtentsRefreshed   Code = "extents-refreshed"
	ExpansionOff       Code = "expansion-off"
	ExpansionAhead     Code = "expansion-ahead"
	RoomShort          Code = "room-runs-out"
	TooLittleHistory   Code = "too-little-history"
	BuffersShort       Code = "buffers-short"
	BuffersLarge       Code = "buffers-large"
	BlocksSmall        Code = "blocks-small"
	OffloadRules       Code = "offload-rules"
	BackupCarries      Code = "backup-carries-much"
	DataSetFailed      Code = "data-set-failed"
	DataSetUnavailable Code = "data-set-unavailable"
)

// Sections of the page of shared message data sets.
const (
	smdsGrowth   = "smds.md#how-far-one-grows"
	smdsFailed   = "smds.md#after-an-expansion-that-failed"
	smdsForecast = "smds.md#the-forecast"
	smdsBuffers  = "smds.md#buffers-and-blocks"
	smdsOffload  = "smds.md#offload-rules"
	smdsAccess   = "smds.md#when-one-is-not-available"
)

// dataSetCatalogue is the part of the catalogue that speaks of shared message
// data sets. A data set never shrinks: no remedy is to make it smaller.
var dataSetCatalogue = []Entry{
	{DataSetExpanded, Warning, "A shared message data set expanded. That should be an exception: while it lasts puts of large messages may fail (2192), and what was added is never given back.",
		"See what filled it: a consumer that did not run, or a peak. For a peak that will come again allocate it large enough, or let it grow before.", smdsGrowth},
	{ExpansionFailed, Critical, "An expansion of a shared message data set failed (CSQE218E, CSQE215I, EXPANDST). The queue manager has set DSEXPAND(NO) and tries none until a person alters that.",
		"Remove the cause first: space on its volumes, more volumes, or a copy with larger extents. Then ALTER SMDS(owner) CFSTRUCT(structure) DSEXPAND(YES).", smdsFailed},
	{DataSetFull, Critical, "A shared message data set is full, or so full that it should expand and can't. Large messages can't be put through its owner (2192).",
		"Let the consumers drain its queues. Remove what keeps it from expanding: the finding says what.", smdsFailed},
	{DataSetFilling, Warning, "Much of a shared message data set is in use. From 90 per cent on the queue manager expands it, unless DSEXPAND is NO.",
		"Look whether the consumers of its queues run. If this is its usual level, let it grow before the next peak.", smdsGrowth},
	{ExtentsShort, Warning, "A shared message data set may get few more extents.",
		"Plan a copy with larger extents, or more volumes. Where its data class has extent constraint removal, name the class in constraint_removed.", smdsGrowth},
	{ExtentsUnknown, Warning, "The extents of a shared message data set are not known: no catalog entry shows them, and DISPLAY USAGE never does.",
		"Have LISTCAT ENTRIES of it recorded, on a system where it is catalogued. Until then whether it can expand is not known.", smdsGrowth},
	{ExtentsRefreshed, Warning, "Members that only read a shared message data set said that nothing, or less than nothing, was added to it (CSQE219I; APAR PI81042). No such message is counted as an expansion.",
		"None for the data set. See whether the members have the PTF of APAR PI81042.", smdsGrowth},
	{ExpansionOff, Info, "A shared message data set does not expand by itself: DSEXPAND(NO).",
		"None if that is meant: it never shrinks again after a peak. Else ALTER SMDS(owner) CFSTRUCT(structure) DSEXPAND(YES).", smdsGrowth},
	{ExpansionAhead, Info, "By its forecast, or by what is expected of it, a shared message data set will have to expand.",
		"If it is to be large enough beforehand: allocate it with a larger primary quantity, or let messages that are drained again make it grow.", smdsForecast},
	{RoomShort, Warning, "By its forecast, or by what is expected of it, a shared message data set needs more than it can have, or it can't expand.",
		"Plan a copy with larger extents, more volumes, or extended addressability; or keep more messages in the structure by its offload rules.", smdsForecast},
	{TooLittleHistory, Info, "There is too little history for a forecast: earlier runs saw a data set for less than two days, or too seldom.",
		"None: each run adds to it. Run the task a few times a day.", smdsForecast},
	{BuffersShort, Warning, "Requests had to wait for a buffer of a shared message data set: the lowest number of free buffers was negative.",
		"Raise DSBUFS by that number. It is storage of the queue manager: ask your z/OS system programmer before you raise it far.", smdsBuffers},
	{BuffersLarge, Warning, "The buffers of a shared message data set take more storage than the task allows: DSBUFS times DSBLOCK.",
		"Look with your z/OS system programmer whether they are backed by real storage; few buffers serve well while nobody waits.", smdsBuffers},
	{BlocksSmall, Warning, "DSBLOCK is smaller than 64K: messages take several blocks, and the space map of a large data set more than one, where an old defect overwrote messages (APAR PI40571).",
		"It can't be changed once a data set of the structure has been opened. Define the next structure with 64K or more, and see whether all members have the PTF.", smdsBuffers},
	{OffloadRules, Info, "A structure is so full that an offload rule holds, or soon will: from then on smaller messages go to its shared message data sets, and these fill faster.",
		"Look whether the consumers run, and whether its data sets have room for what the rule sends there.", smdsOffload},
	{BackupCarries, Info, "Much lies in the shared message data sets of a structure. A backup of it reads and logs all that is persistent, and a recovery has to read all logs since the last one.",
		"Back the structure up more often, at times when it is nearly empty, and on a queue manager that does nothing else.", smdsOffload},
	{DataSetFailed, Critical, "A shared message data set has failed or was suspended after an error: its messages can't be read.",
		"See the owner's messages (CSQE241I, CSQE222E). RECOVER CFSTRUCT brings it back, and throws away the nonpersistent messages of the whole structure: never without a person.", smdsAccess},
	{DataSetUnavailable, Warning, "Members can't use a shared message data set: its connection failed or was stopped, or access to it is disabled.",
		"See why the allocation or the opening failed (CSQE222E), then START SMDSCONN(owner) CFSTRUCT(structure) on these members. Backups of the structure fail until then (00C50D00).", smdsAccess},
}
