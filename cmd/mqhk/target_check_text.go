package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/report"
)

// checkText gives what was found for people: each row with its verdict, then
// the commands that give what is missing.
func checkText(r checkReport) string {
	var b strings.Builder
	for _, t := range r.Targets {
		if t.Silent {
			fmt.Fprintf(&b, "%s ANSWERED NOTHING: what follows says nothing of it.\n", report.Printable(t.Name))
		}
	}
	for _, t := range r.Targets {
		section(&b, t.Name, t.Checks)
		ask(&b, "To give it what is missing, submit:", t.Checks)
	}
	section(&b, "this machine", r.Host)
	ask(&b, "To give mqhk what is missing:", r.Host)
	return b.String()
}

func section(b *strings.Builder, title string, rows []connect.Checked) {
	there := 0
	for _, row := range rows {
		if row.Verdict == connect.Yes {
			there++
		}
	}
	fmt.Fprintf(b, "%s: %d of %d there\n", report.Printable(title), there, len(rows))
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		degree := "needed"
		if row.Wanted {
			degree = "wanted"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", row.Verdict, degree, uses(row.For), report.Printable(row.What))
		if row.Detail != "" && row.Verdict != connect.Yes {
			fmt.Fprintf(w, "  \t\t\t  %s\n", report.Printable(row.Detail))
		}
	}
	_ = w.Flush() // into memory
	b.WriteString("\n")
}

func uses(list []connect.Use) string {
	words := make([]string, len(list))
	for i, u := range list {
		words[i] = string(u)
	}
	return strings.Join(words, " ")
}

// ask lists the commands that rows ask for, each once.
func ask(b *strings.Builder, title string, rows []connect.Checked) {
	var commands []string
	for _, row := range rows {
		for _, text := range row.Grant {
			if !slices.Contains(commands, text) {
				commands = append(commands, text)
			}
		}
	}
	if len(commands) == 0 {
		return
	}
	b.WriteString(title + "\n")
	for _, text := range commands {
		b.WriteString("  " + report.Printable(text) + "\n")
	}
	b.WriteString("\n")
}
