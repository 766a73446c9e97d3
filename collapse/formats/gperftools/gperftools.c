/*
 * Reads profiles of gperftools: heap profiles of tcmalloc, CPU profiles, and the heap
 * profiles of jemalloc, which come from them. All have stacks of addresses, and the
 * list of mapped files, in which we look for the functions.
 *
 * A profile may follow a table of symbols, which google-pprof --raw and jeprof --raw
 * write:
 *
 *     --- symbol
 *     binary=/bin/app
 *     0x0000000000401135 main--inlined
 *     ---
 *     --- profile
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/formats/gperftools/names.h"
#include "collapse/formats/gperftools/profile.h"
#include "collapse/function.h"
#include "lib/base/optrows.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct options
struct options {
	bool allocator;
};

static const struct fg_opt rows[] = {
	SECTION("Frames"),
	FLAG("allocator", allocator, "show the frames of the allocator, too"),
	FG_OPT_END,
};

/* The values of a heap profile, in the order of --weight list. */
static const struct fg_value heap_values[] = {
	{ FG_STR_INIT("inuse_space"), FG_STR_INIT("bytes") },
	{ FG_STR_INIT("inuse_objects"), FG_STR_INIT("objects") },
	{ FG_STR_INIT("alloc_space"), FG_STR_INIT("bytes") },
	{ FG_STR_INIT("alloc_objects"), FG_STR_INIT("objects") },
};
static const size_t heap_columns[] = { INUSE_SPACE, INUSE_OBJECTS, ALLOC_SPACE,
				       ALLOC_OBJECTS };

static const struct fg_value cpu_values[] = {
	{ FG_STR_INIT("samples"), FG_STR_INIT("samples") },
	{ FG_STR_INIT("cpu"), FG_STR_INIT("ns") },
};

/* The limit of frames per byte of input. Real profiles have about one per 10 bytes. */
#define FRAMES_PER_BYTE 32

struct gperftools {
	struct fg_sink *sink;
	bool allocator; /* show its frames */
	bool by_thread; /* options need the threads of stacks */
	bool any_stack, any_value;
	bool wants_freed; /* the value counts what was freed, too */
	struct fg_buf input; /* the whole input */
	struct gperftools_names names;

	/* for one profile */
	struct gperftools_profile profile;
	size_t column; /* the value to count */
	uint64_t factor;
	struct fg_frame_budget budget;
};

static bool is_by_thread(const struct fg_samples_options *o)
{
	for (size_t i = 0; i < o->root_count; i++)
		if (o->roots[i].kind == FG_ROOT_THREAD)
			return true;
	return o->thread.count;
}

static void *open_gperftools(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct gperftools *g = fg_xcalloc(1, sizeof(*g));
	const struct options *o = run->own;
	bool places = run->samples.lines || run->samples.srcline;

	g->sink = sink;
	g->allocator = o->allocator;
	g->by_thread = is_by_thread(&run->samples);
	gperftools_names_init(&g->names, sink,
			      places ? FG_INLINES_PATHS : FG_INLINES_NAMES);
	return g;
}

static void close_gperftools(void *state)
{
	struct gperftools *g = state;

	fg_buf_release(&g->input);
	gperftools_names_release(&g->names);
	free(g);
}

/* ---- counting */

/* Chooses the value to count. Returns 0, or -1 like fg_sink_choose_value(). */
static int choose(struct gperftools *g)
{
	bool is_heap = g->profile.kind == GPERFTOOLS_HEAP;
	int chosen = is_heap ? fg_sink_choose_value(g->sink, heap_values,
						    FG_COUNT_OF(heap_values), 0) :
			       fg_sink_choose_value(g->sink, cpu_values,
						    FG_COUNT_OF(cpu_values), 0);

	if (chosen < 0)
		return -1;
	g->column = is_heap ? heap_columns[chosen] : SAMPLES;
	g->wants_freed = is_heap && g->column >= ALLOC_OBJECTS;
	g->factor = !is_heap && chosen ? g->profile.period : 1;
	return 0;
}

