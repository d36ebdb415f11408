policy "a" {
  description = 7 # ERROR: description is a string, not a number

  task "journal" "receivers" {
    targets     = "ibmi/*"     # ERROR: targets is a list, not a string
    strategy    = conservative # ERROR: write it in quotes: "conservative"
    store       = true         # ERROR: store is a string, not a bool
    margin      = "1"          # ERROR: margin is a number, not a string
    keep_newest = -1           # ERROR: keep_newest is between 0 and 100000
    unsaved     = null         # ERROR: null is not a value

    limits {
      max_deletes = 0   # ERROR: max_deletes is between 1 and 1000000
      max_percent = 101 # ERROR: max_percent is between 1 and 100
    }
  }

  task "journal" "expressions" {
    targets  = ["ibmi/*", 7, ["x"]] # ERROR: a list holds strings, not a number # ERROR: a list holds strings, not a list
    strategy = "${"conservative"}"  # ERROR: nothing is put into a string
    store    = "va${"u"}lt"         # ERROR: nothing is put into a string
    margin   = 1 + 1                # ERROR: there are no operators
    min_age  = upper("1h")          # ERROR: no function "upper": it is one of env, file
    unsaved  = true ? "save" : "x"  # ERROR: there are no operators

    limits {
      max_deletes = 1.5                  # ERROR: not a whole number
      max_percent = 99999999999999999999 # ERROR: not a whole number
    }
    config {
      record_images = { a = 1 } # ERROR: not a plain value
    }
  }
}

policy "words" {
  task "journal" "receivers" {
    targets     = ibmi         # ERROR: targets is a list of strings: targets = ["..."]
    strategy    = conservative # ERROR: write it in quotes: "conservative"
    keep_newest = three        # ERROR: keep_newest is a number, written in digits: keep_newest = 3
    min_age     = week         # ERROR: a duration is a string with a unit

    limits {
      max_deletes = few # ERROR: max_deletes is a number, written in digits
    }
    config {
      level = high # ERROR: a string is written in quotes, a number in digits
    }
  }
}

store "words" {
  kind            = "external"
  same_filesystem = yes # ERROR: same_filesystem is true or false
}
