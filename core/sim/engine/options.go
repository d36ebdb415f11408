package engine

import "github.com/mqhk/mqhk/core/wal/disk"

// Options are what a queue manager runs with. They are the platform's and the
// same at every start; those that say how the log is written may change.
type Options struct {
	// Disk holds the log's segments and the folder of the queue manager.
	Disk disk.FS
	// Folder on the disk for the files of objects and the control file.
	Folder string
	// Files says where in the folder they are. Nil: all of them lie in it,
	// under names of the engine's own.
	Files Files
	// Threshold is the number of bytes of a segment behind which the log goes
	// on in the next one. It is a trigger, not a cap. Zero: a segment is left
	// when it is full.
	Threshold int64
	// Costs says how much of the log an operation takes. Nil: what it needs.
	Costs *Costs
	// Part is the longest piece of a message, in bytes, that one record of the
	// log holds; the rest goes on in further records, each in the next segment
	// if need be. Zero: a message is one record, however long.
	Part int
	// ImagePart is how many bytes of a queue one record of its image holds.
	// Zero: Part; if that is zero too, 8 KiB or one message.
	ImagePart int
	// Detail has the log say what a dump of it shows and no restart needs: the
	// queue's name in puts and gets, the record before in the same unit of
	// work, where one begins, and where one that was backed out ends.
	Detail bool
	// Essential tells which objects a start can't do without, such as the
	// queue manager object: damaged, they are rebuilt by the start itself.
	// Nil: none.
	Essential func(Ref) bool
	// Recoverable tells which objects can be rebuilt from the log, by their
	// attributes and those of Manager. One that can't holds no part of the log
	// for media recovery, and a start that finds it damaged ignores the
	// uncommitted work on it (reference, Multiplatforms 4.2 item 83). Nil: all
	// can. It is called with the engine locked and must not call it. An object
	// that becomes recoverable by [Engine.Alter], of itself or of Manager, has
	// an image before. Nothing else may change the answer.
	Recoverable func(ref Ref, attributes, manager map[string]string) bool
	// Manager is the object, such as that of the queue manager, which Recoverable
	// goes by beside the object itself. The zero Ref: none.
	Manager Ref
	// Rules gives what puts and gets meet by the attributes of a queue, or of
	// Manager. Nil: nothing. It is called with the engine locked.
	Rules func(Ref, map[string]string) Rules
	// NoSync leaves every sync out, for rehearsals (see wal.Options).
	NoSync bool
}
