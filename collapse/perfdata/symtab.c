/* Which symbol an address belongs to, where symbols overlap, repeat or lack sizes. */
#include "collapse/perfdata/symtab.h"

#include <stdlib.h>

#include "collapse/perfdata/demangle.h"
#include "collapse/perfdata/radix.h"
#include "lib/xalloc.h"

#define PAGE 4096
/* Symbols around an address that are looked at: real ones lie three or four deep. */
#define DEPTH_MAX 256

void fg_pd_symtab_init(struct fg_pd_symtab *t, enum fg_pd_symtab_kind kind)
{
	memset(t, 0, sizeof(*t));
	t->kind = kind;
}

void fg_pd_symtab_release(struct fg_pd_symtab *t)
{
	free(t->symbols);
	fg_pd_symtab_init(t, t->kind);
}

void fg_pd_symtab_add(struct fg_pd_symtab *t, uint64_t start, uint64_t size,
		      const char *name, uint32_t flags)
{
	struct fg_pd_symbol *symbol;

	if (t->count >= FG_PD_NO_SYMBOL - 1)
		return;
	FG_GROW(t->symbols, t->alloc, t->count + 1);
	symbol = &t->symbols[t->count++];
	symbol->start = start;
	symbol->end = size > UINT64_MAX - start ? UINT64_MAX : start + size;
	symbol->name = name;
	symbol->name_id = 0;
	symbol->outer = FG_PD_NO_SYMBOL;
	symbol->flags = flags;
}

static void sort(struct fg_pd_symtab *t)
{
	struct fg_pd_keyed *keys;
	struct fg_pd_symbol *sorted;
	size_t i = 1;

	while (i < t->count && t->symbols[i - 1].start <= t->symbols[i].start)
		i++;
	if (i >= t->count)
		return;
	keys = fg_xcalloc(t->count, sizeof(*keys));
	for (i = 0; i < t->count; i++) {
		keys[i].key = t->symbols[i].start;
		keys[i].index = (uint32_t)i;
	}
	fg_pd_radix_sort(keys, t->count);
	sorted = fg_xcalloc(t->count, sizeof(*sorted));
	for (i = 0; i < t->count; i++)
		sorted[i] = t->symbols[keys[i].index];
	free(keys);
	free(t->symbols);
	t->symbols = sorted;
	t->alloc = t->count;
}

static uint64_t page_after(uint64_t address)
{
	uint64_t up = address > UINT64_MAX - 2 * PAGE ? UINT64_MAX - PAGE : address;

	return (up + PAGE - 1) / PAGE * PAGE + PAGE;
}

/* Where a symbol of no size ends, `next` being the one after it. */
static uint64_t end_before(const struct fg_pd_symtab *t, const struct fg_pd_symbol *s,
			   const struct fg_pd_symbol *next)
{
	if (!next)
		return page_after(s->start);
	if (t->kind == FG_PD_SYMTAB_KALLSYMS &&
	    (s->flags ^ next->flags) & FG_PD_SYMBOL_MODULE)
		return s->start > UINT64_MAX - 2 * PAGE ?
			       s->start :
			       (s->start + 2 * PAGE - 1) / PAGE * PAGE;
	return next->start;
}

/* perf adds the entries of the PLT last, when ends are known. */
static void set_ends(struct fg_pd_symtab *t)
{
	const struct fg_pd_symbol *next = NULL;

	for (size_t i = t->count; i-- > 0;) {
		struct fg_pd_symbol *s = &t->symbols[i];
		uint64_t limit = s->end;

		if (s->flags & FG_PD_SYMBOL_PLT)
			continue;
		if (!(s->flags & FG_PD_SYMBOL_SIZED)) {
			s->end = end_before(t, s, next);
			if (limit > s->start && limit < s->end)
				s->end = limit;
		}
		next = s;
	}
}

static void set_outer(struct fg_pd_symtab *t)
{
	uint32_t top = FG_PD_NO_SYMBOL;

	for (uint32_t i = 0; i < t->count; i++) {
		struct fg_pd_symbol *s = &t->symbols[i];

		while (top != FG_PD_NO_SYMBOL && t->symbols[top].end <= s->start)
			top = t->symbols[top].outer;
		s->outer = top;
		top = i;
	}
}

void fg_pd_symtab_finish(struct fg_pd_symtab *t)
{
	sort(t);
	if (t->kind != FG_PD_SYMTAB_JIT)
		set_ends(t);
	set_outer(t);
}

