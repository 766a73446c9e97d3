/* Warns if many samples lack callers that perf script should have found. */
#include "collapse/formats/perf/text/callers.h"

#include "collapse/formats/perf/text/state.h"

/* Returns true for "cycles:u" and "cpu/cycles/Pu". */
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

/* Returns true for a user function alone, or with one frame that has no symbol. */
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
	c->full += !c->is_recording && frames == PERF_CHAIN_MAX;
	c->above += !c->is_recording && frames > PERF_CHAIN_MAX;
}

/*
 * Warns if chains may have been cut off. If some chain is longer than usual, there was
 * another limit, so we say nothing. The text does not tell if stacks were copied
 * (--call-graph dwarf); then perf script could print more frames.
 */
static void report_full(const struct perf *p)
{
	const struct perf_callers *c = &p->callers;

	if (!c->full || c->above)
		return;
	fg_warn(p->diag, NULL,
		"%llu of %llu samples (%.1f %%) have %d frames, as many as the kernel "
		"records and perf script prints, so their outermost callers may be "
		"missing: perf script --max-stack 1024, or record after sudo sysctl "
		"kernel.perf_event_max_stack=1024",
		(unsigned long long)c->full, (unsigned long long)p->tally->chains,
		100 * (double)c->full / (double)p->tally->chains, PERF_CHAIN_MAX);
}

/*
 * perf record --user-callchains leaves kernel threads without frames, and
 * --kernel-callchains leaves user space without. That is no reason to warn, so some
 * chain must have frames of either.
 */
void perf_callers_finish(const struct perf *p)
{
	const struct perf_callers *c = &p->callers;
	bool has_both = c->in_user && (c->in_kernel || c->user_only);

	report_full(p);
	if (!has_both || c->without < c->samples / 10 + !!(c->samples % 10))
		return;
	fg_warn(p->diag, NULL,
		"%.0f %% of the samples have no callers, others do: perf script finds "
		"none in JIT code or in programs that lld linked; collapse-perf "
		"perf.data does",
		100 * (double)c->without / (double)c->samples);
}
