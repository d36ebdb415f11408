package runmqsc

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// A local queue as a queue manager of 7.5 shows one: every attribute, in its
// place.
func TestLocalQueue75(t *testing.T) {
	f := newFake("7.5.0.9")
	f.define(engine.Queue, "TI.LOG", map[string]string{
		"DESCR": "no description", "ALTDATE": "2017-05-09", "ALTTIME": "18.07.00", "CRDATE": "2017-05-09", "CRTIME": "18.07.00",
	})
	want := `AMQ8409: Display Queue details.
   QUEUE(TI.LOG)                           TYPE(QLOCAL)
   ACCTQ(QMGR)                             ALTDATE(2017-05-09)
   ALTTIME(18.07.00)                       BOQNAME( )
   BOTHRESH(0)                             CLUSNL( )
   CLUSTER( )                              CLCHNAME( )
   CLWLPRTY(0)                             CLWLRANK(0)
   CLWLUSEQ(QMGR)                          CRDATE(2017-05-09)
   CRTIME(18.07.00)                        CURDEPTH(0)
   CUSTOM( )                               DEFBIND(OPEN)
   DEFPRTY(0)                              DEFPSIST(NO)
   DEFPRESP(SYNC)                          DEFREADA(NO)
   DEFSOPT(SHARED)                         DEFTYPE(PREDEFINED)
   DESCR(no description)                   DISTL(NO)
   GET(ENABLED)                            HARDENBO
   INITQ( )                                IPPROCS(0)
   MAXDEPTH(5000)                          MAXMSGL(4194304)
   MONQ(QMGR)                              MSGDLVSQ(PRIORITY)
   NOTRIGGER                               NPMCLASS(NORMAL)
   OPPROCS(0)                              PROCESS( )
   PUT(ENABLED)                            PROPCTL(COMPAT)
   QDEPTHHI(80)                            QDEPTHLO(20)
   QDPHIEV(DISABLED)                       QDPLOEV(DISABLED)
   QDPMAXEV(ENABLED)                       QSVCIEV(NONE)
   QSVCINT(999999999)                      RETINTVL(999999999)
   SCOPE(QMGR)                             SHARE
   STATQ(QMGR)                             TRIGDATA( )
   TRIGDPTH(1)                             TRIGMPRI(0)
   TRIGTYPE(FIRST)                         USAGE(NORMAL)`
	if diff := cmp.Diff(want, run(t, f, "DISPLAY QUEUE(TI.LOG)").body()); diff != "" {
		t.Error(diff)
	}
}

// A receiver channel, a listener and a namelist as one of 9.x shows them.
func TestObjects94(t *testing.T) {
	f := newFake("9.4.2.0")
	f.define(objects.Listener, "DEV.LISTENER.TCP", map[string]string{"CONTROL": "QMGR", "PORT": "1414", "ALTDATE": "2025-04-22", "ALTTIME": "03.01.08"})
	for command, want := range map[string]string{
		"DISPLAY CHANNEL(SYSTEM.DEF.RECEIVER) ALL": `AMQ8414I: Display Channel details.
   CHANNEL(SYSTEM.DEF.RECEIVER)            CHLTYPE(RCVR)
   ALTDATE(2026-05-01)                     ALTTIME(08.00.00)
   BATCHSZ(50)                             CERTLABL( )
   COMPHDR(NONE)                           COMPMSG(NONE)
   DESCR( )                                HBINT(300)
   KAINT(AUTO)                             MAXMSGL(4194304)
   MCAUSER( )                              MONCHL(QMGR)
   MRDATA( )                               MREXIT( )
   MRRTY(10)                               MRTMR(1000)
   MSGDATA( )                              MSGEXIT( )
   NPMSPEED(FAST)                          PUTAUT(DEF)
   RCVDATA( )                              RCVEXIT( )
   RESETSEQ(NO)                            SCYDATA( )
   SCYEXIT( )                              SENDDATA( )
   SENDEXIT( )                             SEQWRAP(999999999)
   SSLCAUTH(REQUIRED)                      SSLCIPH( )
   SSLPEER( )                              STATCHL(QMGR)
   TRPTYPE(TCP)                            USEDLQ(YES)`,
		"DISPLAY LISTENER(DEV*) ALL": `AMQ8630I: Display listener information details.
   LISTENER(DEV.LISTENER.TCP)              CONTROL(QMGR)
   TRPTYPE(TCP)                            PORT(1414)
   IPADDR( )                               BACKLOG(0)
   DESCR( )                                ALTDATE(2025-04-22)
   ALTTIME(03.01.08)`,
		"DISPLAY NAMELIST(SYSTEM.QPUBSUB.QUEUE.NAMELIST)": `AMQ8550I: Display namelist details.
   NAMELIST(SYSTEM.QPUBSUB.QUEUE.NAMELIST)
   NAMCOUNT(2)
   NAMES(SYSTEM.BROKER.DEFAULT.STREAM
        ,SYSTEM.BROKER.ADMIN.STREAM)
   DESCR( )                                ALTDATE(2026-05-01)
   ALTTIME(08.00.00)`,
		"DISPLAY QMGR CONNAUTH CHLAUTH": `AMQ8408I: Display Queue Manager details.
   QMNAME(QM1)                             CHLAUTH(ENABLED)
   CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)`,
	} {
		if diff := cmp.Diff(want, run(t, f, command).body()); diff != "" {
			t.Error(diff)
		}
	}
}
