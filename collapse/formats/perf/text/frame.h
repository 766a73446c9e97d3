/*
 * A frame line:
 *
 *     <tab>    55d0c0ffee00 main+0x2b (/usr/bin/app)
 *              address      symbol     DSO
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_FRAME_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_FRAME_H

#include "lib/base/str.h"

enum perf_dso_kind {
	PERF_DSO_ABSENT, /* perf was told not to print it */
	PERF_DSO_INLINED, /* perf printed "(inlined)" in its place */
	PERF_DSO_GIVEN,
};

struct perf_frame {
	struct fg_str pc; /* the address */
	struct fg_str after_pc; /* the text after it; .ptr is NULL if missing */
	struct fg_str symbol; /* without +0xOFFSET */
	struct fg_str dso; /* "[unknown]" if missing */
	enum perf_dso_kind dso_kind;
};

/* Returns true if the line has the shape of a frame, and then sets pc and after_pc. */
bool perf_frame_is(struct fg_str line, struct perf_frame *f);

/* Splits f->after_pc: sets symbol, dso and dso_kind. */
void perf_frame_split(struct perf_frame *f);

/* Returns "main" for "main+0x2b". */
struct fg_str perf_strip_offset(struct fg_str symbol);

/* Returns "/usr/bin/app" for "/usr/bin/app+0x2b", which --fields +dsoff prints. */
struct fg_str perf_strip_dso_offset(struct fg_str dso);

/* Returns the index of the last " (", or text.len. */
size_t perf_last_paren(struct fg_str text);

/*
 * Returns the length of the frame at the start of `text`, up to the ')' of its DSO, if
 * other text may follow. Returns 0 if no DSO is found.
 */
size_t perf_frame_length(struct fg_str text);

#endif
