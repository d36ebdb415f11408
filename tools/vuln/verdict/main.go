// Command verdict reads what govulncheck -format json prints and decides
// whether a submission may pass.
//
// A vulnerability that this program reaches fails it, with one exception: if
// it lies in Go's own standard library and a newer Go mends it, nothing in
// this repository can. It is listed, so that whoever builds a release sees
// which Go to build it with.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

func main() {
	failed, err := judge(os.Stdin, os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "verdict:", err)
		os.Exit(2)
	case failed:
		os.Exit(1)
	}
}

// message is the part of govulncheck's stream (protocol v1.0.0) that counts.
type message struct {
	Config *struct {
		GoVersion string `json:"go_version"`
		DB        string `json:"db"`
	} `json:"config"`
	OSV *struct {
		ID      string `json:"id"`
		Summary string `json:"summary"`
	} `json:"osv"`
	Finding *finding `json:"finding"`
}

type finding struct {
	OSV          string  `json:"osv"`
	FixedVersion string  `json:"fixed_version"`
	Trace        []frame `json:"trace"` // from the vulnerable symbol up to our own code
}

type frame struct {
	Module   string `json:"module"`
	Version  string `json:"version"`
	Package  string `json:"package"`
	Receiver string `json:"receiver"`
	Function string `json:"function"`
	Position *struct {
		Filename string `json:"filename"`
		Line     int    `json:"line"`
	} `json:"position"`
}

// errNoScan says that the stream does not begin as a scan does: an empty
// stream must not pass for a clean one.
var errNoScan = errors.New("the input is no govulncheck scan")

// judge prints each vulnerability that is reached, once, and tells whether
// one of them is ours to mend.
func judge(in io.Reader, out io.Writer) (failed bool, err error) {
	reached, summaries, goVersion, err := read(in)
	if err != nil {
		return false, err
	}
	ours := 0
	for _, id := range slices.Sorted(maps.Keys(reached)) {
		f := reached[id]
		word := "FAIL"
		if f.onlyGoMends() {
			word = "note"
		} else {
			ours++
		}
		fmt.Fprintf(out, "%s %s: %s\n     %s\n     reached from %s\n", word, id, summaries[id], f.remedy(), f.reachedFrom())
	}
	fmt.Fprintf(out, "vulnerabilities reached: %d (%d to mend here, %d mended only by a Go newer than %s)\n",
		len(reached), ours, len(reached)-ours, goVersion)
	return ours > 0, nil
}

func read(in io.Reader) (reached map[string]finding, summaries map[string]string, goVersion string, err error) {
	reached, summaries = map[string]finding{}, map[string]string{}
	decoder := json.NewDecoder(in)
	for {
		var m message
		err := decoder.Decode(&m)
		switch {
		case errors.Is(err, io.EOF) && goVersion == "":
			return nil, nil, "", errNoScan
		case errors.Is(err, io.EOF):
			return reached, summaries, goVersion, nil
		case err != nil:
			return nil, nil, "", fmt.Errorf("reading the scan: %w", err)
		}
		switch {
		case m.Config != nil:
			goVersion = m.Config.GoVersion
		case m.OSV != nil:
			summaries[m.OSV.ID] = m.OSV.Summary
		case m.Finding != nil && m.Finding.called():
			if _, seen := reached[m.Finding.OSV]; !seen {
				reached[m.Finding.OSV] = *m.Finding
			}
		}
	}
}

// called tells a finding at symbol level from one that says only that a
// module is required or a package imported: those name no function.
func (f finding) called() bool { return len(f.Trace) > 0 && f.Trace[0].Function != "" }

func (f finding) onlyGoMends() bool { return f.Trace[0].Module == "stdlib" && f.FixedVersion != "" }

func (f finding) remedy() string {
	at := f.Trace[0]
	if f.FixedVersion == "" {
		return fmt.Sprintf("%s %s: no version mends it", at.Module, at.Version)
	}
	return fmt.Sprintf("%s %s: mended in %s", at.Module, at.Version, f.FixedVersion)
}

func (f finding) reachedFrom() string {
	from := f.Trace[len(f.Trace)-1]
	name := from.Package + "." + from.Function
	if from.Receiver != "" {
		name = from.Package + "." + from.Receiver + "." + from.Function
	}
	if from.Position == nil {
		return name
	}
	return fmt.Sprintf("%s (%s:%d)", name, from.Position.Filename, from.Position.Line)
}
