package qsg

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

// longestGroup is how long the name of a group is in the name of a structure in
// the coupling facility, filled with @ (DEFINE CFSTRUCT).
const longestGroup = 4

// ExternalName gives the name by which the coupling facility knows a structure
// of a group.
func ExternalName(group, structure string) string {
	return group + strings.Repeat("@", max(0, longestGroup-len(group))) + structure
}

var (
	xcfField      = regexp.MustCompile(`^[ ]*([A-Z][A-Z /]*?)[ ]*:[ ]*(.*?)[ ]*$`)
	xcfSize       = regexp.MustCompile(`^([0-9]+)[ ]*([KMG])B?$`)
	xcfConnection = regexp.MustCompile(`^[ ]*(CSQ[A-Z0-9@#$]{1,13})[ ]+[0-9A-F]{1,3}[ ]+[0-9A-F]{8}\b`)
)

// readAllocations asks XCF for every structure.
func (r *reader) readAllocations() {
	names := []string{AdminStructure}
	for name := range r.structures {
		names = append(names, name)
	}
	slices.Sort(names)
	var missing []observe.Question
	var why error
	for _, name := range names {
		external := ExternalName(r.target.Name, name)
		text := "D XCF,STR,STRNAME=" + external
		body, err := r.ask(observe.MVS, r.target.Name, text)
		if err != nil {
			why = err
			missing = append(missing, observe.Question{Language: observe.MVS, QueueManager: r.target.Name, Text: text})
			continue
		}
		for _, found := range readXCF(body) {
			if found.Name == external && !slices.ContainsFunc(r.group.Allocated, func(a Allocated) bool { return a.Name == external }) {
				r.group.Allocated = append(r.group.Allocated, found)
			}
		}
	}
	r.unheard(finding.NotChecked, "allocation of structures in the coupling facility", missing, why)
}

// readXCF reads the answers to D XCF,STR,STRNAME= (IXC360I), one structure
// behind the other.
func readXCF(body []byte) []Allocated {
	var all []Allocated
	for _, line := range mqsc.ConsoleLines(body) {
		text := strings.ToUpper(line.Text)
		if parts := xcfConnection.FindStringSubmatch(text); parts != nil && len(all) > 0 {
			last := &all[len(all)-1]
			last.Connections = append(last.Connections, parts[1])
			continue
		}
		parts := xcfField.FindStringSubmatch(text)
		if parts == nil {
			continue
		}
		if parts[1] == "STRNAME" {
			all = append(all, Allocated{Name: parts[2]})
		} else if len(all) > 0 {
			all[len(all)-1].take(parts[1], parts[2])
		}
	}
	return all
}

func (a *Allocated) take(name, value string) {
	switch name {
	case "STATUS":
		if a.Status == "" {
			a.Status = value
		}
	case "POLICY SIZE":
		a.PolicyKB = kilobytes(value)
	case "ACTUAL SIZE":
		a.SizeKB = kilobytes(value)
	case "CFNAME":
		a.Facility = value
	case "DUPLEX":
		a.Duplexed = No
		if strings.HasPrefix(value, "ENABLED") || strings.HasPrefix(value, "ALLOWED") {
			a.Duplexed = Yes
		}
	}
}

// kilobytes reads 524288 K, 512 M or 1 G.
func kilobytes(text string) Number {
	parts := xcfSize.FindStringSubmatch(text)
	if parts == nil {
		return Number{}
	}
	size := numberOf(parts[1])
	size.Value <<= map[string]uint{"K": 0, "M": 10, "G": 20}[parts[2]]
	return size
}
