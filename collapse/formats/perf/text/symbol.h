/*
 * Tells what kind of function a symbol names.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_SYMBOL_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_SYMBOL_H

#include "lib/base/str.h"

/* Returns true if a program or a thread starts in this function, like _start. */
bool perf_symbol_is_entry_point(struct fg_str symbol);

/* Returns true for clone(): a thread starts in it, but its parent calls it, too. */
bool perf_symbol_is_clone(struct fg_str symbol);

/*
 * Returns true if parentheses belong to the name of a jitted function. V8 (Node.js)
 * prints "LazyCompile:*run app (2).js:12" and Python "py::run:/srv/app (2).py".
 */
bool perf_symbol_keeps_parentheses(struct fg_str symbol);

/* Returns true if perf or simpleperf prints this for an address without a symbol. */
bool perf_symbol_is_none(struct fg_str symbol, struct fg_str dso);

/*
 * Returns true if the frames of the symbol may have other names in another DSO, because
 * it stands for an address without a symbol, or has a form that only a JIT prints.
 */
bool perf_symbol_depends_on_dso(struct fg_str symbol);

#endif
