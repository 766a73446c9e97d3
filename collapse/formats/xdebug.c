/*
 * Reads the traces of Xdebug, an extension of PHP: xdebug.mode=trace. They record each
 * call, with the time in seconds and the memory in use.
 *
 * With xdebug.trace_format=1, tabs, here spaces, separate the members of a line: level,
 * number of the call, 0 for a call and 1 for a return, time, memory, function, 1 if it
 * is written in PHP, the file that is included, file and line of the call, arguments:
 *
 *     Version: 3.2.0
 *     File format: 4
 *     TRACE START [2026-11-29 21:34:04.776192]
 *     1 0 0 0.000210 401064 {main} 1  /app/a.php 0 0
 *     2 1 0 0.000229 401064 App\W->run 1  /app/a.php 7 1 200
 *     2 1 1 0.000235 401104
 *     1 0 1 0.000240 401104
 *        0.000244 395608
 *     TRACE END   [2026-11-29 21:34:04.800649]
 *
 * Other letters instead of 0 and 1 are values that a function returns, and assignments.
 *
 * With xdebug.trace_format=0, the lines are for reading. A call ends where the next
 * line is indented no more than it, or with ">=>" if xdebug.collect_return is set:
 *
 *     TRACE START [2026-11-29 21:34:04.701738]
 *         0.0002     401064   -> {main}() /app/a.php:0
 *         0.0003     401104     -> App\W->run($n = 200) /app/a.php:7
 *         0.0194     401104      >=> 7
 *         0.0194     395608
 *     TRACE END   [2026-11-29 21:34:04.720923]
 *
 * The time between two lines belongs to the stack that the first leaves.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/decimal.h"
#include "collapse/sums.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"

enum { TIME, CALLS, MEMORY, VALUES };

static const struct fg_value values[VALUES] = {
	{ FG_STR_INIT("time"), FG_STR_INIT("ns") },
	{ FG_STR_INIT("calls"), FG_STR_INIT("calls") },
	{ FG_STR_INIT("memory"), FG_STR_INIT("bytes") },
};

/* A call that has not returned. */
struct call {
	uint64_t level; /* grows from caller to callee, perhaps in steps */
	uint32_t row; /* its row in the tree */
};

/* The time and the memory in use at a line. */
struct moment {
	uint64_t time, memory; /* in nanoseconds and bytes */
};

struct xdebug {
	struct fg_sink *sink;
	int chosen; /* the value to count, or -1 if the choice failed */
	struct fg_sums tree;
	struct fg_sum *freed; /* for each row of the tree, memory that it freed */
	size_t freed_alloc;
	struct call *calls; /* root first */
	size_t depth, calls_alloc;
	struct moment last; /* contents of the line before, if has_last */
	bool has_last;
	bool is_open; /* between TRACE START and TRACE END */
	bool has_delta; /* xdebug.show_mem_delta adds a column to textual traces */
	bool any_call, any_value;
	struct fg_buf name; /* scratch */
};

/* ---- calls and returns */

static void add_value(struct xdebug *x, uint32_t row, uint64_t value)
{
	fg_sums_add(&x->tree, row, (struct fg_sum){ value, 0 });
	x->any_value |= value > 0;
}

static void add_freed(struct xdebug *x, uint32_t row, uint64_t bytes)
{
	size_t before = x->freed_alloc;

	FG_GROW(x->freed, x->freed_alloc, (size_t)row + 1);
	for (size_t i = before; i < x->freed_alloc; i++)
		x->freed[i] = (struct fg_sum){ 0, 0 };
	fg_sum_add(&x->freed[row], bytes);
	x->any_value = true;
}

/* Counts what happened since the line before, for the stack that it left. */
static void pass_time(struct xdebug *x, struct moment now)
{
	struct moment last = x->last;
	uint32_t row;

	x->last = now;
	if (!x->has_last || !x->depth) {
		x->has_last = true;
		return;
	}
	row = x->calls[x->depth - 1].row;
	if (x->chosen == TIME && now.time > last.time)
		add_value(x, row, now.time - last.time);
	else if (x->chosen == MEMORY && now.memory > last.memory)
		add_value(x, row, now.memory - last.memory);
	else if (x->chosen == MEMORY && now.memory < last.memory)
		add_freed(x, row, last.memory - now.memory);
}

static void leave(struct xdebug *x, uint64_t level)
{
	while (x->depth && x->calls[x->depth - 1].level >= level)
		x->depth--;
}

/*
 * Enters a function. `file` is the file that an include or require reads, or empty for
 * other functions.
 */
static void enter(struct xdebug *x, uint64_t level, struct fg_str function,
		  struct fg_str file)
{
	uint32_t caller;

