/*
 * Reads the function graphs of Linux' ftrace: the tracer function_graph as text, from
 * trace, trace_pipe, perf ftrace or trace-cmd; see kernel/trace/trace_functions_graph.c
 * in Linux, and libtraceevent's plugin_function.c.
 *
 *      0)   sh-4711    |               |  vfs_read() {
 *      0)   sh-4711    |   0.213 us    |    rw_verify_area();
 *      0)   sh-4711    | + 12.300 us   |  }
 *      0)  sh-4711  =>  <idle>-0
 *
 *     sh-4711 [000] 52.107: funcgraph_entry:   0.213 us   |    rw_verify_area();
 *     sh-4711 [000] 52.108: funcgraph_exit:  + 12.300 us  |  }
 *
 * The columns before the functions depend on options. An end has the time from the
 * begin on, so the function's own time is what the functions inside it leave. The
 * indent is the depth. It shows where the trace has lost lines, and which functions
 * were called before it starts: their names come only with their ends.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/sums.h"
#include "collapse/values.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/ftrace.h"

enum { TIME, CALLS, VALUES };

static const struct fg_value values[VALUES] = {
	[TIME] = { FG_STR_INIT("time"), FG_STR_INIT("ns") },
	[CALLS] = { FG_STR_INIT("calls"), FG_STR_INIT("") },
};

/* A function that has not returned. */
struct call {
	uint32_t row;
	uint64_t inside; /* nanoseconds of the functions that it called */
};

/* A task, or a CPU that has run an unknown task since the trace started. */
struct task {
	uint32_t comm; /* id of its name, or FG_ROWS_NO_FRAME */
	uint32_t row; /* above all of its functions; it has no frame itself */
	struct call *calls;
	size_t depth, alloc;
};

struct ftrace {
	struct fg_sink *sink;
	struct fg_sums tree; /* the rows below row 0 are tasks */
	struct fg_map indices; /* pid, or CPU + NO_PID -> index of its task */
	struct fg_map running; /* CPU -> 1 + index of the task that it runs */
	struct fg_map comms; /* row of a task -> 1 + id of its name */
	struct task *tasks;
	size_t task_count, task_alloc;
	int chosen; /* an index of `values`, or -1 */
	uint64_t unfinished; /* functions without an end */
	bool any_call, any_value;
};

/* ---- tasks */

/* Keys of tasks without a pid. No pid is as large. */
#define NO_PID ((uint64_t)1 << 32)

static void name_task(struct ftrace *f, struct task *t, struct fg_str comm)
{
	t->comm = fg_sink_name(f->sink, comm);
	fg_map_set(&f->comms, t->row, 1 + (size_t)t->comm);
}

/* Returns the index of the task with that key; adds one without a name if it is new. */
static size_t find_task(struct ftrace *f, uint64_t key)
{
	bool is_new;
	size_t index = *fg_map_add(&f->indices, (struct fg_map_key){ key, 0 },
				   f->task_count, &is_new);

	if (!is_new)
		return index;
	FG_GROW(f->tasks, f->task_alloc, f->task_count + 1);
	f->tasks[f->task_count++] = (struct task){
		.comm = FG_ROWS_NO_FRAME,
		.row = fg_sums_new_row(&f->tree, 0, FG_ROWS_NO_FRAME),
	};
	return index;
}

/*
 * Returns the index of a task. The idle tasks of all CPUs have pid 0, so they are told
 * apart by their CPU.
 */
static size_t find_pid(struct ftrace *f, const struct ftrace_task *task, uint64_t cpu)
{
	size_t index = find_task(f, task->pid ? task->pid : NO_PID * 2 + cpu);
	struct task *t = &f->tasks[index];

	/* a task that calls exec() gets another name, but keeps its open functions */
	if (t->comm == FG_ROWS_NO_FRAME) {
		name_task(f, t, task->comm);
	} else if (!t->depth && t->comm != fg_sink_name(f->sink, task->comm)) {
		t->row = fg_sums_new_row(&f->tree, 0, FG_ROWS_NO_FRAME);
		name_task(f, t, task->comm);
	}
	return index;
}

/* Returns the index of a line's task: without a column for it, what the CPU runs. */
static size_t find_line(struct ftrace *f, const struct ftrace_line *line)
{
	size_t running;

	if (line->task.comm.len)
		return find_pid(f, &line->task, line->cpu);
	running = fg_map_get(&f->running, line->cpu);
	return running ? running - 1 : find_task(f, NO_PID + line->cpu);
}

