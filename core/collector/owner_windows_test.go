package collector

import "io/fs"

func ids(fs.FileInfo) (user, group string) { return "", "" }
