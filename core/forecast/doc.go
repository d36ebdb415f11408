// Package forecast says where a series of measurements goes, with an interval
// and the name of the method, or that there is too little history to say so.
//
// Several simple methods compete: the last value, the usual level, growth from
// day to day, the wave of the day, both of these, and the trend of the last hours.
// Each is tried on the history itself, at many moments of it and as far ahead as is
// asked, as it would have been used then. The one whose errors were smallest is
// taken, and its interval is how far it went wrong, not what a model thinks of
// itself ("conformal prediction"). Where few such trials were possible the interval
// is wider.
//
// Nothing here asks a clock or draws by chance: the same history gives the same
// forecast.
package forecast
