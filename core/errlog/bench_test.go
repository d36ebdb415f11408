package errlog

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// busy gives about 16 MB of a log as a busy queue manager writes it: channels
// that come and go, and now and then what matters here.
func busy(layout Layout) string {
	explanation := strings.Repeat("The channel program running under process ID 14156032 for channel 'TO.GUA400S' ended abnormally. ", 4)
	at := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	var log strings.Builder
	for i := 0; log.Len() < 16<<20; i++ {
		at = at.Add(321 * time.Millisecond)
		stamp := at.Format(time.DateTime)
		var m told
		switch {
		case i%100 == 50:
			m = restart("PROD.PAYMENTS.QM01", stamp, fmt.Sprintf("S%07d.LOG", i/100))
		case i%100 == 51:
			m = media("PROD.PAYMENTS.QM01", stamp, fmt.Sprintf("S%07d.LOG", i/200))
		case i%2 == 0:
			m = message("AMQ9002", "PROD.PAYMENTS.QM01", stamp, "Channel 'TO.GUA400S' is starting.", "TO.GUA400S")
		default:
			m = message("AMQ9202", "PROD.PAYMENTS.QM01", stamp, "Remote host 'gua400r (10.168.1.36) (1480)' not available, retry later.", "gua400r (10.168.1.36) (1480)", "TCP/IP", "TO.GUA400S")
			m.severity, m.explanation = "E", explanation
		}
		log.WriteString(m.in(layout, modern))
	}
	return log.String()
}

func BenchmarkScan(b *testing.B) {
	for _, layout := range []Layout{Text, JSON, Console} {
		b.Run(layout.String(), func(b *testing.B) {
			log := busy(layout)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for _, err := range Scan(strings.NewReader(log)) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n < 10_000 {
					b.Fatal(n)
				}
			}
		})
	}
}

func BenchmarkWatermarks(b *testing.B) {
	for _, layout := range []Layout{Text, JSON} {
		b.Run(layout.String(), func(b *testing.B) {
			log := busy(layout)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				marks, err := Watermarks("PROD.PAYMENTS.QM01", File{Name: "AMQERR01.LOG", Log: strings.NewReader(log)})
				if err != nil || marks.Restart == nil || marks.Media == nil {
					b.Fatal(marks, err)
				}
			}
		})
	}
}
