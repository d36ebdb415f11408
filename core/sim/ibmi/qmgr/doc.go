// Package qmgr is an IBM MQ queue manager on IBM i: package engine over a
// journal of package os400. It adds what the platform adds: the library, the
// journal and its letter, the occasions of checkpoints, the publication of the
// recovery points (AMQ7460, AMQ7462, AMQJRNINF), the messages of MQ, mqs.ini
// and qm.ini.
//
//	m, err := qmgr.Create(ctx, sys, qmgr.Spec{Name: "TEST"})   // CRTMQM, left ended
//	done, err := m.Start(ctx)                                   // STRMQM
//	_, err = m.Put(ctx, "ORDERS", engine.Message{...})
//	n, err := m.RecordImages(ctx, qmgr.Selection{Name: "*ALL", Type: "*ALL", Checkpoint: true}) // RCDMQMIMG
//	err = m.End(ctx, qmgr.EndOptions{Images: true})             // ENDMQM ENDCCTJOB(*YES)
//
// # What is seen from outside
//
// A queue manager knows at every moment which entry of its journal a start and
// a rebuild would need. It shows that only on the occasions of occasions.go,
// so what QMSTATUS, the messages and the user space say is older than the
// truth, never newer: a mark that they gave may have moved on, and does not go
// back.
//
// # What is where
//
//	QSYS.LIB/<LIB>.LIB            library: journal, receivers, QMQMMSG, AMQJRNINF
//	QIBM/UserData/mqm/mqs.ini     which queue managers there are
//	.../mqm/qmgrs/<dir>/qm.ini    configuration
//	.../mqm/qmgrs/<dir>/objects   files of the queues and other objects (engine)
//	.../mqm/qmgrs/<dir>/sim.json  what only the simulator keeps; no message bodies
//
// # Threads
//
// Methods may be called from any goroutine. Locks are taken in this order:
// that of a manager's life, the engine's, those of os400 and of the manager's
// own state. Methods of the engine's owner take none of the first two.
package qmgr
