store "a" { # ERROR: a directory has to be named
  kind           = "directory"
  same_filesytem = true # ERROR: did you mean "same_filesystem"?
}

store "b" { # ERROR: missing kind
}

store "c" {
  kind            = "tape" # ERROR: unknown kind: "tape" is not known
  same_filesystem = "yes"  # ERROR: same_filesystem is a bool, not a string
}

store "../d" { # ERROR: not a name
  kind = "external"
}

policy "p" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    store    = "A"    # ERROR: unknown store "A": did you mean "a"?
  }
  task "journal" "two" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    unsaved  = "save" # ERROR: nowhere to save to
  }
}
