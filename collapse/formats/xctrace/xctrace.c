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
#include "lib/base/utf8.h"
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

/* An input that goes wrong is read to its end all the same: the next one follows. */
static int skip_input(struct fg_reader *reader)
{
	struct fg_block block;
	int status;

	do
		status = fg_reader_more(reader, &block);
	while (status > 0);
	return status;
}

/* XML starts without blanks, but what was copied out of a text may have some first. */
static int skip_blanks(struct fg_reader *reader, struct fg_block *block)
{
	int status = 1;

	block->bytes = fg_utf8_skip_mark(block->bytes);
	while (status > 0) {
		block->bytes = fg_str_trim_left(block->bytes);
		if (block->bytes.len)
			break;
		status = fg_reader_more(reader, block);
	}
	return status < 0 ? -1 : 0;
}

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct xctrace *x = state;
	struct fg_block first = *start;

	if (skip_blanks(reader, &first))
		return -1;
	switch (fg_xmlread(reader, &first, &xctrace_handler, x,
			   fg_sink_diag(x->sink))) {
	case FG_XMLREAD_WHOLE:
		return 0;
	case FG_XMLREAD_DAMAGED:
		fg_sink_is_cut(x->sink);
		return skip_input(reader);
	case FG_XMLREAD_FAILED:
		break;
	}
	return -1;
}

static void end_input(void *state)
{
	xctrace_end_input(state);
}

/* How many bytes at the start are searched for the root element. */
#define PROBED 4096

/* Whether an element starts that is not within a comment or the like. */
static bool has_root(struct fg_str bytes)
{
	for (size_t at = 0; at + 1 < bytes.len; at++)
		if (bytes.ptr[at] == '<' && bytes.ptr[at + 1] != '?')
			return bytes.ptr[at + 1] != '!';
	return false;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	static const struct fg_str root = FG_STR_INIT("trace-query-result");
	struct fg_str bytes = fg_str_trim_left(fg_utf8_skip_mark(first_bytes));

	if (!fg_str_starts(bytes, FG_STR("<")))
		return FG_PROBE_NO;
	if (fg_str_has(fg_str_before(bytes, PROBED), root))
		return FG_PROBE_YES;
	return fg_str_starts(bytes, FG_STR("<?xml")) && bytes.len < PROBED &&
			       !has_root(bytes) && !fg_str_has(bytes, FG_STR("<svg")) ?
		       FG_PROBE_MAYBE :
		       FG_PROBE_NO;
}

const struct fg_kind fg_kind_xctrace = {
	.name = "xctrace",
	.input = "the output of xctrace export",
	.probe = probe,
};

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
