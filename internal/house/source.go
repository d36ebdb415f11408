package house

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// File is one Go file of the module. Files of every platform are read, so
// that an import which only a Windows build has is seen on Linux too.
type File struct {
	Path      string // relative to the module, with slashes
	Lines     int
	Test      bool // *_test.go
	Generated bool // has the line "Code generated ... DO NOT EDIT."
	Imports   []Import
	Comments  []Comment
}

// Import is one import declaration.
type Import struct {
	Path string
	Line int
}

// Comment is one comment, its markers included.
type Comment struct {
	Text string
	Line int
}

// Folder gives the folder of the file, "." for the module's own.
func (f File) Folder() string { return path.Dir(f.Path) }

// Read reads every Go file of the module whose root is tree. As the go
// command does, it leaves out testdata, folders that begin with a dot or an
// underscore, and folders that are modules of their own.
func Read(tree fs.FS) ([]File, error) {
	var files []File
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return skip(tree, name)
		case path.Ext(name) != ".go" || strings.HasPrefix(path.Base(name), "_"):
			return nil
		}
		file, err := readFile(tree, name)
		if err != nil {
			return err
		}
		files = append(files, file)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the Go files of the module: %w", err)
	}
	return files, nil
}

func skip(tree fs.FS, folder string) error {
	if folder == "." {
		return nil
	}
	base := path.Base(folder)
	if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	_, err := fs.Stat(tree, path.Join(folder, "go.mod"))
	switch {
	case err == nil:
		return fs.SkipDir
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return fmt.Errorf("looking for %s/go.mod: %w", folder, err)
	}
}

func readFile(tree fs.FS, name string) (File, error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return File{}, fmt.Errorf("reading %s: %w", name, err)
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return File{}, fmt.Errorf("parsing %s: %w", name, err)
	}
	file := File{
		Path:      name,
		Lines:     strings.Count(string(text), "\n"),
		Test:      strings.HasSuffix(name, "_test.go"),
		Generated: ast.IsGenerated(parsed),
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return File{}, fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		file.Imports = append(file.Imports, Import{imported, set.Position(spec.Pos()).Line})
	}
	for _, group := range parsed.Comments {
		for _, comment := range group.List {
			file.Comments = append(file.Comments, Comment{comment.Text, set.Position(comment.Pos()).Line})
		}
	}
	return file, nil
}
