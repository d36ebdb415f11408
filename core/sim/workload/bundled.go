package workload

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// ErrNoProfile says that no profile of this name is bundled.
var ErrNoProfile = errors.New("there is no such workload profile")

// bundled are the profiles that come with the program, in the form in which a
// site writes its own.
//
//go:embed profiles/*.json
var bundled embed.FS

// Profiles gives the names of the bundled profiles, sorted.
func Profiles() []string {
	entries, err := fs.ReadDir(bundled, "profiles")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	return names
}

// Named gives a bundled profile. The error wraps [ErrNoProfile].
func Named(name string) (Profile, error) {
	content, err := bundled.ReadFile("profiles/" + name + ".json")
	if err != nil {
		return Profile{}, fmt.Errorf("%w: %q; there are %s", ErrNoProfile, name, strings.Join(Profiles(), ", "))
	}
	return Parse(content)
}

// Parse reads a profile that is written as JSON. A field that no profile has
// is an error, and so is everything that [Profile.Validate] finds.
func Parse(content []byte) (Profile, error) {
	var p Profile
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	err := d.Decode(&p)
	if err == nil && !errors.Is(d.Decode(&struct{}{}), io.EOF) {
		err = errors.New("something follows behind it")
	}
	if err == nil {
		err = p.Validate()
	}
	if err != nil {
		return Profile{}, fmt.Errorf("reading a workload profile: %w", err)
	}
	return p, nil
}
