# A file of mistakes does not hide those of the others.
queue_manager "QM1" { # ERROR: missing platform # ERROR: missing connection
}
