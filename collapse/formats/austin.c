/*
 * Reads the samples that austin 3 prints, and that mojo2austin makes from the files of
 * austin 4. A line is a sample: the ids of its process and thread, frames
 * FILE:FUNCTION:LINE with the root first, and the weight. The weight is in
 * microseconds, in bytes in mode memory, and TIME,IDLE,MEMORY in mode full, where each
 * of the three may be empty.
 *
 *     # mode: wall
 *     P12;T0:12;/srv/app.py:<module>:9;/srv/app.py:main:5 10042
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/values.h"
#include "lib/base/xalloc.h"

enum { TIME, CPU, MEMORY, VALUES };

static const struct fg_value values[VALUES] = {
	{ FG_STR_INIT("time"), FG_STR_INIT("ns") },
	{ FG_STR_INIT("cpu"), FG_STR_INIT("ns") },
	{ FG_STR_INIT("memory"), FG_STR_INIT("bytes") },
};

struct austin {
	struct fg_sink *sink;
	bool has_roots; /* an option adds root frames */
	struct fg_buf owner; /* scratch for the names of a process and its thread */
	int mode; /* the value of samples that have a single number */
	int chosen; /* the value to count, or -1 if the choice failed */
};

/* Adds FILE:FUNCTION:LINE. FILE may contain ':', so this splits from the right. */
static void add_frame(struct fg_sink *sink, struct fg_str frame)
{
	size_t line_at = fg_str_rfind_char(frame, ':');
	struct fg_str file = fg_str_before(frame, line_at);
	size_t name_at = fg_str_rfind_char(file, ':');
	uint64_t line = 0;

	fg_str_u64(fg_str_from_pos(frame, line_at + 1), &line);
	if (name_at < file.len)
		fg_sink_frame_at(sink, fg_str_from_pos(file, name_at + 1),
				 fg_str_before(file, name_at), line);
	else
		fg_sink_frame(sink, frame);
}

/*
 * Adds the frames of a stack. `ids` are its process and its thread, like "12" and
 * "0:12", which may become root frames. Returns false if --thread leaves the stack out.
 */
static bool add_frames(struct austin *a, struct fg_str ids[2], struct fg_str frames)
{
	struct fg_owner owner = { .label = NULL };
	size_t end;

	fg_buf_clear(&a->owner);
	fg_buf_add_str(&a->owner, FG_STR("pid-"));
	fg_buf_add_str(&a->owner, ids[0]);
	end = a->owner.len;
	fg_buf_add_str(&a->owner, FG_STR("tid-"));
	fg_buf_add_str(&a->owner, ids[1]);
	owner.process = fg_str_before(fg_buf_str(&a->owner), end);
	owner.thread = fg_str_from_pos(fg_buf_str(&a->owner), end);
	if (!fg_sink_wants_owner(a->sink, &owner))
		return false;
	if (!frames.len && !a->has_roots)
		fg_sink_frame(a->sink, frames);
	while (frames.len)
		add_frame(a->sink, fg_str_cut(&frames, ';'));
	fg_sink_add_owner(a->sink, &owner);
	return true;
}

static void set_mode(struct austin *a, int mode)
{
	int before = a->chosen;

	a->mode = mode;
	if (before >= 0)
		a->chosen = fg_sink_choose_value(a->sink, values, VALUES,
						 mode == MEMORY ? MEMORY : TIME);
	if (fg_sink_tally(a->sink)->kept && (before == MEMORY) != (a->chosen == MEMORY))
		fg_sink_set_fault(a->sink,
				  "the input has both time and memory, which cannot be "
				  "added");
}

/* Returns false if the line is malformed. */
static bool read_sample(struct austin *a, struct fg_str line)
{
	size_t end = fg_str_rfind_char(line, ' ');
	struct fg_str rest = fg_str_from_pos(line, end + 1), ids[2];
	bool is_full = fg_str_find_char(rest, ',') < fg_str_rfind_char(rest, ',');
	bool is_negative = false, is_idle = false;
	struct fg_sum weight = { 0, 0 };

	line = fg_str_before(line, end);
	ids[0] = fg_str_cut(&line, ';');
	ids[1] = fg_str_cut(&line, ';');
	for (int i = TIME; i < VALUES; i++) {
		struct fg_str text =
			is_full && i < MEMORY ? fg_str_cut(&rest, ',') : rest;
		bool minus = fg_str_cut_start(&text, FG_STR("-"));
		uint64_t number = 0;

		if (fg_str_u64(text, &number) && (text.len || !is_full))
			return false;
		if (i == (is_full && a->chosen == MEMORY ? MEMORY : TIME)) {
			is_negative = minus;
			weight.low = number;
		}
		is_idle = is_idle || (is_full && i == CPU && number == 1);
	}
	if (!fg_str_cut_start(&ids[0], FG_STR("P")) ||
	    !fg_str_all(ids[0], fg_is_digit) ||
	    !fg_str_cut_start(&ids[1], FG_STR("T")) || !ids[1].len)
		return false;
	if (a->chosen != MEMORY)
		weight = fg_sum_mul(weight, 1000);
	if (!is_full && (a->chosen == TIME ? a->mode == MEMORY : a->chosen != a->mode))
		fg_sink_lose(a->sink, "samples without the chosen value", 1);
	else if ((a->chosen != CPU || !is_idle) && add_frames(a, ids, line))
		(is_negative ? fg_sink_subtract_sum : fg_sink_add_sum)(a->sink, weight,
								       0);
	return true;
}

/* Reads the length of the recording, in microseconds. */
static void read_length(struct austin *a, struct fg_str text)
{
	uint64_t us;

	if (!fg_str_u64(text, &us) && us <= UINT64_MAX / 1000)
		fg_sink_note_length(a->sink, 0, us * 1000);
}

static void read_line(void *state, struct fg_str line)
{
	struct austin *a = state;

	line = fg_str_trim(line);
	if (fg_str_cut_start(&line, FG_STR("# mode: ")))
		set_mode(a, fg_str_eq(line, FG_STR("memory")) ? MEMORY :
			    fg_str_eq(line, FG_STR("cpu"))    ? CPU :
								TIME);
	else if (fg_str_cut_start(&line, FG_STR("# duration: ")))
		read_length(a, line);
	else if (line.len && line.ptr[0] != '#' && a->chosen >= 0 &&
		 !read_sample(a, line))
		fg_sink_malformed(a->sink, line);
}

/* Each input has a "# mode:" line of its own. */
static void end_input(void *state)
{
	struct austin *a = state;

	a->mode = TIME;
}

static void *open_austin(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct austin *a = fg_xcalloc(1, sizeof(*a));

	a->sink = sink;
	a->has_roots = run->samples.root_count;
	set_mode(a, TIME);
	return a;
}

static void close_austin(void *state)
{
	struct austin *a = state;

	fg_buf_release(&a->owner);
	free(a);
}

const struct fg_format fg_format_austin = {
	.kind = &fg_kind_austin,
	.summary = "Reads what austin prints, writes folded stacks.",
	.footer = "Example: collapse-austin austin.txt | flamegraph > flame.svg",
	.hints = { .empty = "did austin fail?",
		   .not_found = "no stack was found: is this the output of austin?",
		   .shrunk = "they freed what other stacks allocated" },
	.root_first = true,
	.has_values = true,
	.open = open_austin,
	.line = read_line,
	.end_input = end_input,
	.close = close_austin,
};
