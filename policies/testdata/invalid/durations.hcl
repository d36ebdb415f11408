# Case 79, in a file that can be read to its end.
policy "a" {
  schedule {
    cron            = "0 2 * * *"
    timezone        = "UTC"
    jitter          = 30      # ERROR: missing unit: a duration is a string with a unit
    timeout         = "30"    # ERROR: missing unit: a duration is a string with a unit
    catch_up_within = "-5m"   # ERROR: must not be negative
  }

  task "journal" "a" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    min_age  = "" # ERROR: not a duration: duration "": empty
  }

  task "journal" "b" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    min_age  = "1.5h" # ERROR: numbers are whole
    schedule {
      cron            = "0 2 * * *"
      timezone        = "UTC"
      jitter          = "25h"                  # ERROR: jitter is between 0s and 1d
      timeout         = "99999999999999999999w" # ERROR: too large
      catch_up_within = "15250w3d"             # ERROR: too large
    }
  }

  task "journal" "c" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    min_age  = "3M" # ERROR: unit "M" is not known: write "m"
    schedule {
      cron     = "0 2 * * *"
      timezone = "UTC"
      jitter   = "1m1h" # ERROR: unit "h" comes twice or after a smaller one
      timeout  = true   # ERROR: wrong kind of value: a duration is a string
    }
  }
}
