/*
 * Makes stacks of intervals: an event's caller is the event around it, and it weighs
 * the time in which no event inside it ran.
 *
 *     main |--------------------|        main 7
 *     f       |-------------|            main;f 8
 *     g           |-----|                main;f;g 6
 *
 * First match() joins begins with their ends. Then nest_all() goes through the
 * intervals of a thread in the order of time, and keeps a list of those that are open.
 *
 * With --gpu only kernels weigh something: each is added to the stack of its launch,
 * which gpu.c has found.
 */
#include <stdlib.h>

#include "collapse/formats/chrome/chrome.h"
#include "collapse/stack.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* ---- weights and times */

/*
 * A stretch of time in which the row was the innermost one, for --slice. The pieces of
 * a row form a list, earliest first.
 */
struct piece {
	int64_t from, to;
	uint32_t row, next_plus_1;
};

struct pieces {
	struct piece *items; /* pieces of the current thread, in the order of time */
	size_t count, alloc;
	uint32_t *first_plus_1; /* 1 + the index of each row's first piece, or 0 */
	size_t rows, rows_alloc;
	bool wanted;
};

static void link_pieces(struct pieces *p, size_t rows)
{
	FG_GROW(p->first_plus_1, p->rows_alloc, rows);
	while (p->rows < rows)
		p->first_plus_1[p->rows++] = 0;
	for (size_t i = p->count; i-- > 0;) {
		struct piece *piece = &p->items[i];

		piece->next_plus_1 = p->first_plus_1[piece->row];
		p->first_plus_1[piece->row] = (uint32_t)i + 1;
	}
}

static void forget_pieces(struct pieces *p)
{
	for (size_t i = 0; i < p->count; i++)
		p->first_plus_1[p->items[i].row] = 0;
	p->count = 0;
}

static void add_piece(struct fg_sink *sink, const struct piece *piece)
{
	const struct fg_sum length = { (uint64_t)piece->to - (uint64_t)piece->from, 0 };

	if (piece->from < 0) /* before the clock starts, so the time is unknown */
		fg_sink_add_time(sink, UINT64_MAX, length);
	else
		fg_sink_add_span(sink, (uint64_t)piece->from, (uint64_t)piece->to);
}

static void add_pieces(struct fg_sink *sink, const struct pieces *p, uint32_t row)
{
	uint32_t at = p->first_plus_1[row];

	for (; at; at = p->items[at - 1].next_plus_1)
		add_piece(sink, &p->items[at - 1]);
}

static void write_sums(struct chrome *c, const struct fg_owner *owner,
		       struct pieces *pieces)
{
	const struct fg_rows *rows = &c->sums.rows;
	unsigned decimals = c->options->is_ns ? 0 : 3;
	struct fg_roots roots = { .count = 0 };

	if (c->sums.touched_count)
		roots = fg_sink_owner_roots(c->sink, owner);
	if (pieces->wanted)
		link_pieces(pieces, rows->count);
	for (size_t i = 0; i < c->sums.touched_count; i++) {
		uint32_t row = c->sums.touched[i];
		const struct fg_sum sum = fg_sums_take(&c->sums, row);

		if (pieces->wanted)
			add_pieces(c->sink, pieces, row);
		if (!fg_rows_add_frames(rows, row, c->sink))
			continue;
		fg_sink_add_roots(c->sink, &roots);
		fg_sink_add_sum(c->sink, sum, decimals);
	}
	c->sums.touched_count = 0;
	forget_pieces(pieces);
}

/* ---- matching begins and ends */

static bool is_shown(const struct chrome_span *span)
{
	return span->name != CHROME_NO_NAME;
}

/* A begin whose end has not come yet. */
struct opened {
	uint32_t span;
	/* 1 + the index in matching.open of the next outer begin of that name, or 0 */
	uint32_t outer;
};

