package cfbackup

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/observe/qsg"
)

// course says what becomes of a structure in this run.
type course string

// The courses, as reports say them.
const (
	backUp   course = "back up"
	waits    course = "wait"            // for a better hour, or for room
	busy     course = "busy"            // a backup or a recovery of it runs
	stuck    course = "stuck"           // a backup of it has run for too long
	blocked  course = "can't now"       // something has to be repaired first
	cannot   course = "not recoverable" // it can't be backed up: that is no failure (case 40)
	doubtful course = "not known"
)

// planned is what becomes of one structure, and why.
type planned struct {
	structure qsg.Structure
	course    course
	why       string
	image     image
	member    string // that backs it up
}

// choice is what becomes of all structures.
type choice struct {
	structures []planned        // in the order in which they are backed up, the others after them by name
	places     []place          // that were looked at, the dedicated one first
	writes     map[string]int64 // bytes of the images that are planned, by member
}

// place gives a member that was looked at.
func (c choice) place(name string) place {
	for _, p := range c.places {
		if p.name == name {
			return p
		}
	}
	return place{}
}

// fit tells whether any member can take backups.
func (c choice) fit() bool { return slices.ContainsFunc(c.places, place.fit) }

// choose decides which structures are backed up, and where.
func (v view) choose() choice {
	c := choice{places: v.places(), writes: map[string]int64{}}
	for _, s := range v.group.Structures {
		c.structures = append(c.structures, v.course(s, c.places))
	}
	slices.SortStableFunc(c.structures, func(a, b planned) int {
		return cmp.Or(cmp.Compare(rank(a.course), rank(b.course)), cmp.Compare(v.urgency(b.structure), v.urgency(a.structure)), cmp.Compare(a.structure.Name, b.structure.Name))
	})
	v.budget(&c)
	return c
}

func rank(c course) int {
	if c == backUp {
		return 0
	}
	return 1
}

// urgency orders: those that were never backed up first, then the oldest backups.
func (v view) urgency(s qsg.Structure) time.Duration {
	const never = 1 << 62
	if !s.Backup.Taken() {
		return never
	}
	if age, ok := v.clock.age(s.Backup.EndedAt); ok {
		return age
	}
	return never - 1
}

// course decides about one structure, were there room for all.
func (v view) course(s qsg.Structure, places []place) planned {
	p := planned{structure: s, image: imageOf(v.group, s)}
	p.course, p.why = v.state(s)
	if p.course != backUp {
		return p
	}
	if p.course, p.why = v.due(s); p.course != backUp {
		return p
	}
	why := "there is no member that can back it up"
	for _, at := range slices.Backward(places) {
		switch {
		case !at.fit():
		case at.closed[s.Name] != "":
			why = at.closed[s.Name]
		default:
			p.member = at.name
		}
	}
	if p.member == "" {
		p.course, p.why = blocked, why
	}
	return p
}

// state tells whether the structure can be backed up as it is.
func (v view) state(s qsg.Structure) (course, string) {
	can, known := s.Recoverable()
	switch {
	case known && !can:
		return cannot, unrecoverable(s)
	case !known:
		return doubtful, "CFLEVEL or RECOVER was not told"
	case s.Status == qsg.InRecover || s.Backup.Status == qsg.InRecover:
		return busy, "a recovery of it is running"
	case s.Status == qsg.InBackup || s.Backup.Status == qsg.InBackup:
		return v.running(s)
	case s.Status == qsg.Failed:
		return blocked, "the structure has failed: it has to be recovered first"
	case !s.Backup.Known:
		return doubtful, "its last backup is not known, so that the next could not be told from it"
	}
	return backUp, ""
}

func unrecoverable(s qsg.Structure) string {
	if s.Defined.Recover == qsg.No {
		return fmt.Sprintf("RECOVER(NO) at CFLEVEL(%d): its messages are lost with it", s.Defined.Level.Value)
	}
	return fmt.Sprintf("CFLEVEL(%d): a backup needs 3 or more", s.Defined.Level.Value)
}

// running tells by whom a structure is being backed up, and since when, as far as
// the messages tell: STATUS(INBACKUP) does not (trap 4).
func (v view) running(s qsg.Structure) (course, string) {
	began, ok := lastBegun(v.group, s.Name)
	if !ok {
		return busy, "a backup of it is running; by whom and since when no message tells"
	}
	text := fmt.Sprintf("%s is backing it up, since %s", began.Member, began.At)
	age, known := v.clock.age(began.At)
	if !known || age <= v.request.Config.Duration("stuck_after") {
		return busy, text
	}
	return stuck, fmt.Sprintf("%s: %s. If %s died meanwhile, an enqueue may be held until it restarts (CSQE101I, APAR PH63327)", text, ago(age), began.Member)
}

