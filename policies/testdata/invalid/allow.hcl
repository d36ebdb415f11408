policy "a" {
  task "journal" "releases" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    allow = [
      "command:DLTJRNRCV",                     # ERROR: DLTJRNRCV lets log pieces go
      "command:dltjrnrcv jrnrcv(A/B)",         # ERROR: DLTJRNRCV lets log pieces go
      "command:SET LOG",                       # ERROR: SET LOG lets log pieces go
      "command:set log archived(S1.LOG)",      # ERROR: SET LOG lets log pieces go
      "command:DLTOBJ",                        # ERROR: DLTOBJ lets log pieces go
      "command:RECOVER CFSTRUCT",              # ERROR: RECOVER CFSTRUCT is never given automatically
      "command:rec cfstruct",                  # ERROR: RECOVER CFSTRUCT is never given automatically
      "command:RESET CFSTRUCT",                # ERROR: RESET CFSTRUCT is never given automatically
      "command:RESET SMDS",                    # ERROR: RESET SMDS is never given automatically
      "command:STOP SMDSCONN",                 # ERROR: STOP SMDSCONN is never given automatically
      "command:RESET QMGR TYPE(ARCHLOG)",      # ERROR: RESET QMGR is never given automatically
      "command:SETXCF FORCE",                  # ERROR: SETXCF FORCE is never given automatically
      "command:RCRMQMOBJ",                     # ERROR: RCRMQMOBJ is never given automatically
      "command:/opt/mqm/bin/rcrmqobj",         # ERROR: RCRMQOBJ is never given automatically
      "command:SBMJOB",                        # ERROR: SBMJOB runs another command
      "command:rm",                            # ERROR: RM works on files
    ]
  }

  task "journal" "slips" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    allow = [
      "comand",                                # ERROR: did you mean "command"?
      "delete:AMQA000001",                     # ERROR: only a command is named
      "command:",                              # ERROR: a command has a name
      "command:BACKUP",                        # ERROR: BACKUP of what?
      "command:BACKUP CFSTRUCT(A)",            # ERROR: name the command alone, without parameters
      "command:BACKUP STRUCTURE",              # ERROR: BACKUP STRUCTURE is in no table
      "command:DISPLAY QMSTATUS",              # ERROR: DISPLAY QMSTATUS changes nothing
      "command:rcdmqimg.exe",                  # ERROR: without its folder and ending
      "command:CHGJRN", "command: chgjrn",     # ERROR: allowed twice: "command:CHGJRN" stands here before
      "",                                      # ERROR: "" is not known
      3,                                       # ERROR: wrong kind of value
    ]
  }

  task "journal" "kind" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    allow    = "delete" # ERROR: allow is a list, not a string
  }
}
