/*
 * XML that `xctrace export` writes of a table of stacks, such as time-profile; xctrace
 * is part of Apple's Xcode, see its manual page.
 *
 *     <row><thread id="2" fmt="main  0x1a (app, pid: 42)"/>
 *     <weight id="4" fmt="1.00 ms">1000000</weight>
 *     <backtrace id="6"><frame id="7" name="leaf" addr="0x1"/>
 *     <frame id="9" name="main" addr="0x2"/></backtrace></row>
 *     <row><thread ref="2"/><weight ref="4"/><backtrace ref="6"/></row>
 *
 * An element with an id is repeated by one of the same name with that number as ref.
 * Later versions have the backtrace within a tagged-backtrace, and since Xcode 27 only
 * its frames.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/formats/xctrace/element.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct xctrace_options

static const struct fg_opt rows[] = {
	SECTION("Rows"),
	FLAG("weight", weight, "weigh rows by their weight, ns or cycles, not by 1"),
	FLAG("modules", modules, "show functions as binary`function"),
	FLAG("threads", threads, "the thread as root frame"),
	FG_OPT_END,
};

static void *open_xctrace(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct xctrace *x = fg_xmalloc(sizeof(*x));

	xctrace_init(x, sink, run->own);
	return x;
}

static void close_xctrace(void *state)
{
	xctrace_release(state);
	free(state);
}

/* A faulty input is read to its end all the same, because another may follow. */
static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct xctrace *x = state;
	struct fg_block block = *start;
	struct fg_place at = { start->input, 0 };
	int status;

	xctrace_start_input(x);
	do {
		if (!fg_xmlread_fault(x->xml))
			fg_xmlread_feed(x->xml, block.bytes);
	} while ((status = fg_reader_more(reader, &block)) > 0);
	if (status < 0 || !fg_xmlread_end(x->xml))
		return status;
	at.line = fg_xmlread_line(x->xml);
	fg_warn(fg_sink_diag(x->sink), &at, "the XML cannot be read from here on: %s",
		fg_xmlread_fault(x->xml));
	fg_sink_set_cut(x->sink);
	return 0;
}

static void end_input(void *state)
{
	xctrace_end_input(state);
}

const struct fg_format fg_format_xctrace = {
	.kind = &fg_kind_xctrace,
	.summary =
		"Reads the XML that xctrace exports of a table of stacks, and writes\n"
		"folded stacks.",
	.footer = "Example:\n"
		  "  table='/trace-toc/*/data/table[@schema=\"time-profile\"]'\n"
		  "  xctrace export --input app.trace --xpath \"$table\" |\n"
		  "    collapse-xctrace | flamegraph > flame.svg",
	.hints = { .empty = "did xctrace export fail?",
		   .not_found = "no row was found: is this what xctrace exports of the "
				"table time-profile?",
		   .no_chain = "export the table time-profile" },
	.has_times = true,
	.rows = rows,
	.options_size = sizeof(struct xctrace_options),
	.open = open_xctrace,
	.read = read_input,
	.end_input = end_input,
	.close = close_xctrace,
};
