/* Frames of the open sample: from raw text, by way of the memo, to ids. */
#include "collapse/perf/stack.h"

#include <string.h>

#include "collapse/perf/perf.h"
#include "collapse/perf/compat.h"
#include "collapse/perf/name.h"
#include "lib/xalloc.h"

void perf_run_add(struct perf *p, struct fg_str name)
{
	for (;;) {
		size_t end = fg_str_find_char(name, ';');

		FG_GROW(p->run.items, p->run.alloc, p->run.count + 1);
		p->run.items[p->run.count++] =
			fg_intern(&p->sink->names, fg_str_before(name, end));
		if (end == name.len)
			return;
		name = fg_str_from_pos(name, end + 1);
	}
}

struct perf_memo_value perf_run_end(struct perf *p)
{
	struct perf_memo_value value = { 0, 0 };
	size_t count = p->run.count;

	p->run.count = 0;
	if (count == 1) {
		value.id = p->run.items[0];
		return value;
	}
	if (p->runs.count + count >= UINT32_MAX)
		fg_size_overflow(); /* offsets are 32 bits wide */
	FG_GROW(p->runs.items, p->runs.alloc, p->runs.count + count + 1);
	value.id = (uint32_t)p->runs.count;
	value.flags = PERF_MEMO_RUN;
	p->runs.items[p->runs.count++] = (uint32_t)count;
	if (count)
		memcpy(p->runs.items + p->runs.count, p->run.items,
		       count * sizeof(*p->run.items));
	p->runs.count += count;
	return value;
}

/* The ids of a memo value, root first. */
static const uint32_t *ids_of(const struct perf *p, const struct perf_memo_value *value,
			      size_t *count)
{
	if (!(value->flags & PERF_MEMO_RUN)) {
		*count = 1;
		return &value->id;
	}
	*count = p->runs.items[value->id];
	return p->runs.items + value->id + 1;
}

void perf_push(struct perf *p, struct perf_memo_value value)
{
	size_t count;
	const uint32_t *ids = ids_of(p, &value, &count);

	while (count--)
		fg_stack_add_root(&p->sink->stack, ids[count]);
}

static unsigned classify_dso(const struct perf_options *o, struct fg_str dso)
{
	bool perl = o->compat == FG_COMPAT_PERL;

	if (o->kernel && (perl ? perf_compat_is_kernel(dso) : perf_dso_is_kernel(dso)))
		return PERF_VARIANT_KERNEL;
	if (o->jit && (perl ? perf_compat_is_jit(dso) : perf_dso_is_jit(dso)))
		return PERF_VARIANT_JIT;
	return 0;
}

unsigned perf_variant_of_dso(struct perf *p, struct fg_str dso)
{
	struct perf_memo_key key = perf_memo_key(&p->memo, dso, PERF_VARIANT_DSO);
	const struct perf_memo_entry *entry = perf_memo_find(&p->memo, &key);
	struct perf_memo_value value = { 0, 0 };

	if (entry)
		return entry->id;
	value.id = classify_dso(p->options, dso);
	perf_memo_add(&p->memo, &key, value);
	return value.id;
}

void perf_note_skipped_after(struct perf *p, struct fg_str symbol)
{
	const struct fg_opt_list *names = &p->options->skip_after;

	for (size_t i = 0; i < names->count; i++) {
		struct fg_str name = fg_str_from(names->items[i]);
		bool printed = fg_str_eq(name, symbol);

		for (size_t k = 0; k < p->run.count; k++)
			if (printed ||
			    fg_str_eq(name, fg_intern_name(&p->sink->names, p->run.items[k])))
				fg_sink_mark(p->sink, p->run.items[k], FG_MARK_BASE);
	}
}

/* What a symbol tells of the order of a chain. */
static uint8_t traits_of(struct fg_str symbol)
{
	if (!symbol.len || fg_str_eq(symbol, FG_STR("[unknown]")))
		return PERF_MEMO_UNNAMED;
	if (perf_is_clone(symbol))
		return PERF_MEMO_ENTRY | PERF_MEMO_CLONE;
	return perf_is_entry_point(symbol) ? PERF_MEMO_ENTRY : 0;
}

