package finding

import (
	"slices"
	"strings"
	"sync"
)

// Entry describes one code for people.
type Entry struct {
	Code     Code
	Severity Severity
	Meaning  string // what is the case
	Remedy   string // what a person can do about it
	More     string // the page under docs and its section that says more: "ibmi.md#restoring"; two with a blank between where the platforms differ
}

// Pages gives the sections of [Entry.More], one or one for each platform.
func (e Entry) Pages() []string { return strings.Fields(e.More) }

// The codes of the catalogue, in its order.
const (
	NotAnswered        Code = "not-answered"
	NotChecked         Code = "not-checked"
	FactsUnreadable    Code = "facts-unreadable"
	ServiceMissing     Code = "sql-service-missing"
	LibraryUnknown     Code = "library-unknown"
	JournalUnknown     Code = "journal-unknown"
	MarkMissing        Code = "mark-missing"
	MarkUnreadable     Code = "mark-unreadable"
	MarkNotInChain     Code = "mark-not-in-chain"
	ReceiverNotListed  Code = "receiver-not-listed"
	MarksDisagree      Code = "marks-disagree"
	MarkByTime         Code = "mark-by-time"
	MarkTie            Code = "mark-tie"
	MarkMoved          Code = "mark-moved"
	MarkWentBack       Code = "mark-went-back"
	ClockWentBack      Code = "clock-went-back"
	ListIncomplete     Code = "list-incomplete"
	ChainOrderUnknown  Code = "chain-order-unknown"
	ChainBreak         Code = "chain-break"
	ChainLong          Code = "chain-long"
	NameClash          Code = "name-clash"
	JournalingStopped  Code = "journaling-stopped"
	JobWaits           Code = "job-waits"
	AttachedUnknown    Code = "attached-unknown"
	StateUnknown       Code = "state-unknown"
	SaveDoubtful       Code = "save-doubtful"
	ManagerNotRunning  Code = "queue-manager-not-running"
	ReceiverLost       Code = "receiver-lost"
	ReceiverArchived   Code = "receiver-archived"
	RestoreRequired    Code = "restore-required"
	ReceiverUnreadable Code = "receiver-unreadable"
	NotSaved           Code = "not-saved"
	RemoteBehind       Code = "remote-journal-behind"
	SystemDeletes      Code = "system-deletes-receivers"
	SequenceNearEnd    Code = "sequence-near-end"
	MediaNotMoving     Code = "media-point-not-moving"
	StartupNotMoving   Code = "startup-point-not-moving"
	PinnedByUnit       Code = "pinned-by-unit-of-work"
	PinnedByQueue      Code = "pinned-by-queue"
	ObjectDamaged      Code = "object-damaged"
	RecoveryFailed     Code = "recovery-failed"
	AfterImages        Code = "after-images"
	NoImages           Code = "no-images"
	ImageWouldNotFit   Code = "image-would-not-fit"
	ImageSizeUnknown   Code = "image-size-unknown"
	OnHold             Code = "on-hold"
	LimitReached       Code = "limit-reached"
	TooMuchAtOnce      Code = "too-much-at-once"
	NeedNotMet         Code = "need-not-met"
	StoreNotConfigured Code = "store-not-configured"
	StoreUnfit         Code = "store-unfit"
	StoreUnreadable    Code = "store-unreadable"
	StoreSameDisk      Code = "store-same-filesystem"
	GuardRefused       Code = "guard-refused"
	ActionRefused      Code = "action-refused"
	QuestionRefused    Code = "question-refused"
	RunStopped         Code = "run-stopped"
	FirstRun           Code = "first-run"
	LedgerEmpty        Code = "ledger-empty"
	LedgerBroken       Code = "ledger-broken"
	OtherPolicyKeeps   Code = "other-policy-keeps"
	CopyDamaged        Code = "copy-damaged"
	CopyAmbiguous      Code = "copy-ambiguous"
	PromiseBroken      Code = "promise-broken"
	OutcomeUnknown     Code = "outcome-unknown"
	NothingMatched     Code = "nothing-matched"
)