struct matching {
	struct chrome_thread *thread;
	/* 1 + the index in `open` of the innermost begin with each name, or 0 */
	uint32_t *heads;
	/*
	 * for each name: number of ends at the current time whose begin has not been
	 * read yet
	 */
	uint32_t *early;
	/*
	 * for each name: how many of the ends in `early` are left out by --cat and so
	 * are no loss
	 */
	uint32_t *early_left_out;
	struct opened *open; /* begins; some may have ended already */
	size_t depth, open_alloc;
	uint32_t *early_names;
	size_t early_count, early_alloc;
	uint64_t lost_ends, lost_begins;
};

static void forget_early(struct matching *m)
{
	for (size_t i = 0; i < m->early_count; i++) {
		uint32_t name = m->early_names[i];

		m->lost_ends += m->early[name] - m->early_left_out[name];
		m->early[name] = m->early_left_out[name] = 0;
	}
	m->early_count = 0;
}

static void begin(struct matching *m, uint32_t index)
{
	struct chrome_span *span = &m->thread->spans[index];
	uint32_t name = (uint32_t)span->end; /* see CHROME_BEGIN */

	/* the end of this event came before it, at the same time */
	if (m->early[name]) {
		m->early[name]--;
		m->early_left_out[name] -= m->early_left_out[name] > 0;
		span->end = span->start;
		span->kind = CHROME_WHOLE;
		return;
	}
	FG_GROW(m->open, m->open_alloc, m->depth + 1);
	m->open[m->depth] = (struct opened){ index, m->heads[name] };
	m->heads[name] = (uint32_t)++m->depth;
}

static void close_at(struct matching *m, size_t place, int64_t time)
{
	struct chrome_span *span = &m->thread->spans[m->open[place].span];

	m->heads[span->end] = m->open[place].outer;
	span->end = time;
	span->kind = CHROME_WHOLE;
}

/* Removes begins that have ended from the top of `open`. */
static void pop_closed(struct matching *m)
{
	while (m->depth &&
	       m->thread->spans[m->open[m->depth - 1].span].kind == CHROME_WHOLE)
		m->depth--;
}

/*
 * Closes the innermost begin that has the name of the end `span`. If the end has no
 * name, closes the innermost begin of all.
 */
static void end(struct matching *m, const struct chrome_span *span)
{
	uint32_t name = span->name, place = m->heads[name];

	pop_closed(m);
	if (!name)
		place = (uint32_t)m->depth;
	if (place) {
		close_at(m, place - 1, span->start);
		return;
	}
	FG_GROW(m->early_names, m->early_alloc, m->early_count + 1);
	m->early_names[m->early_count++] = name;
	m->early[name]++;
	m->early_left_out[name] += span->end != 0;
}

