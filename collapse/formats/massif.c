/*
 * Reads profiles of valgrind --tool=massif: snapshots of the heap. Some have a tree of
 * the functions that allocated it, from the allocator to its callers, with a space for
 * each level. See massif/ms_main.c of valgrind.
 *
 *     snapshot=3
 *     time=18
 *     mem_heap_B=96
 *     mem_heap_extra_B=8
 *     mem_stacks_B=0
 *     heap_tree=peak
 *     n1: 96 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *      n1: 96 0x1093BF: fill (jars.c:3)
 *       n0: 96 0x10941B: main (jars.c:5)
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/valgrind.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct options
struct options {
	const char *snapshot;
	enum { PEAK, LAST, NUMBER } which;
	uint64_t number;
};

static const struct fg_opt rows[] = {
	SECTION("Which snapshot"),
	TEXT("snapshot", snapshot, "WHICH", "peak (default), last, or its number"),
	FG_OPT_END,
};

static const struct fg_value values[] = {
	{ FG_STR_INIT("bytes"), FG_STR_INIT("bytes") },
};

/* A node of a tree: a frame, and the bytes that were allocated through it. */
struct node {
	size_t depth;
	uint64_t bytes;
	struct fg_sum callers; /* sum of the bytes of its callers */
	uint64_t missing; /* number of its callers that have not been read yet */
	uint32_t frame;
};

struct snapshot {
	bool any; /* this struct holds a snapshot */
	bool is_peak;
	uint64_t number;
	uint64_t beside; /* bytes that are not in the tree */
	struct node *nodes;
	size_t count, alloc;
};

struct massif {
	struct fg_sink *sink;
	const struct options *options;
	struct snapshot now; /* the snapshot being read */
	struct snapshot best; /* the snapshot to write, of those read so far */
	/* list of the snapshots that have trees, for a message */
	struct fg_buf numbers;
	struct fg_buf missing; /* the message if no snapshot can be written */
	bool chosen; /* fg_sink_choose_value() was called */
	bool in_profile; /* a snapshot of the profile was read */
	size_t *open; /* indices of the nodes that may still get callers */
	size_t open_count, open_alloc;
	bool failed;
};

static void *open_massif(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct massif *m = fg_xcalloc(1, sizeof(*m));

	m->sink = sink;
	m->options = run->own;
	return m;
}

static void close_massif(void *state)
{
	struct massif *m = state;

	free(m->now.nodes);
	free(m->best.nodes);
	free(m->open);
	fg_buf_release(&m->numbers);
	fg_buf_release(&m->missing);
	free(m);
}

/* ---- snapshots */

/* Returns true if the snapshot just read is to be written instead of the best one. */
static bool is_better(const struct massif *m)
{
	const struct snapshot *now = &m->now, *best = &m->best;

	if (m->options->which == LAST || !best->any)
		return m->options->which != NUMBER || now->number == m->options->number;
	if (m->options->which == NUMBER)
		return now->number == m->options->number;
	if (now->is_peak != best->is_peak)
		return now->is_peak;
	return now->is_peak || now->nodes[0].bytes > best->nodes[0].bytes;
}

static void end_snapshot(struct massif *m)
{
	m->open_count = 0;
	if (m->now.count) {
		m->now.any = true;
		fg_buf_addf(&m->numbers, "%s%llu", m->numbers.len ? ", " : "",
			    (unsigned long long)m->now.number);
		if (is_better(m)) {
			struct snapshot old = m->best;

			m->best = m->now;
			m->now = old;
		}
	}
	m->now.any = m->now.is_peak = false;
	m->now.count = 0;
	m->now.beside = 0;
}

/*
 * Counts the bytes of a node that none of its callers has. Their stack goes from this
 * node, the outermost caller, to the allocator.
 */
