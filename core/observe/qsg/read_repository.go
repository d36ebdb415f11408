package qsg

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
)

// BackupTable is the table of the shared repository in which each backup of a
// structure has its row.
const BackupTable = "CSQ.ADMIN_B_STRBACKUP"

// The columns of the table are not documented. These are the names under which
// they are looked for, the first that is there; all that are known are of sites
// and programs that read the table.
var (
	structureColumns = []string{"STRUCTURE", "STRUCTURENAME", "STRUCTURE_NAME", "STRNAME", "STRUCNAME", "CFSTRUCT", "CFSTRUCTNAME"}
	managerColumns   = []string{"QMGRNAME", "QMNAME", "QMGR_NAME", "QMGR", "QUEUE_MANAGER"}
	startColumns     = []string{"BKUPSRBA", "STARTRBA", "START_RBA", "BKUP_START_RBA", "BACKUP_START_RBA"}
	endColumns       = []string{"BKUPERBA", "ENDRBA", "END_RBA", "BKUP_END_RBA", "BACKUP_END_RBA"}
	timeColumns      = []string{"BKUPTIME", "BKUP_TIME", "BACKUP_TIME", "BACKUPTIME", "END_TIME", "TIMESTAMP"}
	groupColumns     = []string{"QSGNAME", "QSG_NAME", "QSG"}
)

// readRepository reads the rows of the backups.
func (r *reader) readRepository() {
	body, err := r.ask(observe.DB2, r.target.Name, BackupTable)
	if err != nil {
		r.unheard(finding.NotChecked, "rows of "+BackupTable, []observe.Question{{Language: observe.DB2, QueueManager: r.target.Name, Text: BackupTable}}, err)
		return
	}
	rows, err := readBackupRows(body, r.target.Name)
	if err != nil {
		r.open(finding.FactsUnreadable, "DB2 %s: %s: %v", r.target.Name, BackupTable, err)
	}
	r.group.Repository = rows
}

// readBackupRows reads the table. Rows of other groups are left out.
func readBackupRows(body []byte, group string) ([]BackupRow, error) {
	t, err := observe.ReadTable(body)
	if err != nil {
		return nil, err
	}
	for _, names := range [][]string{structureColumns, managerColumns, endColumns} {
		if column(t, names) == "" {
			return nil, fmt.Errorf("it has none of the columns %s", strings.Join(names, ", "))
		}
	}
	get := func(row observe.Row, names []string) string { return row.Text(column(t, names)) }
	var rows []BackupRow
	for _, row := range t.Rows() {
		if of := get(row, groupColumns); of != "" && strings.TrimRight(of, "@") != strings.TrimRight(group, "@") {
			continue
		}
		found := BackupRow{
			Structure: get(row, structureColumns), QueueManager: get(row, managerColumns),
			Start: positionOf(hexadecimal(get(row, startColumns))), End: positionOf(hexadecimal(get(row, endColumns))),
			Line: row.Line,
		}
		if at := get(row, timeColumns); at != "" {
			if found.At, err = observe.ParseStamp(at); err != nil {
				return nil, fmt.Errorf("line %d: %w", row.Line, err)
			}
		}
		rows = append(rows, found)
	}
	return rows, nil
}

// column gives the first of the names that the table has; empty: none.
func column(t *observe.Table, names []string) string {
	for _, name := range names {
		if t.Has(name) {
			return name
		}
	}
	return ""
}

// hexadecimal takes the marks off a value that was CHAR FOR BIT DATA: X'...'.
func hexadecimal(text string) string {
	if inner, ok := strings.CutPrefix(strings.ToUpper(text), "X'"); ok {
		return strings.TrimSuffix(inner, "'")
	}
	return text
}
