package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/store"
)

func (a *app) archiveCommand() *cobra.Command {
	cmd := group("archive", "The stores: what is saved, whether it is whole, and how it comes back")
	cmd.AddCommand(a.archiveListCommand(), a.archiveVerifyCommand(), a.archiveRestoreCommand(), a.archivePruneCommand())
	return cmd
}

// filed is which copies are meant.
type filed struct {
	source
	store string
}

func (f *filed) flags(cmd *cobra.Command) {
	f.estateFlag(cmd)
	cmd.Flags().StringVar(&f.store, "store", "", "only store `NAME` of the configuration")
}

func (a *app) archiveListCommand() *cobra.Command {
	var f filed
	cmd := &cobra.Command{
		Use:   "list [TARGET]",
		Short: "List the copies in the stores, oldest first",
		Args:  cobra.MaximumNArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return a.archiveList(cmd.Context(), f, args) },
	}
	f.flags(cmd)
	return cmd
}

// entry is a copy with the store that it is in.
type entry struct {
	store.Entry
	in store.Catalogue
}

// entries gives the copies that are meant, oldest first, and what is wrong
// beside them.
func (a *app) entries(ctx context.Context, f filed, args []string) ([]entry, []error, error) {
	configuration, err := a.configuration()
	if err != nil {
		return nil, nil, err
	}
	kept, err := keepers(configuration, false)
	if err != nil {
		return nil, nil, err
	}
	if _, known := kept[f.store]; f.store != "" && !known {
		return nil, nil, usage("--store %q is none of %s", f.store, strings.Join(slices.Sorted(maps.Keys(kept)), ", "))
	}
	managers := []string{""} // all
	if len(args) > 0 {
		found, err := a.targets(ctx, configuration, f.source, args)
		if err != nil {
			return nil, nil, err
		}
		managers = nil
		for _, t := range found.targets {
			managers = append(managers, t.Name)
		}
	}
	var list []entry
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		if f.store != "" && f.store != name {
			continue
		}
		catalogue, ok := kept[name].(store.Catalogue)
		if !ok {
			a.log.Info("the site saves there itself: mqhk has no list of it", "store", name)
			continue
		}
		for _, manager := range managers {
			for e, err := range catalogue.Entries(ctx, manager) {
				if err != nil {
					problems = append(problems, err)
					continue
				}
				list = append(list, entry{e, catalogue})
			}
		}
	}
	oldestFirst(list)
	return list, problems, ctx.Err()
}

func (a *app) archiveList(ctx context.Context, f filed, args []string) error {
	list, problems, err := a.entries(ctx, f, args)
	if err != nil {
		return err
	}
	result := archiveListing{Copies: []archiveCopy{}, Problems: []string{}}
	for _, e := range list {
		result.Copies = append(result.Copies, copyOf(e, e.Problem))
	}
	for _, p := range problems {
		result.Problems = append(result.Problems, p.Error())
	}
	if err := a.result(result, func() string { return archiveText(result) }); err != nil {
		return err
	}
	if len(problems) > 0 {
		return &exitError{exitCritical, nil}
	}
	return nil
}

func (a *app) archiveVerifyCommand() *cobra.Command {
	var f filed
	cmd := &cobra.Command{
		Use:   "verify [TARGET]",
		Short: "Read every copy whole and compare it with its manifest",
		Long: `Verify reads copies whole, whatever was found before. A copy that is not what
was saved is marked as damaged: it counts as none from then on, until a later
verify finds it whole or it is saved again. Exit status 3 says that one was
found.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.archiveVerify(cmd.Context(), f, args) },
	}
	f.flags(cmd)
	return cmd
}

func (a *app) archiveVerify(ctx context.Context, f filed, args []string) error {
	list, problems, err := a.entries(ctx, f, args)
	if err != nil {
		return err
	}
	result := archiveListing{Copies: []archiveCopy{}, Problems: []string{}}
	damaged, failed := len(problems) > 0, false
	for _, e := range list {
		a.log.Debug("verifying", "store", e.in.Name(), "segment", e.Copy.Segment.String())
		err := e.in.Verify(ctx, e.Copy)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case err == nil:
		case errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrManifest):
			damaged = true
		default:
			failed = true
		}
		result.Copies = append(result.Copies, copyOf(e, err))
	}
	for _, p := range problems {
		result.Problems = append(result.Problems, p.Error())
	}
	if err := a.result(result, func() string { return archiveText(result) }); err != nil {
		return err
	}
	switch {
	case failed:
		return &exitError{exitFailed, nil}
	case damaged:
		return &exitError{exitCritical, nil}
	}
	return nil
}
