package main

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/policies"
)

// The kinds of store.
const (
	directoryStore = "directory"
	saveFiles      = "savf" // save files on the system itself, fetched to a directory
	commandStore   = "command"
	externalStore  = "external"
)

// storeSchemas say what a store block may hold beside kind, path and
// same_filesystem, by kind.
func storeSchemas() map[string]schema.Schema {
	compress := schema.Field{Name: "compress", Kind: schema.Bool, Doc: "Keep copies compressed (zstd)."}
	compressed := compress
	compressed.Default = true
	rate := schema.Field{Name: "rate", Kind: schema.Size, Doc: "At most so many bytes a second are read of the log; without it as fast as it goes."}
	paced := rate
	paced.Doc = "At most so many bytes a second are read of the log; without it 100MiB of a log on this machine."
	library := schema.Field{Name: "library", Kind: schema.String, Doc: "IBM i: library in which a save file stands while it is fetched."}
	needed := library
	needed.Required, needed.Doc = true, "Library of the save files; queue managers may share it."
	return map[string]schema.Schema{
		directoryStore: {Doc: "Copies in a directory.", Fields: []schema.Field{compressed, paced, library}},
		saveFiles:      {Doc: "A save file for each receiver, fetched to a directory.", Fields: []schema.Field{needed, compress, paced}},
		externalStore:  {Doc: "The site saves; mqhk waits until a segment is provably saved."},
		commandStore: {Doc: "Commands of the site archive, verify and restore.", Fields: []schema.Field{
			{Name: "archive", Kind: schema.Strings, Required: true, Doc: "Command that reads a segment from its standard input and keeps it: program and arguments."},
			{Name: "verify", Kind: schema.Strings, Required: true, Doc: "Command that makes sure that the archive has a copy."},
			{Name: "restore", Kind: schema.Strings, Required: true, Doc: "Command that writes a segment to its standard output."},
			{Name: "env", Kind: schema.Strings, Doc: "Names of the environment variables that the commands get."},
			{Name: "timeout", Kind: schema.Duration, Default: store.DefaultTimeout, Min: int64(time.Second), Max: int64(7 * 24 * time.Hour), Doc: "How long a command may take."},
			rate, library,
		}},
	}
}

// stores gives what statements have to know of the configured stores.
func stores(configuration *policies.Configuration) (map[string]connect.Store, error) {
	known := make(map[string]connect.Store)
	for _, s := range configuration.Stores {
		settings, err := storeSettings(s)
		if err != nil {
			return nil, &exitError{exitUsage, err}
		}
		known[s.Name] = connect.Store{Kind: s.Kind, Library: settings.String("library"), Disk: s.SameFilesystem}
	}
	return known, nil
}

// keepers gives the configured stores themselves. Nothing is made or opened
// yet. Unlimited reads the log as fast as it goes and at no lower priority,
// whatever the stores say.
func keepers(configuration *policies.Configuration, unlimited bool) (map[string]store.Store, error) {
	kept := make(map[string]store.Store)
	for _, s := range configuration.Stores {
		keeper, err := keeper(s, unlimited)
		if err != nil {
			return nil, &exitError{exitUsage, err}
		}
		kept[s.Name] = keeper
	}
	return kept, nil
}

// keeper makes one store. The kinds are those of [storeSchemas]; others the
// reader of the configuration has refused.
func keeper(s policies.Store, unlimited bool) (store.Store, error) {
	settings, err := storeSettings(s)
	if err != nil {
		return nil, err
	}
	rate := settings.Int("rate")
	if unlimited {
		rate = 0
	}
	switch s.Kind {
	case externalStore:
		return store.NewExternal(s.Name), nil
	case commandStore:
		return store.NewCommand(store.CommandSettings{
			Name: s.Name, Path: s.Path, Rate: rate, Env: settings.Strings("env"), Timeout: settings.Duration("timeout"),
			Archive: settings.Strings("archive"), Verify: settings.Strings("verify"), Restore: settings.Strings("restore"),
		})
	case directoryStore, saveFiles:
		form := store.Plain
		if s.Kind == saveFiles {
			form = store.SaveFile
		}
		return store.NewDirectory(store.Settings{
			Name: s.Name, Path: s.Path, SameFilesystem: s.SameFilesystem, Form: form,
			Compress: settings.Bool("compress"), Rate: rate, FullSpeed: unlimited,
		})
	default:
		return nil, fmt.Errorf("store %s: there is no kind %q", s.Name, s.Kind)
	}
}

func storeSettings(s policies.Store) (schema.Value, error) {
	return policies.DecodeConfig(s.Settings, storeSchemas()[s.Kind])
}

// checkStore says what a store's schema can't: a command that would not run.
func checkStore(s policies.Store) error {
	_, err := keeper(s, false)
	return err
}