static void add_stack(struct massif *m, size_t at)
{
	const struct node *nodes = m->best.nodes;
	struct fg_sum bytes = { nodes[at].bytes, 0 };

	while (m->open_count &&
	       nodes[m->open[m->open_count - 1]].depth >= nodes[at].depth)
		m->open_count--;
	FG_GROW(m->open, m->open_alloc, m->open_count + 1);
	m->open[m->open_count++] = at;
	if (!fg_sum_is_zero(fg_sum_less(nodes[at].callers, bytes)))
		fg_sink_lose_weight(m->sink, "entries whose callers add up to more",
				    fg_sum_less(nodes[at].callers, bytes));
	bytes = fg_sum_less(bytes, nodes[at].callers);
	if (fg_sum_is_zero(bytes))
		return;
	for (size_t i = 1; i < m->open_count; i++) /* [0] is the head of the tree */
		fg_stack_add_root(fg_sink_stack(m->sink), nodes[m->open[i]].frame);
	if (m->open_count == 1)
		fg_sink_frame(m->sink, FG_STR("[heap]"));
	fg_sink_add_sum(m->sink, bytes, 0);
}

static void report_missing(struct massif *m)
{
	fg_buf_clear(&m->missing);
	fg_buf_addf(&m->missing, "snapshot %s has no tree of allocations; ",
		    m->options->snapshot ? m->options->snapshot : "peak");
	if (m->numbers.len)
		fg_buf_addf(&m->missing, "these snapshots have one: %s",
			    fg_buf_cstr(&m->numbers));
	else
		fg_buf_addf(&m->missing, "no snapshot has one");
	fg_sink_set_fault(m->sink, fg_buf_cstr(&m->missing));
}

static void end_profile(struct massif *m)
{
	const struct fg_place at = { fg_sink_at(m->sink)->input, 0 };

	end_snapshot(m);
	if (m->in_profile && !m->best.any)
		report_missing(m);
	else if (m->in_profile && m->best.count == 1 && !m->best.nodes[0].bytes)
		fg_sink_set_cause(m->sink, "the heap is empty in that snapshot");
	m->in_profile = false;
	for (size_t i = 0; i < m->best.count; i++)
		add_stack(m, i);
	m->open_count = 0;
	if (m->best.beside)
		fg_note(fg_sink_diag(m->sink), &at,
			"%llu bytes (extra heap and stacks) are not in the tree",
			(unsigned long long)m->best.beside);
	m->best.any = false;
	m->best.count = 0;
	fg_buf_clear(&m->numbers);
}

/* ---- lines */

/*
 * Returns the frame of a label like "0x1: f (a.c:3)". Places that are too small for the
 * tree share a label: "in 5 places, all below massif's threshold (1.00%)", or "in 1
 * place, below ...".
 */
static uint32_t frame_of(struct massif *m, struct fg_str label)
{
	struct fg_str rest = label;

	if (!fg_str_cut_start(&rest, FG_STR("in ")) ||
	    !fg_str_has(rest, FG_STR("below massif's threshold")))
		return fg_valgrind_frame(m->sink, label);
	rest = fg_str_from_pos(rest, fg_str_span(rest, fg_is_digit));
	if (fg_str_starts(rest, FG_STR(" places, all below")))
		return fg_sink_name(m->sink, FG_STR("[below threshold]"));
	label = fg_str_before(label, fg_str_rfind_char(label, '('));
	return fg_sink_name(m->sink, fg_str_trim_right(label));
}

static void add_caller(struct node *node, uint64_t bytes)
{
	node->missing -= node->missing > 0;
	fg_sum_add(&node->callers, bytes);
}

/* Reads "  n1: 96 0x1093BF: fill (jars.c:3)". Returns false if it is malformed. */
static bool read_node(struct massif *m, struct fg_str line)
{
	struct node node = { .depth = fg_str_spaces(line) };
	struct fg_str rest = fg_str_from_pos(line, node.depth), digits;

	if (!fg_str_cut_start(&rest, FG_STR("n")))
		return false;
	digits = fg_str_before(rest, fg_str_span(rest, fg_is_digit));
	rest = fg_str_from_pos(rest, digits.len);
	if (fg_str_u64(digits, &node.missing) || !fg_str_cut_start(&rest, FG_STR(": ")))
		return false;
	digits = fg_str_cut(&rest, ' ');
	if (fg_str_u64(digits, &node.bytes))
		return false;
	while (m->open_count &&
	       m->now.nodes[m->open[m->open_count - 1]].depth >= node.depth)
		m->open_count--;
	if (m->open_count)
		add_caller(&m->now.nodes[m->open[m->open_count - 1]], node.bytes);
	else if (m->now.count)
		return false; /* a second root */
	else
		node.depth = 0;
	if (m->now.count)
		node.frame = frame_of(m, rest);
	FG_GROW(m->open, m->open_alloc, m->open_count + 1);
	m->open[m->open_count++] = m->now.count;
	FG_GROW(m->now.nodes, m->now.alloc, m->now.count + 1);
	m->now.nodes[m->now.count++] = node;
	return true;
}

