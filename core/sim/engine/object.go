package engine

import (
	"fmt"
	"maps"
	"strings"

	"github.com/mqhk/mqhk/core/wal"
)

// Kind is a kind of object, in lower-case letters and hyphens, such as
// "queue", "channel" or "queue-manager". The engine knows one of them.
type Kind string

// Queue is a local queue, the kind of object that holds messages.
const Queue Kind = "queue"

// Ref names an object.
type Ref struct {
	Kind Kind
	// Name in MQ's own characters: letters, digits, and . / _ %, at most 48.
	Name string
}

func (r Ref) String() string { return string(r.Kind) + " " + r.Name }

// maxName is the length of the longest object name (MQ_OBJECT_NAME_LENGTH;
// names of channels are shorter, which the platform sees to).
const maxName = 48

func (r Ref) check() error {
	kind := r.Kind != "" && len(r.Kind) <= maxName && strings.Trim(string(r.Kind), "abcdefghijklmnopqrstuvwxyz-") == ""
	if !kind || r.Name == "" || len(r.Name) > maxName {
		return fmt.Errorf("%w: %q", ErrName, r.String())
	}
	for _, c := range []byte(r.Name) {
		if !isLetter(c) && !strings.ContainsRune("0123456789./_%", rune(c)) {
			return fmt.Errorf("%w: %q", ErrName, r.String())
		}
	}
	return nil
}

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

// Object is an object as it is shown.
type Object struct {
	Ref        Ref
	Attributes map[string]string // nil in a damaged one
	// Media is its media mark: a rebuild reads the log from there on.
	Media   Mark
	Damaged bool
	// Recoverable: it can be rebuilt from the log ([Options.Recoverable]).
	Recoverable bool
	// Depth is the number of messages on a queue whose put is committed.
	Depth int
	// NonPersistent is how many of them are not persistent: any end of the
	// queue manager but a suspension, and damage of the queue, takes them.
	NonPersistent int
	// Current is the number that an inquiry gives (MQIA_CURRENT_Q_DEPTH): with
	// what units of work have put, and without what they have got.
	Current int
	// Uncommitted counts the puts and gets of units of work that have not
	// ended.
	Uncommitted int
	// Hardened is the log position up to which its file holds what was
	// committed; 0: it has no file yet.
	Hardened wal.LSN
	// FileBytes is how long its file is; 0: it has none yet.
	FileBytes int64
}

// object is an object in memory. A damaged one keeps its name, its marks and
// its next sequence, and nothing else.
type object struct {
	queue

	id      uint64 // position of the record that defined it
	ref     Ref
	attrs   map[string]string
	media   Mark
	damaged bool
	// changed: something that its file should hold is not in it.
	changed bool
	// redefined: the attributes in the file are not those of the object.
	redefined bool
	// doubtful: nobody has acknowledged that the file is durable, a crash of
	// the system may take parts of it back. It is written anew.
	doubtful bool
	file     fileState

	// was are the attributes that a damaged object had, if that is known.
	was map[string]string
	// rules are those of the attributes; nil: nobody has asked.
	rules *Rules
	// spared: the log is not kept for it. It is not recoverable, or was not
	// when it was damaged, and has no image of after that.
	spared bool
	// early: it has an image that the log is kept for, and is not recoverable
	// yet; see [Engine.ImageAhead].
	early bool
}

func newObject(id uint64, ref Ref, attrs map[string]string, media Mark) *object {
	return &object{id: id, ref: ref, attrs: attrs, media: media, changed: true, queue: queue{next: 1}}
}

// doubt is for a file that was read and is newer than any complete checkpoint.
func (o *object) doubt() { o.doubtful, o.changed = true, true }

// lose forgets what was in a damaged object.
func (o *object) lose() {
	if o.attrs != nil {
		o.was = o.attrs
	}
	o.damaged, o.attrs, o.rules, o.file, o.changed, o.doubtful = true, nil, nil, fileState{}, false, false
	o.queue = queue{next: o.next}
}

// usable says why an object can't be worked with.
func (o *object) usable() error {
	if o.damaged {
		return fmt.Errorf("%s: %w", o.ref, ErrDamaged)
	}
	return nil
}

func (e *Engine) show(o *object) Object {
	return Object{
		Ref: o.ref, Attributes: maps.Clone(o.attrs), Media: o.media, Damaged: o.damaged, Recoverable: e.recoverable(o),
		Depth: o.depth, Current: o.present, NonPersistent: o.volatile, Uncommitted: o.uncommitted, Hardened: o.file.hardened, FileBytes: o.file.size,
	}
}
