/*
 * Lines of a block, and the fast path for frame lines of the usual shape.
 */
#ifndef FG_COLLAPSE_PERF_BLOCK_H
#define FG_COLLAPSE_PERF_BLOCK_H

#include "collapse/perf/memo.h"
#include "lib/buf.h"
#include "lib/reader.h"

struct perf;

/* What becomes of the frame lines that follow. */
enum perf_fast {
	PERF_FAST_NONE, /* they go to the line function */
	PERF_FAST_KEEP, /* those of the usual shape are frames of the sample */
	PERF_FAST_SKIP, /* those of the usual shape do not matter */
};

/* The last frame without a symbol. */
struct perf_unknown {
	char line[FG_READER_PADDING]; /* from the symbol on, '\n' and all */
	size_t len; /* 0: there was none */
	struct perf_memo_value value;
};

/* Reads whole lines; the byte after them is '\n' if they do not end in one. */
void perf_block(struct perf *p, struct fg_str bytes);

#endif