	leave(x, level);
	caller = x->depth ? x->calls[x->depth - 1].row : 0;
	fg_buf_clear(&x->name);
	fg_buf_add_str(&x->name, function);
	if (file.len && !fg_str_eq(function, FG_STR("eval"))) {
		fg_buf_add_str(&x->name, FG_STR("::"));
		fg_buf_add_str(&x->name, file);
	}
	FG_GROW(x->calls, x->calls_alloc, x->depth + 1);
	x->calls[x->depth++] = (struct call){
		level,
		fg_sums_child(&x->tree, caller,
			      fg_sink_name(x->sink, fg_buf_str(&x->name))),
	};
	x->any_call = true;
	if (x->chosen == CALLS)
		add_value(x, x->calls[x->depth - 1].row, 1);
}

/* ---- lines */

/* Reads a time in seconds and a memory in bytes. Returns false if they are none. */
static bool read_moment(struct fg_str time, struct fg_str memory, struct moment *m)
{
	int64_t ns;

	if (fg_decimal_i64(time, 9, &ns) || ns < 0 || fg_str_u64(memory, &m->memory))
		return false;
	m->time = (uint64_t)ns;
	return true;
}

/* Reads a line of xdebug.trace_format=1. Returns false if it is malformed. */
static bool read_record(struct xdebug *x, struct fg_str line)
{
	struct fg_str level_text = fg_str_cut(&line, '\t');
	struct fg_str number = fg_str_cut(&line, '\t');
	struct fg_str kind = fg_str_cut(&line, '\t');
	struct fg_str time = fg_str_cut(&line, '\t');
	struct fg_str memory = fg_str_cut(&line, '\t');
	struct fg_str function = fg_str_cut(&line, '\t');
	struct moment now;
	uint64_t level;

	if (fg_str_eq(kind, FG_STR("R")) || fg_str_eq(kind, FG_STR("A")))
		return true;
	if (!read_moment(time, memory, &now))
		return false;
	if (!level_text.len && !number.len && !kind.len) { /* the end of the trace */
		pass_time(x, now);
		return true;
	}
	if (fg_str_u64(level_text, &level) ||
	    !(fg_str_eq(kind, FG_STR("1")) ||
	      (fg_str_eq(kind, FG_STR("0")) && function.len)))
		return false;
	pass_time(x, now);
	if (kind.ptr[0] == '1') {
		leave(x, level);
		return true;
	}
	fg_str_cut(&line, '\t');
	enter(x, level, function, fg_str_cut(&line, '\t'));
	return true;
}

/*
 * Returns the length of the function in "App\W->run($n = 200) /app/a.php:7". The name
 * of a closure, "{closure:/app(1)/a.php:7-9}", may have brackets.
 */
static size_t function_length(struct fg_str call)
{
	size_t open = fg_str_find_char(call, '('), brace = fg_str_find_char(call, '{');
	size_t end = fg_str_find_char(call, '}');

	if (brace > open || end == call.len)
		return open;
	return end + fg_str_find_char(fg_str_from_pos(call, end), '(');
}

/* Returns true for functions whose argument is a file. */
static bool is_include(struct fg_str function)
{
	static const struct fg_str names[] = {
		FG_STR_INIT("include"),
		FG_STR_INIT("include_once"),
		FG_STR_INIT("require"),
		FG_STR_INIT("require_once"),
	};

	for (size_t i = 0; i < FG_COUNT_OF(names); i++)
		if (fg_str_eq(function, names[i]))
			return true;
	return false;
}

/* Enters "App\W->run($n = 200) /app/a.php:7". Returns false if it is malformed. */
static bool enter_text(struct xdebug *x, uint64_t level, struct fg_str call)
{
	size_t length = function_length(call), end;
	struct fg_str function = fg_str_before(call, length);
	struct fg_str file = fg_str_from_pos(call, length + 1);

	if (!length || length == call.len)
		return false;
	end = fg_str_find(file, FG_STR(") /"));
	if (end == file.len) /* on Windows */
		end = fg_str_find(file, FG_STR(") "));
	file = fg_str_before(file, end);
	enter(x, level, function, is_include(function) ? file : FG_STR(""));
	return true;
}

static struct fg_str cut_word(struct fg_str *line)
{
	struct fg_str word;

	*line = fg_str_trim_left(*line);
	word = fg_str_before(*line, fg_str_find_char(*line, ' '));
	*line = fg_str_from_pos(*line, word.len);
	return word;
}

/* Cuts the column of xdebug.show_mem_delta, "+24". Does nothing without it. */
static void cut_delta(struct xdebug *x, struct fg_str *line)
{
	struct fg_str rest = *line, word = cut_word(&rest);

	if (word.len < 2 || (word.ptr[0] != '+' && word.ptr[0] != '-') ||
	    !fg_str_all(fg_str_from_pos(word, 1), fg_is_digit))
		return;
	x->has_delta = true;
	*line = rest;
}

