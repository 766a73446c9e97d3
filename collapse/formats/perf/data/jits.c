/* Maps the code of jitdumps, up to the time of each sample. */
#include "collapse/formats/perf/data/jits.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

#define MONOTONIC 1 /* CLOCK_MONOTONIC of Linux */
#define SECOND UINT64_C(1000000000)

/*
 * The most dumps of a process. It has one for each runtime in it. Before each sample we
 * look at all of them, so without a limit a process with many would slow us down.
 */
#define DUMPS_MAX 8

void fg_pd_jits_release(struct fg_pd_jits *jits)
{
	free(jits->list);
	fg_map_release(&jits->by_pid);
	memset(jits, 0, sizeof(*jits));
}

void fg_pd_jits_take_cycles(struct fg_pd_jits *jits, struct fg_str body)
{
	struct fg_cursor c = fg_cursor(body);
	struct fg_pd_cycles cycles = { .shift = fg_cursor_u64(&c) };

	cycles.factor = fg_cursor_u64(&c);
	cycles.zero = fg_cursor_u64(&c);
	if (!c.bad && cycles.shift < 64)
		jits->cycles = cycles;
}

void fg_pd_jits_add(struct fg_pd_jits *jits, const struct fg_pd_jit *jit)
{
	struct fg_dso *dso = &jits->dsos->list[jit->dso];
	size_t last = fg_map_get(&jits->by_pid, (uint32_t)jit->pid), dumps = 0;

	/* another process had the pid */
	if (last && jits->dsos->list[jits->list[last - 1].dso].birth != dso->birth)
		last = 0;
	for (size_t i = last; i; i = jits->list[i - 1].other, dumps++) {
		if (jits->list[i - 1].dso == jit->dso)
			return;
	}
	/* look at it now, because a process that has ended shows us no files */
	fg_dso_load_dump(jits->dsos, dso);
	if (!dso->dump)
		return;
	if (dumps == DUMPS_MAX) {
		jits->left_out = true;
		return;
	}
	FG_GROW(jits->list, jits->alloc, jits->count + 1);
	jits->list[jits->count] = *jit;
	jits->list[jits->count++].other = last;
	fg_map_set(&jits->by_pid, (uint32_t)jit->pid, jits->count);
}

/* ---- times */

/*
 * Returns when a dump began, by its clock. V8 writes another time into the header, so
 * we use that only if the first function follows soon.
 */
static uint64_t began(const struct fg_jitdump *dump)
{
	uint64_t first = dump->codes[0].time;

	return dump->began <= first && first - dump->began < 10 * SECOND ? dump->began :
									   first;
}

static void choose_clock(const struct fg_pd_jits *jits, struct fg_pd_jit *jit,
			 const struct fg_jitdump *dump)
{
	const struct fg_pd_event *event = &jits->events->list[0];
	bool chosen = fg_pd_event_has_flag(event, FG_PD_ATTR_USE_CLOCKID);

	if (dump->counts_cycles)
		jit->clock = !chosen && jits->cycles.factor ? FG_PD_JIT_CYCLES :
							      FG_PD_JIT_TIMELESS;
	else if (chosen && event->clock == MONOTONIC)
		jit->clock = FG_PD_JIT_SAME;
	else
		jit->clock = jit->mapped ? FG_PD_JIT_SHIFTED : FG_PD_JIT_TIMELESS;
	jit->shift = jit->mapped - began(dump);
}

/* Returns the recording's time at which the counter of the processor was at `count`. */
static uint64_t time_of_cycles(const struct fg_pd_cycles *c, uint64_t count)
{
	uint64_t whole = count >> c->shift, rest = count - (whole << c->shift);

	return c->zero + whole * c->factor + (rest * c->factor >> c->shift);
}

/* Returns when code was there, by the recording's clock. */
static uint64_t time_of(const struct fg_pd_jits *jits, const struct fg_pd_jit *jit,
			const struct fg_jitdump_code *code)
{
	switch (jit->clock) {
	case FG_PD_JIT_CYCLES:
		return time_of_cycles(&jits->cycles, code->time);
	case FG_PD_JIT_SHIFTED:
		return code->time + jit->shift;
	case FG_PD_JIT_TIMELESS:
		return 0;
	default:
		return code->time;
	}
}

