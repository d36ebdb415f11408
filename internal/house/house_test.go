package house

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// root is the module's folder, seen from this package.
var root = filepath.Join("..", "..")

func TestImportTableHolds(t *testing.T) {
	for _, complaint := range CheckImports(readModule(t)) {
		t.Error(complaint)
	}
}

func TestFilesAreShortAndFinished(t *testing.T) {
	for _, complaint := range CheckStyle(readModule(t)) {
		t.Error(complaint)
	}
}

// The table is read by people: a room named in two rows, or an import of a
// room that has no row, would make it say two things.
func TestTableIsConsistent(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range Table {
		for _, room := range row.Rooms {
			if seen[room] {
				t.Errorf("%s has two rows", room)
			}
			seen[room] = true
			for _, may := range row.May {
				if may != room && !seen[may] && known(may) {
					t.Errorf("%s may import %s, whose row is below its own: imports point downwards only", room, may)
				}
			}
		}
	}
	for _, row := range slices.Concat(Table, TestsMay) {
		for _, room := range slices.Concat(row.Rooms, row.May) {
			if !seen[room] {
				t.Errorf("%s is named but has no row", room)
			}
		}
	}
}

func TestGuestsNameRooms(t *testing.T) {
	for _, guest := range Guests {
		for _, room := range guest.Rooms {
			if _, ok := roomOf(room); !ok {
				t.Errorf("%s is for %s, which is no room", guest.Name, room)
			}
		}
	}
}

func readModule(t *testing.T) []File {
	t.Helper()
	files, err := Read(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no Go file under %s", root)
	}
	return files
}