/*
 * Returns the index of the outermost address that is in an allocator, or the depth of
 * the stack if there is none, or its frames are to be shown.
 */
static size_t find_allocator(struct gperftools *g, const struct gperftools_stack *s)
{
	const uint64_t *addresses = g->profile.addresses;

	if (g->allocator || g->profile.kind != GPERFTOOLS_HEAP)
		return s->depth;
	for (size_t i = s->depth; i-- > 0;) {
		const struct gperftools_span *span =
			gperftools_names_of(&g->names, addresses[s->first + i]);

		if (span->outer < span->count)
			return i;
	}
	return s->depth;
}

/*
 * Adds the frames of the addresses, without those below the caller of an allocator. The
 * outermost frame always stays. Returns false if the budget is spent.
 */
static bool add_addresses(struct gperftools *g, const struct gperftools_stack *s)
{
	size_t allocator = find_allocator(g, s);

	for (size_t i = allocator < s->depth ? allocator : 0; i < s->depth; i++) {
		const struct gperftools_span *span = gperftools_names_of(
			&g->names, g->profile.addresses[s->first + i]);
		size_t count = i == allocator ? span->outer : span->count;

		if (!count && i + 1 == s->depth)
			count = 1;
		if (!fg_frame_budget_add(
			    &g->budget, fg_sink_stack(g->sink),
			    g->names.ids + span->first + span->count - count, count))
			return false;
	}
	return true;
}

/* Adds the frames whose names the profile has. */
static void add_frames(struct gperftools *g, const struct gperftools_stack *s)
{
	const struct gperftools_frame *frames = g->profile.frames + s->first_frame;

	for (size_t i = 0; i < s->frames; i++)
		fg_sink_frame_at(g->sink, frames[i].name, frames[i].file,
				 frames[i].line);
}

static void add_stack(struct gperftools *g, const struct gperftools_stack *s)
{
	const struct gperftools_profile *p = &g->profile;
	struct fg_sum weight = { s->values[g->column], 0 };
	struct fg_owner owner = { .data = NULL };

	g->any_stack = true;
	g->any_value |= weight.low;
	if (!weight.low)
		return;
	if (s->thread)
		owner.thread = fg_intern_name(&p->threads, s->thread - 1);
	if (!fg_sink_wants_owner(g->sink, &owner))
		return;
	fg_sink_clear(g->sink);
	if (s->frames)
		add_frames(g, s);
	else if (!add_addresses(g, s)) {
		fg_sink_lose(g->sink, FG_TOO_MANY_FRAMES, 1);
		fg_sink_clear(g->sink);
		return;
	}
	if (!s->depth && !s->frames)
		fg_sink_frame(g->sink, FG_STR(""));
	fg_sink_add_owner(g->sink, &owner);
	fg_sink_add_sum(g->sink, fg_sum_mul(weight, g->factor), 0);
}

/*
 * Returns true if stack `i` is counted. If its addresses have a sum of all threads, and
 * then each thread, only one of the two counts.
 */
static bool is_counted(const struct gperftools *g, size_t i)
{
	const struct gperftools_profile *p = &g->profile;
	const struct gperftools_stack *s = &p->stacks[i];

	if (s->thread)
		return g->by_thread;
	return !g->by_thread || i + 1 == p->stack_count || !s[1].thread;
}

/* ---- reading */

/* Reads the table of symbols, up to the line "---". */
static void read_symbols(struct gperftools *g, struct fg_str *text)
{
	struct gperftools_profile *p = &g->profile;
	struct fg_str line;

	while (gperftools_cut_line(g->sink, text, &line) &&
	       !fg_str_starts(line, FG_STR("---"))) {
		struct fg_str name = line, word = fg_str_cut(&name, ' ');
		uint64_t address;

		if (fg_str_starts(line, FG_STR("binary=")))
			continue;
		if (fg_str_0x(word, &address) || !fg_str_trim(name).len) {
			fg_sink_malformed(g->sink, line);
			continue;
		}
		FG_GROW(p->symbols, p->symbol_alloc, p->symbol_count + 1);
		p->symbols[p->symbol_count] = fg_str_trim(name);
		*fg_map_add(&p->symbol_of, (struct fg_map_key){ address, 0 }, 0,
			    &(bool){ false }) = p->symbol_count++;
	}
}

