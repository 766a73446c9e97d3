/*
 * Turns a call graph into call paths, by an estimate: the costs of a function are dealt
 * out to the paths that lead to it in proportion to the costs of the calls.
 *
 *     main calls f (costs 30) and g (10); f calls h (20), g calls h (10); h costs 30.
 *     h is reached by main;f with a claim of 20 and by main;g with 10, so 20 of
 *     its 30 count for main;f;h and 10 for main;g;h.
 *
 * Functions that call each other are treated as one (graph.h). Shares are whole
 * numbers, made from running sums of the claims, so that they add up exactly.
 */
#include "collapse/formats/callgrind/graph.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/values.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

#define NONE UINT32_MAX

/*
 * Limits on the number of shares that are dealt out, and of paths. With the default
 * --limit, only profiles whose calls cost far more than all functions together exceed
 * them.
 */
#define WORK_MAX (UINT64_C(1) << 28)
#define PATHS_MAX (UINT32_C(1) << 22)

static const char too_many[] = "there are too many call paths: use a greater --limit, "
			       "or --unfold flat";
static const char too_large[] = "the costs of call paths exceed 2^64: use --unfold "
				"flat";

/* A path that leads to a component. */
struct instance {
	uint32_t path; /* the frames above the component */
	bool cut; /* the path is not extended; it gets all costs further down */
	uint64_t claim; /* the part of the call's cost that falls on this path */
	uint32_t next; /* index of the next instance of the component, or NONE */
};

struct dealer {
	const struct callgrind_profile *profile;
	struct callgrind_graph graph;
	struct callgrind_paths *paths;
	struct fg_sink *sink;

	struct instance *instances;
	size_t instance_count, instances_alloc;
	uint32_t *lists; /* index of the first instance of each component, or NONE */
	uint32_t free_list;

	struct instance *rows; /* instances of the current component, sorted by path */
	size_t row_count, rows_alloc;
	uint32_t *order;
	size_t order_alloc;

	/* a path is cut if its share is below least + least_rest / divisor */
	struct fg_sum least;
	uint64_t least_rest, divisor;

	uint64_t work; /* number of shares dealt out so far */
	const char *fault; /* the message of a failure, or NULL */
};

/* ---- instances */

static void add_instance(struct dealer *d, uint32_t component, struct instance instance)
{
	uint32_t at = d->free_list;

	if (at != NONE) {
		d->free_list = d->instances[at].next;
	} else {
		at = (uint32_t)d->instance_count++;
		FG_GROW(d->instances, d->instances_alloc, d->instance_count);
	}
	instance.next = d->lists[component];
	d->instances[at] = instance;
	d->lists[component] = at;
	if (d->instance_count > PATHS_MAX || d->paths->count > PATHS_MAX)
		d->fault = too_many;
}

static int compare_instances(const void *data, uint32_t a, uint32_t b)
{
	const struct dealer *d = data;
	const struct instance *one = &d->rows[a], *other = &d->rows[b];
	int order = one->path == other->path ?
			    0 :
			    callgrind_paths_compare(d->paths, one->path, other->path);

	return order ? order : one->cut - other->cut;
}

/* Moves the instances of a component to the rows, in any order. */
static void take_rows(struct dealer *d, uint32_t component)
{
	uint32_t at = d->lists[component];

	d->row_count = 0;
	while (at != NONE) {
		uint32_t next = d->instances[at].next;

		FG_GROW(d->rows, d->rows_alloc, d->row_count + 1);
		d->rows[d->row_count++] = d->instances[at];
		d->instances[at].next = d->free_list;
		d->free_list = at;
		at = next;
	}
	d->lists[component] = NONE;
}

/* Sorts the rows, and merges those of the same path. */
static void sort_rows(struct dealer *d)
{
	size_t count = d->row_count, kept = 0;
	struct instance *rows = fg_xcalloc(count + 1, sizeof(*rows));

	FG_GROW(d->order, d->order_alloc, count);
	for (size_t i = 0; i < count; i++)
		d->order[i] = (uint32_t)i;
	fg_sort(d->order, count, compare_instances, d);
	for (size_t i = 0; i < count; i++) {
		const struct instance *row = &d->rows[d->order[i]];
		struct instance *last = kept ? &rows[kept - 1] : NULL;

		if (!last || last->path != row->path || last->cut != row->cut)
			rows[kept++] = *row;
		else if (last->claim > UINT64_MAX - row->claim)
			d->fault = too_large;
		else
			last->claim += row->claim;
	}
	free(d->rows);
	d->rows = rows;
	d->rows_alloc = count + 1;
	d->row_count = kept;
}

