package main

import "testing"

// What stays for one reason stands in one line, with its ends and how many; what
// goes is named each.
func TestPrunedText(t *testing.T) {
	row := func(outcome, segment, why string) prunedRow { return prunedRow{"vault", segment, 4096, outcome, why} }
	rows := []prunedRow{
		row("would go", "S9999997.LOG", "older"), row("would go", "S9999998.LOG", "older"),
		row("stays", "S9999999.LOG", "needed"), row("stays", "S0000000.LOG", "needed"), row("stays", "S0000001.LOG", "needed"),
		row("stays", "S0000002.LOG", "damaged"), row("stays", "S0000003.LOG", "needed"),
	}
	const want = `dry run: nothing was changed
would go  S9999997.LOG in store vault: older
would go  S9999998.LOG in store vault: older
stays     3 copies, S9999999.LOG .. S0000001.LOG, in store vault: needed
stays     S0000002.LOG in store vault: damaged
stays     S0000003.LOG in store vault: needed
5 copies stay, 2 copies go with 8.0 KiB
`
	if got := prunedText(rows, false); got != want {
		t.Errorf("got\n%s", got)
	}
	rows[4].Store = "other"
	if got := prunedText(rows[2:5], true); got != "stays     2 copies, S9999999.LOG .. S0000000.LOG, in store vault: needed\nstays     S0000001.LOG in store other: needed\n3 copies stay, 0 copies go with 0 B\n" {
		t.Errorf("got\n%s", got)
	}
}
