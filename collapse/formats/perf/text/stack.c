/* Turns symbols into frame ids, using the memo, and adds them to the open stack. */
#include "collapse/formats/perf/text/stack.h"

#include <string.h>

#include "collapse/formats/perf/text/dso.h"
#include "collapse/formats/perf/text/elfname.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/symbol.h"
#include "collapse/values.h"
#include "lib/base/xalloc.h"

/* ---- copies of stacks */

size_t perf_chain_common(const struct perf_chain *a, const struct perf_chain *b)
{
	size_t depth = 0;

	while (depth < a->depth && depth < b->depth && a->ids[depth] == b->ids[depth])
		depth++;
	return depth;
}

void perf_chain_set(struct perf_chain *c, const uint32_t *ids, size_t depth)
{
	FG_GROW(c->ids, c->alloc, depth);
	if (depth)
		memcpy(c->ids, ids, depth * sizeof(*ids));
	c->depth = depth;
}

/* ---- runs of frames */

static void add_id(struct perf *p, uint32_t id)
{
	FG_GROW(p->run.items, p->run.alloc, p->run.count + 1);
	p->run.items[p->run.count++] = id;
}

void perf_run_add(struct perf *p, struct fg_str name)
{
	for (;;) {
		size_t end = fg_str_find_char(name, ';');

		add_id(p, fg_intern(p->names, fg_str_before(name, end)));
		if (end == name.len)
			return;
		name = fg_str_from_pos(name, end + 1);
	}
}

struct fg_memo_value perf_run_end(struct perf *p)
{
	size_t count = p->run.count;

	p->run.count = 0;
	return fg_runs_add(&p->runs, p->run.items, count);
}

void perf_run_add_value(struct perf *p, struct fg_memo_value value)
{
	size_t count;
	const uint32_t *ids = fg_runs_get(&p->runs, &value, &count);

	for (size_t i = 0; i < count; i++)
		add_id(p, ids[i]);
}

void perf_run_reverse(struct perf *p)
{
	struct perf_ids *run = &p->run;

	for (size_t i = 0; i < run->count / 2; i++) {
		uint32_t id = run->items[i];

		run->items[i] = run->items[run->count - 1 - i];
		run->items[run->count - 1 - i] = id;
	}
}

void perf_push_ids(struct perf *p, const uint32_t *ids, size_t count)
{
	while (count--)
		fg_stack_add_root(p->stack, ids[count]);
}

void perf_push(struct perf *p, struct fg_memo_value value)
{
	size_t count;
	const uint32_t *ids = fg_runs_get(&p->runs, &value, &count);

	perf_push_ids(p, ids, count);
}

bool perf_charge_inlined(struct perf *p, uint64_t inlined)
{
	if (inlined <= *p->inlined_left) {
		*p->inlined_left -= inlined;
		return true;
	}
	fg_sink_lose(p->sink, "inlined functions beyond the limit", inlined);
	return false;
}

static void push_inlined(struct perf *p, const uint32_t *ids, size_t count)
{
	if (count > 1 && !perf_charge_inlined(p, count - 1))
		count = 1;
	perf_push_ids(p, ids, count);
}

void perf_push_inlined(struct perf *p, struct fg_memo_value value)
{
	size_t count;
	const uint32_t *ids = fg_runs_get(&p->runs, &value, &count);

	push_inlined(p, ids, count);
}

void perf_run_push(struct perf *p)
{
	push_inlined(p, p->run.items, p->run.count);
	p->run.count = 0;
}

void perf_forget_frames(struct perf *p)
{
	struct perf_by_dso *d = &p->by_dso;

	if (p->memo.count < FG_MEMO_MAX && d->pairs.count < FG_MEMO_MAX)
		return;
	fg_memo_release(&p->memo);
	fg_memo_init(&p->memo);
	fg_intern_release(&d->dsos);
	fg_map_clear(&d->pairs);
	d->count = 0;
	p->runs.count = 0;
	p->unknown.len = 0;
}