/* Cuts off lines of a head that have no data: commands, and names of parts. */
static void skip_head(struct gperftools *g, struct fg_str *text)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("%"),
		FG_STR_INIT("--- profile"),
		FG_STR_INIT("--- heap"),
		FG_STR_INIT("--- growth"),
	};
	struct fg_str line;

	while (fg_str_starts_any(*text, starts, FG_COUNT_OF(starts)))
		gperftools_cut_line(g->sink, text, &line);
}

/* Reads the input. Returns 0, or -1 after reporting that it is of another format. */
static int read_profile(struct gperftools *g)
{
	const struct fg_place at = { fg_sink_at(g->sink)->input, 0 };
	struct fg_str text = fg_utf8_skip_mark(fg_buf_str(&g->input)), line;

	skip_head(g, &text);
	if (fg_str_starts(text, FG_STR("--- symbol"))) {
		gperftools_cut_line(g->sink, &text, &line);
		read_symbols(g, &text);
		skip_head(g, &text);
	}
	if (fg_str_starts(text, FG_STR("heap"))) {
		gperftools_read_heap(&g->profile, g->sink, text);
		return 0;
	}
	if (gperftools_read_cpu(&g->profile, g->sink, text))
		return fg_error(fg_sink_diag(g->sink), &at,
				"this is not a profile of gperftools or jemalloc, or "
				"its head is damaged");
	return 0;
}

/* Warns if the list of mapped files, which comes last, is missing but needed. */
static void check_end(struct gperftools *g)
{
	const struct gperftools_profile *p = &g->profile;

	if (p->has_mappings || p->symbol_count || p->frame_count || !p->address_count ||
	    p->kind == GPERFTOOLS_CPU)
		return;
	fg_sink_set_unended(g->sink, false);
	fg_sink_warn_cut(g->sink, "the list of mapped files is missing, so functions "
				  "have no names");
}

static int read_input(void *state, struct fg_reader *reader,
		      const struct fg_block *start)
{
	struct gperftools *g = state;
	int status;

	if (fg_reader_rest(reader, start, &g->input))
		return -1;
	gperftools_profile_init(&g->profile);
	status = read_profile(g);
	if (!status)
		status = choose(g);
	if (!status) {
		check_end(g);
		gperftools_names_start(&g->names, &g->profile);
		g->budget = fg_frame_budget_of(g->input.len, FRAMES_PER_BYTE);
		for (size_t i = 0; i < g->profile.stack_count; i++)
			if (is_counted(g, i))
				add_stack(g, &g->profile.stacks[i]);
	}
	gperftools_profile_release(&g->profile);
	return status;
}

static void finish(void *state)
{
	struct gperftools *g = state;

	fg_sink_explain_no_value(g->sink, g->any_stack, g->any_value);
	if (g->any_stack && !g->any_value && g->wants_freed)
		fg_sink_set_cause(g->sink,
				  "the profile does not count what was freed: set "
				  "MALLOC_CONF=prof:true,prof_accum:true for jemalloc");
	gperftools_names_report(&g->names);
}

/* ---- the format */

const struct fg_format fg_format_gperftools = {
	.kind = &fg_kind_gperftools,
	.summary = "Reads heap profiles of jemalloc and tcmalloc, and CPU profiles of\n"
		   "gperftools, finds the functions, and writes folded stacks.",
	.footer = "Example:\n"
		  "  MALLOC_CONF=prof:true,prof_final:true ./app\n"
		  "  collapse-gperftools jeprof.*.heap | flamegraph > flame.svg",
	.hints = { .empty = "did the program end?",
		   .not_found =
			   "no stack was found: is this a profile of gperftools or "
			   "jemalloc?" },
	.has_values = true,
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_gperftools,
	.read = read_input,
	.finish = finish,
	.close = close_gperftools,
};
