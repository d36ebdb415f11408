# aggressive: the least log on the system, and the slowest recovery.
#
# Only the segment that is being written stays. All others are saved in the
# store first. After every failure, even a plain restart, the segments it
# reads must be restored from the store before the queue manager can start.

policy "aggressive" {
  description = "Keep only what is being written; save all the rest before it goes."

  schedule {
    cron     = "0 2 * * *"
    timezone = "UTC"
    mode     = "plan"
  }

  # The journal receivers of queue managers on IBM i.
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "aggressive" # the attached receiver alone
    store    = "vault"
    unsaved  = "save"

    # There is no max_percent: nearly everything goes, and is meant to.
    limits {
      max_deletes = 500
    }
  }

  # The log extents of queue managers on Linux, AIX and Windows. This is only
  # reported, never carried out: a running queue manager must find all that a
  # restart reads in its directory. With LogManagement=Archive extents are saved
  # and reported to the queue manager as under every strategy.
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "aggressive"
    store    = "vault"
    unsaved  = "save"

    limits {
      max_deletes = 500
    }
  }

  # The coupling facility structures of queue-sharing groups on z/OS. The oldest
  # backup keeps the logs of all members; backups every quarter of an hour let them
  # go soonest, and write the most images. Watch the active logs of the member.
  task "cfbackup" "structures" {
    targets  = ["zos/*"]
    strategy = "aggressive"

    config {
      interval = "15m"
    }

    schedule {
      cron     = "*/15 * * * *"
      timezone = "UTC"
      mode     = "plan"
    }
  }

  # The shared message data sets of these groups: how full they are, how many
  # extents are left and how they grow. It is the same under every strategy:
  # nothing of it goes, and a data set never shrinks.
  task "smdsexpand" "data-sets" {
    targets  = ["zos/*"]
    strategy = "aggressive"

    schedule {
      cron     = "0 * * * *"
      timezone = "UTC"
      mode     = "plan"
    }
  }
}