// lastBegun gives the message of the newest backup of a structure that began and
// did not end (CSQE105I, CSQE120I; CSQE121I, CSQE106E).
func lastBegun(g *qsg.Group, structure string) (qsg.Event, bool) {
	open := map[string]qsg.Event{} // by member
	for _, e := range g.EventsOf("CSQE105", "CSQE120", "CSQE121", "CSQE106") {
		if e.Structure != structure {
			continue
		}
		if e.ID[:7] == "CSQE121" || e.ID[:7] == "CSQE106" {
			delete(open, e.Member)
			continue
		}
		if _, ok := open[e.Member]; !ok || e.ID[:7] == "CSQE105" {
			open[e.Member] = e
		}
	}
	var newest qsg.Event
	for _, e := range open {
		if !e.At.IsZero() && (newest.At.IsZero() || e.At.After(newest.At.Time) || e.At.Equal(newest.At.Time) && e.Member < newest.Member) {
			newest = e
		}
	}
	return newest, !newest.At.IsZero()
}

// due tells whether it is time. A structure never waits for a better hour while
// its backup gets older than the interval.
func (v view) due(s qsg.Structure) (course, string) {
	config := v.request.Config
	age, known := v.clock.age(s.Backup.EndedAt)
	switch {
	case !s.Backup.Taken():
		return backUp, "it was never backed up"
	case config.Bool("recovery_set"):
		return backUp, "the recovery set needs a backup of every structure"
	case !known:
		return backUp, "how old its backup is is not known"
	case age >= config.Duration("interval"):
		return backUp, fmt.Sprintf("its backup is %s old", ago(age))
	case age < config.Duration("skip_younger"):
		return waits, fmt.Sprintf("its backup is %s old, younger than skip_younger", ago(age))
	}
	hours, err := parseWindow(config.String("window"))
	if err != nil || !hours.set() {
		return backUp, fmt.Sprintf("its backup is %s old", ago(age))
	}
	if !hours.holds(sinceMidnight(v.clock.wall(v.clock.now).Time)) {
		return waits, fmt.Sprintf("its backup is %s old, and it is not the hour (window)", ago(age))
	}
	full, told := fullness(v.group, s)
	if !told || full > config.Int("nearly_empty") {
		return waits, fmt.Sprintf("its backup is %s old, and it is %s full, not nearly empty", ago(age), percent(full, told))
	}
	return backUp, fmt.Sprintf("it is %d%% full, and it is the hour (window)", full)
}

func percent(n int64, known bool) string {
	if !known {
		return "by an unknown part"
	}
	return fmt.Sprintf("%d%%", n)
}

// fullness gives how full a structure is in per cent: it, or the fullest of its
// data sets.
func fullness(g *qsg.Group, s qsg.Structure) (int64, bool) {
	full, known := s.SizeUsed.Value, s.SizeUsed.Known
	for _, d := range g.DataSets {
		if d.Structure == s.Name && d.Usage.Part.Known {
			full = max(full, d.Usage.Part.Value)
		}
	}
	return full, known
}

// budget has structures wait of which the images would not fit beside those
// before them: into what the task allows, and into the active logs of the member.
// The first may always be written, if it fits by itself; so every run gets on.
func (v view) budget(c *choice) {
	allowed, exceed := v.request.Config.Int("image_bytes"), v.request.Config.Bool("exceed_active_logs")
	var total int64
	for i := range c.structures {
		p := &c.structures[i]
		if p.course != backUp {
			continue
		}
		room := c.place(p.member).ring
		sum := c.writes[p.member] + p.image.bytes
		switch {
		case !p.image.known:
			p.course, p.why = blocked, "how much its image would write is not known, and it might fill the active logs"
		case p.image.bytes > room.free && !exceed:
			p.course, p.why = blocked, fmt.Sprintf("its image, %s, is larger than the room in the active logs of %s, %s (exceed_active_logs)", p.image, p.member, room)
		case sum > room.free && c.writes[p.member] > 0, total > 0 && allowed > 0 && total+p.image.bytes > allowed:
			p.course, p.why = waits, fmt.Sprintf("its image, %s, does not fit beside those of this run", p.image)
		default:
			c.writes[p.member] = sum
			total += p.image.bytes
			continue
		}
		p.member = ""
	}
}

// late tells how late a backup is: at twice the interval a warning, at 24 hours
// critical, when the queue managers warn too (CSQE041E).
func (v view) late(s qsg.Structure) (warn, critical bool) {
	age, ok := v.clock.age(s.Backup.EndedAt)
	return ok && s.Backup.Taken() && age >= 2*v.request.Config.Duration("interval"), ok && s.Backup.Taken() && age >= day
}
