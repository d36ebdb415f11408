// Package engine is the queue manager under every simulated platform: objects,
// messages and units of work over a log that really loses and really recovers.
// It knows no platform. What a log segment is called, when one ends, what a
// mark looks like from outside and which message a failure has are the
// platform's, which is the [Owner].
//
// # For who builds a platform
//
//	e, err := engine.Create(ctx, owner, opts, id)     // CRTMQM, and running
//	e, done, err := engine.Start(ctx, owner, opts)    // STRMQM; done: what it did
//	err = e.Define(ctx, engine.Ref{engine.Queue, "ORDERS"}, attributes)
//	u, err := e.Begin()
//	seq, err := u.Put(ctx, "ORDERS", message)         // e.Put: outside a unit of work
//	err = u.Prepare(ctx, xid)                         // or Commit, Backout
//	marks, err := e.Checkpoint(ctx)
//	err = e.Image(ctx, refs...)                       // RCDMQMIMG
//	err = e.Damage(ctx, ref)                          // a fault
//	did, err := e.Rebuild(ctx, ref)                   // RCRMQMOBJ
//	err = e.Verify(ctx, ref)                          // is its file what it should be?
//	err = e.BackOut(ctx, u.ID())                      // by the queue manager: the log is full
//	err = e.Keep(ctx, key, value)                     // what a coordinator must not forget
//	err = e.End(ctx)                                  // ENDMQM
//	err = e.Crash()
//	err = e.Suspend(ctx)                              // to go on in another process with
//	e, err = engine.Resume(ctx, owner, opts)          // as if nothing had been
//
// Who does many units of work and needs them durable only together says
// [Unit.CommitLater] for each, and [Engine.Force] for all.
//
// What the engine leaves to the platform:
//
//   - Its list of segments, durably, in the order that package wal asks for:
//     [Owner.Next] puts the next name in it before it returns, [Owner.Begun] the
//     start. A start that was lost is told again by the next Start or Resume.
//     If the list ends with a segment that was never begun, their first record
//     goes there: so a platform ends a segment of a queue manager that is
//     down. A platform that has no next segment answers [ErrStay]. A segment
//     that is deleted leaves the list or stays in it: either way a
//     restart that needs it fails, and works when it is back in both.
//   - When to take checkpoints: [Engine.Status] gives records, bytes and marks.
//     The engine takes one in Create, Start and End. Owner methods are called
//     with the engine locked, so what is due after a rotation is only noted in
//     [Owner.Begun] and done by who called.
//   - When to publish the marks it is told by [Owner.Checkpointed] and
//     [Owner.Imaged], or reads in Status; media marks of single objects are in
//     [Object]. A mark has position and time; the segment is the last of the
//     list whose start is not behind the position. A restart needs every
//     segment from that one on; rebuilding any object, from that of Media on.
//   - Messages. [LogError] says what was to be done, to which object, from
//     which mark, and which segment and byte it was (AMQ7432; AMQ7472 names the
//     damaged objects of [Restarted]). Sentinels such as [ErrDamaged] name
//     their reason code.
//   - Attributes and what they mean: whether gets are allowed, how deep a queue
//     may become. Which objects a start can't do without: [Options.Essential];
//     which the log can bring back: [Options.Recoverable].
//   - What the log looks like: how much an operation takes ([Options.Costs]), how
//     long a record gets ([Options.Part]), what a dump shows ([Options.Detail],
//     [Entries]). And where files are: [Options.Files].
//   - One process at a time: nothing here locks the folder.
//
// The folder of [Options] is the engine's alone where the platform has no
// [Files]: it removes object files there that it does not know. Elsewhere it
// removes those of objects that were deleted, and nothing else.
//
// # What survives
//
// A persistent message outside a unit of work when Put has returned, a unit of
// work when Commit or Prepare has, an object when Define has. Until then it is
// there whole or not at all. What a unit of work got comes back in its place
// when it is backed out, by a restart too; prepared ones stay in doubt through
// any number of restarts. Messages that are not persistent are in memory alone:
// a start, even after a clean end, begins without them; only a suspension
// keeps them.
//
// A change is seen by others as soon as its commit is in the log, a moment
// before it is durable. That harms nothing: what they do on the strength of it
// comes later in the log, so it is not durable before it.
//
// # How
//
// The log holds records of these kinds, each with the time: put and get of a
// persistent message, with their unit of work, which is 0 for none; commit,
// backout and prepare; define, alter, delete, clear and damage of an object;
// the beginning, the parts and the end of a checkpoint and of an image; what was
// noted, kept and dropped; for a dump alone the beginning of a unit of work and
// the end of one that was backed out. A long message may go on in further
// records right behind its put, which happened when they are all there and not
// before. An object is known by the position of its definition, so another one of the same
// name is never taken for it.
//
// Each object has a file that holds what was committed before a position of
// the log, its hardening; objectfile.go has the format. Nothing uncommitted gets
// there, so there is nothing to undo in it: a change is done again if its
// commit, or it itself outside a unit of work, is not before the hardening.
//
// A checkpoint writes its beginning and forces the log, hardens all objects up
// to there, writes in its parts the objects (with their hardening and media
// mark) and the open units of work, forces the end, and only then points the
// control file to it. Where the log has costs the objects are in the control
// file instead; what is kept, and which files of deleted objects may be left,
// always is. A crash anywhere in between leaves the one before; files
// that are newer than it are no harm.
//
// The restart mark is set by a checkpoint: its beginning, or the first record
// of the oldest unit of work that was open or prepared then, if that is older.
// It does not move when that unit of work ends, since what it changed reaches
// the files only with the next checkpoint.
//
// A restart reads from the mark. Up to the end of the checkpoint it only
// collects units of work; then it loads the files and does again what commits.
// A file that is missing, unreadable, or hardened less far than the checkpoint
// says is a damaged object. The log is believed, since every record is checked:
// a file that contradicts it is damaged too. At the end the changes of units of
// work that are left are put back into hiding, open ones backed out. Damaged
// objects that matter now are rebuilt first; if that fails nothing has been
// written. Of one that the log can't bring back the uncommitted work is
// forgotten, unless it is essential.
//
// A file that is removed or changed while the queue manager runs is noticed by
// [Engine.Verify], and where it shows by the checkpoint that would write to it:
// the object is damaged then, and the log says so.
//
// An image holds the attributes, the messages, and the changes of units of
// work that have not ended, so a rebuild reads the log from its beginning and
// nothing older. A new object needs none: its definition is as good.
//
// A suspension forces the log and writes down all that memory has. The file
// "suspended" has the position of the end of the log, marks, the numbers that
// come next, the objects with what their files must be, and the units of work
// with their changes; no message bodies. Messages that a queue's own file has
// are not written again: beside it goes one with those that it has not, of both
// kinds, and with what has become of the others. Resume reads the files and of
// the log the last record alone, so that it works, as a queue manager that runs
// does, whatever has become of older segments: the start that needs them will
// find out. It removes what the suspension wrote before it writes anything; a
// Start removes it unread.
//
// All messages are held in memory. A queue of more than 4 GiB can't be
// hardened.
package engine