/* Reads a line of xdebug.trace_format=0. Returns false if it is malformed. */
static bool read_text(struct xdebug *x, struct fg_str line)
{
	struct fg_str time, memory;
	struct moment now;
	uint64_t level;

	if (fg_str_starts(fg_str_trim_left(line), FG_STR("=> ")) ||
	    fg_str_starts(fg_str_trim_left(line), FG_STR(">=> ")))
		return true; /* an assignment, or a return of Xdebug 2.0 */
	time = cut_word(&line);
	memory = cut_word(&line);
	if (!read_moment(time, memory, &now))
		return false;
	cut_delta(x, &line);
	level = fg_str_spaces(line);
	line = fg_str_trim(line);
	if (fg_str_cut_start(&line, FG_STR("-> "))) {
		pass_time(x, now);
		return enter_text(x, level, line);
	}
	if (!fg_str_starts(line, FG_STR(">=>")) && line.len)
		return false;
	pass_time(x, now);
	/* a return is indented by a space more, and by the column that it lacks */
	if (line.len)
		leave(x, level - (x->has_delta && level > 9 ? 9 : 1));
	return true;
}

static void read_line(void *state, struct fg_str line)
{
	struct xdebug *x = state;
	size_t digits;

	line = fg_utf8_skip_mark(line);
	digits = fg_str_span(line, fg_is_digit);
	if (fg_str_starts(line, FG_STR("TRACE START ["))) {
		x->is_open = true;
		x->has_last = x->has_delta = false;
		x->depth = 0;
	} else if (fg_str_starts(line, FG_STR("TRACE END "))) {
		x->is_open = false;
		x->has_last = false;
		x->depth = 0;
	} else if (!fg_str_trim(line).len || x->chosen < 0 ||
		   fg_str_starts(line, FG_STR("Version:")) ||
		   fg_str_starts(line, FG_STR("File format:"))) {
		return;
	} else if (!(digits < line.len && line.ptr[digits] == '\t' ?
			     read_record(x, line) :
			     read_text(x, line))) {
		fg_sink_malformed(x->sink, line);
	}
}

/* ---- the format */

static bool add_frames(struct xdebug *x, uint32_t row)
{
	return fg_rows_add_frames(&x->tree.rows, row, x->sink);
}

static void write_stacks(struct xdebug *x)
{
	for (size_t i = 0; i < x->tree.touched_count; i++) {
		uint32_t row = x->tree.touched[i];
		struct fg_sum sum = fg_sums_take(&x->tree, row);

		if (add_frames(x, row))
			fg_sink_add_sum(x->sink, sum, 0);
	}
	for (uint32_t row = 0; row < x->tree.rows.count && row < x->freed_alloc;
	     row++) {
		struct fg_sum sum = x->freed[row];

		x->freed[row] = (struct fg_sum){ 0, 0 };
		if (!fg_sum_is_zero(sum) && add_frames(x, row))
			fg_sink_subtract_sum(x->sink, sum, 0);
	}
}

static void end_input(void *state)
{
	static const struct fg_owner nobody = { .label = NULL };
	struct xdebug *x = state;

	if (x->is_open)
		fg_sink_warn_cut(x->sink, "it has no line \"TRACE END\"");
	if (fg_sink_wants_owner(x->sink, &nobody))
		write_stacks(x);
	fg_sums_restart(&x->tree);
	x->is_open = x->has_last = x->has_delta = false;
	x->depth = 0;
	fg_sink_explain_no_value(x->sink, x->any_call, x->any_value);
}

static void *open_xdebug(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct xdebug *x = fg_xcalloc(1, sizeof(*x));

	(void)run;
	x->sink = sink;
	fg_sums_init(&x->tree);
	x->chosen = fg_sink_choose_value(sink, values, VALUES, TIME);
	return x;
}

static void close_xdebug(void *state)
{
	struct xdebug *x = state;

	fg_sums_release(&x->tree);
	free(x->freed);
	free(x->calls);
	fg_buf_release(&x->name);
	free(x);
}

const struct fg_format fg_format_xdebug = {
	.kind = &fg_kind_xdebug,
	.summary = "Reads a trace of Xdebug, for PHP, writes folded stacks.",
	.footer = "Example: collapse-xdebug trace.xt.gz | flamegraph > flame.svg",
	.hints = { .empty = "did the script run with xdebug.mode=trace?",
		   .not_found = "no call was found: is this a trace of Xdebug?",
		   .shrunk = "they freed what other stacks allocated" },
	.has_values = true,
	.open = open_xdebug,
	.line = read_line,
	.end_input = end_input,
	.close = close_xdebug,
};
