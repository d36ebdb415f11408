policy "a" {
  task "journal" "x" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    config {
      record_imags  = true     # ERROR: unknown setting: config has no setting "record_imags"; did you mean "record_images"?
      record_images = "yes"    # ERROR: record_images is a bool, not a string
      image_within  = 30       # ERROR: missing unit: a duration is a string with a unit
      space         = 16       # ERROR: missing unit: a size is a string with a unit
      level         = 11       # ERROR: level: 11 is not between 1 and 9
      when          = "often"  # ERROR: when: "often" is none of never, always
      objects       = "A"      # ERROR: objects is a list of strings, not a string
      password      = "hunter2" # ERROR: password is a secret and not written in the file
      unknowable    = env("MQHK_TEST_PASSWORD") # ERROR: unknown setting
    }
  }
  task "journal" "y" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    config {
      image_within = "10s"  # ERROR: image_within: 10s is not between 30s and 2h
      space        = "16 M" # ERROR: unit " M" is not known: use TiB
      level        = "1"    # ERROR: level is a number, not a string
    }
  }
  task "strict" "z" { # ERROR: missing library: config needs it: a string, the library
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
  task "strict" "zz" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    config { # ERROR: missing library: config needs it
    }
  }
}
