package errlog

// Meaning is what a message tells about the recovery of a queue manager.
type Meaning uint8

// The meanings.
const (
	Other           Meaning = iota // nothing that matters here
	RestartPoint                   // the oldest extent that a restart needs: RECLOG
	MediaPoint                     // the oldest extent that media recovery needs: MEDIALOG
	LogFull                        // the log is full
	LogNotFull                     // it is no longer
	LongTransaction                // the log is full because of a long unit of work
	LogTooSmall                    // the log is too small for the data rate
	RolledBack                     // units of work were rolled back to free log space
	SpaceHeld                      // a unit of work or an application kept log space from being freed
	ObjectDamaged                  // an object is damaged
	ExtentMissing                  // an extent that was needed was not found
	DiskFull                       // no room to format the next extent
	LogUnavailable                 // the log can't be used: no start
	LogStatistics                  // extents created, reused, deleted
	FileSystemUse                  // how full the file system of the data or the log is
	Created                        // the queue manager was created: an earlier one of its name is gone
	Starting                       // it starts: it reads its log
	Started                        // it started
	Ended                          // it ended
	meanings
)

// meaning is one row of the catalogue.
type meaning struct {
	id   string
	of   Meaning
	each func(Record) string // what tells apart those of which each counts; nil: the newest is enough
}

// catalogue lists the messages that matter. Texts and the places of inserts
// differ by level and language, so nothing but the id is relied on; those of
// 7464, 7486 and 7487 are from memory (reference, Multiplatforms 2.1).
var catalogue = []meaning{
	{"AMQ7467", RestartPoint, nil},
	{"AMQ7468", MediaPoint, nil},
	{"AMQ7463", LogFull, nil},
	{"AMQ7464", LogNotFull, nil},
	{"AMQ7465", LongTransaction, nil},
	{"AMQ7466", LogTooSmall, nil},
	{"AMQ7469", RolledBack, nil},
	{"AMQ7472", ObjectDamaged, wording},
	{"AMQ7486", SpaceHeld, wording},
	{"AMQ7487", SpaceHeld, wording},
	{"AMQ6767", ExtentMissing, wording},
	{"AMQ6708", DiskFull, nil},
	{"AMQ6709", LogFull, nil},
	{"AMQ7017", LogUnavailable, nil},
	{"AMQ7490", LogStatistics, nil},
	{"AMQ5782", FileSystemUse, place},
	{"AMQ8001", Created, nil},
	{"AMQ7229", Starting, nil},
	{"AMQ7230", Starting, nil},
	{"AMQ7231", Starting, nil},
	{"AMQ7232", Starting, nil},
	{"AMQ7233", Starting, nil},
	{"AMQ7374", Starting, nil},
	{"AMQ8003", Started, nil},
	{"AMQ8004", Ended, nil},
}

var meaningOf = func() map[string]meaning {
	index := make(map[string]meaning, len(catalogue))
	for _, m := range catalogue {
		index[m.id] = m
	}
	return index
}()

// Meaning tells what the record's message is about.
func (r Record) Meaning() Meaning { return meaningOf[r.ID].of }

// wording tells messages apart that name what they are about.
func wording(r Record) string { return r.Text }

// place tells messages apart by the path that they are about.
func place(r Record) string {
	if r.Comment[0] != "" {
		return r.Comment[0]
	}
	path, _ := quotedPath(r.Text)
	return path
}
