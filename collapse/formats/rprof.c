/*
 * Reads what R's Rprof() writes. The first line has the options and the microseconds
 * between samples. Each other line is a stack, leaf first:
 *
 *     memory profiling: line profiling: sample.interval=20000
 *     #File 1: app.R
 *     :312430:1329604:30650424:34:"sort" 1#2 "beta" 1#9 "g"
 *
 * With line.profiling, FILE#LINE comes before the function that runs this line, if R
 * kept its source. With memory.profiling, a line starts with the memory in use. Names
 * are in quotation marks, and those inside names are not escaped.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/values.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

enum { TIME, SAMPLES, VALUES };

static const struct fg_value values[VALUES] = {
	{ FG_STR_INIT("time"), FG_STR_INIT("ns") },
	{ FG_STR_INIT("samples"), FG_STR_INIT("samples") },
};

/* A file of the program, by its number minus 1. */
struct file {
	size_t start, len; /* its path in struct rprof */
};

struct rprof {
	struct fg_sink *sink;
	int chosen; /* the value to count, or -1 if the choice failed */
	struct fg_sum interval; /* nanoseconds between samples */
	struct file *files;
	size_t file_count, files_alloc;
	struct fg_buf paths;
};

/* ---- source files */

/*
 * Reads the rest of "#File 1: app.R". Files are numbered from 1, and each comes before
 * the stacks that have it. Returns false if the line is malformed.
 */
static bool read_file(struct rprof *r, struct fg_str rest)
{
	struct fg_str path = rest;
	uint64_t number;

	if (fg_str_u64(fg_str_cut(&path, ':'), &number) || number != r->file_count + 1)
		return false;
	path = fg_str_trim(path);
	FG_GROW(r->files, r->files_alloc, r->file_count + 1);
	r->files[r->file_count++] = (struct file){ r->paths.len, path.len };
	fg_buf_add_str(&r->paths, path);
	return true;
}

/* Returns the path of a file, or an empty one. */
static struct fg_str path_of(const struct rprof *r, uint64_t number)
{
	const struct file *file;

	if (number < 1 || number > r->file_count)
		return FG_STR("");
	file = &r->files[number - 1];
	return fg_str_before(fg_str_from_pos(fg_buf_str(&r->paths), file->start),
			     file->len);
}

/* ---- stacks */

/* Reads "1#12" at the start of `text`. Returns its length, or 0 if it is missing. */
static size_t read_place(struct fg_str text, uint64_t *number, uint64_t *line)
{
	size_t hash = fg_str_span(text, fg_is_digit);
	struct fg_str rest = fg_str_from_pos(text, hash + 1);
	size_t digits = fg_str_span(rest, fg_is_digit);

	if (!hash || !fg_str_starts(fg_str_from_pos(text, hash), FG_STR("#")) ||
	    fg_str_u64(fg_str_before(text, hash), number) ||
	    fg_str_u64(fg_str_before(rest, digits), line))
		return 0;
	return hash + 1 + digits;
}

/* Returns true if a frame, or the end of the line, is here. */
static bool starts_frame(struct fg_str text)
{
	uint64_t number, line;

	return !text.len || text.ptr[0] == '"' || read_place(text, &number, &line);
}

/*
 * Cuts a name with its quotation marks off the start. It ends at the first '"' and
 * blank that the next frame follows. Returns false if it does not end.
 */
static bool cut_name(struct fg_str *text, struct fg_str *name)
{
	struct fg_str rest = fg_str_from_pos(*text, 1);
	size_t end = 0;

	while ((end += fg_str_find_char(fg_str_from_pos(rest, end), '"')) < rest.len) {
		struct fg_str after = fg_str_from_pos(rest, end + 1);

		if (!after.len ||
		    (after.ptr[0] == ' ' && starts_frame(fg_str_from_pos(after, 1)))) {
			*name = fg_str_before(rest, end);
			*text = fg_str_trim_left(after);
			return true;
		}
		end++;
	}
	return false;
}

/*
 * Skips the memory in use, ":312430:1329604:30650424:34:". After the last ':' comes the
 * first frame, which may start with a digit.
 */
static struct fg_str skip_memory(struct fg_str line)
{
	while (fg_str_cut_start(&line, FG_STR(":"))) {
		size_t digits = fg_str_span(line, fg_is_digit);

		if (!fg_str_starts(fg_str_from_pos(line, digits), FG_STR(":")))
			break;
		line = fg_str_from_pos(line, digits);
	}
	return line;
}

/* Counts a stack. Returns false if the line is malformed. */
static bool read_stack(struct rprof *r, struct fg_str line)
{
	struct fg_sum weight = { 1, 0 };
	bool any = false;

	line = skip_memory(line);
	while (line.len) {
		uint64_t number = 0, at = 0;
		size_t length = read_place(line, &number, &at);
		struct fg_str name;

		line = fg_str_trim_left(fg_str_from_pos(line, length));
		if (!line.len && length)
			break; /* a line outside of functions */
		if (line.ptr[0] != '"' || !cut_name(&line, &name)) {
			fg_sink_clear(r->sink);
			return false;
		}
		fg_sink_frame_at(r->sink, name, path_of(r, number), at);
		any = true;
	}
	if (!any)
		fg_sink_skip(r->sink, FG_SKIP_NO_STACK, 1);
	else
		fg_sink_add_sum(r->sink, r->chosen == TIME ? r->interval : weight, 0);
	return true;
}

/* ---- the format */

static void read_line(void *state, struct fg_str line)
{
	static const struct fg_owner nobody = { .label = NULL };
	struct rprof *r = state;
	struct fg_str text = fg_str_trim(fg_utf8_skip_mark(line));
	uint64_t interval;

	if (r->chosen < 0 || !text.len)
		return;
	if (rprof_header(text, &interval)) {
		r->interval = fg_sum_mul((struct fg_sum){ interval, 0 }, 1000);
		r->file_count = 0;
		fg_buf_clear(&r->paths);
	} else if (fg_str_cut_start(&text, FG_STR("#File "))) {
		if (!read_file(r, text))
			fg_sink_malformed(r->sink, line);
	} else if (fg_sink_wants_owner(r->sink, &nobody) && !read_stack(r, text)) {
		fg_sink_malformed(r->sink, line);
	}
}

static void end_input(void *state)
{
	struct rprof *r = state;

	r->file_count = 0;
	fg_buf_clear(&r->paths);
}

static void *open_rprof(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct rprof *r = fg_xcalloc(1, sizeof(*r));

	(void)run;
	r->sink = sink;
	/* R's default, for an input that lacks its first line */
	r->interval = (struct fg_sum){ 20000000, 0 };
	r->chosen = fg_sink_choose_value(sink, values, VALUES, TIME);
	return r;
}

static void close_rprof(void *state)
{
	struct rprof *r = state;

	free(r->files);
	fg_buf_release(&r->paths);
	free(r);
}

const struct fg_format fg_format_rprof = {
	.kind = &fg_kind_rprof,
	.summary = "Reads what R's Rprof() writes, writes folded stacks.",
	.footer = "Example: collapse-rprof Rprof.out | flamegraph > flame.svg",
	.hints = { .empty = "did R end with Rprof(NULL)?",
		   .not_found = "no stack was found: is this the output of Rprof()?" },
	.has_values = true,
	.open = open_rprof,
	.line = read_line,
	.end_input = end_input,
	.close = close_rprof,
};
