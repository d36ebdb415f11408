package qsgtest

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// catalog writes the answers to LISTCAT: one for the shared message data sets,
// one for the archives of each member. They stand under the command's name
// alone, and so answer every form of it.
func (w *writer) catalog() {
	var lines []string
	code := 0
	for _, d := range w.group.DataSets {
		switch {
		case d.Catalog != nil:
			lines = append(lines, cluster(*d.Catalog)...)
		case d.NotCatalogued:
			lines, code = append(lines, missing(d.Name)...), 4
		}
	}
	if lines != nil {
		w.block("IDCAMS", w.group.Name, "LISTCAT", listing(lines, code))
	}
	for _, m := range w.group.Members {
		if m.HasArchives {
			w.archives(m)
		}
	}
}

func (w *writer) archives(m qsg.Member) {
	var lines []string
	for _, entry := range m.Archives.NonVSAM {
		lines = append(lines, nonVSAM(entry)...)
	}
	code := 0
	for _, name := range m.Archives.Missing {
		lines, code = append(lines, missing(name)...), 4
	}
	w.block("IDCAMS", m.Name, "LISTCAT", listing(lines, code))
}

func listing(lines []string, code int) []string {
	head := []string{"IDCAMS  SYSTEM SERVICES                                           TIME: 02:00:00        05/28/26     PAGE      1"}
	return append(append(head, lines...), fmt.Sprintf("IDC0001I FUNCTION COMPLETED, HIGHEST CONDITION CODE WAS %d", code))
}

func missing(name string) []string {
	return []string{"IDC3012I ENTRY " + name + " NOT FOUND", "IDC3009I ** VSAM CATALOG RETURN CODE IS 8 - REASON CODE IS IGG0CLEG-42", "IDC1566I ** " + name + " NOT LISTED"}
}

// field writes NAME and a value with dashes between, to a width.
func field(name, value string) string {
	const width = 24
	return name + strings.Repeat("-", max(1, width-len(name)-len(value))) + value
}

func row(fields ...string) string { return "        " + strings.Join(fields, "     ") }

func history(created, expires string, classes idcams.Classes) []string {
	lines := []string{
		"      HISTORY",
		row(field("DATASET-OWNER", "(NULL)"), field("CREATION", created)),
		row(field("RELEASE", "2"), field("EXPIRATION", expires)),
	}
	if classes.Managed() {
		lines = append(lines, "      SMSDATA", row("STORAGECLASS ---"+classes.Storage, "MANAGEMENTCLASS---"+classes.Management), row("DATACLASS ------"+classes.Data, "LBACKUP ---0000.000.0000"))
	}
	return lines
}

func expiration(e idcams.Expiration) string {
	switch {
	case e.Never:
		return "9999.999"
	case e.Day.IsZero():
		return "0000.000"
	}
	return e.Day.Format("2006.002")
}

func nonVSAM(e idcams.NonVSAM) []string {
	lines := append([]string{"NONVSAM ------- " + e.Name, "      IN-CAT --- " + e.Catalog}, history(e.Creation.Format("2006.002"), expiration(e.Expiration), e.Classes)...)
	lines = append(lines, "      VOLUMES")
	for _, v := range e.Volumes {
		lines = append(lines, row(field("VOLSER", v.Serial), field("DEVTYPE", "X'"+v.Device+"'"), field("FSEQN", fmt.Sprint(v.Sequence.Value))))
	}
	return append(lines, "      ASSOCIATIONS--------(NULL)")
}

func cluster(c idcams.Cluster) []string {
	number := func(n idcams.Number) string { return fmt.Sprint(n.Value) }
	lines := append([]string{"CLUSTER ------- " + c.Name, "      IN-CAT --- " + c.Catalog}, history(c.Creation.Format("2006.002"), expiration(c.Expiration), c.Classes)...)
	lines = append(lines, "      ASSOCIATIONS", "        DATA-----"+c.Data, "   DATA ------- "+c.Data, "      IN-CAT --- "+c.Catalog)
	lines = append(lines, "      ASSOCIATIONS", "        CLUSTER--"+c.Name, "      ATTRIBUTES",
		row(field("KEYLEN", "0"), field("AVGLRECL", "0"), field("BUFSPACE", "8192"), field("CISIZE", number(c.CISize))),
		row(fmt.Sprintf("SHROPTNS(%d,%d)", c.ShareRegions, c.ShareSystems), "RECOVERY", "UNIQUE", "NOERASE", "LINEAR", "NOWRITECHK", "UNORDERED", "NOREUSE"))
	words := []string{"NONSPANNED"}
	if c.Extended == idcams.Yes {
		words = append(words, "EXTENDED")
	}
	if c.Addressable == idcams.Yes {
		words = append(words, "EXT-ADDR")
	}
	lines = append(lines, row(words...), "      STATISTICS",
		row(field("REC-TOTAL", "0"), field("SPLITS-CI", "0"), field("EXCPS", "0")),
		row(field("REC-DELETED", "0"), field("SPLITS-CA", "0"), field("EXTENTS", number(c.Extents))),
		"      ALLOCATION",
		row(field("SPACE-TYPE", c.SpaceType), field("HI-A-RBA", number(c.Allocated))),
		row(field("SPACE-PRI", number(c.Primary)), field("HI-U-RBA", number(c.Used))),
		row(field("SPACE-SEC", number(c.Secondary))))
	for _, v := range c.Volumes {
		lines = append(lines, "      VOLUME",
			row(field("VOLSER", v.Serial), field("PHYREC-SIZE", "4096"), field("HI-A-RBA", number(v.Allocated)), field("EXTENT-NUMBER", number(v.Extents))),
			row(field("DEVTYPE", "X'"+v.Device+"'"), field("PHYRECS/TRK", "12"), field("HI-U-RBA", number(v.Used)), field("EXTENT-TYPE", "X'40'")),
			row(field("VOLFLAG", v.Flag), field("TRACKS/CA", "15")))
	}
	return lines
}