static void start_snapshot(struct massif *m, uint64_t number)
{
	end_snapshot(m);
	m->now.number = number;
	m->in_profile = true;
	if (!m->chosen)
		m->failed = fg_sink_choose_value(m->sink, values, FG_COUNT_OF(values),
						 0) < 0;
	m->chosen = true;
}

/* Reads "key=value" of a snapshot. Returns false for an unknown key. */
static bool read_member(struct massif *m, struct fg_str key, struct fg_str value)
{
	uint64_t number = 0;
	bool is_number = !fg_str_u64(value, &number);

	if (fg_str_eq(key, FG_STR("snapshot"))) {
		if (is_number)
			start_snapshot(m, number);
		return is_number;
	}
	if (fg_str_eq(key, FG_STR("heap_tree"))) {
		m->now.is_peak = fg_str_eq(value, FG_STR("peak"));
		return true;
	}
	if (fg_str_eq(key, FG_STR("mem_heap_extra_B")) ||
	    fg_str_eq(key, FG_STR("mem_stacks_B"))) {
		m->now.beside += number;
		return is_number;
	}
	return fg_str_eq(key, FG_STR("time")) || fg_str_eq(key, FG_STR("mem_heap_B"));
}

static void read_line(void *state, struct fg_str line)
{
	struct massif *m = state;
	struct fg_str value = line, key;

	if (m->failed || !fg_str_trim(line).len || line.ptr[0] == '#')
		return;
	if (fg_str_starts(line, FG_STR("desc: "))) {
		end_profile(m);
		return;
	}
	if (!m->in_profile && (fg_str_starts(line, FG_STR("cmd: ")) ||
			       fg_str_starts(line, FG_STR("time_unit: "))))
		return;
	if (m->in_profile && read_node(m, line))
		return;
	key = fg_str_cut(&value, '=');
	if (!read_member(m, key, value))
		fg_sink_malformed(m->sink, line);
}

/* Returns true if open nodes lack callers, because the input was cut short. */
static bool is_cut(const struct massif *m)
{
	for (size_t i = 0; i < m->open_count; i++)
		if (m->now.nodes[m->open[i]].missing)
			return true;
	return false;
}

static void end_input(void *state)
{
	struct massif *m = state;

	if (is_cut(m) && !fg_sink_is_unended(m->sink))
		fg_sink_warn_cut(m->sink, "the last tree lacks callers");
	if (!m->failed)
		end_profile(m);
}

/* ---- the format */

static int check(struct fg_collapse *run, struct fg_diag *diag)
{
	struct options *o = run->own;

	o->which = PEAK;
	if (!o->snapshot || !strcmp(o->snapshot, "peak"))
		return 0;
	o->which = !strcmp(o->snapshot, "last") ? LAST : NUMBER;
	if (o->which == NUMBER && fg_str_u64(fg_str_from(o->snapshot), &o->number))
		return fg_error(diag, NULL,
				"--snapshot takes peak, last or a number, not '%s'",
				o->snapshot);
	return 0;
}

const struct fg_format fg_format_massif = {
	.kind = &fg_kind_massif,
	.summary = "Reads what valgrind --tool=massif writes, and writes folded\n"
		   "stacks of one of its snapshots.",
	.footer = "Example:\n"
		  "  valgrind --tool=massif ./app\n"
		  "  collapse-massif massif.out.* | flamegraph > flame.svg",
	.hints = { .empty = "did valgrind fail?",
		   .not_found = "no snapshot was found: is this what massif wrote?" },
	.has_values = true,
	.rows = rows,
	.options_size = sizeof(struct options),
	.check = check,
	.open = open_massif,
	.line = read_line,
	.end_input = end_input,
	.close = close_massif,
};
