package ibmi

import (
	"slices"
	"strings"
	"sync"
)

// table holds the table of commands once it was made.
var table struct {
	once sync.Once
	all  []command
}

// commands gives the table of commands, by name.
func commands() []command {
	table.once.Do(func() { table.all = allCommands() })
	return table.all
}

func allCommands() []command {
	all := slices.Concat(managerCommands(), mediaCommands(), transactionCommands(), queueCommands(), remoteCommands(),
		journalCommands(), receiverCommands(), saveCommands(), messageCommands(), jobCommands(), systemCommands(),
		profileCommands(), authorityCommands())
	slices.SortFunc(all, func(a, b command) int { return strings.Compare(a.name, b.name) })
	return all
}

// Commands gives the names of the CL commands that there are, in order.
func Commands() []string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

func commandNamed(name string) (*command, bool) {
	all := commands()
	at, found := slices.BinarySearchFunc(all, name, func(c command, name string) int { return strings.Compare(c.name, name) })
	if !found {
		return nil, false
	}
	return &all[at], true
}

// The parameters that many commands share.
var (
	managerName = parameter{keyword: "MQMNAME", kind: character, high: 48, specials: []string{"*DFT"}, fallback: "*DFT"}
	// output: in a batch job * prints too, for there is no screen.
	output = parameter{keyword: "OUTPUT", kind: special, specials: []string{"*", "*PRINT"}, fallback: "*"}
	ofText = parameter{keyword: "TEXT", kind: anything}
)

// required makes a parameter one that can't be left out.
func required(p parameter) parameter {
	p.required, p.fallback = true, ""
	return p
}

// choice is a parameter that takes one of some special values, the first of
// them by default.
func choice(keyword string, values ...string) parameter {
	return parameter{keyword: keyword, kind: special, specials: values, fallback: values[0]}
}

// noEffect are parameters that change nothing here, whatever their values are.
func noEffect(keywords ...string) []parameter {
	var all []parameter
	for _, keyword := range keywords {
		all = append(all, parameter{keyword: keyword, kind: anything})
	}
	return all
}
