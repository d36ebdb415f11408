package house

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// CheckImports gives one sentence for every import that the plan does not
// allow, and one for every folder that no row of the table covers.
func CheckImports(files []File) []string {
	var complaints []string
	homeless := map[string]bool{}
	for _, file := range files {
		room, ok := roomOf(file.Folder())
		if !ok {
			if !homeless[file.Folder()] {
				homeless[file.Folder()] = true
				complaints = append(complaints, fmt.Sprintf(
					"%s: the folder has no row in the import table (internal/house/table.go); give the room one", file.Folder()))
			}
			continue
		}
		for _, imported := range file.Imports {
			if why := refuse(file, room, imported.Path); why != "" {
				complaints = append(complaints, fmt.Sprintf("%s:%d: %s", file.Path, imported.Line, why))
			}
		}
	}
	return complaints
}

// refuse says why the file may not import the path; empty: it may.
func refuse(file File, room, imported string) string {
	switch {
	case imported == "C":
		return "import \"C\": the program is built without cgo on every platform"
	case imported == module || strings.HasPrefix(imported, module+"/"):
		return refuseRoom(file, room, path.Clean(strings.TrimPrefix(strings.TrimPrefix(imported, module), "/")))
	case standard(imported):
		return ""
	default:
		return refuseModule(file, room, imported)
	}
}

func refuseRoom(file File, room, folder string) string {
	target, ok := roomOf(folder)
	if !ok {
		return fmt.Sprintf("%s may not import %s: that folder has no row in the import table", room, folder)
	}
	row := rowOf(Table, room)
	if target == room || row.All || slices.Contains(row.May, target) {
		return ""
	}
	may := row.May
	if file.Test {
		may = join(may, rowOf(TestsMay, room).May)
		if slices.Contains(may, target) {
			return ""
		}
	}
	return fmt.Sprintf("%s may not import %s; its row: %s", room, target, list(may))
}

func refuseModule(file File, room, imported string) string {
	if file.Test && under(imported, TestModules) {
		return ""
	}
	if slices.Contains(NoModules, room) {
		return fmt.Sprintf("%s may not import %s: it uses no other module", room, imported)
	}
	if under(imported, TestModules) {
		return fmt.Sprintf("%s may not import %s outside its tests", room, imported)
	}
	for _, guest := range Guests {
		if under(imported, guest.Modules) && !under(file.Folder(), guest.Rooms) {
			return fmt.Sprintf("%s may not import %s: %s is only for %s", room, imported, guest.Name, list(guest.Rooms))
		}
	}
	return ""
}

// roomOf finds the room that a folder belongs to: itself, or the nearest
// folder above it that has a row and holds no other room.
func roomOf(folder string) (string, bool) {
	for name, own := folder, true; ; own = false {
		if known(name) && (own || !holdsRooms(name)) {
			return name, true
		}
		cut := strings.LastIndexByte(name, '/')
		if cut < 0 {
			return "", false
		}
		name = name[:cut]
	}
}

func known(room string) bool {
	return slices.ContainsFunc(Table, func(row Row) bool { return slices.Contains(row.Rooms, room) })
}

func holdsRooms(room string) bool {
	return slices.ContainsFunc(Table, func(row Row) bool {
		return slices.ContainsFunc(row.Rooms, func(other string) bool { return strings.HasPrefix(other, room+"/") })
	})
}

func rowOf(table []Row, room string) Row {
	for _, row := range table {
		if slices.Contains(row.Rooms, room) {
			return row
		}
	}
	return Row{}
}

// standard tells a package of the standard library: its first element has no
// dot, as the go command itself decides.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

func under(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool {
		return name == prefix || strings.HasPrefix(name, prefix+"/")
	})
}

func list(names []string) string {
	if len(names) == 0 {
		return "the standard library alone"
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ", ")
}
