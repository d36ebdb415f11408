policy "a b" { # ERROR: not a name
  task "journl" "x" { # ERROR: unknown plugin "journl": did you mean "journal"?
    targets  = ["ibmi"]        # ERROR: a pattern is platform/name
    strategy = "conservative"
  }
  task "journal" "x/y" { # ERROR: not a name
    targets  = ["imbi/*", "ibmi/QM?"] # ERROR: "imbi" is not a platform; did you mean "ibmi"? # ERROR: only * is special
    strategy = "conservative"
  }
  task "../journal" "z" { # ERROR: not a name
    targets  = [] # ERROR: name at least one pattern
    strategy = "conservative"
  }
}

policy "conservative.hcl" { # ERROR: looks like a file
  task "journal" "x" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    store    = "" # ERROR: leave store out
  }
}
