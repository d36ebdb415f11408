package idcams_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mqhk/mqhk/core/idcams"
)

var unlined = cmp.Options{
	cmpopts.IgnoreFields(idcams.NonVSAM{}, "Line"), cmpopts.IgnoreFields(idcams.Cluster{}, "Line"), cmpopts.IgnoreFields(idcams.Listing{}, "Messages"),
}

func day(year, day int) time.Time { return time.Date(year, 1, day, 0, 0, 0, 0, time.UTC) }

func number(value int64) idcams.Number { return idcams.Number{Value: value, Known: true} }

func TestRead(t *testing.T) {
	cases := map[string]idcams.Listing{
		"archives": {
			NonVSAM: []idcams.NonVSAM{
				{Name: "QMA1.ARC1.A0000006", Catalog: "UCAT.MQP", Creation: day(2026, 28), Expiration: idcams.Expiration{Known: true, Day: day(2026, 42)},
					Classes: idcams.Classes{Storage: "SCMQ", Management: "MC14"},
					Volumes: []idcams.Volume{{Serial: "ARC001", Device: "3010200F", Sequence: number(0)}, {Serial: "ARC002", Device: "3010200F", Sequence: number(0)}}},
				{Name: "QMA1.ARC1.A0000007", Catalog: "UCAT.MQP", Creation: day(2026, 29), Expiration: idcams.Expiration{Known: true, Never: true},
					Volumes: []idcams.Volume{{Serial: "T00017", Device: "78048083", Sequence: number(2)}}},
			},
			Missing: []string{"QMA1.ARC1.A0000008"}, Code: 4, HasCode: true,
		},
		"migrated": {
			NonVSAM: []idcams.NonVSAM{{Name: "QMA1.ARC1.A0000001", Catalog: "UCAT.MQP", Creation: day(2025, 360), Expiration: idcams.Expiration{Known: true},
				Volumes: []idcams.Volume{{Serial: "MIGRAT", Device: "3010200F", Sequence: number(0)}}}},
			HasCode: true,
		},
		"smds": {
			Clusters: []idcams.Cluster{{
				Name: "MQP.QMA1.APPSTR1.SMDS", Data: "MQP.QMA1.APPSTR1.SMDS.DATA", Catalog: "UCAT.MQP", Creation: day(2025, 148), Expiration: idcams.Expiration{Known: true},
				Linear: idcams.Yes, Classes: idcams.Classes{Storage: "SCMQ", Management: "MCMQ", Data: "DCSMDS"},
				SpaceType: "CYLINDER", Primary: number(1000), Secondary: number(0), Extents: number(250), CISize: number(4096),
				Allocated: number(6039797760), Used: number(6039797760), Extended: idcams.Yes, Addressable: idcams.Yes, ShareRegions: 2, ShareSystems: 3,
				Volumes: []idcams.Volume{
					{Serial: "MQV001", Device: "3010200F", Flag: "PRIME", Extents: number(123), Allocated: number(737280000), Used: number(737280000)},
					{Serial: "MQV002", Device: "3010200F", Flag: "PRIME", Extents: number(127), Allocated: number(6039797760), Used: number(6039797760)},
					{Serial: "*", Device: "00000000", Flag: "CANDIDATE", Extents: number(0), Allocated: number(0), Used: number(0)},
				}}},
			HasCode: true,
		},
	}
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := idcams.Read(sample(t, name))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, unlined); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadMessages(t *testing.T) {
	got, err := idcams.Read(sample(t, "archives"))
	if err != nil || len(got.Messages) != 5 || got.Messages[0].ID != "IDC3012I" || got.Messages[0].Line != 28 || got.NonVSAM[1].Line != 20 {
		t.Errorf("got %+v, entry in line %d, %v", got.Messages, got.NonVSAM[1].Line, err)
	}
}

func TestVolumes(t *testing.T) {
	got, err := idcams.Read(sample(t, "archives"))
	if err != nil {
		t.Fatal(err)
	}
	if got.NonVSAM[0].OnTape() != idcams.No || got.NonVSAM[1].OnTape() != idcams.Yes || (idcams.NonVSAM{}).OnTape() != idcams.Unsaid {
		t.Error("disk and tape are told apart by the third byte of the device type")
	}
	moved, err := idcams.Read(sample(t, "migrated"))
	if err != nil || !moved.NonVSAM[0].Migrated() || got.NonVSAM[0].Migrated() {
		t.Errorf("MIGRAT is where a migrated data set is, %v", err)
	}
	for device, want := range map[string]idcams.Answer{"3010200F": idcams.No, "78048083": idcams.Yes, "00000000": idcams.Unsaid, "": idcams.Unsaid, "XXXXXXXX": idcams.Unsaid} {
		if got := (idcams.Volume{Device: device}).Tape(); got != want {
			t.Errorf("%q: tape %q, want %q", device, got, want)
		}
	}
}

