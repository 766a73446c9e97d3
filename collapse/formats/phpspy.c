/*
 * Reads the stacks that phpspy prints, and reli in the same form. A line is a frame,
 * with its depth, function, file and line; depth 0 is the leaf. -1 is the line of a
 * function that is not written in PHP. An empty line, or the next leaf, ends a stack:
 *
 *     0 usleep <internal>:-1
 *     1 App\Job::run /app/Job.php:12
 *     2 <main> /app/index.php:3
 *     # uri = /index.php
 *
 * Lines with '#' are about the request.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/values.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

static const struct fg_value values[] = {
	{ FG_STR_INIT("samples"), FG_STR_INIT("samples") },
};

struct phpspy {
	struct fg_sink *sink;
	int chosen; /* the value to count, or -1 if the choice failed */
	uint64_t depth; /* the number of frames in the stack so far */
};

static void end_stack(struct phpspy *p)
{
	static const struct fg_owner nobody = { .label = NULL };

	if (!p->depth)
		return;
	p->depth = 0;
	if (fg_sink_wants_owner(p->sink, &nobody))
		fg_sink_add(p->sink, 1);
	else
		fg_sink_clear(p->sink);
}

static void read_line(void *state, struct fg_str line)
{
	struct phpspy *p = state;
	struct phpspy_frame frame;
	struct fg_str text = fg_str_trim(line);

	if (p->chosen < 0)
		return;
	if (!text.len) {
		end_stack(p);
	} else if (phpspy_read_frame(text, &frame)) {
		if (!frame.depth)
			end_stack(p);
		if (frame.depth != p->depth) {
			fg_sink_malformed(p->sink, line);
			return;
		}
		fg_sink_frame_at(p->sink, frame.function, frame.file, frame.line);
		p->depth++;
	} else if (text.ptr[0] != '#') {
		fg_sink_malformed(p->sink, line);
	}
}

static void end_input(void *state)
{
	end_stack(state);
}

static void *open_phpspy(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct phpspy *p = fg_xcalloc(1, sizeof(*p));

	(void)run;
	p->sink = sink;
	p->chosen = fg_sink_choose_value(sink, values, FG_COUNT_OF(values), 0);
	return p;
}

static void close_phpspy(void *state)
{
	free(state);
}

const struct fg_format fg_format_phpspy = {
	.kind = &fg_kind_phpspy,
	.summary = "Reads the stacks that phpspy prints, writes folded stacks.",
	.footer = "Example: phpspy -p PID | collapse-phpspy | flamegraph > flame.svg",
	.hints = { .empty = "did phpspy fail?",
		   .not_found = "no stack was found: is this the output of phpspy?" },
	.has_values = true,
	.open = open_phpspy,
	.line = read_line,
	.end_input = end_input,
	.close = close_phpspy,
};
