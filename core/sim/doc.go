// Package sim is the simulated estate: systems with their queue managers in
// one folder, a clock of its own, applications that work from a seed, and
// faults.
//
// The folder holds
//
//	estate.json     zone, clock, systems
//	workloads.json  how far the applications of each queue manager are
//	lock            held by whoever has the estate open
//	systems/NAME    the disk of a system: receivers, queue files, everything
//
// An estate is open for one command or one run: [Open] takes it alone and lets
// the queue managers that ran go on, [Estate.Close] stops them as they are.
// Time passes only while it is open, and only as far as it is told. [Look]
// opens it beside others for questions: on a disk that refuses to be written.
//
// A process that dies with an estate open is a power failure of its systems:
// queue managers that ran have crashed, and the clock stands where the step
// that was under way would have ended. What [Estate.CLLater] has deleted and
// nobody has forced is there again.
package sim