// Without extent constraint removal 255 extents are the most (case 46); that it is
// there shows only where there are more, or where the format excludes it.
func TestConstraint(t *testing.T) {
	text := string(sample(t, "smds"))
	cases := []struct {
		name, old, new string
		want           idcams.Answer
	}{
		{"as printed", "", "", idcams.Unsaid},
		{"256 extents", "EXTENTS--------------250", "EXTENTS--------------256", idcams.Yes},
		{"not extended", "EXTENDED     EXT-ADDR", "", idcams.No},
	}
	for _, c := range cases {
		got, err := idcams.Read([]byte(strings.Replace(text, c.old, c.new, 1)))
		if err != nil || got.Clusters[0].Constraint != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got.Clusters[0].Constraint, err, c.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	text := string(sample(t, "smds"))
	cases := []struct {
		name, text string
		line       int
	}{
		{"nothing", "", 1},
		{"a job that did not run", "IEF453I MQJOB - JOB FAILED - JCL ERROR\n", 2},
		{"no end", strings.Replace(text, "0IDC0001I", "0", 1), 55},
		{"an end without a code", strings.Replace(text, "CODE WAS 0", "CODE", 1), 54},
		{"cut at 80 columns", cutAt(text, 80), 31},
		{"cut within a number", strings.Replace(text, "EXTENTS--------------250\n        REC-INS", "EXTENTS--------------2\n        REC-INS", 1), 31},
		{"cut behind the dashes", strings.Replace(text, "EXTENTS--------------250", "EXTENTS--------------", 1), 31},
		{"a name that is none", "NONVSAM ------- QMA1..A\nIDC0001I FUNCTION COMPLETED, HIGHEST CONDITION CODE WAS 0\n", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := idcams.Read([]byte(c.text))
			var torn *idcams.Error
			if !errors.As(err, &torn) || torn.Line != c.line {
				t.Errorf("got %v, want an Error of line %d", err, c.line)
			}
			if diff := cmp.Diff(idcams.Listing{}, got); diff != "" {
				t.Errorf("something was given with the error: %s", diff)
			}
		})
	}
}

// A listing that is cut anywhere before its end is refused.
func TestReadCut(t *testing.T) {
	for _, name := range []string{"archives", "smds", "migrated"} {
		body := sample(t, name)
		end := strings.Index(strings.ToUpper(string(body)), "CONDITION CODE WAS")
		if at := strings.Index(string(body), "THE NUMBER OF ENTRIES"); at >= 0 {
			end = at
		}
		step := 1
		if testing.Short() { // nothing here runs at the same time: the race detector learns nothing from more
			step = 17
		}
		for i := 0; i < end; i += step {
			if _, err := idcams.Read(body[:i]); err == nil {
				t.Fatalf("%s: cut behind %q it was read", name, body[max(0, i-40):i])
			}
		}
	}
}

// Lines that were folded where a field broke off are put together again.
func TestReadFolded(t *testing.T) {
	text := strings.Replace(string(sample(t, "smds")), "EXTENTS--------------250", "EXTENTS--------\n------250", 1)
	got, err := idcams.Read([]byte(text))
	if err != nil || got.Clusters[0].Extents != number(250) {
		t.Errorf("got %+v, %v", got.Clusters, err)
	}
}

// What the catalog could not be asked for is neither catalogued nor missing.
func TestReadCatalogFails(t *testing.T) {
	got, err := idcams.Read([]byte("0IDC3009I ** VSAM CATALOG RETURN CODE IS 4 - REASON CODE IS IGG0CLA3-6\n0IDC0001I FUNCTION COMPLETED, HIGHEST CONDITION CODE WAS 12\n"))
	if err != nil || got.Missing != nil || got.NonVSAM != nil || got.Code != 12 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"archives", "migrated", "smds"} {
		f.Add(sample(f, name))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		listing, err := idcams.Read(body)
		if err != nil {
			if diff := cmp.Diff(idcams.Listing{}, listing); diff != "" {
				t.Fatal(diff)
			}
			return
		}
		for _, entry := range listing.NonVSAM {
			if _, err := idcams.Quote(entry.Name); err != nil || entry.Line == 0 {
				t.Fatalf("%+v: %v", entry, err)
			}
		}
	})
}

func sample(tb testing.TB, name string) []byte {
	tb.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		tb.Fatal(err)
	}
	return body
}

// cutAt takes away what is behind a column, as some editors and terminals do.
func cutAt(text string, columns int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if len(line) > columns+1 {
			line = line[:columns] + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}