static int compare_starts(const void *context, uint32_t a, uint32_t b)
{
	const struct chrome_span *spans = context;

	if (spans[a].start != spans[b].start)
		return spans[a].start < spans[b].start ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void match(struct matching *m, uint32_t *order)
{
	struct chrome_span *spans = m->thread->spans;
	int64_t now = 0;

	for (uint32_t i = 0; i < m->thread->count; i++)
		order[i] = i;
	fg_sort(order, m->thread->count, compare_starts, spans);
	for (size_t i = 0; i < m->thread->count; i++) {
		struct chrome_span *span = &spans[order[i]];

		if (span->start != now)
			forget_early(m);
		now = span->start;
		if (span->kind == CHROME_BEGIN)
			begin(m, order[i]);
		else if (span->kind == CHROME_END)
			end(m, span);
	}
	forget_early(m);
	for (pop_closed(m); m->depth; pop_closed(m)) {
		m->lost_begins += is_shown(&spans[m->open[m->depth - 1].span]);
		close_at(m, m->depth - 1, m->thread->last);
	}
}

/* ---- nesting intervals */

/* An interval that is open while we go through the intervals in the order of time. */
struct level {
	int64_t end;
	uint64_t own; /* self time so far */
	uint32_t row;
};

struct nesting {
	struct level *levels;
	size_t depth, alloc;
	uint64_t cut; /* events that lasted longer than the event around them */
	/* sum of the time by which they lasted longer, in nanoseconds */
	struct fg_sum cut_time;
	int64_t now; /* pieces were made up to this time */
	struct pieces pieces;
	/*
	 * With --gpu, the row of each interval of the thread. The intervals themselves
	 * weigh nothing then. NULL without --gpu.
	 */
	uint32_t *rows_of;
	uint64_t orphans; /* kernels without a launch */
};

static int compare_spans(const void *context, uint32_t a, uint32_t b)
{
	const struct chrome_span *spans = context;

	if (spans[a].start != spans[b].start)
		return spans[a].start < spans[b].start ? -1 : 1;
	if (spans[a].end != spans[b].end)
		return spans[a].end > spans[b].end ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Notes that the row weighs something from `from` to `to`. */
static void take_piece(struct pieces *p, uint32_t row, int64_t from, int64_t to)
{
	if (!p->wanted || from >= to || p->count == UINT32_MAX)
		return;
	FG_GROW(p->items, p->alloc, p->count + 1);
	p->items[p->count++] = (struct piece){ from, to, row, 0 };
}

/* Moves on to `time`. The innermost interval was running until then. */
static void advance(struct nesting *n, int64_t time)
{
	if (n->depth && !n->rows_of)
		take_piece(&n->pieces, n->levels[n->depth - 1].row, n->now, time);
	n->now = time;
}

static void leave(struct nesting *n, struct fg_sums *sums)
{
	const struct level *level;

	advance(n, n->levels[n->depth - 1].end);
	level = &n->levels[--n->depth];
	if (!n->rows_of)
		fg_sums_add(sums, level->row, (struct fg_sum){ level->own, 0 });
}

/* Closes the intervals that have ended by `time`. */
static void move_to(struct nesting *n, struct fg_sums *sums, int64_t time)
{
	while (n->depth && n->levels[n->depth - 1].end <= time)
		leave(n, sums);
	advance(n, time);
}

/* Opens an interval inside the innermost open one, and cuts it if it lasts longer. */
static void nest(struct nesting *n, struct fg_sums *sums,
		 const struct chrome_span *span)
{
	struct level level = { .end = span->end };

	if (n->depth) {
		struct level *around = &n->levels[n->depth - 1];

		if (level.end > around->end) {
			n->cut++;
			fg_sum_add(&n->cut_time,
				   (uint64_t)level.end - (uint64_t)around->end);
			level.end = around->end;
		}
		level.row = around->row;
		level.own = (uint64_t)level.end - (uint64_t)span->start;
		around->own -= level.own;
	} else {
		level.own = (uint64_t)level.end - (uint64_t)span->start;
	}
	level.row = fg_sums_child(sums, level.row, span->name);
	FG_GROW(n->levels, n->alloc, n->depth + 1);
	n->levels[n->depth++] = level;
}

/* Returns true for intervals and for times of launches, not for ends of intervals. */
static bool is_nested(const struct chrome_span *span)
{
	return (span->kind == CHROME_WHOLE && is_shown(span)) ||
	       span->kind == CHROME_MARK;
}

static void nest_all(struct nesting *n, struct fg_sums *sums,
		     const struct chrome_thread *thread, uint32_t *order)
{
	size_t count = 0;

	for (uint32_t i = 0; i < thread->count; i++)
		if (is_nested(&thread->spans[i]))
			order[count++] = i;
	fg_sort(order, count, compare_spans, thread->spans);
	for (size_t i = 0; i < count; i++) {
		const struct chrome_span *span = &thread->spans[order[i]];

		move_to(n, sums, span->start);
		if (span->kind == CHROME_WHOLE)
			nest(n, sums, span);
		if (n->rows_of)
			n->rows_of[order[i]] =
				n->depth ? n->levels[n->depth - 1].row : 0;
	}
	while (n->depth)
		leave(n, sums);
}

static uint32_t row_of_orphans(struct chrome *c)
{
	return fg_sums_child(&c->sums, 0, fg_sink_name(c->sink, FG_STR("[no launch]")));
}

/* Adds the kernels that a thread launched below their stacks. */
static void add_kernels(struct chrome *c, struct nesting *n,
			const struct chrome_thread *thread)
{
	const struct chrome_kernel *kernel;

	for (uint32_t i = thread->kernel_plus_1; i; i = kernel->next_plus_1) {
		uint64_t length;
		uint32_t row;

		kernel = &c->gpu.kernels[i - 1];
		length = (uint64_t)kernel->end - (uint64_t)kernel->start;
		n->orphans += !kernel->span_plus_1;
		row = kernel->span_plus_1 ? n->rows_of[kernel->span_plus_1 - 1] :
					    row_of_orphans(c);
		row = fg_sums_child(&c->sums, row, kernel->name);
		fg_sums_add(&c->sums, row, (struct fg_sum){ length, 0 });
		take_piece(&n->pieces, row, kernel->start, kernel->end);
	}
}

/* Notes the earliest time, because the first slice starts there. */
static void note_first_time(struct chrome *c)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < c->thread_count; i++)
		for (size_t k = 0; k < c->threads[i].count; k++) {
			const struct chrome_span *span = &c->threads[i].spans[k];

			if (is_shown(span) && span->start >= 0 && span->start < first)
				first = span->start;
		}
	for (size_t i = 0; i < c->gpu.kernel_count; i++)
		if (c->gpu.kernels[i].start >= 0 && c->gpu.kernels[i].start < first)
			first = c->gpu.kernels[i].start;
	if (first < INT64_MAX)
		fg_sink_note_time(c->sink, (uint64_t)first);
}