void perf_note_skipped_after(struct perf *p, struct fg_str symbol)
{
	const struct fg_opt_list *names = &p->options->skip_after;

	for (size_t i = 0; i < names->count; i++) {
		struct fg_str name = fg_str_from(names->items[i]);
		bool printed = fg_str_eq(name, symbol);

		for (size_t k = 0; k < p->run.count; k++)
			if (printed ||
			    fg_str_eq(name, fg_intern_name(p->names, p->run.items[k])))
				fg_sink_mark(p->sink, p->run.items[k], FG_MARK_BASE);
	}
}

/* Returns the flags of a frame that tell the order of its chain (order.h). */
static uint8_t traits_of(const struct perf_frame *f)
{
	struct fg_str symbol = f->symbol;

	if (perf_symbol_is_none(symbol, f->dso))
		return PERF_MEMO_UNNAMED;
	if (perf_symbol_is_clone(symbol))
		return PERF_MEMO_ENTRY | PERF_MEMO_CLONE;
	return perf_symbol_is_entry_point(symbol) ? PERF_MEMO_ENTRY : 0;
}

/* Works out the frames of a symbol, without the memo. */
static struct fg_memo_value work_out(struct perf *p, const struct perf_frame *f,
				     unsigned variant)
{
	struct fg_memo_value value;

	p->name(p, f, perf_variant_of_dso(p->options, f->dso, variant));
	perf_note_skipped_after(p, f->symbol);
	value = perf_run_end(p);
	value.flags |= traits_of(f);
	return value;
}

/* Returns the frames that the symbol of `entry` has in the DSO of `f`. */
static struct fg_memo_value by_dso(struct perf *p, const struct perf_frame *f,
				   const struct fg_memo_entry *entry)
{
	struct perf_by_dso *d = &p->by_dso;
	size_t known = d->pairs.count, i;
	uint32_t dso;
	bool is_new;

	if (p->options->addrs || known == FG_MEMO_MAX)
		/* with --addrs, names may have addresses */
		return work_out(p, f, entry->variant);
	dso = fg_intern(&d->dsos, f->dso);
	i = *fg_map_add(&d->pairs, (struct fg_map_key){ entry->id, dso }, known,
			&is_new);
	if (is_new) {
		FG_GROW(d->values, d->values_alloc, known + 1);
		d->values[i] = work_out(p, f, entry->variant);
	}
	d->last[entry->id] = (struct perf_in_dso){ dso, d->values[i] };
	return d->values[i];
}

/* Returns a new memo value for a symbol whose frames depend on the DSO. */
static struct fg_memo_value add_by_dso(struct perf_by_dso *d)
{
	FG_GROW(d->last, d->last_alloc, d->count + 1);
	d->last[d->count].dso = UINT32_MAX; /* no DSO yet */
	return (struct fg_memo_value){ (uint32_t)d->count++, PERF_MEMO_BY_DSO };
}

/* Returns true if the frames of the symbol may have other names in another DSO. */
static bool depends_on_dso(const struct perf_options *o, struct fg_str symbol,
			   unsigned variant)
{
	return o->dso || o->kernel || o->jit || perf_symbol_depends_on_dso(symbol) ||
	       (perf_corrects_names(o, variant) && perf_elf_name_differs(symbol));
}

struct fg_memo_value perf_frames_of_key(struct perf *p, const struct perf_frame *f,
					const struct fg_memo_key *key,
					const struct fg_memo_entry *entry)
{
	struct fg_memo_value value;

	/* Most symbols have the same frames in all DSOs, and the memo keeps these.
	 * A full memo has no entry for by_dso(); each call works the frames out. */
	if (!entry && (!fg_memo_has_room(&p->memo, key) ||
		       !depends_on_dso(p->options, f->symbol, key->variant))) {
		value = work_out(p, f, key->variant);
		fg_memo_add(&p->memo, key, value);
		return value;
	}
	if (!entry)
		entry = fg_memo_add(&p->memo, key, add_by_dso(&p->by_dso));
	return entry->flags & PERF_MEMO_BY_DSO ? by_dso(p, f, entry) :
						 fg_memo_value(entry);
}

struct fg_memo_value perf_frames_of(struct perf *p, const struct perf_frame *f,
				    unsigned variant)
{
	struct fg_memo_key key = fg_memo_key(&p->memo, f->symbol, variant);

	return perf_frames_of_key(p, f, &key, fg_memo_find(&p->memo, &key));
}
