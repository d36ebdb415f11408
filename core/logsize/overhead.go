package logsize

// Overhead is what operations take of the log in bytes (chapter 7.1.4,
// "Calculating the size of the log"; reference, Multiplatforms 4.4). All of it
// is approximate there.
type Overhead struct {
	Put          int64 // and the length of the message
	PutSegment   int64 // of a message that is longer than Segment: for each segment
	Segment      int64
	Get          int64
	Commit       int64
	Backout      int64
	BackoutEach  int64 // for each put and get that is undone
	Image        int64 // and what is on the queue
	ImageSegment int64 // for each ImagePart of it
	ImagePart    int64
	Checkpoint   int64
	ActiveUnit   int64 // in a checkpoint, for each unit of work
}

// OverheadOf gives the table for a release. To 8.0 long messages are cut in
// pieces of 15,700 bytes; the 261,844 of later releases are from memory.
func OverheadOf(release string) Overhead {
	o := Overhead{
		Put: 750, PutSegment: 300, Segment: 15_700, Get: 260, Commit: 750, Backout: 1000, BackoutEach: 12,
		Image: 800, ImageSegment: 300, ImagePart: 260_000, Checkpoint: 750, ActiveUnit: 200,
	}
	if major(release) >= 9 {
		o.Segment = 261_844
	}
	return o
}

// PutOf gives what a persistent message of a length takes.
func (o Overhead) PutOf(length int64) int64 {
	bytes := o.Put + length
	if length > o.Segment {
		bytes += o.PutSegment * pieces(length, o.Segment)
	}
	return bytes
}

// ImageOf gives what an image takes, of a queue with so many bytes on it.
func (o Overhead) ImageOf(bytes int64) int64 {
	return o.Image + bytes + o.ImageSegment*pieces(bytes, o.ImagePart)
}

// CheckpointOf gives what a checkpoint takes with so many units of work.
func (o Overhead) CheckpointOf(units int64) int64 { return o.Checkpoint + o.ActiveUnit*units }

// pieces is how many pieces of a length there are, the last of which may be
// shorter.
func pieces(bytes, length int64) int64 { return (bytes + length - 1) / length }
