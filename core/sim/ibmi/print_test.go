package ibmi

import (
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// The figures are those of the reference, IBM i 7.1.
func TestDirectoryLayout(t *testing.T) {
	date := func(month, dayOfMonth int) time.Time {
		return time.Date(2024, time.Month(month), dayOfMonth, 3, 4, 5, 0, time.UTC)
	}
	id := func(name string) os400.ID { return os400.ID{Library: "QMPAYROLL", Name: name} }
	got := directory([]os400.Receiver{
		{ID: id("AMQA000041"), Number: os400.Number{Place: 41}, Status: os400.Saved, Attach: date(3, 2), Save: date(3, 3), Size: 100412 << 10},
		{ID: id("AMQA000044"), Number: os400.Number{Place: 44}, Status: os400.Partial, Attach: date(3, 9), Save: date(3, 10), Size: 100396 << 10},
		{ID: id("AMQA100044"), Number: os400.Number{Chain: 1, Place: 1}, Status: os400.Online, Attach: date(3, 10), Size: 61208<<10 - 1},
		{ID: id("AMQA100045"), Number: os400.Number{Chain: 1, Place: 2}, Status: os400.Attached, Attach: date(3, 10), Size: 49536 << 10},
	})
	want := `                             Receiver Directory
Total size of receivers (in kilobytes). . . . . . :   311552
                              Attach     Save                    Size
Number   Receiver    Library    Date       Date        Status       (K)
00041    AMQA000041  QMPAYROLL  03/02/24   03/03/24    SAVED      100412
00044    AMQA000044  QMPAYROLL  03/09/24   03/10/24    PARTIAL    100396
01001    AMQA100044  QMPAYROLL  03/10/24   00/00/00    ONLINE      61208
01002    AMQA100045  QMPAYROLL  03/10/24   00/00/00    ATTACHED    49536
`
	if got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}

func TestFields(t *testing.T) {
	c := &call{result: &Result{}}
	c.print("", field{"Journal", "AMQAJRN"}, field{"Restart recovery receiver", ""}, field{"Number of receivers", 12})
	want := "Journal . . . . . . . . . . :   AMQAJRN\n" +
		"Restart recovery receiver . :\n" +
		"Number of receivers . . . . :   12\n"
	if c.result.Output != want {
		t.Errorf("got\n%s\nnot\n%s", c.result.Output, want)
	}
}
