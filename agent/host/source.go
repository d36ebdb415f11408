package host

// Source says what to start.
type Source struct {
	Name   string   // as tasks name it; the plugin must describe itself by it
	Path   string   // of the executable; empty: the running file itself
	Args   []string // after the program's name
	Env    []string // NAME=VALUE, beside what the settings let through
	SHA256 string   // what the file must have, in lower-case hex; empty: anything
}

// SelfExec gives the source of a built-in plugin: the running file itself,
// asked to serve it.
func SelfExec(name string) Source {
	return Source{Name: name, Args: []string{"plugin-serve", name}}
}
