package main

import (
	"context"

	"github.com/mqhk/mqhk/plugins"
)

// nothingName is a plugin that does nothing. It is in no list and no policy
// can name it; serving it shows what a bare start costs on a machine.
const nothingName = "nothing"

type nothing struct{}

func (nothing) Describe() plugins.Description {
	return plugins.Description{Name: nothingName, Version: version(), Doc: "Does nothing."}
}

func (nothing) Plan(context.Context, plugins.Request, plugins.Host) (plugins.Plan, error) {
	return plugins.Plan{}, nil
}
