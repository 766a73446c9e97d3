/* Warns if many samples lack callers that perf script should have found. */
#include "collapse/formats/perf/text/callers.h"

#include "collapse/formats/perf/text/state.h"

/* Returns true for an event of user space alone: "cycles:u", "cpu/cycles/Pu". */
static bool is_user_only(struct fg_str event)
{
	size_t colon = fg_str_rfind_char(event, ':');
	size_t at = colon < event.len ? colon : fg_str_rfind_char(event, '/');
	struct fg_str modifiers = fg_str_from_pos(event, at + 1);

	for (size_t i = 0; i < modifiers.len; i++)
		if (!fg_str_has_char(FG_STR("uhGHpPDISVWebRX"), modifiers.ptr[i]))
			return false;
	return fg_str_has_char(modifiers, 'u');
}

void perf_callers_note_event(struct perf_callers *c, struct fg_str event)
{
	c->user_only |= is_user_only(event);
}

void perf_callers_note_header(struct perf_callers *c, struct fg_str line)
{
	c->by_copies |= fg_str_has(line, FG_STR("|STACK_USER"));
}

/*
 * Returns true if the chain is a single user function, perhaps with one more frame that
 * has no symbol.
 */
static bool is_alone(const struct perf_sample *s)
{
	const struct perf_end_frame *leaf =
		s->first.flags & PERF_MEMO_UNNAMED ? &s->last : &s->first;

	if (s->frames > 2 || leaf->kernel || leaf->flags & PERF_MEMO_ENTRY)
		return false;
	return s->frames == 1 || (s->first.flags | s->last.flags) & PERF_MEMO_UNNAMED;
}

void perf_callers_note_chain(struct perf *p)
{
	const struct perf_sample *s = &p->sample;
	struct perf_callers *c = &p->callers;

	if (s->fate != PERF_KEPT ||
	    (s->frames ? s->flat == PERF_FLAT_USED : !s->is_bare))
		return;
	c->samples++;
	c->without += !s->frames || (c->by_copies && is_alone(s));
	if (!s->frames)
		return;
	c->in_kernel |= s->first.kernel || s->last.kernel;
	c->in_user |= !s->first.kernel || !s->last.kernel;
	c->is_usual = c->in_kernel && c->in_user && !c->by_copies;
}

void perf_callers_note_depth(struct perf_callers *c, uint64_t frames)
{
	c->full += !c->is_recording && frames == FG_PD_CHAIN_MAX;
	c->above += !c->is_recording && frames > FG_PD_CHAIN_MAX;
}

/*
 * Warns if chains were cut off, and counts them in the tally. The text does not say if
 * stacks were copied, so perf script itself may have cut the chains.
 */
static void report_full(const struct perf *p)
{
	const struct perf_callers *c = &p->callers;
	const struct fg_pd_depths depths = { p->tally->chains, c->full, c->above };

	fg_pd_depths_report(&depths, true, p->diag, NULL);
	p->tally->truncated =
		fg_count_add(p->tally->truncated, fg_pd_depths_truncated(&depths));
}

/*
 * Warns if many samples lack callers, and if chains were cut off. Lack of callers is
 * normal if perf recorded chains of one kind: with --user-callchains there are no
 * kernel frames, with --kernel-callchains no user frames. So we warn of it only if
 * there were frames of both kinds, or user frames and an event of user space alone.
 */
void perf_callers_finish(const struct perf *p)
{
	const struct perf_callers *c = &p->callers;
	bool has_both = c->in_user && (c->in_kernel || c->user_only);

	report_full(p);
	if (!has_both || c->without < c->samples / 10 + !!(c->samples % 10))
		return;
	fg_warn(p->diag, NULL,
		"%.0f %% of the samples have no callers: perf script finds no callers "
		"in JIT code or in programs that lld linked, but collapse-perf "
		"perf.data does",
		100 * (double)c->without / (double)c->samples);
}
