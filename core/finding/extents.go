package finding

// The codes of the findings on log extents (Multiplatforms).
const (
	ReportOnly         Code = "report-only"
	ManagerRemoves     Code = "queue-manager-removes"
	ErrorLogNotTrusted Code = "error-log-not-trusted"
	PointsLogged       Code = "points-from-error-log"
	LogKindUnknown     Code = "log-kind-unknown"
	LogNotPruned       Code = "log-not-pruned"
	DirectoryNotProven Code = "directory-not-proven"
	ForeignFiles       Code = "foreign-files"
	ExtentGap          Code = "extent-gap"
	NotThisHost        Code = "not-this-host"
	RestartNotMoving   Code = "restart-point-not-moving"
	ActiveSpanLong     Code = "active-span-long"
	LogFilling         Code = "log-filling"
	FileSystemFilling  Code = "file-system-filling"
	MessagesSuppressed Code = "messages-suppressed"
	NeverImaged        Code = "never-imaged"
	OthersMayDelete    Code = "others-may-delete"
	ArchiveBroken      Code = "archive-broken"
	NotReplayed        Code = "not-replayed"
	ImagesFailed       Code = "images-failed"
	NoteUnplaced       Code = "note-unplaced"
	CopiesOfAnother    Code = "copies-of-another-log"
	BackupNotKept      Code = "backup-not-kept"
)

// Sections of the page of Multiplatforms.
const (
	extentFacts     = "multiplatforms.md#what-it-asks"
	extentKinds     = "multiplatforms.md#who-removes-extents"
	extentProof     = "multiplatforms.md#whose-directory-it-is"
	extentPoints    = "multiplatforms.md#the-two-recovery-points"
	extentByHand    = "multiplatforms.md#checking-by-hand"
	extentNothing   = "multiplatforms.md#what-makes-it-let-nothing-go"
	extentHealth    = "multiplatforms.md#what-it-watches"
	extentArchive   = "multiplatforms.md#archiving"
	extentImages    = "multiplatforms.md#recording-images"
	extentRestoring = "multiplatforms.md#restoring"
)

