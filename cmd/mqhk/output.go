package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/mqhk/mqhk/agent/report"
)

// print writes a result as text. It may hold names from files and systems.
func (a *app) print(text string) error {
	if _, err := io.WriteString(a.stdout, report.Harmless(text)); err != nil {
		return &exitError{exitFailed, fmt.Errorf("writing the result: %w", err)}
	}
	return nil
}

// result writes a result as text or as JSON, as --format asks.
func (a *app) result(value any, text func() string) error {
	format, err := a.reportFormat()
	if err != nil {
		return err
	}
	switch format {
	case report.Text:
		return a.print(text())
	case report.JSON:
		encoder := json.NewEncoder(a.stdout)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(value); err != nil {
			return &exitError{exitFailed, fmt.Errorf("writing the result: %w", err)}
		}
		return nil
	default:
		return usage("--format %s is for plans only", format)
	}
}
