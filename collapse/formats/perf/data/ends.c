/* Counts stacks that end because too little of them was recorded. */
#include "collapse/formats/perf/data/ends.h"

#include "collapse/formats/perf/data/callers.h"
#include "collapse/symbols/cursor.h"
#include "lib/base/buf.h"

/* Bytes of the stack that perf copies by default, and the most that it can copy. */
#define USUAL_COPY 8192
#define LARGEST_COPY 65528

void fg_pd_ends_note_chain(struct fg_pd_ends *e, struct fg_str words, size_t max)
{
	size_t frames = 0, limit = max ? max : FG_PD_CHAIN_MAX;

	e->depths.chains++;
	if (words.len / 8 < limit)
		return;
	for (size_t at = 0; at < words.len; at += 8)
		frames += fg_load64(words.ptr + at) < FG_PD_CONTEXT_FIRST;
	e->depths.full += frames == limit;
	e->depths.above += frames > limit;
}

void fg_pd_ends_note_copy(struct fg_pd_ends *e, size_t size, bool too_small)
{
	e->copies++;
	e->small += too_small;
	if (too_small && size > e->size)
		e->size = size;
}

/* Appends text like "3 of 10 samples (30.0 %)". */
static void add_share(struct fg_buf *text, uint64_t part, uint64_t all)
{
	fg_buf_addf(text, "%llu of %llu samples (%.1f %%)", (unsigned long long)part,
		    (unsigned long long)all, 100.0 * (double)part / (double)all);
}

static void report_small(const struct fg_pd_ends *e, struct fg_diag *diag,
			 const struct fg_place *at)
{
	struct fg_buf text = FG_BUF_INIT;

	add_share(&text, e->small, e->copies);
	fg_buf_addf(
		&text,
		" lack their outermost callers, because copies of %zu bytes are too "
		"small: record with --call-graph ",
		e->size);
	if (e->size < LARGEST_COPY)
		fg_buf_addf(&text, "dwarf,%d",
			    e->size < USUAL_COPY ? USUAL_COPY : LARGEST_COPY);
	else
		fg_buf_addf(&text, "fp, with frame pointers in the program");
	fg_warn(diag, at, "%s", fg_buf_cstr(&text));
	fg_buf_release(&text);
}

uint64_t fg_pd_depths_truncated(const struct fg_pd_depths *d)
{
	return d->above ? 0 : d->full;
}

void fg_pd_depths_report(const struct fg_pd_depths *d, bool is_text,
			 struct fg_diag *diag, const struct fg_place *at)
{
	struct fg_buf text = FG_BUF_INIT;

	if (!fg_pd_depths_truncated(d))
		return;
	add_share(&text, d->full, d->chains);
	fg_warn(diag, at,
		"%s have as many frames as the kernel records, so their outermost "
		"callers may be missing: %srun sudo sysctl "
		"kernel.perf_event_max_stack=1024 and record again",
		fg_buf_cstr(&text),
		is_text ? "use perf script --max-stack 1024, or " : "");
	fg_buf_release(&text);
}

void fg_pd_ends_report(const struct fg_pd_ends *e, struct fg_diag *diag,
		       const struct fg_place *at)
{
	if (e->small)
		report_small(e, diag, at);
	fg_pd_depths_report(&e->depths, false, diag, at);
}
