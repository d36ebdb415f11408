policy "a" {
  schedule { # ERROR: missing cron
    timezone = "Europe/Berlni" # ERROR: unknown time zone: "Europe/Berlni" is not in the time zone database
    mode     = "aply"          # ERROR: unknown mode: "aply" is not known; did you mean "apply"?
    catch_up = "twice"         # ERROR: it is one of once, skip
    overlap  = "wait"          # ERROR: it is one of queue, skip
  }
  schedule { # ERROR: a second schedule: the first is at
    cron = "0 3 * * *"
  }

  task "journal" "a" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    schedule {
      cron            = "TZ=UTC" # ERROR: not a schedule: no zone in the expression
      timezone        = "UTC"
      catch_up        = "skip"
      catch_up_within = "6h" # ERROR: without effect
    }
  }

  task "journal" "b" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    schedule {
      cron     = 0 # ERROR: cron is a string, not a number
      timezone = "Local" # ERROR: unknown time zone
    }
  }

  task "journal" "c" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    schedule {
      cron     = "0 2 * * *"
      timezone = "" # ERROR: "" is not a zone
    }
  }

  task "journal" "d" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    schedule {
      cron     = "TZ=UTC 0 2 * * *" # ERROR: not a schedule: no zone in the expression
      timezone = "Berlin"           # ERROR: unknown time zone
    }
  }

  task "journal" "e" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    schedule {
      cron     = "TZ=UTC 0 2 * * *" # ERROR: not a schedule: no zone in the expression
      timezone = 2                  # ERROR: timezone is a string, not a number
    }
  }
}
