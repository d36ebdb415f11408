# conservative: the policy to begin with.
#
# Whatever a restart or the rebuild of any damaged object reads stays on the
# system. What goes is older than both recovery points, and has been saved by
# the site's own jobs. After any failure the queue manager starts at once.

policy "conservative" {
  description = "Keep whatever a restart or a media recovery still needs."

  schedule {
    cron     = "0 2 * * *" # minute, hour, day of month, month, day of week
    timezone = "UTC"       # yours: Area/City, such as "Europe/Berlin"
    mode     = "plan"      # a run deletes only where "apply" is written
  }

  # The journal receivers of queue managers on IBM i.
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative" # from the older of startup and media recovery entry

    # A receiver that was never saved waits until your save job has saved it.
    unsaved = "hold"

    # There is no max_percent: on the night after the images nearly everything
    # is older than both recovery points, and is meant to go. Where images are
    # rare, max_percent = 90 stops a night on which a point jumped forward.
    limits {
      max_deletes = 500 # of more, the oldest 500 go, and a finding says so
    }
  }

  # The log extents of queue managers on Linux, AIX and Windows. Extents are
  # deleted only where LogManagement in qm.ini is Manual; elsewhere the queue
  # manager removes them itself, and this task watches.
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "conservative" # from the older of RECLOG and MEDIALOG

    # No recovery needs such an extent, and no save job has an eye on it.
    # With LogManagement=Archive name a store: the queue manager waits there.
    unsaved = "delete"

    limits {
      max_deletes = 500 # no max_percent, for the reason given above
    }
  }

  # The coupling facility structures of queue-sharing groups on z/OS: would RECOVER
  # work now, and a backup of each every hour, as IBM advises. They go to the
  # group's backup_queue_manager; without one there is a finding and no backup.
  task "cfbackup" "structures" {
    targets  = ["zos/*"]
    strategy = "conservative"

    config {
      interval = "1h"
    }

    schedule {
      cron     = "0 * * * *"
      timezone = "UTC"
      mode     = "plan"
    }
  }

  # The shared message data sets of these groups: how full they are, how many
  # extents are left and how they grow. It is the same under every strategy:
  # nothing of it goes, and a data set never shrinks.
  task "smdsexpand" "data-sets" {
    targets  = ["zos/*"]
    strategy = "conservative"

    schedule {
      cron     = "0 * * * *"
      timezone = "UTC"
      mode     = "plan"
    }
  }
}