/* Orders code by its time. Code of the same time stays in the order of the file. */
static int compare_codes(const void *a, const void *b)
{
	const struct fg_jitdump_code *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/*
 * Reads what a dump has got since the last call. The threads of a runtime may write
 * their code in another order than they made it.
 */
static void read_more(struct fg_pd_jits *jits, struct fg_pd_jit *jit)
{
	struct fg_dso *dso = &jits->dsos->list[jit->dso];
	struct fg_jitdump *dump;

	fg_dso_load_dump(jits->dsos, dso);
	dump = dso->dump;
	if (!dump || dump->count <= jit->next)
		return;
	if (jit->clock == FG_PD_JIT_UNREAD)
		choose_clock(jits, jit, dump);
	if (jit->clock != FG_PD_JIT_TIMELESS)
		qsort(dump->codes + jit->next, dump->count - jit->next,
		      sizeof(*dump->codes), compare_codes);
}

/* ---- mapping */

static void map_until(struct fg_pd_jits *jits, struct fg_pd_jit *jit, uint64_t time)
{
	struct fg_dso *dso = &jits->dsos->list[jit->dso];

	/* another process may have got the pid */
	if (dso->birth != fg_pd_tasks_birth(jits->tasks, jit->pid))
		return;
	if (!dso->dump || jit->next >= dso->dump->count ||
	    jit->clock == FG_PD_JIT_UNREAD)
		read_more(jits, jit);
	if (!dso->dump)
		return;
	for (; jit->next < dso->dump->count; jit->next++) {
		const struct fg_jitdump_code *code = &dso->dump->codes[jit->next];
		const struct fg_pd_map map = { .start = code->start,
					       .end = code->start + code->size,
					       .shift = code->at - code->start,
					       .dso = jit->dso };

		if (time_of(jits, jit, code) > time)
			break;
		fg_pd_tasks_map_code(jits->tasks, jit->pid, &map);
	}
}

void fg_pd_jits_map_until(struct fg_pd_jits *jits, int32_t pid, uint64_t time)
{
	size_t index = fg_map_get(&jits->by_pid, (uint32_t)pid);

	while (index) {
		struct fg_pd_jit *jit = &jits->list[index - 1];

		map_until(jits, jit, time);
		index = jit->other;
	}
}

/* ---- reports */

/* Dumps that a warning is about. */
struct some {
	const struct fg_pd_jit *first;
	size_t count;
};

static void add_if(struct some *some, bool is_one, const struct fg_pd_jit *jit)
{
	if (is_one && !some->count++)
		some->first = jit;
}

/* Appends the name of the first dump, and the number of the others. */
static const char *describe(const struct fg_pd_jits *jits, const struct some *some,
			    struct fg_buf *b)
{
	fg_buf_clear(b);
	fg_buf_add_visible(b, jits->dsos->list[some->first->dso].name, FG_QUOTED_MAX);
	if (some->count > 1)
		fg_buf_addf(b, " and %zu other files", some->count - 1);
	return fg_buf_cstr(b);
}

void fg_pd_jits_report(const struct fg_pd_jits *jits, struct fg_diag *diag,
		       const struct fg_place *at)
{
	struct some cut = { 0 }, shifted = { 0 }, timeless = { 0 };
	struct fg_buf names = FG_BUF_INIT;

	for (size_t i = 0; i < jits->count; i++) {
		const struct fg_pd_jit *jit = &jits->list[i];
		const struct fg_jitdump *dump = jits->dsos->list[jit->dso].dump;

		add_if(&cut, dump && fg_jitdump_is_cut(dump), jit);
		add_if(&shifted, jit->clock == FG_PD_JIT_SHIFTED, jit);
		add_if(&timeless, jit->clock == FG_PD_JIT_TIMELESS, jit);
	}
	if (jits->left_out)
		fg_warn(diag, at,
			"a process has more than %d jitdumps, so some were not read",
			DUMPS_MAX);
	if (cut.count)
		fg_warn(diag, at,
			"%s: damaged, or not yet complete, so code that was compiled "
			"at run time may have no names",
			describe(jits, &cut, &names));
	if (shifted.count)
		fg_warn(diag, at,
			"%s: the recording has another clock, so we estimate when code "
			"was compiled: record with -k mono",
			describe(jits, &shifted, &names));
	if (timeless.count)
		fg_warn(diag, at,
			"%s: the recording has another clock, so code that was "
			"replaced may have the name of later code: record with -k mono",
			describe(jits, &timeless, &names));
	fg_buf_release(&names);
}
