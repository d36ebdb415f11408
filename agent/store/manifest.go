package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// Schema is the version of a manifest as it is written. Fields may be added to
// v1; none is renamed or removed.
const Schema = "mqhk.manifest/v1"

// errSchema says that a manifest was written by another version of mqhk. It is
// not written over.
var errSchema = errors.New("of another version")

// longestManifest is the longest manifest, in bytes, that is read.
const longestManifest = 1 << 20

// Encoding says how the content of a copy is kept.
type Encoding string

// The encodings. Bytes and SHA256 of a manifest are always those of the
// content, so that `zstd -dc FILE | sha256sum` checks a copy without mqhk.
const (
	AsIs Encoding = ""
	Zstd Encoding = "zstd"
)

// Manifest says of one copy what it is of and how to know it again.
type Manifest struct {
	QueueManager string    `json:"queue_manager"`
	Library      string    `json:"library,omitempty"`
	Segment      string    `json:"segment"`
	Opened       string    `json:"opened,omitempty"` // attach and detach time, as the system's clock showed them
	Closed       string    `json:"closed,omitempty"`
	First        string    `json:"first,omitempty"` // first and last entry, as the platform numbers them
	Last         string    `json:"last,omitempty"`
	Incarnation  string    `json:"incarnation,omitempty"` // what the log belonged to; empty: not known
	Mode         string    `json:"mode,omitempty"`        // of the segment's file: 0660
	Owner        string    `json:"owner,omitempty"`       // its user and its group, by name
	Group        string    `json:"group,omitempty"`
	Form         Form      `json:"form"`
	Encoding     Encoding  `json:"encoding,omitempty"`
	Bytes        int64     `json:"bytes"`                   // of the content
	SHA256       string    `json:"sha256"`                  // of the content
	StoredBytes  int64     `json:"stored_bytes"`            // of the file that holds it; 0: it is kept elsewhere
	FrameBytes   int64     `json:"frame_bytes,omitempty"`   // of the content in each frame but the last; 0: it is one stream
	StoredCRC32C string    `json:"stored_crc32c,omitempty"` // of the file, where it has frames
	Origin       string    `json:"origin,omitempty"`
	Marks        []Mark    `json:"marks,omitempty"`
	Run          string    `json:"run,omitempty"`
	Made         time.Time `json:"made"` // when the copy was verified for the first time, on this machine's clock
	Damage       *Damage   `json:"damage,omitempty"`
}

// Damage says that a copy was read later and was not what had been saved.
type Damage struct {
	Found time.Time `json:"found"`
	Why   string    `json:"why"`
}

// envelope is a manifest as it stands in a file. The digest is that of the
// manifest without white space: one that was cut or changed is not read, and
// fields that a later version adds are covered by it.
type envelope struct {
	Schema   string          `json:"schema"`
	Manifest json.RawMessage `json:"manifest"`
	SHA256   string          `json:"sha256"`
}

// ID gives the name of the segment.
func (m Manifest) ID() recovery.SegmentID {
	return recovery.SegmentID{QueueManager: m.QueueManager, Library: m.Library, Name: m.Segment}
}

// copyIn gives the manifest as core/recovery knows it.
func (m Manifest) copyIn(store string, verified bool) recovery.Copy {
	return recovery.Copy{
		Segment: m.ID(), Store: store, Opened: m.Opened, Closed: m.Closed, From: m.First, To: m.Last,
		Bytes: m.Bytes, SHA256: m.SHA256, Incarnation: m.Incarnation, Verified: verified && m.Damage == nil,
	}
}

// newManifest begins a manifest with what is known before the content is read.
func newManifest(segment recovery.Segment, facts Facts, now time.Time) (Manifest, error) {
	m := Manifest{
		QueueManager: segment.ID.QueueManager, Library: segment.ID.Library, Segment: segment.ID.Name,
		Opened: facts.Opened, Closed: facts.Closed, First: facts.First, Last: facts.Last,
		Incarnation: facts.Incarnation, Mode: facts.Mode, Owner: facts.Owner, Group: facts.Group,
		Form: facts.Form, Origin: facts.Origin, Marks: facts.Marks, Run: facts.Run, Made: now.UTC().Round(0),
	}
	switch {
	case segment.State == recovery.Current:
		return m, fmt.Errorf("%w: it is being written", ErrSegment)
	case segment.State == recovery.Reuse:
		return m, fmt.Errorf("%w: it waits to be used again, and holds nothing", ErrSegment)
	case m.Library == "" && m.Opened == "" && m.Closed == "" && !extentName.MatchString(m.Segment):
		return m, fmt.Errorf("%w: %q is no log extent, which is S and seven digits and .LOG", ErrSegment, m.Segment)
	}
	return m, m.checkFacts()
}

