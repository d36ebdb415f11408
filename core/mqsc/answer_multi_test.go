package mqsc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// statusBody is DISPLAY QMSTATUS ALL in the two columns of runmqsc 9.4. The
// values are those of no real queue manager.
const statusBody = `   QMNAME(ORDERS)                          TYPE(QMGR)
   STATUS(RUNNING)                         ARCHLOG(S0000104.LOG)
   ARCHSZ(48)                              CHKPTCNT(893)
   CURRLOG(S0000130.LOG)                   DISKLSN(<0:0:79:38170>)
   GRPLSN( )                               INSTANCE( )
   INSTDESC( )                             INSTNAME(Installation1)
   INSTPATH(/opt/ibm/messaging/mq/installations/9.4.2.0/production)
   LOGEXTSZ(16392)                         LOGFSSZ(SHARED)
   LOGPATH(/var/mqm/log/ORDERS/active/)    LOGPRIM(3)
   LOGSTRDA(2026-05-26)                    LOGSTRL(<0:0:8:65136>)
   LOGSTRTI(11:32:56)                      LOGTYPE(LINEAR)
   MEDIALOG(S0000104.LOG)                  MEDIASZ(416)
   RECLOG(S0000112.LOG)                    REUSESZ(0)
   STANDBY(NOPERMIT)                       STARTDA(2026-05-27)
`

const statusWant = "QMNAME=ORDERS TYPE=QMGR STATUS=RUNNING ARCHLOG=S0000104.LOG ARCHSZ=48 CHKPTCNT=893 CURRLOG=S0000130.LOG " +
	"DISKLSN=<0:0:79:38170> GRPLSN= INSTANCE= INSTDESC= INSTNAME=Installation1 INSTPATH=/opt/ibm/messaging/mq/installations/9.4.2.0/production " +
	"LOGEXTSZ=16392 LOGFSSZ=SHARED LOGPATH=/var/mqm/log/ORDERS/active/ LOGPRIM=3 LOGSTRDA=2026-05-26 LOGSTRL=<0:0:8:65136> " +
	"LOGSTRTI=11:32:56 LOGTYPE=LINEAR MEDIALOG=S0000104.LOG MEDIASZ=416 RECLOG=S0000112.LOG REUSESZ=0 STANDBY=NOPERMIT STARTDA=2026-05-27"

// The languages of a message say nothing: only ids and names of attributes do.
func TestStatusInEveryLanguage(t *testing.T) {
	const echoed = "\n\n     1 : DISPLAY QMSTATUS ALL\n"
	tests := map[string]struct{ head, title, tail string }{
		"English": {"5724-H72 (C) Copyright IBM Corp. 1994, 2026.\nStarting MQSC for queue manager ORDERS.\n" + echoed, "AMQ8705I: Display Queue Manager Status Details.\n",
			"One MQSC command read.\nNo commands have a syntax error.\nAll valid MQSC commands were processed.\n"},
		"German": {"5724-H72 (C) Copyright IBM Corp. 1994, 2026.\nMQSC für Warteschlangenmanager ORDERS wird gestartet.\n" + echoed, "AMQ8705I: Details zum Status des Warteschlangenmanagers (ORDERS) anzeigen.\n",
			"1 MQSC-Befehl gelesen.\nKein Befehl mit Syntaxfehler.\nAlle gültigen MQSC-Befehle wurden verarbeitet.\n"},
		"German, ISO 8859-1":  {"MQSC f\xfcr Warteschlangenmanager ORDERS wird gestartet.\n" + echoed, "AMQ8705I: Details f\xfcr den Status anzeigen.\n", "Alle g\xfcltigen MQSC-Befehle wurden verarbeitet.\n"},
		"Japanese":            {"5724-H72 (C) Copyright IBM Corp. 1994, 2026.\nキュー・マネージャー ORDERS に対して MQSC を開始中です。\n" + echoed, "AMQ8705I: キュー・マネージャー状況の詳細の表示。\n", "MQSC コマンドを 1 つ読み取りました。\n構文エラーのあるコマンドはありません。\n"},
		"Japanese, Shift JIS": {"\x83L\x83\x85\x81[\x81E\x83}\x83l\x81[\x83W\x83\x83\x81[ ORDERS\n" + echoed, "AMQ8705I: \x83L\x83\x85\x81[\x8f\xf3\x8b\xb5\x82\xcc\x95\\\x8e\xa6\x81B\n", "MQSC \x83R\x83}\x83\x93\x83h\n"},
		"Chinese":             {"正在启动队列管理器 ORDERS 的 MQSC。\n" + echoed, "AMQ8705I: 显示队列管理器状态的详细信息。\n", "读取了一条 MQSC 命令。\n所有有效的 MQSC 命令都已处理。\n"},
		"no echo, no banner":  {"", "AMQ8705I: Display Queue Manager Status Details.\n", ""},
		"7.x":                 {"5724-H72 (C) Copyright IBM Corp. 1994, 2011.  ALL RIGHTS RESERVED.\nStarting MQSC for queue manager ORDERS.\n" + echoed, "AMQ8705: Display Queue Manager Status Details.\n", "One MQSC command read.\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			id, _, _ := strings.Cut(test.title, ":")
			text := test.head + test.title + statusBody + test.tail
			for _, body := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), test.head + test.title + oneALine(statusBody) + test.tail} {
				answer, err := ParseAnswer([]byte(body))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]string{id + " " + statusWant}, flat(answer)); diff != "" {
					t.Error(diff)
				}
				if len(answer.Messages) != 1 {
					t.Errorf("messages %v", answer.Messages)
				}
			}
		})
	}
}

