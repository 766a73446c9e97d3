/*
 * Symbols of code made at run time, as the runtime lists them in /tmp/perf-PID.map.
 *
 * tools/perf/Documentation/jit-interface.txt: "START SIZE NAME", both in hexadecimal.
 */
#ifndef FG_COLLAPSE_PERFDATA_JITMAP_H
#define FG_COLLAPSE_PERFDATA_JITMAP_H

#include "collapse/perfdata/symtab.h"
#include "lib/buf.h"

/* Adds the symbols in `text`, which owns their names and is changed. */
void fg_pd_jitmap_parse(struct fg_buf *text, struct fg_pd_symtab *t);

#endif