/*
 * Reads `0) sh-4711 => <idle>-0`. If it is the first such line of its CPU, it also
 * names the task that has run there since the trace started.
 */
static void switch_task(struct ftrace *f, const struct ftrace_line *line)
{
	size_t unknown = find_task(f, NO_PID + line->cpu);
	struct task *t = &f->tasks[unknown];

	if (!fg_map_get(&f->running, line->cpu) && t->comm == FG_ROWS_NO_FRAME) {
		bool is_new;
		uint64_t key = line->from.pid ? line->from.pid : NO_PID * 2 + line->cpu;

		name_task(f, t, line->from.comm);
		fg_map_add(&f->indices, (struct fg_map_key){ key, 0 }, unknown,
			   &is_new);
	}
	fg_map_set(&f->running, line->cpu, 1 + find_pid(f, &line->task, line->cpu));
}

/* ---- calls and returns */

static void add_value(struct ftrace *f, uint32_t row, uint64_t value)
{
	fg_sums_add(&f->tree, row, (struct fg_sum){ value, 0 });
	f->any_value |= value > 0;
}

static uint32_t top_row(const struct task *t)
{
	return t->depth ? t->calls[t->depth - 1].row : t->row;
}

static void push(struct task *t, uint32_t row)
{
	FG_GROW(t->calls, t->alloc, t->depth + 1);
	t->calls[t->depth++] = (struct call){ row, 0 };
}

/*
 * Makes the task have `depth` open functions. If there are more, the trace has lost
 * their ends. If there are fewer, it has lost begins, or starts later than they do.
 */
static void set_depth(struct ftrace *f, struct task *t, size_t depth)
{
	while (t->depth > depth) {
		f->unfinished += f->tree.rows.frames[top_row(t)] != FG_ROWS_NO_FRAME;
		t->depth--;
	}
	while (t->depth < depth)
		push(t, fg_sums_new_row(&f->tree, top_row(t), FG_ROWS_NO_FRAME));
}

static void enter(struct ftrace *f, struct task *t, const struct ftrace_line *line)
{
	set_depth(f, t, line->depth);
	push(t, fg_sums_child(&f->tree, top_row(t), fg_sink_name(f->sink, line->name)));
	f->any_call = true;
	if (f->chosen == CALLS)
		add_value(f, top_row(t), 1);
}

/* Adds a function whose begin is not in the trace. */
static void add_late(struct ftrace *f, uint32_t row)
{
	f->any_call = true;
	if (f->chosen == CALLS)
		add_value(f, row, 1);
}

/*
 * Ends a function. If its begin is not in the trace, it gets its name now. If it has
 * another name, its begin was lost, and the open function has no end.
 */
static void leave(struct ftrace *f, struct task *t, const struct ftrace_line *line)
{
	uint32_t row, frame;
	uint64_t inside;

	set_depth(f, t, line->depth + 1);
	row = top_row(t);
	frame = f->tree.rows.frames[row];
	inside = t->calls[--t->depth].inside;
	if (frame == FG_ROWS_NO_FRAME) {
		f->tree.rows.frames[row] = fg_sink_name(f->sink, line->name);
		add_late(f, row);
	} else if (line->name.len && frame != fg_sink_name(f->sink, line->name)) {
		f->unfinished++;
		inside = 0;
		row = fg_sums_child(&f->tree, top_row(t),
				    fg_sink_name(f->sink, line->name));
		add_late(f, row);
	}
	if (f->chosen == TIME && line->ns > inside)
		add_value(f, row, line->ns - inside);
	if (t->depth)
		t->calls[t->depth - 1].inside += line->ns;
}

/* ---- writing */

/* Returns the row of the task above `row`. */
static uint32_t task_row(const struct ftrace *f, uint32_t row)
{
	while (f->tree.rows.parents[row])
		row = f->tree.rows.parents[row];
	return row;
}

/* Returns true if the name of a function between the two rows never came. */
static bool lacks_caller(const struct ftrace *f, uint32_t row, uint32_t task)
{
	for (; row != task; row = f->tree.rows.parents[row])
		if (f->tree.rows.frames[row] == FG_ROWS_NO_FRAME)
			return true;
	return false;
}

