policy "orders" {
  description = <<-TEXT
    Keep what a restart needs,
    and $${nothing} else.
  TEXT

  schedule {
    cron            = "30 1 * * 6"
    timezone        = "Europe/Berlin"
    mode            = "apply"
    catch_up        = "once"
    catch_up_within = "1d12h"
    overlap         = "queue"
    jitter          = "5m"
    timeout         = "90m"
  }

  task "journal" "receivers" {
    targets     = ["ibmi/ORDERS", "ibmi/PAY*"]
    strategy    = "fast-startup"
    store       = "vault"
    margin      = 2
    keep_newest = 3
    min_age     = "1w"
    unsaved     = "delete"

    limits {
      max_deletes = 100
      max_percent = 50
    }

    config {
      record_images = true
      image_within  = "90m"
      space         = "10GiB"
      objects       = ["ORDERS.*", "PAY.*"]
      password      = env("MQHK_TEST_PASSWORD")
    }
  }

  task "journal" "by-hand" {
    targets  = ["*/*"]
    strategy = "conservative"

    schedule {
      cron     = "*/15 * * * *"
      timezone = "UTC"
      catch_up = "skip"
    }
  }
}

policy "unscheduled" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "aggressive"
  }
}
