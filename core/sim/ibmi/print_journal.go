package ibmi

import (
	"context"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// showJournal is WRKJRNA. DETAIL(*RCVDIR) prints the receiver directory alone,
// else it comes behind the attributes.
func showJournal(_ context.Context, c *call) error {
	journal, err := c.sys.Journal(c.args.object("JRN", general))
	if err != nil {
		return err
	}
	receivers := c.sys.Receivers(journal.ID)
	if c.args.has("DETAIL", "*RCVDIR") {
		c.result.Output += directory(receivers)
		return nil
	}
	c.print("Work with Journal Attributes",
		field{"Journal", journal.Name}, field{"Library", journal.Library},
		field{"Attached receiver", journal.Attached.Name}, field{"Library", journal.Attached.Library},
		field{"Message queue", messageQueue(journal).Name}, field{"Library", messageQueue(journal).Library},
		field{"Manage receivers", either(journal.UserManaged, "*USER", "*SYSTEM")},
		field{"Delete receivers", either(journal.DeleteReceivers, "*YES", "*NO")},
		field{"Receiver size options", sizeOption(journal)},
		field{"Journal type", either(journal.Remote, "*REMOTE", "*LOCAL")},
		field{"Number of receivers", len(receivers)},
	)
	c.result.Output += directory(receivers)
	return nil
}

// directory prints the receiver directory in the layout of 7.1 of the
// reference: dates without times, sizes in KB.
func directory(receivers []os400.Receiver) string {
	var b strings.Builder
	total := int64(0)
	for _, r := range receivers {
		total += kilobytes(r.Size)
	}
	b.WriteString(strings.Repeat(" ", 29) + "Receiver Directory\n")
	fmt.Fprintf(&b, "Total size of receivers (in kilobytes). . . . . . :   %d\n", total)
	b.WriteString("                              Attach     Save                    Size\n")
	b.WriteString("Number   Receiver    Library    Date       Date        Status       (K)\n")
	for _, r := range receivers {
		fmt.Fprintf(&b, "%s    %-10s  %-10s %-8s   %-8s    %-8s %8d\n",
			numberOf(r), r.Name, r.Library, dayOf(r.Attach), dayOf(r.Save), r.Status, kilobytes(r.Size))
	}
	return b.String()
}

// numberOf gives the five digits of the directory: chain and place in it.
func numberOf(r os400.Receiver) string {
	return fmt.Sprintf("%02d%03d", r.Number.Chain, r.Number.Place)
}

// showReceiver is DSPJRNRCVA, in the layout of 7.7 of the reference.
func showReceiver(_ context.Context, c *call) error {
	r, err := c.sys.Receiver(c.args.object("JRNRCV", general))
	if err != nil {
		return err
	}
	journal := r.Journal
	if journal == (os400.ID{}) {
		journal = os400.ID{Library: "", Name: "*NONE"}
	}
	var b strings.Builder
	row := func(form string, args ...any) {
		b.WriteString(strings.TrimRight(fmt.Sprintf(form, args...), " ") + "\n")
	}
	row("Receiver . . . . . . :   %-10s      Library . . . :   %s", r.Name, r.Library)
	row("Journal  . . . . . . :   %-10s      Library . . . :   %s", journal.Name, journal.Library)
	row("Threshold (K)  . . . :   %-10d      Size (K) . . :   %d", r.Threshold, kilobytes(r.Size))
	row("Attach date / time . :   %s", momentOf(r.Attach))
	row("Detach date / time . :   %s", momentOf(r.Detach))
	row("Save date / time . . :   %s", momentOf(r.Save))
	row("Number of entries  . :   %-10d      Status . . . . :   %s", r.Entries(), r.Status)
	row("First sequence number:   %-10d      Last  . . . . :   %d", r.First, r.Last)
	c.result.Output += b.String()
	return nil
}

// kilobytes gives a size in units of 1024 bytes, as the system shows it.
func kilobytes(size int64) int64 { return (size + 1023) / 1024 }

// messageQueue gives where a journal's messages go.
func messageQueue(j os400.Journal) os400.ID {
	if j.MessageQueue == (os400.ID{}) {
		return operator
	}
	return j.MessageQueue
}

// sizeOption gives RCVSIZOPT.
func sizeOption(j os400.Journal) string {
	if j.SizeOption == "" {
		return "*NONE"
	}
	return "*" + j.SizeOption
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}
