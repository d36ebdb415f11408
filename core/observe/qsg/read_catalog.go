package qsg

import (
	"errors"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe"
)

// batch is how many entries one LISTCAT names: its print stays one that a
// person can read, and a command has at most 32 KB.
const batch = 100

// longestPrefix is how long the prefix of archive data sets may be (CSQ6ARVP,
// ARCPFX1).
const longestPrefix = 35

// listEntries writes LISTCAT for some data sets, one a line: access method
// services reads 72 columns.
func listEntries(names []string) string {
	var b strings.Builder
	b.WriteString("LISTCAT ENTRIES(")
	for i, name := range names {
		if i > 0 {
			b.WriteString(" -\n  ")
		}
		b.WriteString("'" + name + "'")
	}
	b.WriteString(") ALL")
	return b.String()
}

// listLevel writes LISTCAT for all data sets below a prefix.
func listLevel(prefix string) string { return "LISTCAT LEVEL(" + prefix + ") ALL" }

// isDataSetName tells a name that may be asked for from a slip in a print.
func isDataSetName(name string) bool {
	if name == "" || len(name) > 44 {
		return false
	}
	for part := range strings.SplitSeq(name, ".") {
		if part == "" || len(part) > 8 || strings.Trim(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$-") != "" {
			return false
		}
	}
	return true
}

// listing asks the catalog through a queue manager's or the group's system. What
// can't be read is a finding at once.
func (r *reader) listing(name, text string) (idcams.Listing, error) {
	body, err := r.ask(observe.IDCAMS, name, text)
	if err != nil {
		return idcams.Listing{}, err
	}
	if known, ok := r.listings[string(body)]; ok {
		return *known, nil
	}
	listing, err := idcams.Read(body)
	if err == nil {
		r.listings[string(body)] = &listing
	} else {
		r.open(finding.FactsUnreadable, "IDCAMS %s: %.60s: %v", name, strings.ReplaceAll(text, "\n", " "), err)
	}
	return listing, err
}

// unlistened adds a question to those that had no answer, unless it had one that
// can't be read.
func unlistened(missing []observe.Question, name, text string, err error) []observe.Question {
	if errors.As(err, new(*idcams.Error)) {
		return missing
	}
	return append(missing, observe.Question{Language: observe.IDCAMS, QueueManager: name, Text: text})
}

// readCatalog asks for the shared message data sets. DISPLAY USAGE does not show
// their extents (trap 29).
func (r *reader) readCatalog() {
	byName := map[string]*DataSet{}
	var names []string
	for _, d := range r.dataSets {
		s := r.structures[d.Structure]
		if s == nil {
			continue
		}
		if d.Name = dataSetName(s.Defined.DSGroup, d.Owner); isDataSetName(d.Name) {
			byName[d.Name] = d
			names = append(names, d.Name)
		}
	}
	slices.Sort(names)
	var missing []observe.Question
	var why error
	for part := range slices.Chunk(names, batch) {
		text := listEntries(part)
		listing, err := r.listing(r.target.Name, text)
		if err != nil {
			why, missing = err, unlistened(missing, r.target.Name, text, err)
			continue
		}
		for _, cluster := range listing.Clusters {
			if d := byName[cluster.Name]; d != nil && d.Catalog == nil {
				d.Catalog = &cluster
			}
		}
		for _, name := range listing.Missing {
			if d := byName[name]; d != nil && d.Catalog == nil {
				d.NotCatalogued = true
			}
		}
	}
	r.unheard(finding.NotChecked, "extents of shared message data sets", missing, why)
}

// readArchiveCatalog asks for the archive data sets of every member: for all
// that there are under the prefixes it has now, and by name for those of its
// BSDS that are not among them.
func (r *reader) readArchiveCatalog() {
	var missing []observe.Question
	var why error
	for _, name := range r.names() {
		m := r.members[name]
		m.HasArchives = m.BSDS != nil
		known := map[string]bool{}
		for _, prefix := range prefixesOf(m.Archive) {
			text := listLevel(prefix)
			listing, err := r.listing(name, text)
			if err != nil {
				why, missing = err, unlistened(missing, name, text, err)
				continue
			}
			m.Searched = append(m.Searched, prefix)
			m.add(listing, known)
		}
		for part := range slices.Chunk(m.unlisted(known), batch) {
			text := listEntries(part)
			listing, err := r.listing(name, text)
			if err != nil {
				m.HasArchives = false
				why, missing = err, unlistened(missing, name, text, err)
				continue
			}
			m.add(listing, known)
		}
	}
	r.unheard(finding.NotChecked, "catalog entries of archive data sets", missing, why)
}

// prefixesOf gives the prefixes of archive data sets (ARCPFX1, ARCPFX2).
func prefixesOf(archive Parameters) []string {
	var prefixes []string
	for _, name := range []string{"ARCPFX1", "ARCPFX2"} {
		prefix := strings.ToUpper(strings.TrimSpace(archive[name]))
		if isDataSetName(prefix) && len(prefix) <= longestPrefix && !slices.Contains(prefixes, prefix) {
			prefixes = append(prefixes, prefix)
		}
	}
	return prefixes
}

// add takes over what a listing shows of names that are not known yet.
func (m *Member) add(listing idcams.Listing, known map[string]bool) {
	for _, entry := range listing.NonVSAM {
		if !known[entry.Name] {
			known[entry.Name] = true
			m.Archives.NonVSAM = append(m.Archives.NonVSAM, entry)
		}
	}
	for _, name := range listing.Missing {
		if !known[name] {
			known[name] = true
			m.Archives.Missing = append(m.Archives.Missing, name)
		}
	}
}

// unlisted gives the archive data sets of the BSDS that no listing shows. One
// below a prefix that was searched is not catalogued.
func (m *Member) unlisted(known map[string]bool) []string {
	var names []string
	if m.BSDS == nil {
		return nil
	}
	for _, logs := range m.BSDS.Archive {
		for _, log := range logs {
			name := strings.ToUpper(log.DataSet)
			if known[name] || !isDataSetName(name) {
				continue
			}
			if slices.ContainsFunc(m.Searched, func(prefix string) bool { return strings.HasPrefix(name, prefix+".") }) {
				known[name] = true
				m.Archives.Missing = append(m.Archives.Missing, name)
				continue
			}
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