// Catalogue lists every code that this program can report, in the order in
// which docs/findings.md shows them.
func Catalogue() []Entry {
	return slices.Concat(catalogue, extentCatalogue, dataSetCatalogue, structureCatalogue)
}

// byCode is made once: a plan of a large group has thousands of findings.
var byCode = sync.OnceValue(func() map[Code]Entry {
	entries := map[Code]Entry{}
	for _, entry := range Catalogue() {
		entries[entry.Code] = entry
	}
	return entries
})

// Lookup finds the entry of a code.
func Lookup(code Code) (Entry, bool) {
	entry, ok := byCode()[code]
	return entry, ok
}

// Sections of the pages under docs that the entries name.
const (
	asks      = "ibmi.md#what-it-asks"
	points    = "ibmi.md#the-two-recovery-points"
	byHand    = "ibmi.md#checking-by-hand"
	verdicts  = "ibmi.md#verdicts"
	nothing   = "ibmi.md#what-makes-it-let-nothing-go"
	authority = "ibmi.md#authorities-for-reading"
	todo      = "ibmi.md#what-to-do-about-a-finding"
	saving    = "ibmi.md#saving-by-hand"
	images    = "ibmi.md#recording-images-the-order-of-work"
	restoring = "ibmi.md#restoring"
	applying  = "apply.md#the-second-key"
)

// Sections for both platforms.
const (
	asksBoth      = asks + " " + extentFacts
	pointsBoth    = points + " " + extentPoints
	byHandBoth    = byHand + " " + extentByHand
	verdictsBoth  = verdicts + " " + extentKinds
	nothingBoth   = nothing + " " + extentNothing
	todoBoth      = todo + " " + extentHealth
	savingBoth    = saving + " " + extentArchive
	imagesBoth    = images + " " + extentImages
	restoringBoth = restoring + " " + extentRestoring
)

// imagesInOrder moves the recovery points. CHGJRN comes first, so that the
// images lie in the new receiver (reference, IBM i, trap 22).
const imagesInOrder = "CHGJRN JRN(lib/AMQxJRN) JRNRCV(*GEN), then " +
	"RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(name) DSPJRNDTA(*YES); the cost and the order: docs/ibmi.md."