static uint64_t sum_of_claims(struct dealer *d)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < d->row_count; i++) {
		if (sum > UINT64_MAX - d->rows[i].claim)
			d->fault = too_large;
		sum += d->rows[i].claim;
	}
	return sum;
}

/* ---- the worth of a component */

/* Returns true if the calls lead to another component. */
static bool leaves(const struct dealer *d, const struct callgrind_calls *calls)
{
	return d->graph.components[calls->from] != d->graph.components[calls->to];
}

/* Returns the own costs of a component plus those of the calls that leave it. */
static uint64_t worth_of(struct dealer *d, uint32_t component)
{
	const struct callgrind_graph *g = &d->graph;
	struct fg_sum sum = { 0, 0 };

	for (uint32_t i = g->member_starts[component];
	     i < g->member_starts[component + 1]; i++) {
		uint32_t from = g->members[i];

		fg_sum_add_sum(&sum, d->profile->functions[from].own);
		for (uint32_t k = g->call_starts[from]; k < g->call_starts[from + 1];
		     k++) {
			const struct callgrind_calls *calls =
				&d->profile->calls[g->calls[k]];

			if (leaves(d, calls))
				fg_sum_add_sum(&sum, calls->cost);
		}
	}
	if (sum.high)
		d->fault = too_large;
	return sum.low;
}

/*
 * Returns true if the share of an instance, worth * claim / claimed, is below the
 * limit.
 */
static bool is_small(const struct dealer *d, uint64_t claim, uint64_t worth,
		     uint64_t claimed)
{
	const struct fg_sum share =
		fg_sum_share((struct fg_sum){ claim, 0 }, (struct fg_sum){ worth, 0 },
			     (struct fg_sum){ claimed, 0 });
	uint64_t rest = claim * worth - share.low * claimed;
	struct fg_sum left, right;

	if (d->least.high || share.low != d->least.low)
		return d->least.high || share.low < d->least.low;
	left = fg_sum_mul((struct fg_sum){ rest, 0 }, d->divisor);
	right = fg_sum_mul((struct fg_sum){ d->least_rest, 0 }, claimed);
	return left.high < right.high ||
	       (left.high == right.high && left.low < right.low);
}

/* ---- frames */

/*
 * Returns true if a cycle gets its name from `a` rather than `b`. The costliest
 * function wins; at a tie, the one whose object and name sort last.
 */
static bool is_greater(const struct dealer *d, uint32_t a, uint32_t b)
{
	const struct callgrind_function *one = &d->profile->functions[a];
	const struct callgrind_function *other = &d->profile->functions[b];
	const struct fg_intern *names = &d->profile->names;
	int objects;

	if (one->own.low != other->own.low)
		return one->own.low > other->own.low;
	objects = fg_str_cmp(fg_intern_name(names, one->object),
			     fg_intern_name(names, other->object));
	return objects > 0 ||
	       (!objects && fg_str_cmp(fg_intern_name(names, one->name),
				       fg_intern_name(names, other->name)) > 0);
}

/* Returns the frame "[cycle of 2: f]". */
static uint32_t cycle_frame(struct dealer *d, uint32_t component)
{
	const struct callgrind_graph *g = &d->graph;
	const uint32_t *members = g->members + g->member_starts[component];
	size_t size = callgrind_graph_size(g, component);
	uint32_t top = members[0], frame;
	struct fg_buf text = FG_BUF_INIT;
	struct fg_str name;

	for (size_t i = 1; i < size; i++)
		if (is_greater(d, members[i], top))
			top = members[i];
	name = fg_intern_name(fg_sink_names(d->sink), d->profile->functions[top].frame);
	fg_buf_addf(&text, "[cycle of %zu", size);
	/* many cycles may get their names from one long name, so we need a budget */
	if (fg_sink_charge_name(d->sink, name.len,
				"cycles shown without a name, "
				"because names get too long")) {
		fg_buf_add_str(&text, FG_STR(": "));
		fg_buf_add_str(&text, name);
	}
	fg_buf_add_char(&text, ']');
	frame = fg_sink_name(d->sink, fg_buf_str(&text));
	fg_buf_release(&text);
	return frame;
}

/*
 * If the component is a cycle, extends the paths of the rows by its frame. Cuts the
 * paths whose share is too small; the component is then their last frame.
 */
static void enter_rows(struct dealer *d, uint32_t component, uint64_t worth,
		       uint64_t claimed)
{
	const struct callgrind_graph *g = &d->graph;
	bool is_cycle = callgrind_graph_size(g, component) > 1;
	uint32_t member = g->members[g->member_starts[component]];
	uint32_t frame = is_cycle ? cycle_frame(d, component) :
				    d->profile->functions[member].frame;

	for (size_t i = 0; i < d->row_count; i++) {
		struct instance *row = &d->rows[i];
		bool small = !row->cut && is_small(d, row->claim, worth, claimed);

		if (!row->cut && (is_cycle || small))
			row->path = callgrind_paths_child(d->paths, row->path, frame);
		row->cut = row->cut || small;
	}
}

