// Package bsds reads what CSQJU004, the print log map utility of IBM MQ for
// z/OS, prints of a bootstrap data set, and calculates with positions in logs.
//
// An [RBA] is a place in the log of one queue manager, an [LRSN] a place in time
// that the members of a queue-sharing group have in common. Both have six or
// eight bytes; the width is kept, and what has two widths is not compared.
//
// [Read] takes the print in any layout that is known of it: entries on one line
// or on several, with or without LRSNs, with page headings and ASA control
// characters. Only [Print] values that were read whole are given: a print that
// breaks off is an [Error] that says in which line, since the newest archives
// are last and what is missing would look as if nothing needed it.
//
// The layout is from manuals and from prints of the same utility of Db2, whose
// log manager it shares; what a release prints otherwise is not known, or an
// error. [Print.Write] writes a print that [Read] reads back.
package bsds
