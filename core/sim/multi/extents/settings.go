package extents

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/logsize"
)

// Kind says how a log goes on when a file is full. Its values are the words of
// qm.ini.
type Kind string

// The kinds of log.
const (
	Circular Kind = "CIRCULAR"
	Linear   Kind = "LINEAR"
)

// Management says who removes the extents of a linear log. Its values are the
// words of qm.ini.
type Management string

// The kinds of management. A circular log has none.
const (
	Manual    Management = "Manual"
	Automatic Management = "Automatic"
	Archive   Management = "Archive"
)

// Settings are what qm.ini says of the log. Kind and FilePages are fixed when
// the log is created: [Open] goes by what the log is, whatever they say later
// (reference, Multiplatforms 1.1 item 4). The others count from start to start.
type Settings struct {
	Kind       Kind
	Management Management // empty: Manual
	Primary    int        // files; 0: the default of Limits
	Secondary  int        // files; 0: the default of Limits
	FilePages  int        // of 4 KiB in each file; 0: the default of Limits
	// Limits of the release; the zero value: those of the newest on AIX and
	// Linux.
	Limits logsize.Limits
	// First is the number of a new linear log's first extent, to rehearse the
	// wrap. Began is when it is created, for LOGSTRDA and LOGSTRTI.
	First int
	Began time.Time
}

// normal fills in what was left out and says what can't be.
func (s Settings) normal() (Settings, error) {
	if s.Limits == (logsize.Limits{}) {
		s.Limits = logsize.LimitsOf("", false)
	}
	if s.Primary == 0 {
		s.Primary = s.Limits.Primary
	}
	if s.Secondary == 0 {
		s.Secondary = s.Limits.Secondary
	}
	if s.FilePages == 0 {
		s.FilePages = s.Limits.Pages
	}
	switch {
	case s.Kind == Circular:
		s.Management, s.First = "", 0
	case s.Kind != Linear:
		return s, fmt.Errorf("%w: %q is no kind of log", ErrSettings, s.Kind)
	case s.Management == "":
		s.Management = Manual
	case s.Management != Manual && s.Management != Automatic && s.Management != Archive:
		return s, fmt.Errorf("%w: %q is no management of a log", ErrSettings, s.Management)
	}
	if err := s.Limits.Check(s.Kind == Linear, s.Primary, s.Secondary, s.FilePages); err != nil {
		return s, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	return s, nil
}

// room is how many bytes of records an extent takes, bytes how long its file
// is: it has two pages more (reference, Multiplatforms 1.4 item 19).
func (s Settings) room() int64  { return int64(s.FilePages) * logsize.Page }
func (s Settings) bytes() int64 { return s.room() + 2*logsize.Page }

// most is how many extents a restart may need.
func (s Settings) most() int { return s.Primary + s.Secondary }
