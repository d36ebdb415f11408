package mqsc

import (
	"strings"
	"testing"
)

// The layouts are those of "DISPLAY USAGE" and of a published DISPLAY GROUP; the
// others are what a release, a console or an automation product may make of them.
func TestReadTable(t *testing.T) {
	usage := "Application  Offloaded  Total  Total data  Used data  Used\n" +
		"structure     messages  blocks     blocks     blocks  part\n" +
		"_APPL1            1523     200        198        150   75%\n" +
		"_CSQSYSAPPL          0      10          9          0    0%\n" +
		"End of SMDS usage report\n"
	buffers := "Application  Block  --------- Buffers ---------  Reads  Lowest  Wait\n" +
		"structure     size  Total In use  Saved   Empty  saved    free  rate\n" +
		"_APPL1        256K    100      0     98       2    12%      45    0%\n" +
		"End of SMDS buffer usage report\n"
	tests := map[string]struct {
		id    string
		lines string
		row   int
		words string // apart by blanks
		want  string
	}{
		"name":               {"CSQE280I", usage, 0, "structure", "APPL1"},
		"blocks in total":    {"CSQE280I", usage, 0, "total blocks", "200"},
		"saved buffers":      {"CSQE285I", buffers, 0, "saved", "98"},
		"messages":           {"CSQE280I", usage, 0, "messages", "1523"},
		"total blocks":       {"CSQE280I", usage, 0, "offloaded", "1523"},
		"total data":         {"CSQE280I", usage, 0, "total data", "198"},
		"used data":          {"CSQE280I", usage, 0, "used data", "150"},
		"used part":          {"CSQE280I", usage, 1, "part", "0%"},
		"ambiguous":          {"CSQE280I", usage, 0, "blocks", ""},
		"folded to capital":  {"CSQE280I", strings.ToUpper(usage), 1, "used data", "0"},
		"buffers total":      {"CSQE285I", buffers, 0, "total", "100"},
		"in use":             {"CSQE285I", buffers, 0, "in use", "0"},
		"saved":              {"CSQE285I", buffers, 0, "empty", "2"},
		"reads saved":        {"CSQE285I", buffers, 0, "reads saved", "12%"},
		"lowest":             {"CSQE285I", buffers, 0, "lowest free", "45"},
		"wait":               {"CSQE285I", buffers, 0, "wait rate", "0%"},
		"block":              {"CSQE285I", buffers, 0, "block size", "256K"},
		"negative (case 47)": {"CSQE285I", strings.Replace(buffers, "     45    0%", "    -12    3%", 1), 0, "lowest free", "-12"},
		"another order":      {"", "Wait  Structure  Lowest\nrate             free\n  3%  _APPL1       -12\n", 0, "lowest", "-12"},
		"more columns":       {"", "Copy %Full zHyperWrite Encrypted DSName\n1     68   NO          NO        MQM2.LOGCOPY1.DS01\n", 0, "dsname", "MQM2.LOGCOPY1.DS01"},
		"squeezed (case 47)": {"CSQE285I", strings.Replace(buffers, "_APPL1        256K    100      0     98       2    12%      45    0%",
			"_APPSTR1   256K   100   0   1   99   0%   -12   3%", 1), 0, "lowest free", "-12"},
		"page sets": {"CSQI010I", "Page Buffer  Total  Unused  Persistent  NonPersist  Expansion\n set   pool  pages   pages  data pages  data pages  count\n" +
			"_  0      0  20157   19638         519           0  USER    0\n", 0, "unused pages", "19638"},
		"ruled": {"", "NAME NUM PREFIX   STATUS     VER  DB2  CONNECTION\n---- --- -------- ---------- ---- ---- ----------\n" +
			"M60A   1 M60A     ACTIVE      600 D7S1 ACTIVE\nEND OF QUEUE MANAGERS REPORT\n", 0, "connection", "ACTIVE"},
		"ruled, blank cell": {"", "NAME NUM PREFIX   STATUS     VER  DB2  CONNECTION\n---- --- -------- ---------- ---- ---- ----------\n" +
			"M60B   2          CREATED\nEND OF QUEUE MANAGERS REPORT\n", 0, "status", "CREATED"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			table, ok := Message{ID: test.id, Lines: strings.Split(strings.TrimRight(test.lines, "\n"), "\n")}.ReadTable()
			if !ok {
				t.Fatal("no table")
			}
			if got := table.Get(table.Rows[test.row], strings.Fields(test.words)...); got != test.want {
				t.Errorf("%q, want %q in %v", got, test.want, table)
			}
		})
	}
}

func TestNoTable(t *testing.T) {
	for name, lines := range map[string]string{
		"nothing":       "",
		"no heading":    "_APPL1 12 13",
		"no row":        "Application  Total\nEnd of report",
		"two in a cell": "Structure  Total  Used\n_APPL1       12    13\n_A  1  14  15  16\n _B 1",
	} {
		t.Run(name, func(t *testing.T) {
			if table, ok := (Message{Lines: strings.Split(lines, "\n")}).ReadTable(); ok {
				t.Errorf("read %v", table)
			}
		})
	}
}
