package finding

// The codes of the findings on backups of coupling facility structures (z/OS).
const (
	RecoverWouldFail   Code = "recover-would-fail"
	RecoverNotKnown    Code = "recover-not-known"
	NeverBackedUp      Code = "never-backed-up"
	BackupLate         Code = "backup-late"
	BackupDayOld       Code = "backup-day-old"
	BackupFailed       Code = "backup-failed"
	BackupRunning      Code = "backup-running"
	BackupStuck        Code = "backup-stuck"
	BackupBlocked      Code = "backup-blocked"
	NoBackupMember     Code = "no-backup-member"
	StandInUsed        Code = "stand-in-used"
	BackupHasTraffic   Code = "backup-member-has-traffic"
	LogsExpire         Code = "needed-logs-expire"
	ImageNotArchived   Code = "image-not-archived"
	StructureFailed    Code = "structure-failed"
	NotRecoverable     Code = "not-recoverable"
	LogWriteSuspended  Code = "log-suspended"
	RecoverySetOpen    Code = "recovery-set-incomplete"
	RecoverySetInvalid Code = "recovery-set-invalid"
	CopyBackupTable    Code = "copy-backup-table"
)

// Sections of the page of structures.
const (
	cfReady  = "cfbackup.md#would-recover-work-right-now"
	cfPlan   = "cfbackup.md#what-is-backed-up-when-and-where"
	cfResult = "cfbackup.md#what-became-of-a-backup"
	cfHand   = "cfbackup.md#what-a-person-does"
	cfSet    = "cfbackup.md#a-recovery-set-for-another-site"
)

// structureCatalogue is the part of the catalogue that speaks of coupling facility
// structures and their backups.
var structureCatalogue = []Entry{
	{RecoverWouldFail, Critical, "If the structure failed now, RECOVER CFSTRUCT would not work: something that it reads is not there.",
		"Read what is missing, and whose it is. A new backup makes older logs needless: back the structure up as soon as the cause is removed.", cfReady},
	{RecoverNotKnown, Warning, "Whether RECOVER CFSTRUCT would work now could not be told: something that it reads was not looked at.",
		"Have the facts recorded that the finding names: the print of CSQJU004 and the catalog entries of every member whose log is needed.", cfReady},
	{NeverBackedUp, Critical, "A structure that can be recovered was never backed up. A recovery would read every log back to the day on which it was made.",
		"Back it up. One that was made since the last backup of all structures is not in that.", cfPlan},
	{BackupLate, Warning, "The last backup is older than twice the interval. A late backup makes a recovery longer, and keeps logs of every member needed.",
		"See whether the runs take place, and what became of their backups.", cfPlan},
	{BackupDayOld, Critical, "The last backup is older than a day (CSQE041E).",
		"See what became of the backups since: a failed or hung one leaves the old values. Then back the structure up.", cfPlan},
	{BackupFailed, Warning, "A backup failed after the last good one (CSQE106E). The last good one still holds.",
		"Do first what the finding says, then back the structure up again.", cfResult},
	{BackupRunning, Info, "A structure is being backed up or recovered; another backup of it would be refused.",
		"None: the next run looks again.", cfResult},
	{BackupStuck, Critical, "A backup has been running for longer than stuck_after. A queue manager that died in it may hold an enqueue (SYSZCSQE) that keeps every backup and recovery out (CSQE101I, APAR PH63327).",
		"See whether it still writes log. If not, restart the queue manager that began it.", cfResult},
	{BackupBlocked, Warning, "A structure that can be recovered is not backed up in this run.",
		"Read why. What has to be done first is named, and is not done by mqhk.", cfPlan},
	{NoBackupMember, Critical, "No member can take the backups: none is named, or what is named lacks something. Nothing is backed up.",
		"Name the dedicated member (backup_queue_manager), and a stand-in if another may fill its log; or see to what the finding names.", cfPlan},
	{StandInUsed, Warning, "Another member than the dedicated one takes backups. Images lie between its applications' log, so that a recovery reads more.",
		"See to the dedicated one.", cfPlan},
	{BackupHasTraffic, Info, "The member that takes the backups is used by applications too. A recovery reads their log with the images, and the images fill their log.",
		"Connect them to another member, where that was not meant.", cfPlan},
	{LogsExpire, Warning, "Logs that a recovery reads may be gone before the next backup: they expire, or the BSDS forgets them.",
		"Back up more often, at least every half of the time for which they are kept; or keep them longer (ARCRETN, MAXARCH, the management class).", cfReady},
	{ImageNotArchived, Info, "Images lie in active logs alone. A member that does nothing else does not switch its log, so that they are not archived, nor shipped.",
		"None for a recovery here. For another site make a recovery set (recovery_set), or ARCHIVE LOG on that member.", cfSet},
	{StructureFailed, Critical, "A structure, or a shared message data set of it, has failed. Only a person recovers it; with RECAUTO(YES) the queue managers may be at it already.",
		"Look at DISPLAY CFSTATUS first. Then give RECOVER CFSTRUCT for all that failed in one command, which reads the logs once. It throws nonpersistent messages away.", cfHand},
	{NotRecoverable, Info, "Structures that can't be backed up: RECOVER(NO), or CFLEVEL below 3. Of those that can, only persistent messages are protected.",
		"None if that is meant. Else ALTER CFSTRUCT(structure) CFLEVEL(5) RECOVER(YES), and back it up.", cfPlan},
	{LogWriteSuspended, Critical, "The log of a member is suspended (SUSPEND QMGR LOG): everything on it stands still.",
		"RESUME QMGR LOG, at the console of that member, if the job that suspended it has died.", cfHand},
	{RecoverySetOpen, Warning, "The recovery set of this run will not be whole: a structure is not backed up, or the log of a member can't be archived.",
		"Read which. A member that does not run drags the time to which the group can be recovered back to the end of its log.", cfSet},
	{RecoverySetInvalid, Critical, "The copy of CSQ.ADMIN_B_STRBACKUP that was shipped names backups of which logs are gone: newer backups let them go. A recovery at the other site would fail.",
		"Copy the table again, after the last backup, and ship it with the archives of all members.", cfSet},
	{CopyBackupTable, Info, "Once all backups are done, and not before, the table of backups is to be copied: the other site finds the images by it.",
		"Copy it by the job that you have for Db2, then note it: the finding shows both.", cfSet},
}
