package disk

import "path"

// Under gives the tree below a folder of another one. The folder need not be
// there yet; MkdirAll makes it.
func Under(d FS, folder string) FS { return under{d, folder} }

type under struct {
	fs     FS
	folder string
}

// name keeps a name below the folder: one that would lead out of it ends at
// the folder itself.
func (u under) name(name string) string { return path.Join(u.folder, path.Join("/", name)) }

func (u under) Create(name string) (File, error)    { return u.fs.Create(u.name(name)) }
func (u under) Open(name string) (File, error)      { return u.fs.Open(u.name(name)) }
func (u under) OpenWrite(name string) (File, error) { return u.fs.OpenWrite(u.name(name)) }
func (u under) Rename(from, to string) error        { return u.fs.Rename(u.name(from), u.name(to)) }
func (u under) Remove(name string) error            { return u.fs.Remove(u.name(name)) }
func (u under) List(dir string) ([]string, error)   { return u.fs.List(u.name(dir)) }
func (u under) MkdirAll(dir string) error           { return u.fs.MkdirAll(u.name(dir)) }
func (u under) SyncDir(dir string) error            { return u.fs.SyncDir(u.name(dir)) }
