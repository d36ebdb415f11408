package main

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/policies"
)

// The kinds of connection.
const (
	transcriptConnection = "transcript" // answers that were recorded
	simConnection        = "sim"        // a queue manager of a simulated estate
	localConnection      = "local"      // a queue manager of this machine
)

// connections gives what a connection block may hold, by kind.
func connections() map[string]schema.Schema {
	return map[string]schema.Schema{
		transcriptConnection: {Doc: "Answers from a recorded transcript.", Fields: []schema.Field{
			{Name: "path", Kind: schema.String, Required: true, Doc: "The transcript, from the directory of the configuration file."},
		}},
		simConnection: {Doc: "A queue manager of a simulated estate, by its own name.", Fields: []schema.Field{
			{Name: "estate", Kind: schema.String, Required: true, Doc: "The folder of the estate, from the directory of the configuration file."},
			{Name: "user", Kind: schema.String, Doc: "On IBM i the user profile that asks and gives commands (default QMQM, who may do everything)."},
		}},
		localConnection: {Doc: "A queue manager of this machine (Multiplatforms), as the user who runs mqhk.", Fields: []schema.Field{
			{Name: "prefix", Kind: schema.Strings, Doc: "What is put in front of every command, for a container: [\"docker\", \"exec\", \"-i\", \"NAME\"]. Files are read and changed through it too."},
			{Name: "bin", Kind: schema.String, Doc: "The folder of runmqsc and the other commands (default that of PATH, else /opt/mqm/bin)."},
			{Name: "data", Kind: schema.String, Doc: "The folder of mqs.ini (default /var/mqm)."},
			{Name: "timeout", Kind: schema.Duration, Default: time.Minute, Min: int64(time.Second), Max: int64(time.Hour), Doc: "How long a question may take."},
		}},
	}
}

// way is how a target is reached.
type way struct {
	dialer   connect.Dialer
	estate   string // the folder of its simulated estate; empty: it is in none
	recorded bool   // a transcript
	hosted   bool   // the host answers beside it: a transcript may say itself what the host knew
}

// dial gives the way to a target. The kinds are those of [connections]; others
// the reader of the configuration has refused.
func dial(t observe.Target, c *policies.Connection, estates *connect.Estates) (way, error) {
	settings, err := policies.DecodeConfig(c.Settings, connections()[c.Kind])
	if err != nil {
		return way{}, err
	}
	switch c.Kind {
	case simConnection:
		return simulate(t, within(c.Settings.Dir(), settings.String("estate")), settings.String("user"), estates)
	case localConnection:
		return way{dialer: local.Dial(local.Settings{
			Prefix: settings.Strings("prefix"), Bin: settings.String("bin"),
			DataRoot: settings.String("data"), Timeout: settings.Duration("timeout"),
		})}, nil
	default:
		recorded, err := transcript.Open(within(c.Settings.Dir(), settings.String("path")))
		if err != nil {
			return way{}, err
		}
		// z/OS is reached by what a job wrote there, and no other way.
		return way{dialer: connect.Transcript(recorded), recorded: true, hosted: t.Platform == observe.ZOS && !recorded.SaysHost()}, nil
	}
}

// simulate gives the way to a queue manager of a simulated estate: by jobs of a
// user on IBM i; on Multiplatforms as a queue manager of this machine is
// reached, but for the commands, which the estate answers.
func simulate(t observe.Target, dir, user string, estates *connect.Estates) (way, error) {
	switch {
	case t.Platform != observe.Multiplatforms:
		return way{dialer: connect.As(estates.At(dir), user), estate: dir}, nil
	case user != "":
		return way{}, fmt.Errorf("%s: a user is for IBM i: on Multiplatforms the user who runs mqhk asks", t)
	}
	return way{dialer: local.Dial(local.Settings{Commands: estates.Machine(dir, t.Name)}), estate: dir}, nil
}
