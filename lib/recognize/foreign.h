/*
 * Recognises inputs that no program here reads. Most functions return a message with
 * advice, "this is gzip data: decompress it with zcat first", or NULL if it does not
 * recognise the input. Inputs of collapsers are not here; their probes recognise them.
 *
 * To add one, add a row to a table: of foreign_data.c for binary data, foreign_json.c
 * for JSON, foreign_text.c for text.
 */
#ifndef FG_LIB_RECOGNIZE_FOREIGN_H
#define FG_LIB_RECOGNIZE_FOREIGN_H

#include "lib/base/str.h"

/* Messages that two of these files need. */
#define FG_FOREIGN_PERF_REPORT \
	"this is the output of perf report: use that of perf script"
#define FG_FOREIGN_SIMPLEPERF \
	"this is a report of simpleperf: collapse-perf reads its perf.data"
#define FG_FOREIGN_JSON \
	"this is JSON: have the program that wrote it write folded stacks"

/* An element of the heat maps of async-profiler. */
#define FG_ASPROF_HEAT_MAP "id='heatmap-canvas'"

/* Recognises binary data by its first bytes, like "\x1f\x8b" of gzip. */
const char *fg_foreign_magic(struct fg_str first_bytes);

/*
 * Recognises vmprof of PyPy and CPython. Like CPU profiles of gperftools, it starts
 * with five words of four or eight bytes each; but then comes a header of its own.
 */
bool fg_foreign_is_vmprof(struct fg_str first_bytes);

/* Returns true for JSON; false for names of frames that start like it, "{closure}". */
bool fg_foreign_is_json(struct fg_str first_bytes);

/* Recognises JSON by the names of its members. All JSON gets a message. */
const char *fg_foreign_json(struct fg_str json);

/* Returns true for HTML, which may lack its first tags. Ignores the case of letters. */
bool fg_foreign_is_html(struct fg_str first_bytes);

/*
 * Recognises text that must not be read because some of its lines look like a profile:
 * HTML, tables of perf report, the output of gprof. It needs many bytes if perf report
 * starts with many lines about the machine.
 */
const char *fg_foreign_text(struct fg_str first_bytes);

/* Recognises text that no program here reads by one of its lines. */
const char *fg_foreign_line(struct fg_str line);

/* Recognises SVG, other XML, and JSON, which is everything that starts with a '{'. */
const char *fg_foreign_markup(struct fg_str first_bytes);

#endif
