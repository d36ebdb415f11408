// Package idcams reads what access method services print of catalog entries
// (LISTCAT ENTRIES(...) ALL), and writes the statements that delete data sets.
//
// Fields are found by their names and not by their columns; what a release adds
// is passed over. An entry that breaks off is an [*Error], because a field that
// is missing would look as if it had no value. What the catalog does not have is
// [Listing.Missing]: it was asked for and is not catalogued.
package idcams