// oneALine puts every attribute on a line of its own.
func oneALine(body string) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		first, second := line, ""
		if len(line) > 43 && line[42] == ' ' {
			first, second = line[:43], "   "+line[43:]
		}
		b.WriteString(strings.TrimRight(first, " ") + "\n")
		if second != "" {
			b.WriteString(second + "\n")
		}
	}
	return b.String()
}

// What the other questions of Multiplatforms bring.
func TestMultiplatformsAnswers(t *testing.T) {
	tests := map[string]struct {
		body string
		want []string
	}{
		"circular, or stopped logs": {"AMQ8705I: Display Queue Manager Status Details.\n   QMNAME(ORDERS)                          CURRLOG( )\n   LOGTYPE(CIRCULAR)                       MEDIALOG( )\n   RECLOG( )\n",
			[]string{"AMQ8705I QMNAME=ORDERS CURRLOG= LOGTYPE=CIRCULAR MEDIALOG= RECLOG="}},
		"connections": {"AMQ8276I: Display Connection details.\n   CONN(6147BA6800DD0740)                \n   EXTCONN(414D5143514D31202020202020202020)\n   TYPE(CONN)                            \n   PID(3079)                               TID(15) \n" +
			"   APPLTAG(pay (batch) run)                CONNAME(10.10.10.2)                  \n   CONNOPTS(MQCNO_HANDLE_SHARE_BLOCK,MQCNO_SHARED_BINDING,MQCNO_RECONNECT)\n   UOWLOG(S0000112.LOG)                    UOWLOGDA(2026-05-27)\n" +
			"   EXTURID(XA_FORMATID[] XA_GTRID[] XA_BQUAL[])\n   UOWLOGTI(13.01.02)                      UOWSTATE(ACTIVE)\n" +
			"AMQ8276I: Display Connection details.\n   CONN(6147BA6800DE0740)                  TYPE(CONN)\n   UOWLOG( )                               UOWSTATE(NONE)\n", []string{
			"AMQ8276I CONN=6147BA6800DD0740 EXTCONN=414D5143514D31202020202020202020 TYPE=CONN PID=3079 TID=15 APPLTAG=pay (batch) run CONNAME=10.10.10.2 CONNOPTS=MQCNO_HANDLE_SHARE_BLOCK,MQCNO_SHARED_BINDING,MQCNO_RECONNECT UOWLOG=S0000112.LOG UOWLOGDA=2026-05-27 EXTURID=XA_FORMATID[] XA_GTRID[] XA_BQUAL[] UOWLOGTI=13.01.02 UOWSTATE=ACTIVE",
			"AMQ8276I CONN=6147BA6800DE0740 TYPE=CONN UOWLOG= UOWSTATE=NONE",
		}},
		"queue status": {"AMQ8450: Display queue status details.\n   QUEUE(ORDERS.IN)                        TYPE(QUEUE)\n   CURDEPTH(0)                             MEDIALOG(S0000104.LOG)\n   MSGAGE( )                               QTIME( , )\n" +
			"AMQ8450: Display queue status details.\n   QUEUE(AN.ORDERS.QUEUE.WITH.A.VERY.LONG.NAME.INDEED)\n   TYPE(QUEUE)                             MEDIALOG( )\n",
			[]string{"AMQ8450 QUEUE=ORDERS.IN TYPE=QUEUE CURDEPTH=0 MEDIALOG=S0000104.LOG MSGAGE= QTIME=,", "AMQ8450 QUEUE=AN.ORDERS.QUEUE.WITH.A.VERY.LONG.NAME.INDEED TYPE=QUEUE MEDIALOG="}},
		"queue manager": {"AMQ8408I: Display Queue Manager details.\n   QMNAME(ORDERS)                          DESCR(Orders (EU))\n   IMGINTVL(60)                            IMGLOGLN(OFF)\n   IMGSCHED(AUTO)                          QMID(ORDERS_2025-01-07_09.11.02)\n   SYNCPT                                  VERSION(09040200)\n",
			[]string{"AMQ8408I QMNAME=ORDERS DESCR=Orders (EU) IMGINTVL=60 IMGLOGLN=OFF IMGSCHED=AUTO QMID=ORDERS_2025-01-07_09.11.02 SYNCPT VERSION=09040200"}},
		"Native HA": {"AMQ8705I: Display Queue Manager Status Details.\n   INSTANCE(mq-0)                          TYPE(NATIVEHA)\n   ROLE(ACTIVE)                            HAINITL(<0:0:9:13456>)\n   REPLADDR(mq-replica-0(9414))\n" +
			"AMQ8705I: Display Queue Manager Status Details.\n   INSTANCE(mq-1)                          TYPE(NATIVEHA)\n   ROLE(REPLICA)                           BACKLOG(0)\n",
			[]string{"AMQ8705I INSTANCE=mq-0 TYPE=NATIVEHA ROLE=ACTIVE HAINITL=<0:0:9:13456> REPLADDR=mq-replica-0(9414)", "AMQ8705I INSTANCE=mq-1 TYPE=NATIVEHA ROLE=REPLICA BACKLOG=0"}},
		"older level": {"     1 : DISPLAY QMSTATUS LOGTYPE\nAMQ8405I: Syntax error detected at or near end of command segment below:-\nDISPLAY QMSTATUS LOGTYPE\n\nOne MQSC command read.\nOne command has a syntax error.\n", nil},
		"two answers": {"     1 : DIS QMSTATUS RECLOG\nAMQ8705I: Display Queue Manager Status Details.\n   QMNAME(A)                               RECLOG(S0000001.LOG)\n     2 : DIS QMSTATUS RECLOG\nAMQ8705I: Display Queue Manager Status Details.\n   QMNAME(A)                               RECLOG(S0000002.LOG)\n",
			[]string{"AMQ8705I QMNAME=A RECLOG=S0000001.LOG", "AMQ8705I QMNAME=A RECLOG=S0000002.LOG"}},

		// Text is printed without quotes: brackets in it need not balance.
		"closes too often":  {"AMQ8409I: x\n   QUEUE(A)                                TYPE(QLOCAL)\n   DESCR(Orders :-))                       CURDEPTH(12)\n   MAXDEPTH(5000)\n", []string{"AMQ8409I QUEUE=A TYPE=QLOCAL DESCR=Orders :-) CURDEPTH=12 MAXDEPTH=5000"}},
		"closes too seldom": {"AMQ8409I: x\n   QUEUE(A)                                TYPE(QLOCAL)\n   DESCR(Orders :-()                       CURDEPTH(12)\n   MAXDEPTH(5000)\n", []string{"AMQ8409I QUEUE=A TYPE=QLOCAL DESCR=Orders :-( CURDEPTH=12 MAXDEPTH=5000"}},
		"in the second":     {"AMQ8409I: x\n   QUEUE(A)                                DESCR(a) or (b)\n   CURDEPTH(12)\n", []string{"AMQ8409I QUEUE=A DESCR=a) or (b CURDEPTH=12"}},
		"alone":             {"AMQ8409I: x\n   QUEUE(A)\n   DESCR(((( a text longer than a column of runmqsc)\n   CURDEPTH(12)\n", []string{"AMQ8409I QUEUE=A DESCR=((( a text longer than a column of runmqsc CURDEPTH=12"}},
		"not in columns":    {"AMQ8409I: x\n   QUEUE(A)\n   DESCR(a)) b)  MEDIALOG(S0000001.LOG)\n   CURDEPTH(12)\n", []string{"AMQ8409I QUEUE=A CURDEPTH=12"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			answer, err := ParseAnswer([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, flat(answer)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An answer that breaks off anywhere gives no value that is not its own.
func TestStatusTornAnywhere(t *testing.T) {
	text := "AMQ8705I: Display Queue Manager Status Details.\n" + statusBody
	whole, err := ParseAnswer([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		answer, _ := ParseAnswer([]byte(text[:i]))
		for _, object := range answer.Objects {
			for _, attribute := range object.Attributes {
				if value, ok := whole.Objects[0].Get(attribute.Name); !attribute.Bare && (!ok || value != attribute.Value) {
					t.Fatalf("after %d bytes %s(%s)", i, attribute.Name, attribute.Value)
				}
			}
		}
	}
}
