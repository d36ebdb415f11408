package engine

// Costs says how many bytes of the log the records of an operation take, their
// headers among them, each rounded up to [wal.Align] (the table of log overhead;
// reference, Multiplatforms 4.4). A record that needs less is filled up with
// zeros, which a reader skips; one that needs more takes what it needs.
type Costs struct {
	Put    int // beside the message
	Get    int
	Commit int
	// Backout of a unit of work, and for each put or get of it more.
	Backout, BackoutEach  int
	Define, Delete, Alter int
	Image                 int // beside what it holds
	// Checkpoint, and for each unit of work that has not ended more.
	Checkpoint, CheckpointUnit int
	// Part is for each piece of a message that is cut in pieces, the first one
	// too, beside the piece (SEED, table of 7.1.4); ImagePart for each piece of
	// an image.
	Part, ImagePart int
}

// smallRecord is what a record takes that is one of several of an operation and
// says little: the beginning and the end of a unit of work, of an image, of a
// checkpoint. It comes off what the operation's main record takes.
const smallRecord = 64

// unit gives what a unit of work takes in a checkpoint.
func (c *Costs) unit() int {
	if c == nil {
		return 0
	}
	return c.CheckpointUnit
}

// of gives how many bytes of the log a record with so many bytes of payload is to
// take; 0: what it needs.
func (c *Costs) of(r *record, payload int) int {
	if c == nil {
		return 0
	}
	switch r.kind {
	case recPut:
		return c.Put + len(r.message.Body)
	case recPutLong:
		return c.Put + c.Part + len(r.message.Body)
	case recPutPart:
		return c.Part + len(r.message.Body)
	case recGet:
		return c.Get
	case recCommit:
		return c.Commit - r.spent
	case recBackout:
		return c.Backout + c.BackoutEach*r.undone - r.spent
	case recDefine:
		return c.Define
	case recDelete:
		return c.Delete
	case recAlter:
		return c.Alter
	case recImage:
		return c.Image - smallRecord
	case recImagePart:
		return c.ImagePart + payload
	case recCheckpoint:
		return c.Checkpoint - 2*smallRecord
	case recCheckpointPart:
		return smallRecord + c.CheckpointUnit*len(r.table.units)
	case recBegin, recEndUnit, recImageEnd, recCheckpointEnd:
		return smallRecord
	}
	return 0
}
