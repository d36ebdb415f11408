package workload

// Profile says what the applications of a site do. It is plain data; see
// [Parse] for how it is written and [Profile.Validate] for the ranges.
type Profile struct {
	// Name by which it is known: letters, digits and hyphens.
	Name string `json:"name"`
	// Description is a sentence for people.
	Description string `json:"description"`
	// Messages are the numbers of a working day.
	Messages Messages `json:"messages"`
	// Hours are 24 weights, for the hour from 0:00 to that from 23:00 by the
	// wall clock. Only their proportions count. Where an hour comes twice or
	// not at all (daylight saving), its messages do too.
	Hours []float64 `json:"hours"`
	// Weekend is the factor for everything on Saturday and Sunday, 0 to 10.
	Weekend float64 `json:"weekend"`
	// Sizes of message bodies, in bytes.
	Sizes Spread `json:"sizes"`
	// Unit is how many persistent messages one unit of work puts.
	Unit Spread `json:"unit"`
	// Alone is the share of persistent puts, 0 to 1, that are done one by one
	// outside a unit of work: each costs a force of the log, and so does its
	// get. (Messages that are not persistent are always put outside one.)
	Alone float64 `json:"alone"`
	// Backouts is the share of units of work that are backed out, 0 to 1.
	Backouts float64 `json:"backouts"`
	// Queues that are worked with, at least one.
	Queues []Queue `json:"queues"`
	// Long are units of work that stay open.
	Long Long `json:"long"`
	// Bursts are times when much more comes.
	Bursts Bursts `json:"bursts"`
}

// Messages are numbers of messages a day. They are what comes on average on a
// working day of 24 hours, without bursts.
type Messages struct {
	Persistent    float64 `json:"persistent"`
	NonPersistent float64 `json:"non_persistent"`
}

// Queue is a local queue of a profile.
type Queue struct {
	// Name in MQ's rules: 1 to 48 letters, digits, and . / _ %.
	Name string `json:"name"`
	// Share of the units of work that use it, relative to the other queues.
	Share float64 `json:"share"`
	// Stays is the mean time that a message stays before somebody gets it.
	Stays Span `json:"stays"`
	// Keep is a depth that is never gone below: an archive queue, or one whose
	// reader can't follow. It is filled at the beginning, with persistent
	// messages. Zero: everything is got.
	Keep int `json:"keep,omitempty"`
}

// Long are units of work that hold the restart point back. They begin at the
// hours when other work does, and put as many messages as others when they
// begin and once more when they end.
type Long struct {
	// PerDay is how many begin on a working day, on average.
	PerDay float64 `json:"per_day"`
	// Lasts is the mean time for which one stays open; each takes between half
	// of it and one and a half.
	Lasts Span `json:"lasts"`
	// InDoubt is the share of them, 0 to 1, that is prepared then and waits
	// for its coordinator.
	InDoubt float64 `json:"in_doubt"`
	// Prepared is the mean time for which these are in doubt, spread as Lasts.
	Prepared Span `json:"prepared"`
}

// Bursts begin at the hours when other work does; one at a time.
type Bursts struct {
	// PerDay is how many begin on a working day, on average.
	PerDay float64 `json:"per_day"`
	// Times is by how much messages come faster meanwhile, 1 to 1000.
	Times float64 `json:"times"`
	// Lasts is the mean time that one lasts; each takes between half of it and
	// one and a half.
	Lasts Span `json:"lasts"`
}
