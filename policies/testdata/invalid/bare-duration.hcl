# Case 79: a duration is a string with a unit.
policy "a" {
  schedule {
    cron            = "0 2 * * *"
    timezone        = "UTC"
    jitter          = 30    # ERROR: missing unit: a duration is a string with a unit
    timeout         = "30"  # ERROR: missing unit: a duration is a string with a unit
    catch_up_within = "-5m" # ERROR: must not be negative
  }

  task "journal" "a" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    min_age  = 30m # ERROR: missing newline after argument # ERROR: missing unit
  }
}