/*
 * Reports the events that were cut, with the time in the unit of the weights:
 * microseconds, or nanoseconds with --unit=ns.
 */
static void report_cut(const struct chrome *c, const struct nesting *n)
{
	static const char what[] = "events that outlast the one around them";
	uint64_t rest;

	if (!n->cut || c->options->gpu)
		return;
	fg_sink_lose(c->sink, what, n->cut - 1);
	fg_sink_lose_weight(
		c->sink, what,
		fg_sum_div(n->cut_time, c->options->is_ns ? 1 : 1000, &rest));
}

/* Counts the stacks of a thread, and frees its events. */
static void write_thread(struct chrome *c, struct matching *m, struct nesting *n,
			 struct chrome_thread *thread)
{
	const struct fg_owner owner = chrome_owner(c, thread);
	bool weighs = c->options->gpu ? thread->kernel_plus_1 : thread->count;
	uint32_t *order;

	if (!weighs || !fg_sink_wants_owner(c->sink, &owner))
		return;
	order = fg_xcalloc(thread->count, sizeof(*order));
	n->rows_of =
		c->options->gpu ? fg_xcalloc(thread->count, sizeof(*n->rows_of)) : NULL;
	m->thread = thread;
	if (thread->has_ends)
		match(m, order);
	nest_all(n, &c->sums, thread, order);
	free(order);
	free(thread->spans);
	thread->spans = NULL;
	if (n->rows_of)
		add_kernels(c, n, thread);
	free(n->rows_of);
	write_sums(c, &owner, &n->pieces);
}

/* The initial size of `open`, which grows. */
#define OPEN_AT_FIRST 64

void chrome_write_spans(struct chrome *c)
{
	struct matching m = {
		.heads = fg_xcalloc(c->names.count, sizeof(*m.heads)),
		.early = fg_xcalloc(c->names.count, sizeof(*m.early)),
		.early_left_out = fg_xcalloc(c->names.count, sizeof(*m.early_left_out)),
		.open = fg_xcalloc(OPEN_AT_FIRST, sizeof(*m.open)),
		.open_alloc = OPEN_AT_FIRST,
	};
	struct nesting n = { .pieces.wanted = fg_sink_wants_time(c->sink) };

	if (n.pieces.wanted)
		note_first_time(c);
	chrome_link_kernels(c);
	for (size_t i = 0; i < c->thread_count; i++)
		write_thread(c, &m, &n, &c->threads[i]);
	fg_sink_lose(c->sink, "end events without a begin event", m.lost_ends);
	fg_sink_lose(c->sink, "begin events without an end event", m.lost_begins);
	fg_sink_lose_callers(c->sink, "GPU events without a launch, below [no launch]",
			     n.orphans);
	report_cut(c, &n);
	free(m.heads);
	free(m.early);
	free(m.early_left_out);
	free(m.open);
	free(m.early_names);
	free(n.levels);
	free(n.pieces.items);
	free(n.pieces.first_plus_1);
}
