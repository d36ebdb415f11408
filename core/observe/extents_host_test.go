package observe_test

import (
	"testing"

	"github.com/mqhk/mqhk/core/observe"
)

// Whose the log is to write into: this host's where the queue manager plainly
// runs or has ended here, nobody's else (reference, Multiplatforms, trap 18).
func TestHostState(t *testing.T) {
	u := usual()
	says := func(s script, word string) script { return s.with(dspmq, "QMNAME(QM1) STATUS("+word+")\n") }
	down := u.with(qmstatus, "AMQ8146E: not available.\n")
	starting := u.edit(t, qmstatus, "STATUS(RUNNING)", "STATUS(STARTING)")
	tests := map[string]struct {
		script
		want observe.HostState
	}{
		"it answers":                           {u, observe.HostRunning},
		"it answers, and dspmq does not":       {u.without(dspmq), observe.HostRunning},
		"dspmq alone":                          {says(u.without(qmstatus), "Running"), observe.HostRunning},
		"ended":                                {says(down, "Ended normally"), observe.HostEnded},
		"ended by itself":                      {says(down, "Ended unexpectedly"), observe.HostEnded},
		"ended, and nobody was asked":          {says(u.without(qmstatus), "Ended immediately"), observe.HostEnded},
		"ended, and it answers":                {says(u, "Ended normally"), observe.HostUnknown},
		"elsewhere":                            {says(down, "Running elsewhere"), observe.HostElsewhere},
		"standby":                              {says(down, "Running as standby"), observe.HostElsewhere},
		"standby that answers":                 {says(u, "Running as standby"), observe.HostElsewhere},
		"secondary":                            {says(down, "Running as secondary"), observe.HostElsewhere},
		"replica":                              {says(down, "Replica"), observe.HostElsewhere},
		"starting":                             {says(down, "Starting"), observe.HostUnknown},
		"ending":                               {says(down, "Ending immediately"), observe.HostUnknown},
		"in German":                            {says(down, "Beendet"), observe.HostUnknown},
		"down, and dspmq tells nothing":        {down.without(dspmq), observe.HostUnknown},
		"nobody tells":                         {u.without(qmstatus, dspmq), observe.HostUnknown},
		"starting by QMSTATUS":                 {starting, observe.HostUnknown},
		"starting, after the listing":          {u.with(qmstatus, u.body(t, qmstatus), starting.body(t, qmstatus)), observe.HostUnknown},
		"not answered again after the listing": {u.with(qmstatus, u.body(t, qmstatus), "AMQ8146E: not available.\n"), observe.HostUnknown},
	}
	for name, test := range tests {
		log := test.read(t).Log
		if log.Host != test.want || (log.NotHere == "") != (test.want == observe.HostRunning) {
			t.Errorf("%s: %d, %q; want %d", name, log.Host, log.NotHere, test.want)
		}
	}
}
