package qmgr

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/level"
	"github.com/mqhk/mqhk/core/sim/multi/logged"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Site is where queue managers live: a system with an installation of IBM MQ.
type Site struct {
	// Disk holds every file, by names relative to Root.
	Disk disk.FS
	// Root is the real folder that the disk stands for: configuration files,
	// LOGPATH and messages name files below it. Empty: names are absolute as
	// on a system of its own.
	Root string
	// Data is the product's folder on the disk; empty: var/mqm.
	Data string
	// Now gives the time in the system's zone.
	Now func() time.Time
	// Release is that of the installation, such as 9.3.2; empty: 9.4.0.0.
	Release string
	// Stat tells about a file of the disk: its owner and its permissions.
	// Nil: nobody looks at them. See [StatBelow].
	Stat func(name string) (fs.FileInfo, error)
	// NoSync leaves syncs out, for rehearsals.
	NoSync bool
	// Host and Installation are names that messages carry.
	Host, Installation string
}

// defaultRelease is that of an installation that does not say.
const defaultRelease = "9.4.0.0"

// StatBelow tells about the files of a disk that is a folder of the system.
func StatBelow(root string) func(string) (fs.FileInfo, error) {
	return func(name string) (fs.FileInfo, error) { return os.Stat(root + "/" + name) }
}

// withDefaults fills in what is left open.
func (s Site) withDefaults() Site {
	if s.Data == "" {
		s.Data = "var/mqm"
	}
	if s.Release == "" {
		s.Release = defaultRelease
	}
	if s.Host == "" {
		s.Host = "localhost"
	}
	if s.Installation == "" {
		s.Installation = "Installation1"
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	return s
}

// level reads the release.
func (s Site) level() (level.Level, error) { return level.Parse(s.Release) }

// installationPath is where the product is.
func (s Site) installationPath() string { return s.Root + "/opt/mqm" }

// Path gives the real path of a name on the disk.
func (s Site) Path(name string) string { return s.Root + "/" + name }

// name gives the name on the disk of a real path; false: it is elsewhere.
func (s Site) name(there string) (string, bool) {
	rest, ok := strings.CutPrefix(path.Clean(there), path.Clean(s.Root+"/"))
	rest = strings.TrimPrefix(rest, "/")
	return rest, ok && rest != ""
}

// Spec is crtmqm: what a queue manager is made with.
type Spec struct {
	// Name of the queue manager: 1 to 48 letters, digits and . / _ %.
	Name string
	// Log is -lc, -ll, -lla, -lln, -lp, -ls and -lf.
	Log extents.Settings
	// DataDir and LogDir are its folders on the disk; empty: below the
	// product's, under the transformed name.
	DataDir, LogDir string
	// DeadQ is -u: the dead-letter queue.
	DeadQ string
	// Attributes are others of the queue manager object: -c and -d.
	Attributes map[string]string
	// JSON adds a DiagnosticMessages stanza that writes AMQERR01.json.
	JSON bool
	// ErrorLogSize of the QMErrorLog stanza, in bytes; 0: the release's own.
	ErrorLogSize int64
	// Resources are the XAResourceManager stanzas.
	Resources []Resource
}

// Resource is an XAResourceManager stanza of qm.ini.
type Resource = logged.Resource
