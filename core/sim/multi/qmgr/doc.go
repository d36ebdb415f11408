// Package qmgr is an IBM MQ queue manager on Multiplatforms: package engine
// over a log of package extents. It adds what the platform adds: folders,
// qm.ini and permissions, the occasions of checkpoints and of media images, the
// full log, the publication of the recovery points (AMQ7467, AMQ7468, AMQ7490),
// the messages of the error log, and the coordination of global units of work.
//
//	m, err := qmgr.Create(ctx, site, qmgr.Spec{Name: "QM1"})    // crtmqm, left ended
//	done, err := m.Start(ctx)                                   // strmqm
//	_, err = m.Put(ctx, "ORDERS", engine.Message{...})
//	all, err := m.Image(ctx, qmgr.Selection{"all", "*"})        // rcdmqimg -t all '*'
//	err = m.End(ctx, qmgr.EndOptions{})                         // endmqm -w
//
// # What is seen from outside
//
// A queue manager knows at every moment which record of its log a start and a
// media recovery would need. It shows that only when a checkpoint is complete,
// so what QMSTATUS and the messages say is older than the truth, never newer: a
// mark that they gave may have moved on, and does not go back.
//
// # When the log fills
//
// The records that a restart needs may take as many extents as there are
// primary and secondary ones, on a linear log too. Before work begins, room.go
// promises it the room that the table of package logsize says it takes, and
// keeps back what the end of every unit of work and two checkpoints will take. Where
// there is none it takes a checkpoint; where that frees nothing it rolls back
// the oldest unit of work, whose application gets reason 2003; where that can't
// be, since it is in doubt, or the file system is what is full, work gets
// reason 2102. Commits and backouts never do.
//
// # What is where
//
//	var/mqm/qmgrs/<name>/qm.ini            configuration
//	        .../amqalchk.fil               checkpoint file: where a start begins
//	        .../queues/<name>/q, procdef/  files of the objects (engine)
//	        .../errors/AMQERR01.LOG        error log
//	        .../sim.json                   what only the simulator keeps
//	        .../sim-suspended.json         what is shown while it is suspended
//	var/mqm/log/<name>/amqhlctl.lfh        log control file
//	        .../active/S0000000.LOG        extents
//
// # Threads
//
// Methods may be called from any goroutine. Locks are taken in this order: that
// of a manager's life, that of its work (checkpoints, room), that of the room,
// the engine's, those of the log and of the manager's own state. Methods of the
// engine's owner take none of the first three.
package qmgr
