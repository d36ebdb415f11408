package store

import "errors"

// What can be wrong with a copy, to be told by errors.Is.
var (
	// ErrNotThere says that the store has no manifest of such a copy.
	ErrNotThere = errors.New("the store has no such copy")
	// ErrDamaged says that the content of a copy is gone, or is not what was
	// saved. The copy counts as none until it was put again.
	ErrDamaged = errors.New("the copy is damaged")
	// ErrManifest says that a manifest can't be read, or is not the one that
	// belongs under its name. Nobody knows what it stands for.
	ErrManifest = errors.New("the manifest is damaged")
	// ErrDiffers says that the store has a whole copy of the same segment with
	// another content. One of the two is not what it is taken for.
	ErrDiffers = errors.New("the store has another content of the same segment")
)

// Why a store does not take a segment, to be told by errors.Is.
var (
	// ErrSegment says that what is known of a segment does not make a
	// manifest: a name that no queue manager gives, no detach time, no bytes.
	ErrSegment = errors.New("not a segment that can be kept")
	// ErrSameFilesystem says that the store and the log would be lost together.
	ErrSameFilesystem = errors.New("the store lies on the file system of the log, and does not say same_filesystem = true")
	// ErrOpenToOthers says that others than the owner may enter the store.
	ErrOpenToOthers = errors.New("others can enter the store, and segments hold message bodies")
	// ErrLink says that something in the store is neither a plain file nor a
	// plain folder: a symbolic link, a device.
	ErrLink = errors.New("neither a plain file nor a plain folder")
	// ErrHoldsNothing is what a store says of which the site takes care alone.
	ErrHoldsNothing = errors.New("an external store holds nothing: the site saves")
	// ErrNotRemoved says that copies are not mqhk's to remove: the site's
	// archive has a retention of its own.
	ErrNotRemoved = errors.New("the site's archive removes its copies itself")
	// ErrBusy says that another process had the folder of the queue manager
	// for longer than anyone waits.
	ErrBusy = errors.New("another process is saving segments of this queue manager")
)