static struct perf_memo_value work_out(struct perf *p, const struct perf_frame *f,
				       unsigned variant)
{
	struct perf_memo_value value;

	p->name(p, f, variant);
	perf_note_skipped_after(p, f->symbol);
	value = perf_run_end(p);
	value.flags |= traits_of(f->symbol);
	return value;
}

static struct perf_memo_value
by_symbol_and_dso(struct perf *p, const struct perf_frame *f, unsigned variant)
{
	const struct perf_memo_entry *entry;
	struct perf_memo_value value;
	struct perf_memo_key key;

	if (p->options->addrs)
		return work_out(p, f, variant); /* the address may be in the name */
	fg_buf_clear(&p->key);
	fg_buf_add_str(&p->key, f->symbol);
	fg_buf_add_char(&p->key, '\0');
	fg_buf_add_str(&p->key, f->dso);
	key = perf_memo_key(&p->memo, fg_buf_str(&p->key),
			    variant | PERF_VARIANT_WITH_DSO);
	entry = perf_memo_find(&p->memo, &key);
	if (entry)
		return perf_memo_value(entry);
	value = work_out(p, f, key.variant);
	perf_memo_add(&p->memo, &key, value);
	return value;
}

static struct perf_memo_value by_kind_of_dso(struct perf *p, const struct perf_frame *f,
					     unsigned variant, uint32_t id)
{
	bool jit = perf_dso_is_jit(f->dso);
	struct perf_memo_value value = p->by_kind.items[id].of[jit];

	if (value.flags & PERF_MEMO_NOT_YET) {
		value = work_out(p, f, variant);
		p->by_kind.items[id].of[jit] = value;
	}
	return value;
}

static struct perf_memo_value add_by_kind(struct perf *p)
{
	const struct perf_memo_value not_yet = { 0, PERF_MEMO_NOT_YET };
	struct perf_memo_value value = { 0, PERF_MEMO_BY_KIND };
	struct perf_by_kind *both;

	FG_GROW(p->by_kind.items, p->by_kind.alloc, p->by_kind.count + 1);
	both = &p->by_kind.items[p->by_kind.count];
	both->of[0] = both->of[1] = not_yet;
	value.id = (uint32_t)p->by_kind.count++;
	return value;
}

/* What the memo is to have for a symbol that is new. */
static struct perf_memo_value first_look(struct perf *p, const struct perf_frame *f,
					 const struct perf_memo_key *key)
{
	struct perf_memo_value value = { 0, 0 };

	if (p->options->dso || perf_name_is_of_dso(f->symbol))
		value.flags = PERF_MEMO_BY_DSO;
	else if (!perf_memo_is_full(&p->memo) && (fg_str_has(f->symbol, FG_STR("->")) ||
						  perf_keeps_parentheses(f->symbol)))
		value = add_by_kind(p);
	else
		value = work_out(p, f, key->variant);
	perf_memo_add(&p->memo, key, value);
	return value;
}

struct perf_memo_value perf_frames_of_key(struct perf *p, const struct perf_frame *f,
					  const struct perf_memo_key *key,
					  const struct perf_memo_entry *entry)
{
	struct perf_memo_value value =
		entry ? perf_memo_value(entry) : first_look(p, f, key);

	if (value.flags & PERF_MEMO_BY_DSO)
		return by_symbol_and_dso(p, f, key->variant);
	if (value.flags & PERF_MEMO_BY_KIND)
		return by_kind_of_dso(p, f, key->variant, value.id);
	return value;
}

struct perf_memo_value perf_frames_of(struct perf *p, const struct perf_frame *f,
				      unsigned variant)
{
	struct perf_memo_key key;

	if (perf_options_annotate(p->options))
		variant |= perf_variant_of_dso(p, f->dso);
	key = perf_memo_key(&p->memo, f->symbol, variant);
	return perf_frames_of_key(p, f, &key, perf_memo_find(&p->memo, &key));
}
