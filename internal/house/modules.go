package house

// Guest says in which rooms alone a group of other modules may be imported.
// A module that no guest names is free, but for the rooms of [NoModules].
type Guest struct {
	Name    string
	Modules []string // import path prefixes
	Rooms   []string
}

// Guests keeps heavy or replaceable modules behind one door each.
var Guests = []Guest{
	{"gRPC and go-plugin",
		[]string{
			"google.golang.org/grpc", "google.golang.org/protobuf", "google.golang.org/genproto",
			"github.com/hashicorp/go-plugin", "github.com/hashicorp/go-hclog", "github.com/hashicorp/yamux",
		},
		[]string{"plugins/serve", "agent/host"}},
	{"HCL",
		[]string{"github.com/hashicorp/hcl", "github.com/zclconf/go-cty"},
		[]string{"policies", "agent/host", "cmd/mqhk"}},
	{"SQLite",
		[]string{"modernc.org/sqlite", "github.com/ncruces/go-sqlite3", "github.com/mattn/go-sqlite3"},
		[]string{"agent/ledger", "core/sim/db2"}},
	{"cron",
		[]string{"github.com/robfig/cron"},
		[]string{"agent/schedule"}},
}

// NoModules lists the rooms that use the standard library and, where their
// row says so, other rooms: nothing else.
var NoModules = join([]string{"core/recovery", "core/finding", "core/wal", "core/logsize", "plugins/schema", "internal/house"}, readers)

// TestModules are the libraries that a test file of any room may import.
var TestModules = []string{
	"pgregory.net/rapid",
	"github.com/rogpeppe/go-internal",
	"github.com/google/go-cmp",
	"go.uber.org/goleak",
}