struct fg_str fg_pd_symbol_name(const struct fg_pd_symbol *symbol)
{
	struct fg_str name;
	size_t len = 0;

	if (!(symbol->flags & FG_PD_SYMBOL_LINE))
		return fg_str_from(symbol->name);
	while (symbol->name[len] != '\n' && symbol->name[len] != '\t')
		len++;
	name = fg_str_of(symbol->name, len);
	return name;
}

/* What names are compared by: leading underscores and length, once demangled. */
struct shape {
	size_t underscores, length;
};

static struct shape shape_of(const struct fg_pd_symbol *symbol)
{
	struct fg_buf plain = FG_BUF_INIT;
	struct fg_str name = fg_pd_symbol_name(symbol);
	struct shape shape = { 0, 0 };

	if (!(symbol->flags & FG_PD_SYMBOL_LINE) &&
	    fg_pd_demangle(symbol->name, &plain))
		name = fg_buf_str(&plain);
	while (shape.underscores < name.len && name.ptr[shape.underscores] == '_')
		shape.underscores++;
	shape.length = name.len;
	fg_buf_release(&plain);
	return shape;
}

/* Whether the later of two symbols at one address is preferred to the earlier. */
static bool is_better(const struct fg_pd_symbol *now, const struct fg_pd_symbol *later)
{
	static const uint32_t bad[] = { FG_PD_SYMBOL_UNTYPED, FG_PD_SYMBOL_WEAK };
	uint32_t differ = now->flags ^ later->flags;
	struct shape a, b;

	if ((now->end > now->start) != (later->end > later->start))
		return later->end > later->start;
	for (size_t i = 0; i < FG_COUNT_OF(bad); i++)
		if (differ & bad[i])
			return now->flags & bad[i];
	if (differ & FG_PD_SYMBOL_GLOBAL)
		return later->flags & FG_PD_SYMBOL_GLOBAL;
	a = shape_of(now);
	b = shape_of(later);
	if (a.underscores != b.underscores)
		return b.underscores < a.underscores;
	if (a.length != b.length)
		return b.length > a.length;
	/* The second name of a system call is its better one. */
	return fg_str_starts(fg_pd_symbol_name(now), FG_STR("SyS")) ||
	       fg_str_starts(fg_pd_symbol_name(now), FG_STR("compat_SyS"));
}

/* The symbols at one address: the best of them is what the address is called. */
static struct fg_pd_symbol *best_at(struct fg_pd_symtab *t, uint32_t *first)
{
	uint64_t start = t->symbols[*first].start;
	struct fg_pd_symbol *best;

	while (*first && t->symbols[*first - 1].start == start)
		(*first)--;
	best = &t->symbols[*first];
	if (t->kind == FG_PD_SYMTAB_JIT)
		return best;
	for (size_t i = *first + 1; i < t->count && t->symbols[i].start == start; i++)
		if (!(t->symbols[i].flags & FG_PD_SYMBOL_PLT) &&
		    is_better(best, &t->symbols[i]))
			best = &t->symbols[i];
	return best;
}

/* The last symbol that starts at the address or before it. */
static uint32_t last_before(const struct fg_pd_symtab *t, uint64_t address)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? (uint32_t)(low - 1) : FG_PD_NO_SYMBOL;
}

/*
 * perf keeps symbols in a tree by their starts, and finds whichever of several around
 * an address is nearest to its root. That is nearly always the innermost, except that
 * a label inside a function is not found before the function.
 */
struct fg_pd_symbol *fg_pd_symtab_find(struct fg_pd_symtab *t, uint64_t address)
{
	struct fg_pd_symbol *label = NULL;
	uint32_t i = last_before(t, address);

	for (unsigned depth = 0; i != FG_PD_NO_SYMBOL && depth < DEPTH_MAX; depth++) {
		uint32_t outer;
		struct fg_pd_symbol *s = best_at(t, &i);

		outer = t->symbols[i].outer;
		if (address >= s->start && address < s->end) {
			uint32_t kind =
				s->flags & (FG_PD_SYMBOL_SIZED | FG_PD_SYMBOL_UNTYPED);

			if (kind == FG_PD_SYMBOL_SIZED ||
			    (!label && !(kind & FG_PD_SYMBOL_UNTYPED)))
				return s;
			if (!label)
				label = s;
		}
		i = outer;
	}
	return label;
}
