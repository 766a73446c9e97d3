/*
 * A frame line: address, symbol with offset, DSO.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_FRAME_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_FRAME_H

#include "lib/base/str.h"

enum perf_dso_kind {
	PERF_DSO_ABSENT, /* perf was told not to print it */
	PERF_DSO_INLINED, /* "(inlined)" stands in its place */
	PERF_DSO_GIVEN,
};

struct perf_frame {
	struct fg_str pc;
	struct fg_str rest; /* all after the address; .ptr is NULL for nothing */
	struct fg_str symbol; /* without +0xOFFSET */
	struct fg_str dso; /* "[unknown]" where there is none */
	enum perf_dso_kind dso_kind;
};

/* Whether the line has the shape of a frame; sets pc and rest. */
bool perf_frame_is(struct fg_str line, struct perf_frame *f);

/* Takes f->rest apart: symbol and DSO. */
void perf_frame_split(struct perf_frame *f);

/* Without one "+0x" and hexadecimal digits at the end. */
struct fg_str perf_strip_offset(struct fg_str symbol);

/* The DSO without the offset that --fields +dsoff adds. */
struct fg_str perf_strip_dso_offset(struct fg_str dso);

/* Where the last " (" is; text.len for none. */
size_t perf_last_paren(struct fg_str text);

/*
 * Returns the length of a frame that other text may follow, up to the ')' of its DSO.
 * Returns 0 if no DSO is found.
 */
size_t perf_frame_length(struct fg_str text);

#endif
