# fast-startup: for systems that are short of space.
#
# Only what a restart reads stays on the system. What lies before it, back to
# the media recovery point, is saved in the store first. The queue manager
# still starts at once; to rebuild a damaged object, or to start when an
# object that the start itself needs is damaged, restore from the store first.

policy "fast-startup" {
  description = "Keep what a restart needs; save the rest before it goes."

  schedule {
    cron     = "0 2 * * *"
    timezone = "UTC"
    mode     = "plan"
  }

  # The journal receivers of queue managers on IBM i.
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "fast-startup" # from the startup entry (AMQ7460) alone

    # Define this store: store "vault" { kind = "directory" path = ... }, each
    # argument on a line of its own. Without it nothing is deleted.
    store   = "vault"
    unsaved = "save" # nothing goes that is not in the store, read back and verified

    limits {
      max_deletes = 500
    }
  }

  # The log extents of queue managers on Linux, AIX and Windows. Extents are
  # deleted only where LogManagement in qm.ini is Manual. With Archive they are
  # saved and reported to the queue manager, which removes them; with Automatic,
  # and where the log is REPLICATED, this task watches.
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "fast-startup" # from RECLOG alone

    store   = "vault"
    unsaved = "save"

    limits {
      max_deletes = 500
    }
  }

  # The coupling facility structures of queue-sharing groups on z/OS. A recovery
  # reads the logs of all members since the last backup: half the time between two
  # is half of that. It costs that many more images in the log.
  task "cfbackup" "structures" {
    targets  = ["zos/*"]
    strategy = "fast-startup"

    config {
      interval = "30m"
    }

    schedule {
      cron     = "*/30 * * * *"
      timezone = "UTC"
      mode     = "plan"
    }
  }

  # The shared message data sets of these groups: how full they are, how many
  # extents are left and how they grow. It is the same under every strategy:
  # nothing of it goes, and a data set never shrinks.
  task "smdsexpand" "data-sets" {
    targets  = ["zos/*"]
    strategy = "fast-startup"

    schedule {
      cron     = "0 * * * *"
      timezone = "UTC"
      mode     = "plan"
    }
  }
}
