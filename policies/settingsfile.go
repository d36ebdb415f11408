package policies

// ReadSettings reads a file that holds what may stand inside a config block,
// and nothing else; [DecodeConfig] gives it its types. The error is
// [Diagnostics].
func ReadSettings(name string) (Settings, error) {
	s, problem := readSource(name)
	if problem != nil {
		return Settings{}, Diagnostics{*problem}
	}
	body, ds := parse(s)
	if body == nil {
		return Settings{}, ds.err()
	}
	b := &block{kind: "a file of settings", body: body, source: s, ds: &ds}
	b.at = Place{File: s.name, Line: 1, Column: 1, source: s}
	settings := b.settings("config")
	b.finish()
	return settings, ds.err()
}
