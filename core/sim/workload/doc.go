// Package workload is what applications do on a simulated queue manager, from
// a seed: they put and get messages in units of work, faster by day than by
// night, in bursts at times; some units of work stay open for hours, some are
// in doubt; some queues are always deep. It knows no platform and works
// through [QueueManager].
//
//	p, err := workload.Named("office")
//	s := workload.New(p, 42, estate.Now())
//	report, err := s.Run(ctx, qm, until, setClock)
//
// [Profile] says what a site looks like, [State] how far its applications are:
// it is JSON, so that the next command goes on where this one ended. The same
// profile, seed and start give the same puts, gets and commits at the same
// times, whether the time passes in one step or in many, as long as the queue
// manager answers the same.
//
// # How
//
// Work begins at random moments, each independent of the others: a Poisson
// process whose rate follows the wall clock of the queue manager. Such a
// process forgets: when the rate changes, at the next minute or with a burst,
// what was drawn and has not happened is drawn again, and nothing is falsified.
// So at most one moment of each kind of work is known ahead, and a state is
// small.
//
// Every unit of work that puts arranges for one that gets as many messages
// later. Nothing else is remembered about messages, so what an operator does
// to a queue harms nothing: a get that finds no message is counted.
//
// What is due in the same minute is done together: the commits go to the log
// one after the other and are forced at its end, as applications that commit at
// the same time share one write. A minute of the estate passes in milliseconds,
// so that is what applications which kept up with it would do. A step never
// divides a second; at its end everything is forced.
package workload
