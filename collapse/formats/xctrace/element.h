/*
 * The elements of an export: their values go up to the row around them, whose stack
 * goes to the sink.
 */
#ifndef FG_COLLAPSE_FORMATS_XCTRACE_ELEMENT_H
#define FG_COLLAPSE_FORMATS_XCTRACE_ELEMENT_H

#include "collapse/function.h"
#include "collapse/sink.h"
#include "collapse/formats/xctrace/table.h"
#include "lib/base/xmlread.h"

struct xctrace_options {
	bool weight;
	bool modules;
	bool threads;
};

/* The elements that matter; all but a row may have an id. */
enum xctrace_kind {
	XCTRACE_FRAME,
	XCTRACE_BINARY,
	XCTRACE_BACKTRACE,
	XCTRACE_TAGGED,
	XCTRACE_WEIGHT,
	XCTRACE_TIME,
	XCTRACE_CYCLES,
	XCTRACE_THREAD,
	XCTRACE_KINDS,
	XCTRACE_ROW,
	XCTRACE_OTHER
};

/* An element of each kind may be open; those within one of its kind are passed over. */
struct xctrace_open {
	unsigned depth; /* one more than elements are around it; 0: none is open */
	struct fg_buf id; /* empty: it has none */
	struct fg_buf text; /* its name, or the digits of a weight */
	struct xctrace_value value; /* so far; of a frame, that of its binary */
};

struct xctrace {
	struct fg_sink *sink;
	struct fg_xmlread *xml; /* of the input that is being read, or NULL */
	struct xctrace_options options;
	struct xctrace_table tables[XCTRACE_KINDS];
	struct xctrace_open open[XCTRACE_KINDS];
	unsigned row; /* depth of the row that is open, or 0 */
	uint64_t row_line; /* where it starts */
	struct xctrace_value in_row[XCTRACE_KINDS];
	uint32_t *frames; /* of the backtrace that is open, tagged or not */
	size_t frame_count, frames_alloc;
	struct fg_frame_budget room; /* of the stacks of rows */
	struct fg_buf scratch;
};

/* The rest is zeroed. */
void xctrace_init(struct xctrace *x, struct fg_sink *sink,
		  const struct xctrace_options *options);
void xctrace_release(struct xctrace *x);

/* Starts an input, which is then fed to x->xml. */
void xctrace_start_input(struct xctrace *x);

/* Ends the input. A row that is open is dropped. */
void xctrace_end_input(struct xctrace *x);

#endif
