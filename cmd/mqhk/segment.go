package main

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/observe"
)

// segmentOf reads the name of a segment as a person writes it, in capitals or
// not: on Multiplatforms S0000123.LOG or S0000123, on IBM i RECEIVER or
// LIBRARY/RECEIVER. What is no such name is refused: it would keep nothing, or
// everything. An empty text stays one.
func segmentOf(target observe.Target, text string) (string, error) {
	name := strings.ToUpper(strings.TrimSpace(text))
	if name == "" {
		return "", nil
	}
	switch target.Platform {
	case observe.Multiplatforms:
		return extentOf(name)
	case observe.IBMi:
		for part := range strings.SplitSeq(name, "/") {
			if err := cl.CheckName(part); err != nil {
				return "", fmt.Errorf("%q: %w; write it as RECEIVER or LIBRARY/RECEIVER", text, err)
			}
		}
	}
	return name, nil
}

// extentOf reads the name of an extent that holds log. One that is kept for reuse
// holds none.
func extentOf(name string) (string, error) {
	if !strings.Contains(name, ".") {
		name += ".LOG"
	}
	switch letter, _, err := observe.ParseExtent(name); {
	case err != nil:
		return "", fmt.Errorf("%w: write it as S0000123.LOG", err)
	case letter != observe.LogExtent:
		return "", fmt.Errorf("%s is kept for reuse and holds no log", name)
	}
	return name, nil
}

// extentsOf reads what is to be restored: names and ranges A..B of extents. On
// other platforms names stay as they are, in capitals: they may have a time
// behind them.
func extentsOf(target observe.Target, segments []string) ([]string, error) {
	var list []string
	for _, s := range segments {
		if target.Platform != observe.Multiplatforms {
			list = append(list, strings.ToUpper(s))
			continue
		}
		var ends []string
		for end := range strings.SplitSeq(strings.ToUpper(s), "..") {
			name, err := extentOf(end)
			if err != nil {
				return nil, err
			}
			ends = append(ends, name)
		}
		list = append(list, strings.Join(ends, ".."))
	}
	return list, nil
}