/* ---- dealing */

/* Returns the path that gets the part of the function's costs that falls on `row`. */
static uint32_t path_below(struct dealer *d, const struct instance *row, uint32_t frame)
{
	return row->cut ? row->path : callgrind_paths_child(d->paths, row->path, frame);
}

/*
 * Deals a cost of the function `frame` out over the rows. If `callee` is NONE, counts
 * the shares. Otherwise the shares are claims on the component `callee`: adds an
 * instance of it for each.
 */
static void deal(struct dealer *d, uint32_t frame, uint64_t cost, uint64_t claimed,
		 uint32_t callee)
{
	const struct fg_sum whole = { cost, 0 }, of = { claimed, 0 };
	uint64_t run = 0, dealt = 0;

	for (size_t i = 0; i < d->row_count && cost && !d->fault; i++) {
		uint64_t upto;

		run += d->rows[i].claim;
		upto = fg_sum_share(whole, (struct fg_sum){ run, 0 }, of).low;
		if (upto > dealt) {
			struct instance below = {
				.path = path_below(d, &d->rows[i], frame),
				.cut = d->rows[i].cut,
				.claim = upto - dealt,
			};

			if (callee == NONE)
				callgrind_paths_count(
					d->paths, below.path,
					(struct fg_sum){ below.claim, 0 });
			else
				add_instance(d, callee, below);
		}
		dealt = upto;
	}
	d->work += d->row_count;
	if (d->work > WORK_MAX)
		d->fault = too_many;
}

/* Deals out the costs of a component over all paths that lead to it. */
static void deal_component(struct dealer *d, uint32_t component)
{
	const struct callgrind_graph *g = &d->graph;
	uint64_t worth = worth_of(d, component), claimed;

	take_rows(d, component);
	sort_rows(d);
	claimed = sum_of_claims(d);
	if (worth > claimed) { /* no caller is known for the rest, so it is a root */
		FG_GROW(d->rows, d->rows_alloc, d->row_count + 1);
		memmove(d->rows + 1, d->rows, d->row_count * sizeof(*d->rows));
		d->rows[0] = (struct instance){ .path = CALLGRIND_NO_PATH,
						.claim = worth - claimed };
		d->row_count++;
		claimed = worth;
	}
	if (!worth || d->fault)
		return;
	enter_rows(d, component, worth, claimed);
	for (uint32_t i = g->member_starts[component];
	     i < g->member_starts[component + 1]; i++) {
		uint32_t from = g->members[i];
		const struct callgrind_function *f = &d->profile->functions[from];

		deal(d, f->frame, f->own.low, claimed, NONE);
		for (uint32_t k = g->call_starts[from]; k < g->call_starts[from + 1];
		     k++) {
			const struct callgrind_calls *calls =
				&d->profile->calls[g->calls[k]];

			if (leaves(d, calls))
				deal(d, f->frame, calls->cost.low, claimed,
				     g->components[calls->to]);
		}
	}
}

/* Sets the limit for cutting paths: `limit` percent of all own costs. */
static void set_least(struct dealer *d, struct fg_count limit)
{
	struct fg_sum whole = { 0, 0 };

	for (size_t i = 0; i < d->graph.function_count; i++)
		fg_sum_add_sum(&whole, d->profile->functions[i].own);
	if (whole.high)
		d->fault = too_large;
	d->divisor = 100 * fg_pow10(limit.decimals);
	d->least =
		fg_sum_div(fg_sum_mul(whole, limit.digits), d->divisor, &d->least_rest);
}

const char *callgrind_profile_unfold_graph(const struct callgrind_profile *p,
					   struct fg_sink *sink, struct fg_count limit,
					   struct callgrind_paths *paths)
{
	struct dealer d = {
		.profile = p, .paths = paths, .sink = sink, .free_list = NONE
	};

	callgrind_graph_init(&d.graph, p);
	d.lists = fg_xcalloc(d.graph.component_count + 1, sizeof(*d.lists));
	for (size_t i = 0; i < d.graph.component_count; i++)
		d.lists[i] = NONE;
	set_least(&d, limit);
	for (size_t i = d.graph.component_count; i-- > 0 && !d.fault;)
		deal_component(&d, (uint32_t)i);
	callgrind_graph_release(&d.graph);
	free(d.instances);
	free(d.lists);
	free(d.rows);
	free(d.order);
	return d.fault;
}
