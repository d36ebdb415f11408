package main

import (
	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/policies"
)

// saveFiles is the kind of store that keeps segments as save files on the
// system itself.
const saveFiles = "savf"

// storeSchemas say what a store block may hold beside kind, path and
// same_filesystem, by kind.
func storeSchemas() map[string]schema.Schema {
	return map[string]schema.Schema{
		"directory": {Doc: "Copies in a directory."},
		"external":  {Doc: "The site saves; mqhk waits until a segment is provably saved."},
		"command":   {Doc: "Commands of the site archive, verify and restore."},
		saveFiles: {Doc: "A save file for each receiver, in a library of this queue manager alone.", Fields: []schema.Field{
			{Name: "library", Kind: schema.String, Required: true, Doc: "Library of the save files."},
		}},
	}
}

// stores gives what statements have to know of the configured stores.
func stores(configuration *policies.Configuration) (map[string]connect.Store, error) {
	known := make(map[string]connect.Store)
	for _, s := range configuration.Stores {
		store := connect.Store{Kind: s.Kind}
		settings, err := policies.DecodeConfig(s.Settings, storeSchemas()[s.Kind])
		if err != nil {
			return nil, &exitError{exitUsage, err}
		}
		store.Library = settings.String("library")
		known[s.Name] = store
	}
	return known, nil
}