// extentCatalogue is the part of the catalogue that speaks of log extents.
var extentCatalogue = []Entry{
	{ReportOnly, Info, "The policy would keep less than a running queue manager must find on the system. It is reported, and never carried out.",
		"None: use conservative or fast-startup where extents are to go.", extentKinds},
	{ManagerRemoves, Info, "The queue manager removes or reuses superfluous extents itself (LogManagement=Automatic or Archive, or a REPLICATED log). mqhk never deletes there: no strategy changes anything about it.",
		"None. With LogManagement=Archive give the task a store, so that extents are archived and reported to the queue manager.", extentKinds},
	{ErrorLogNotTrusted, Critical, "Only the error log tells a recovery point, and the task does not say that it trusts one. Nothing goes.",
		"Let DISPLAY QMSTATUS be asked (RECLOG, MEDIALOG), or write trust_error_log = true in the task.", extentPoints},
	{PointsLogged, Warning, "The recovery points come from messages AMQ7467 and AMQ7468 in the error log, since the queue manager was not asked or did not tell.",
		"Let DISPLAY QMSTATUS be asked: it tells the points as they are now.", extentPoints},
	{LogKindUnknown, Critical, "It is not known what kind of log the queue manager has, or who removes its extents: neither LOGTYPE nor qm.ini tells, they differ, qm.ini can't be read, or it means LogManagement=Manual and there are R extents (REUSESZ), which only a queue manager makes that removes extents itself. Nothing goes.",
		"Let qm.ini be read, and compare it with DISPLAY QMSTATUS LOGTYPE. LogType in qm.ini changes nothing by itself; only migmqlog changes the type. After qm.ini was edited restart the queue manager. Take R extents of earlier times away with RESET QMGR TYPE(REDUCELOG).", extentKinds},
	{LogNotPruned, Info, "The log is circular: it has a fixed number of files, all of them in use. Nobody may delete one.",
		"None. A queue manager that is to be recovered from media needs a linear log (migmqlog).", extentKinds},
	{DirectoryNotProven, Critical, "It is not proven that the directory holds the log of this queue manager: there is no amqhlctl.lfh, the paths differ, or what the queue manager writes to is not in it. Db2 names its log files alike. Nothing goes.",
		"Compare LOGPATH of DISPLAY QMSTATUS with LogPath in qm.ini, and look what lies there.", extentProof},
	{ForeignFiles, Warning, "The directory of the extents holds files that are not the queue manager's, that belong to another user, or that have names of extents and are surely none of this log: of another size, or far behind all others. They are never touched.",
		"See who put them there. An extent that was restored by another user can't be opened by the queue manager: chown it as its neighbours are.", extentProof},
	{ExtentGap, Warning, "Extents are missing between others that no recovery needs.",
		"See who removes extents beside mqhk. What lies before a gap is of use to nobody, unless the missing ones are in a store.", extentFacts},
	{NotThisHost, Critical, "The queue manager does not plainly run on this host: it is stopped, starting, a standby, runs elsewhere, or this is a replica. Nothing goes.",
		"If it has ended, start it, or wait until it runs again: only a queue manager that runs tells what it needs. If it starts or ends just now plan again in a moment. If it runs elsewhere run mqhk on that host: dspmq -o status -x.", extentFacts},
	{RestartNotMoving, Warning, "The restart point (RECLOG) does not move, or lies far behind the extent that is written.",
		"See what pins it: a long unit of work, or one in doubt (DISPLAY CONN(*) UOWLOG, dspmqtrn). An image does not help.", extentHealth},
	{ActiveSpanLong, Warning, "From the restart point on the log is longer than the primary files hold: secondary files are in use, and the queue manager will roll back the oldest units of work when these are full.",
		"End the long unit of work, or define more primary files and restart the queue manager.", extentHealth},
	{LogFilling, Warning, "The queue manager uses much of its log for a restart (LOGINUSE, LOGUTIL).",
		"See what pins the restart point; define more primary files if the load is meant to be so.", extentHealth},
	{FileSystemFilling, Warning, "The file system of the log is filling.",
		"mqhk plan --need SIZE says what can go, with the least loss of promise first.", extentHealth},
	{MessagesSuppressed, Info, "qm.ini keeps messages out of the error log that tell of its recovery points or of a full log.",
		"Take the messages out of ExcludeMessage and SuppressMessage, and let Severities include I.", extentPoints},
	{NeverImaged, Warning, "A queue has no media image newer than the oldest extent: it pins the media recovery point, and a rebuild of it reads all of the log.",
		"Record an image of it: rcdmqimg -m QMGR -t qlocal QUEUE.", extentImages},
	{OthersMayDelete, Warning, "Users beside the owner and the group mqm may delete files in the directory of the extents: every user, or another group that is not the owner's own.",
		"Where every user may, take the right away: chmod o-w. Where another group may, give the directory to mqm: chgrp mqm. The directories of a queue manager are 2775 at most, and only mqm writes.", extentProof},
	{ArchiveBroken, Warning, "The copies in the stores do not join up with the extents on the system: a recovery that reads from the oldest copy on would end at the hole.",
		"Look for the missing extents on other media, or treat what lies before the hole as of no use. Note a new data backup.", extentArchive},
	{NotReplayed, Info, "A backup queue manager has not replayed extents yet; they stay until mqhk note replayed says so.",
		"Run the replay, then mqhk note replayed TARGET --segment EXTENT.", extentArchive},
	{ImagesFailed, Warning, "rcdmqimg did not record the media images that were asked for.",
		"Look up its exit code: it is in the finding. Damaged objects are rebuilt first (rcrmqobj), busy ones are tried again.", extentImages},
	{NoteUnplaced, Warning, "A note of a data backup or of a replay names no extent, one that is not written yet, or was made before the log began: what it needs can't be told, so everything stays.",
		"mqhk note list shows it. If it is of an older life of the queue manager, or names the wrong extent, note it anew where that is still of use, and end this one (mqhk note end QM ID).", extentArchive},
	{CopiesOfAnother, Warning, "Extents that a recovery reads are not on the system, and the copies that the stores have of such numbers are of another log, or were made before this one was put back to an older state: the queue manager was made anew under its name, or its log was begun anew, or it was restored. They count as none.",
		"Look for the extents of this log elsewhere; receiver-lost says which. Copies of the older log serve only a restore of the older queue manager as a whole.", extentArchive},
	{BackupNotKept, Critical, "The queue manager removes extents itself, and knows nothing of data backups that were noted, of another queue manager that replays its log, or of holds. Extents that these need are in no store, and nothing keeps them on the system.",
		"Give the task a store: then a copy is made of each, in time. Or end the note, if the backup is not to be rolled forward: mqhk note list, mqhk note end QM ID.", extentArchive},
}
