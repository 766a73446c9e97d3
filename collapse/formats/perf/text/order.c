/* Finds out in which order chains are printed: leaf first or root first. */
#include "collapse/formats/perf/text/order.h"

#include "collapse/formats/perf/text/state.h"

/*
 * Returns 1 if the chain is root first, 0 if it is leaf first, -1 if it does not tell.
 *
 * Kernel frames are at the leaf, entry points like _start at the root. But unwinding
 * may fail half-way, and then a chain that is leaf first starts with any function and
 * ends with one that is not an entry point. So a chain is root first only if its last
 * frame is known and its first one is an entry point; and that must not be clone(),
 * which the parent thread calls, too, unless start_thread or the like follows it.
 */
static int order_of(const struct perf_sample *s)
{
	bool starts = (s->first.flags & PERF_MEMO_ENTRY) &&
		      (!(s->first.flags & PERF_MEMO_CLONE) ||
		       (s->second.flags & PERF_MEMO_ENTRY));

	if (s->frames < 2)
		return -1;
	if (s->first.kernel != s->last.kernel)
		return s->first.kernel ? 0 : 1;
	if (s->last.flags & PERF_MEMO_ENTRY)
		return 0;
	return starts && !(s->last.flags & PERF_MEMO_UNNAMED) ? 1 : -1;
}

void perf_order_vote(struct perf *p)
{
	int order = order_of(&p->sample);

	if (order >= 0)
		p->order.votes[order]++;
}

bool perf_order_was_root_first(const struct perf *p)
{
	if (p->options->order != PERF_ORDER_AUTO)
		return p->options->order == PERF_ORDER_CALLER;
	return p->order.votes[1] > p->order.votes[0];
}

bool perf_order_is_root_first(const struct perf *p)
{
	int order = order_of(&p->sample);

	if (p->options->order != PERF_ORDER_AUTO || order < 0)
		return perf_order_was_root_first(p);
	return order == 1;
}

void perf_order_settle(struct perf *p)
{
	struct perf_chain_order *o = &p->order;
	bool root_first = o->votes[1] > o->votes[0];

	if (p->options->order != PERF_ORDER_AUTO)
		return;
	if (root_first != o->is_reversed)
		fg_sink_reverse(p->sink);
	o->is_reversed = root_first;
	o->was_reversed |= root_first && p->samples->every;
}

void perf_order_end_input(struct perf *p)
{
	struct perf_chain_order *o = &p->order;
	uint64_t votes[2];

	for (size_t i = 0; i < 2; i++) {
		votes[i] = o->votes[i] - o->votes_before[i];
		o->votes_before[i] = o->votes[i];
	}
	if (votes[0] != votes[1])
		o->in_inputs[votes[1] > votes[0]] = true;
}

void perf_order_finish(struct perf *p)
{
	const struct perf_chain_order *o = &p->order;

	if (p->options->order != PERF_ORDER_AUTO)
		return;
	perf_order_settle(p);
	if (o->in_inputs[0] && o->in_inputs[1])
		fg_warn(p->diag, NULL,
			"chains are printed callee first in some inputs and caller "
			"first in others: fold them separately");
	if (o->is_reversed)
		fg_warn(p->diag, NULL,
			"chains are printed caller first and were reversed "
			"(--order=callee keeps them)");
	else if (o->was_reversed)
		fg_warn(p->diag, NULL,
			"the chains of some slices were reversed, because most chains "
			"until then had been printed caller first (--order=callee "
			"keeps them)");
}