var catalogue = []Entry{
	{NotAnswered, Critical, "A question without which the plan can't be made had no answer.",
		"Record it (mqhk collector prints the script) or give the connection the authority it lacks: mqhk target check names it.", asksBoth},
	{NotChecked, Warning, "Something that a plan can do without could not be checked: its question had no answer, or the answer lacks a column.",
		"Record it where it can be had: the collector's script asks for it. Until then look at it by hand before you delete.", asksBoth},
	{FactsUnreadable, Critical, "An answer came back but could not be read, or contradicts itself.",
		"Look at the named answer; ask the system again.", asksBoth},
	{ServiceMissing, Critical, "The system has no SQL service of that name, or the answer lacks a column that is needed.",
		"Install the Db2 for i group PTF that brings the service; or, where the answer was recorded without that column, record it again. Until then prune by hand.", asks},
	{LibraryUnknown, Critical, "The library of the queue manager could not be learned.",
		"Write library = \"...\" in the target, or let the connection read /QIBM/UserData/mqm/mqs.ini.", asks},
	{JournalUnknown, Critical, "The local journal AMQxJRN of the queue manager could not be told for certain.",
		"Check WRKMQMJRN; exactly one journal of the library may be local.", asks},
	{MarkMissing, Critical, "A recovery point that the strategy needs is not known.",
		"Look at the other critical findings first: one of them may be the cause. Else, on Multiplatforms: let DISPLAY QMSTATUS be asked by a user who may (mqhk target check tests it), of a queue manager that runs and has a linear log. On IBM i: let the queue manager publish the point again: " + imagesInOrder, imagesBoth},
	{MarkUnreadable, Critical, "A recovery point is there but makes no sense (bad date, bad name, in the future, ahead of what is being written).",
		"Look by hand. On IBM i: at AMQJRNINF and the newest AMQ7460 and AMQ7462. On Multiplatforms: at RECLOG, MEDIALOG and CURRLOG of DISPLAY QMSTATUS ALL.", byHandBoth},
	{MarkNotInChain, Critical, "A recovery point names a receiver that is not in the chain and nothing else bounds it.",
		"Find where the receiver went; restore it before anything is deleted.", restoring},
	{ReceiverNotListed, Warning, "A recovery point names a receiver that is not in the list. It is looked for in the stores; receiver-lost says if it is nowhere.",
		"If it is on the system, give the user authority to it; else see receiver-lost.", authority},
	{MarksDisagree, Warning, "Two sources give different recovery points, or a name and a time point to different receivers. The older one was used.",
		"None needed for safety; if it stays, look for a failover, a restore or a clock change.", points},
	{MarkByTime, Warning, "A recovery point gives a time and no receiver; the time alone places it.",
		"None needed for safety; from V5.3 on the receiver is named too.", points},
	{MarkTie, Warning, "An entry was written in the second in which a receiver was attached. One more receiver is kept.",
		"None needed; the next recovery point ends it.", points},
	{MarkMoved, Info, "A recovery point moved forward while the receivers or extents were listed. The first reading was used.",
		"None needed.", pointsBoth},
	{MarkWentBack, Critical, "A recovery point moved backwards, while the receivers or extents were listed or since an earlier run; or the queue manager was started anew in between; or the stores have extents that it has not written yet.",
		"Find out whether the queue manager failed over, was put back to an older state, or was made anew; then plan again. A point that went back since an earlier run is remembered by the next run that applies: it changes nothing that time, and those after it go on with the log as it is. Dry runs alone do not end this.", byHandBoth},
	{ClockWentBack, Warning, "Local times repeat along the chain, so a time alone can be read in more than one way. The older reading was used, unless the queue manager named the receiver.",
		"None needed for safety; say the time zone of the target (zone) to have fewer receivers kept.", points},
	{ListIncomplete, Critical, "Fewer receivers were listed than the journal says it has, or nothing proves that all are there.",
		"Give the user authority to all receivers of the journal, or record the whole answer. Proof is NUMBER_JOURNAL_RECEIVERS, or links that join all receivers.", authority},
	{ChainOrderUnknown, Critical, "The order of the log pieces can't be told: of receivers links are missing and attach times do not rise; extents are by their numbers neither older than the one that is written nor the next ones ahead of it.",
		"On IBM i: record PREVIOUS_JOURNAL_RECEIVER and NEXT_JOURNAL_RECEIVER too. On Multiplatforms: compare CURRLOG with the names in LOGPATH, and see who put the extents there that the finding names.", asksBoth},
	{ChainBreak, Warning, "A receiver is missing between two others: no link joins them or, without links, the first was not detached when the second was attached.",
		"If a recovery needs it the plan says so and stops; otherwise none needed.", restoring},
	{ChainLong, Warning, "The chain is long: restart, rebuild and every listing take longer.",
		"Prune more often, or find what keeps the recovery points back.", todo},
	{NameClash, Critical, "The system could not attach a new receiver because its name exists (CPI70E3); the attached one keeps growing.",
		"Attach a receiver with a free name: CHGJRN JRN(lib/AMQxJRN) JRNRCV(lib/name).", todo},
	{JournalingStopped, Warning, "Journaling has stopped: an entry could not be written (CPA7090), a job waits for a reply, and no recovery point since shows that entries are written again. Nothing is kept because of it.",
		"Reason 1, space: delete what the plan lets go, or enlarge the ASP (or MAXSTG of the profile that owns the receivers). Reason 4, sequence numbers: end the queue manager and reset them, CHGJRN JRN(lib/AMQxJRN) JRNRCV(*GEN) SEQOPT(*RESET). Then reply R to the message: the job tries again; C cancels what it was doing.", todo},
	{JobWaits, Warning, "A job that deletes a receiver waits for a reply (CPA7025: never saved; CPA705E: an inactive remote journal) and holds a lock on the receiver, so that later deletes fail.",
		"Reply C on the message queue that is named: the receiver stays. Reply I only for one that the plan lets go as it is: it deletes without a save. Then find the job that deletes in this way.", todo},
	{AttachedUnknown, Critical, "It is not certain which log piece is being written: not exactly one receiver is attached, or it is not the newest; CURRLOG is not told, or its extent is not there.",
		"Ask again: straight after a change the list can be unsettled for a moment. On Multiplatforms: see whether CURRLOG of DISPLAY QMSTATUS names a file in LOGPATH.", nothingBoth},
	{StateUnknown, Warning, "A receiver has a status that mqhk does not know, or an extent belongs to another user than the one that is written. It is never deleted.",
		"On IBM i: report the status word; delete by hand if you are sure. On Multiplatforms: see who put the extent there. One that was restored as another user must be given to the owner of its neighbours, or the queue manager can't open it.", verdictsBoth},
	{SaveDoubtful, Warning, "A receiver has the status SAVED or FREED, but its save time does not come after its detach time. A save of an attached receiver is partial, so it counts as never saved.",
		"Save it again now that it is detached (SAVOBJ OBJTYPE(*JRNRCV)); let the save job leave out the attached receiver.", saving},
	{ManagerNotRunning, Critical, "The queue manager is not plainly running: starting, ending or recovering.",
		"Plan again when it runs.", asks},
	{ReceiverLost, Critical, "A receiver or an extent that a recovery needs is neither on the system nor in a store.",
		"Leave the queue manager running until this is settled. Bring what is missing back from your own backups; copies that a store has of another log of this name are of no use. Where nobody has it: once images of all objects are recorded and the restart point has moved past the gap, no recovery reads it. Until then a recovery fails. On IBM i: with AMQ7432. On Multiplatforms: a start with AMQ7017, a rebuild with AMQ6767; both read every extent after the missing one too.", restoringBoth},
	{ReceiverArchived, Info, "Receivers or extents that a rebuild or a restart needs are in a store, as the strategy allows.",
		"Before such a recovery restore them. On IBM i: mqhk archive restore QM --needed. On Multiplatforms: mqhk archive restore QM --for media before a rebuild, --for restart before a start.", restoringBoth},
	{RestoreRequired, Critical, "The strategy promises a recovery without a restore, but a receiver or an extent that it needs is only in a store.",
		"Restore it from the store. On IBM i: mqhk archive restore QM --needed. On Multiplatforms: mqhk archive restore QM --for restart, as long as the queue manager runs: once ended it may not start (AMQ7017); or --for media.", restoringBoth},
	{ReceiverUnreadable, Critical, "A receiver or an extent that a recovery needs is on the system, but not whole: a receiver is PARTIAL or FREED, an extent has not the size of the one that is written.",
		"Restore a complete copy of it. On Multiplatforms: a start that missed an extent may have left an empty one of its name (APAR IT24871). Move that away, out of the directory, and then restore: mqhk never writes over a file.", restoringBoth},
	{NotSaved, Warning, "Receivers or extents that could go were never saved after they were complete, and the policy holds them (unsaved = \"hold\").",
		"On IBM i: save them (SAVOBJ OBJTYPE(*JRNRCV)), or write unsaved = \"save\" or \"delete\" in the policy. On Multiplatforms: the system does not know what your jobs have saved. Write unsaved = \"delete\", since no recovery needs such an extent, or \"save\" with a store; or have the job that saves extents say so: mqhk note saved QM --segment EXTENT.", savingBoth},
	{RemoteBehind, Warning, "On IBM i: a remote journal has not received everything; receivers it may still need are held.",
		"Bring the remote journal up to date.", todo},
	{SystemDeletes, Critical, "The journal deletes its receivers itself: DLTRCV(*YES). The system knows nothing of MQ's recovery points.",
		"CHGJRN JRN(lib/AMQxJRN) DLTRCV(*NO). An exit program can protect the receivers (docs/eligible.md), but mqhk can't see one: the finding stays critical with it.", todo},
	{SequenceNearEnd, Warning, "Sequence numbers of the journal near their maximum, where journaling stops, or have reached it.",
		"End the queue manager at a quiet time and reset them: CHGJRN JRN(lib/AMQxJRN) JRNRCV(*GEN) SEQOPT(*RESET).", todo},
	{MediaNotMoving, Warning, "The media recovery point stays behind.",
		"Record media images. Deep queues are written to the log uncompressed: look at the space first. On Multiplatforms: rcdmqimg -m QM -t all '*'. On IBM i: " + imagesInOrder, imagesBoth},
	{StartupNotMoving, Warning, "The startup recovery point stays behind.",
		"Look for a long unit of work or an in-doubt channel (WRKMQMTRN); media images do not move this point.", todo},
	{PinnedByUnit, Info, "The units of work that hold the startup recovery point (restart point) back.",
		"End or resolve them (on IBM i: WRKMQMTRN, RSVMQMTRN; on Multiplatforms: dspmqtrn, rsvmqtrn); images don't move this point.", todoBoth},
	{PinnedByQueue, Info, "The queues of which the last image holds the media recovery point back.",
		"Record an image of them (on IBM i: RCDMQMIMG; on Multiplatforms: rcdmqimg). An empty queue costs next to nothing; a deep one is written to the log in full.", imagesBoth},
	{ObjectDamaged, Warning, "The queue manager reported a damaged object (AMQ7472).",
		"RCRMQMOBJ, while the receivers from the media recovery point on are all there.", restoring},
	{RecoveryFailed, Critical, "A restart or a rebuild missed a journal entry (AMQ7432).",
		"Restore the receivers from the time given in the message; nothing is deleted until then.", restoring},
	{AfterImages, Info, "The plan records media images. This is the most that could go after them, of the receivers or extents that are there now.",
		"None needed. What really may go is planned anew once the recovery points have moved.", imagesBoth},
	{NoImages, Info, "The task records media images, and this plan has none: they would not move the point, or something else comes first.",
		"Read why. If the restart point (on IBM i: startup point) or a hold is as old as the media point, see to that: images don't move it.", imagesBoth},
	{ImageWouldNotFit, Warning, "No images: they might need more than is free in the file system (on IBM i: auxiliary storage pool), less what is to be left free.",
		"Make room first: let the plan's deletes go, empty the queues that are named, or enlarge the file system (on IBM i: pool). If you know that the messages are small, record the images by hand. On Multiplatforms: rcdmqimg -m QM -t all '*'. On IBM i: " + imagesInOrder, imagesBoth},
	{ImageSizeUnknown, Warning, "No images: how much they would write, or how much is free, could not be learned.",
		"Give the connection the authority for the question that is named; or compare the queues with the free space yourself and record the images by hand. On Multiplatforms: rcdmqimg -m QM -t all '*'. On IBM i: " + imagesInOrder, imagesBoth},
	{OnHold, Info, "An operator's hold keeps receivers or extents.",
		"Lift the hold when its reason is over.", "apply.md#holds"},
	{LimitReached, Warning, "More could go than max_deletes allows in one run. The oldest go first.",
		"None needed: the next runs take the rest.", "policies.md#task"},
	{TooMuchAtOnce, Critical, "More would go than max_percent allows. Nothing goes.",
		"See whether that is right; if so raise limits.max_percent for one run.", "policies.md#task"},
	{NeedNotMet, Warning, "What was asked for with plan --need is more than can go by any step, or more than is known to.",
		"The report says what keeps the rest: what a restart needs, holds, recovery points that do not move. Give the file system room, or let the points move.", "operating.md#when-a-disk-is-filling"},
	{StoreNotConfigured, Warning, "Receivers or extents must be saved first, but the task has no store that is configured.",
		"Configure a store and name it in the task.", savingBoth},
	{StoreUnfit, Warning, "The task's store can't take these segments, or the site itself saves them: none is saved, and none goes before it is.",
		"Give the task a store that fits. On Multiplatforms: kind directory, on another file system than the log, closed to others. On IBM i: kind savf, or another kind with a library for save files. With an external store wait for the site's own saves.", "policies.md#store"},
	{StoreUnreadable, Critical, "What a store holds could not be read: its folder is open to others, or a manifest is not whole. What is archived is not known, and nothing goes.",
		"Read which store and why. Where its folder is open to others, find out who could write there, then chmod 700 it. A manifest that can't be read: mqhk archive verify names it; bring it back from a backup of the store, or move it away with its copy.", "policies.md#store"},
	{StoreSameDisk, Warning, "The store says same_filesystem = true: it may be lost together with the log that it holds copies of.",
		"Give it another disk, better another machine. For a rehearsal it is right.", "policies.md#store"},
	{GuardRefused, Critical, "The plan deletes what the second key, the host's own fresh observation, does not let go. Nothing was done.",
		"Read which segment and why. If a plugin is not yours, ask its author; if another policy binds the target too, compare the two with mqhk policy diff.", applying},
	{ActionRefused, Critical, "The plan holds an action that is not carried out: a command that is no change or that nobody knows, a release of log pieces in disguise, a kind that the plugin did not describe, something that the task does not allow. Nothing was done.",
		"Read which action it was, and why. Where the finding shows a line that would permit it, decide whether this plugin shall do that, and write the line into the task. Where it shows none, no task can allow the action: the plugin is wrong or hostile. Stop using it, and send the finding to its author.", applying},
	{QuestionRefused, Critical, "The plugin asked something that is not a display. It was not sent, and nothing was done.",
		"A plugin that asks such a thing is wrong or hostile: stop using it.", applying},
	{RunStopped, Critical, "The run was stopped on its way: what it saw afresh does not fit what it was planned on, or it lost its claim. What was not done by then was not attempted.",
		"Read why. After a failover, a restart or a restore plan again.", applying},
	{FirstRun, Warning, "The ledger knows nothing of this target: the first run on it is recorded as a plan, and applied nothing.",
		"Read the plan; when you agree run again.", applying},
	{LedgerEmpty, Critical, "A store holds segments of this queue manager that were saved by runs which the ledger does not know: it was lost, it is an older copy, or this is another one. Its holds and notes are not those of the site. Nothing goes.",
		"Name the right folder with --state, or put the ledger back. If it is lost: give its holds and notes anew, then mqhk history accept --reason ... says that this ledger counts from now on.", applying},
	{LedgerBroken, Critical, "The ledger is not as mqhk left it: its end is missing, or another. A hold may have gone with it. Nothing goes.",
		"mqhk history verify says what does not fit. Put the right copy back; or look at holds and notes, and then mqhk history accept --reason ...", applying},
	{PromiseBroken, Critical, "What was read back when all was done does not keep what the policy promises.",
		"Look at the stores (mqhk archive verify) and at what the report says of each recovery; until it is understood hold the target (mqhk hold).", applying},
	{OtherPolicyKeeps, Warning, "Another policy of the configuration, which applies by itself on this target, keeps what this one would let go. In a dry run it is a comparison; an apply would do nothing.",
		"Compare the two with mqhk policy diff, and decide which is to bind the target.", applying},
	{CopyDamaged, Warning, "A copy in a store is damaged or its content is gone: it counts as none.",
		"mqhk archive verify reads all copies. While the segment is on the system the next run saves it again.", applying},
	{CopyAmbiguous, Warning, "A receiver that a recovery needs has a copy in a store, but once the receiver has gone that copy would not be found with certainty: copies of another life of the queue manager join the chain as well, or the copy does not join it itself. It counts as none, so that the receiver is not deleted on the strength of it.",
		"Look for copies of another queue manager of the same name, or from before the queue manager was put back to an older state (mqhk archive list), and give each a store of its own.", applying},
	{OutcomeUnknown, Warning, "What became of an earlier action is not known. It is not sent again.",
		"Look on the system yourself; mqhk history shows the action and what was seen.", applying},
	{NothingMatched, Warning, "A task of the policy matched none of the targets.",
		"Compare the patterns in targets with what mqhk target list prints.", "policies.md#task"},
}