static struct fg_owner owner_of(const struct ftrace *f, uint32_t task)
{
	size_t comm = fg_map_get(&f->comms, task);
	struct fg_owner owner = { .label = NULL };

	if (comm)
		owner.thread =
			fg_intern_name(fg_sink_names(f->sink), (uint32_t)comm - 1);
	return owner;
}

static void write_stacks(struct ftrace *f)
{
	uint64_t without_callers = 0;

	for (size_t i = 0; i < f->tree.touched_count; i++) {
		uint32_t row = f->tree.touched[i], task = task_row(f, row);
		struct fg_sum sum = fg_sums_take(&f->tree, row);
		struct fg_owner owner = owner_of(f, task);

		if (!fg_sink_wants_owner(f->sink, &owner) ||
		    !fg_rows_add_frames(&f->tree.rows, row, f->sink))
			continue;
		without_callers += lacks_caller(f, row, task);
		fg_sink_add_owner(f->sink, &owner);
		fg_sink_add_sum(f->sink, sum, 0);
	}
	fg_sink_lose_callers(f->sink, "stacks whose callers did not return",
			     without_callers);
}

/* Forgets all tasks and their open functions. */
static void forget(struct ftrace *f)
{
	for (size_t i = 0; i < f->task_count; i++)
		free(f->tasks[i].calls);
	f->task_count = 0;
	fg_map_clear(&f->indices);
	fg_map_clear(&f->running);
	fg_map_clear(&f->comms);
	fg_sums_restart(&f->tree);
}

/* Writes the stacks of a trace, and forgets it. */
static void end_trace(struct ftrace *f)
{
	for (size_t i = 0; i < f->task_count; i++)
		set_depth(f, &f->tasks[i], 0);
	write_stacks(f);
	fg_sink_lose(f->sink, "functions without a return", f->unfinished);
	f->unfinished = 0;
	forget(f);
}

/* ---- lines */

static void read_line(void *state, struct fg_str text)
{
	struct ftrace *f = state;
	struct ftrace_line line;
	struct task *t;
	size_t index;

	if (f->chosen < 0)
		return;
	switch (ftrace_line_read(fg_utf8_skip_mark(text), &line)) {
	case FTRACE_START:
		end_trace(f);
		return;
	case FTRACE_SWITCH:
		switch_task(f, &line);
		return;
	case FTRACE_LOST:
		fg_sink_skip(f->sink, FG_SKIP_LOST, line.ns);
		return;
	case FTRACE_OTHER:
		return;
	case FTRACE_MALFORMED:
		fg_sink_malformed(f->sink, text);
		return;
	default:
		break;
	}
	index = find_line(f, &line);
	t = &f->tasks[index];
	if (line.kind != FTRACE_END)
		enter(f, t, &line);
	if (line.kind != FTRACE_BEGIN)
		leave(f, t, &line);
}

/* ---- the format */

static void end_input(void *state)
{
	struct ftrace *f = state;

	end_trace(f);
	fg_sink_explain_no_value(f->sink, f->any_call, f->any_value);
}

static void *open_ftrace(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct ftrace *f = fg_xcalloc(1, sizeof(*f));

	(void)run;
	f->sink = sink;
	fg_sums_init(&f->tree);
	f->chosen = fg_sink_choose_value(sink, values, VALUES, TIME);
	return f;
}

static void close_ftrace(void *state)
{
	struct ftrace *f = state;

	forget(f);
	fg_sums_release(&f->tree);
	fg_map_release(&f->indices);
	fg_map_release(&f->running);
	fg_map_release(&f->comms);
	free(f->tasks);
	free(f);
}

const struct fg_format fg_format_ftrace = {
	.kind = &fg_kind_ftrace,
	.summary = "Reads function graphs of Linux' ftrace, writes folded stacks.",
	.footer = "Example:\n"
		  "  perf ftrace trace -G vfs_read > graph.txt\n"
		  "  collapse-ftrace graph.txt | flamegraph > flame.svg",
	.hints = { .empty = "did the trace end before a function was called?",
		   .not_found = "no function was found: is this the output of the "
				"tracer function_graph?",
		   .lost = "a larger buffer_size_kb loses fewer" },
	.has_values = true,
	.root = FG_ROOT_THREAD,
	.open = open_ftrace,
	.line = read_line,
	.end_input = end_input,
	.close = close_ftrace,
};
