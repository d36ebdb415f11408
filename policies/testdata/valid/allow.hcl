# What tasks let their plugins do, beyond or below what is usual.
policy "structures" {
  task "strict" "backups" {
    targets  = ["zos/*"]
    strategy = "conservative"
    allow = [
      "custom", "command:bac cfstruct", # written in full, in one order
      "alert",
    ]
    config {
      library = "L"
    }
  }

  task "journal" "usual" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    allow    = ["delete", "archive", "command:rcdmqmimg", "command:CHGJRN"]
  }

  task "journal" "watching" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    allow    = []
  }

  task "strict" "anything" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    allow    = ["command", "mark-archived"]
    config {
      library = "L"
    }
  }

  task "strict" "stranger" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    config {
      library = "L"
    }
  }
}
