package host

import (
	"cmp"
	"log/slog"
	"time"
)

// Settings bound what a plugin may take. The zero value of a field stands
// for its default.
type Settings struct {
	StartLimit   time.Duration // launch, handshake and description; default 10 s
	CallLimit    time.Duration // one call, where its context ends no earlier; default 10 min
	StopLimit    time.Duration // until it is killed; default 2 s
	MaxMessage   int           // bytes of one message from the plugin; default 4 MiB
	MaxResult    int64         // bytes of one plan in memory; default 512 MiB
	MaxQuestions int           // that are being answered at a time, for each call; default 32
	MaxAsked     int           // questions of one call, its commands among them; default 100000
	MaxMemory    int64         // resident bytes of the plugin and all that it started, looked at several times a second; default 2 GiB
	LogRate      int           // log records and lines on standard error a second, ten times as many at once; what is over is counted; default 200
	Env          []string      // names of the variables that it inherits; default those of DefaultEnv
	SocketBase   string        // where its socket directory is made; default the temporary directory if that is short enough, else /tmp where there is one
	Log          slog.Handler  // for what it writes to standard error; default none
	Stdout       func(string)  // gets each line that it writes to standard output after the handshake too, one at a time; default none
}

// withDefaults fills in what is not set.
func (s Settings) withDefaults() Settings {
	s.StartLimit = cmp.Or(s.StartLimit, 10*time.Second)
	s.CallLimit = cmp.Or(s.CallLimit, 10*time.Minute)
	s.StopLimit = cmp.Or(s.StopLimit, 2*time.Second)
	s.MaxMessage = cmp.Or(s.MaxMessage, 4<<20)
	s.MaxResult = cmp.Or(s.MaxResult, 512<<20)
	s.MaxQuestions = cmp.Or(s.MaxQuestions, 32)
	s.MaxAsked = cmp.Or(s.MaxAsked, 100_000)
	s.MaxMemory = cmp.Or(s.MaxMemory, 2<<30)
	s.LogRate = cmp.Or(s.LogRate, 200)
	if s.Env == nil {
		s.Env = DefaultEnv()
	}
	if s.Log == nil {
		s.Log = slog.DiscardHandler
	}
	return s
}
