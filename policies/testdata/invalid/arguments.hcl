polcy "a" { # ERROR: unknown block: a file has no block "polcy"; did you mean "policy"?
}

timeout = "1h" # ERROR: unknown argument: a file has no argument "timeout"; there is none

policy "b" { # ERROR: a policy without a task
  descripton = "x" # ERROR: did you mean "description"?
  task = "x"       # ERROR: not an argument: task is a block
}

policy "c" {
  description {} # ERROR: not a block: description is an argument

  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservtive" # ERROR: unknown strategy: "conservtive" is not known; did you mean "conservative"?
    stratgey = "x"           # ERROR: did you mean "strategy"?
    unsaved  = "keep"        # ERROR: it is one of delete, hold, save
    colour   = "red"         # ERROR: task has no argument "colour"; it is one of
    limit {                  # ERROR: task has no block "limit"; did you mean "limits"?
      max_deletes = 1
    }
  }
}

policy "d" "e" { # ERROR: wrong number of names: write policy "name" { ... }
}

policy "f" {
  task "journal" { # ERROR: wrong number of names: write task "plugin" "name" { ... }
  }
  task "journal" "receivers" { # ERROR: missing targets # ERROR: missing strategy
    limits "x" {               # ERROR: limits has no name
    }
  }
}