// extentName is what a log extent is called that may hold log records. An
// extent that waits for reuse begins with R; the log control file and others
// lie beside (case 13). What has neither library nor times is an extent.
var extentName = regexp.MustCompile(`^S[0-9]{7}\.LOG$`)

// checkFacts refuses what can't be kept or could not be found again. A segment
// with an attach time and no detach time may be attached still: a copy of it
// would be partial (reference IBM i, trap 16).
func (m Manifest) checkFacts() error {
	err := cmp.Or(checkName("queue manager", m.QueueManager), checkName("library", m.Library), checkName("segment", m.Segment),
		checkName("first entry", m.First), checkName("last entry", m.Last), checkText("incarnation", m.Incarnation, longestIncarnation),
		checkName("mode", m.Mode), checkName("owner", m.Owner), checkName("group", m.Group))
	opened, errOpened := observe.ParseStamp(m.Opened)
	closed, errClosed := observe.ParseStamp(m.Closed)
	switch {
	case err != nil:
		return err
	case m.QueueManager == "" || m.Segment == "":
		return fmt.Errorf("%w: it has no name, or is of no queue manager", ErrSegment)
	case errOpened != nil || errClosed != nil:
		return fmt.Errorf("%w: attach or detach time: %w", ErrSegment, errors.Join(errOpened, errClosed))
	case opened.IsZero() != closed.IsZero():
		return fmt.Errorf("%w: it is not known when it was attached and detached: %q to %q", ErrSegment, m.Opened, m.Closed)
	case m.Form != Plain && m.Form != SaveFile:
		return fmt.Errorf("%w: form %q is none of %s, %s", ErrSegment, m.Form, Plain, SaveFile)
	}
	return nil
}

var crc32c = regexp.MustCompile(`^[0-9a-f]{8}$`)

// check refuses a manifest that does not describe a whole copy.
func (m Manifest) check() error {
	digest, err := hex.DecodeString(m.SHA256)
	switch {
	case err != nil || len(digest) != sha256.Size || m.SHA256 != strings.ToLower(m.SHA256):
		return fmt.Errorf("%q is no SHA-256 in lower-case hexadecimal digits", m.SHA256)
	case m.Bytes <= 0 || m.StoredBytes < 0:
		return fmt.Errorf("%d bytes in a file of %d are no content", m.Bytes, m.StoredBytes)
	case m.Encoding != AsIs && m.Encoding != Zstd:
		return fmt.Errorf("encoding %q is not known", m.Encoding)
	case m.FrameBytes < 0 || m.FrameBytes > frameBytes || m.FrameBytes > 0 && m.Encoding != Zstd:
		return fmt.Errorf("frames of %d bytes in encoding %q are not known", m.FrameBytes, m.Encoding)
	case m.FrameBytes > 0 && !crc32c.MatchString(m.StoredCRC32C):
		return fmt.Errorf("%q is no CRC-32C in lower-case hexadecimal digits", m.StoredCRC32C)
	}
	return m.checkFacts()
}

// encode writes the manifest as a file.
func (m Manifest) encode() ([]byte, error) {
	raw, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("writing the manifest of %s: %w", m.ID(), err)
	}
	text, err := json.MarshalIndent(envelope{Schema, raw, digestOf(raw)}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the manifest of %s: %w", m.ID(), err)
	}
	return append(text, '\n'), nil
}

// readManifest reads a manifest. An error wraps ErrManifest.
func readManifest(text []byte) (Manifest, error) {
	var e envelope
	if err := json.Unmarshal(text, &e); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if e.Schema != Schema {
		return Manifest{}, fmt.Errorf("%w: %w: schema %q is not %s", ErrManifest, errSchema, e.Schema, Schema)
	}
	var raw bytes.Buffer
	if err := json.Compact(&raw, e.Manifest); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if digestOf(raw.Bytes()) != e.SHA256 {
		return Manifest{}, fmt.Errorf("%w: it was changed after it was written", ErrManifest)
	}
	var m Manifest
	if err := json.Unmarshal(raw.Bytes(), &m); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if err := m.check(); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	return m, nil
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
