package idcams

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Read reads what LISTCAT printed. The error is an [*Error]: the listing breaks
// off or is cut at its right side, so a value of an entry, or an entry, may be
// missing.
func Read(body []byte) (Listing, error) {
	var r reader
	for i, line := range strings.Split(strings.ToValidUTF8(string(body), "\uFFFD"), "\n") {
		r.number = i + 1
		line = strings.TrimRight(strings.ToUpper(line), " \r\t\f")
		if err := r.line(plain(line)); err != nil {
			return Listing{}, err
		}
	}
	switch {
	case r.pending != "":
		return Listing{}, r.cut()
	case !r.ended:
		return Listing{}, &Error{r.number, "the listing breaks off: nothing says that it is complete"}
	}
	for i := range r.clusters {
		r.clusters[i].Constraint = r.clusters[i].constraint()
	}
	r.listing.Clusters = r.clusters
	return r.listing, nil
}

// reader goes through the lines of a listing.
type reader struct {
	listing  Listing
	clusters []Cluster
	number   int // of the line, from 1
	ended    bool

	other   *NonVSAM // the entry that is read, nil when it is not one
	cluster *Cluster
	volumes *[]Volume
	volume  bool // the last of them is read

	pending string // the field whose value the line broke off
	broken  int    // that line
}

// kinds are the kinds of entries. What begins another kind ends an entry.
var kinds = map[string]bool{
	"NONVSAM": true, "CLUSTER": true, "DATA": true, "INDEX": true, "AIX": true, "PATH": true, "GDG": true, "ALIAS": true, "USERCATALOG": true, "PAGESPACE": true,
}

var (
	messageID = regexp.MustCompile(`^IDC[0-9]{4}[A-Z]\b`)
	condition = regexp.MustCompile(`CONDITION CODE WAS ([0-9]{1,4})`)
	notFound  = regexp.MustCompile(`\bENTRY (\S+) NOT FOUND|\bENTRY (\S+) NOT$|\bENTRY (\S+)$`)
)

// plain gives a line without the control character of a printer in its first
// column.
func plain(line string) string {
	if len(line) > 1 && strings.ContainsRune("01+-", rune(line[0])) && strings.ContainsRune(" ABCDEFGHIJKLMNOPQRSTUVWXYZ", rune(line[1])) {
		return " " + line[1:]
	}
	return line
}

func (r *reader) line(text string) error {
	words := strings.Fields(text)
	switch {
	case len(words) == 0 || strings.Contains(text, "IDCAMS  SYSTEM SERVICES") || strings.Contains(text, "LISTING FROM CATALOG"):
		return nil
	case strings.HasPrefix(words[0], "IDC") && messageID.MatchString(words[0]):
		return r.message(words[0], strings.Join(words[1:], " "))
	case strings.HasPrefix(strings.TrimSpace(text), "THE NUMBER OF ENTRIES PROCESSED WAS"):
		r.ended = true
		return r.leave()
	}
	if kind, name, ok := beginning(words); ok {
		return r.entry(kind, name)
	}
	return r.fields(text, words)
}

// message keeps a message, and what is known of it: an entry that is not
// catalogued, and the code with which the command ended.
func (r *reader) message(id, text string) error {
	if err := r.leave(); err != nil {
		return err
	}
	r.listing.Messages = append(r.listing.Messages, Message{id, text, r.number})
	switch id {
	case "IDC3012I":
		if match := notFound.FindStringSubmatch(text); match != nil {
			r.listing.Missing = append(r.listing.Missing, strings.Trim(match[1]+match[2]+match[3], "'"))
		}
	case "IDC0001I", "IDC0002I":
		match := condition.FindStringSubmatch(text)
		if match == nil {
			return &Error{r.number, id + " without the condition code"}
		}
		code, _ := strconv.Atoi(match[1]) // few digits
		r.listing.Code, r.listing.HasCode = max(r.listing.Code, code), true
		r.ended = true
	}
	return nil
}

// leave ends the entry that is read.
func (r *reader) leave() error {
	r.other, r.cluster, r.volumes, r.volume = nil, nil, nil, false
	if r.pending != "" {
		return r.cut()
	}
	return nil
}

// beginning reads the first line of an entry: its kind, dashes that stand alone,
// and its name. Below ASSOCIATIONS names stand right behind the dashes.
func beginning(words []string) (kind, name string, ok bool) {
	if len(words) == 4 && words[0] == "GDG" && words[1] == "BASE" {
		words = append([]string{"GDG"}, words[2:]...)
	}
	if len(words) != 3 || !kinds[words[0]] || strings.Trim(words[1], "-") != "" {
		return "", "", false
	}
	return words[0], words[2], true
}

// entry begins an entry. The data component that follows a cluster is part of it.
func (r *reader) entry(kind, name string) error {
	within := kind == "DATA" && r.cluster != nil && r.cluster.Data == ""
	cluster := r.cluster
	if err := r.leave(); err != nil {
		return err
	}
	if kind != "INDEX" && !isName(name) {
		return &Error{r.number, strconv.Quote(name) + " is no name of a data set"}
	}
	r.ended = false
	switch {
	case kind == "NONVSAM":
		r.listing.NonVSAM = append(r.listing.NonVSAM, NonVSAM{Name: name, Line: r.number})
		r.other = &r.listing.NonVSAM[len(r.listing.NonVSAM)-1]
		r.volumes = &r.other.Volumes
	case within:
		r.cluster, cluster.Data = cluster, name
		r.volumes = &cluster.Volumes
	case kind == "CLUSTER", kind == "DATA":
		r.clusters = append(r.clusters, Cluster{Line: r.number})
		r.cluster = &r.clusters[len(r.clusters)-1]
		r.volumes = &r.cluster.Volumes
		if kind == "DATA" {
			r.cluster.Data = name
		} else {
			r.cluster.Name = name
		}
	}
	return nil
}

func (r *reader) cut() error {
	return &Error{r.broken, fmt.Sprintf("the line is cut: %s has no value", r.pending)}
}
