store "a" { # ERROR: missing path: say where the save files are kept once they are fetched
  kind = "savf"
}

store "b" { # ERROR: missing path: say where the manifests are kept
  kind = "command"
}

store "c" {
  kind = "external"
  path = "/vault" # ERROR: an external store keeps nothing: the site saves
}

store "d" {
  kind = "savf"
  path = "" # ERROR: a path is not empty
}
