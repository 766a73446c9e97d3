/*
 * What a symbol says by itself, whatever its DSO is.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_SYMBOL_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_SYMBOL_H

#include "lib/base/str.h"

/* Whether a function of that name is where a thread or program starts. */
bool perf_symbol_is_entry_point(struct fg_str symbol);

/* Whether it is one that the parent calls as well, where the thread is started. */
bool perf_symbol_is_clone(struct fg_str symbol);

/*
 * Whether parentheses of a jitted function's name are part of it, as V8's in Node.js,
 * "LazyCompile:*run app (2).js:12", and Python's, "py::run:/srv/app (2).py".
 */
bool perf_symbol_keeps_parentheses(struct fg_str symbol);

/* Whether perf, or simpleperf, prints it in that DSO where it knows no symbol. */
bool perf_symbol_is_none(struct fg_str symbol, struct fg_str dso);

/*
 * Whether frames of the symbol may have other names in another DSO: there is none, or
 * one that only a JIT prints like that.
 */
bool perf_symbol_depends_on_dso(struct fg_str symbol);

#endif
