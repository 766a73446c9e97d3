/* Finds the symbol at an address, though symbols overlap, repeat or lack sizes. */
#define _GNU_SOURCE /* for madvise() */
#include "collapse/symbols/symtab.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collapse/symbols/demangle.h"
#include "collapse/symbols/elf.h"
#include "lib/base/xalloc.h"

#define PAGE 4096
#define LARGE ((size_t)2 << 20)
/*
 * The most symbols around an address that we check. Real symbols are nested three or
 * four deep.
 */
#define DEPTH_MAX 256

/*
 * The two numbers of an item. If its symbol is in fg_symtab.symbols, `index` is HERE
 * plus the symbol's index there, and `more` is the size. CHOSEN is added when the
 * symbol was found to be the best at its address. If the symbol is not in that list,
 * `index` is the offset of its name from fg_symtab.names, and `more` is the size and
 * the flags.
 */
#define HERE (UINT32_C(1) << 31)
#define CHOSEN (UINT32_C(1) << 30)
#define NAMES CHOSEN
#define SYMBOLS_MAX CHOSEN
#define SIZE_BITS 28
/* stands for any size that does not fit */
#define SIZES ((UINT32_C(1) << SIZE_BITS) - 1)
#define ITEM_FLAGS UINT32_C(15)
#define NO_ITEM SIZE_MAX

/* Number of items that share an entry of the tree `reach`. */
#define GROUP ((size_t)16)

void fg_symtab_init(struct fg_symtab *t, enum fg_symtab_kind kind)
{
	memset(t, 0, sizeof(*t));
	t->kind = kind;
}

void fg_symtab_release(struct fg_symtab *t)
{
	free(t->items);
	free(t->symbols);
	free(t->reach);
	free(t->firsts);
	fg_symtab_init(t, t->kind);
}

/*
 * Asks for large pages, because page faults of a large table take longer than sorting
 * it.
 */
static void use_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
	const uintptr_t page = PAGE;
	uintptr_t from = ((uintptr_t)block + page - 1) / page * page;
	uintptr_t to = ((uintptr_t)block + size) / page * page;

	if (size >= LARGE)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
	(void)block;
	(void)size;
#endif
}

void fg_symtab_reserve(struct fg_symtab *t, size_t count)
{
	if (count < SYMBOLS_MAX - t->count)
		FG_GROW(t->items, t->alloc, t->count + count);
	use_large_pages(t->items, t->alloc * sizeof(*t->items));
}

static uint64_t end_of(uint64_t start, uint64_t size)
{
	return size > UINT64_MAX - start ? UINT64_MAX : start + size;
}

/*
 * Returns the end of an item's symbol, or a larger address if the size does not fit
 * into the item.
 */
static uint64_t item_end(const struct fg_symtab_item *item)
{
	uint32_t size = item->more & SIZES;

	return size == SIZES ? UINT64_MAX : end_of(item->key, size);
}

static void set_item_end(struct fg_symtab_item *item, uint64_t end)
{
	uint64_t size = end > item->key ? end - item->key : 0;

	item->more = size < SIZES ? (uint32_t)size : SIZES;
}

/* Adds a symbol to the list of symbols. Returns the index for its item. */
static uint32_t add_symbol(struct fg_symtab *t, const struct fg_symbol *symbol)
{
	FG_GROW(t->symbols, t->symbol_alloc, t->symbol_count + 1);
	t->symbols[t->symbol_count] = *symbol;
	return HERE | (uint32_t)t->symbol_count++;
}

static void add_item(struct fg_symtab *t, const struct fg_symtab_item *item)
{
	FG_GROW(t->items, t->alloc, t->count + 1);
	t->items[t->count++] = *item;
}

static void add(struct fg_symtab *t, const struct fg_symbol *symbol)
{
	struct fg_symtab_item item = { .key = symbol->start };

	if (t->count >= SYMBOLS_MAX)
		return;
	item.index = add_symbol(t, symbol);
	add_item(t, &item);
}

void fg_symtab_add(struct fg_symtab *t, uint64_t start, uint64_t size, const char *name,
		   uint32_t flags)
{
	const struct fg_symbol symbol = {
		.start = start, .end = end_of(start, size), .name = name, .flags = flags
	};

	add(t, &symbol);
}

void fg_symtab_add_unread(struct fg_symtab *t, uint64_t start, uint64_t size,
			  uint64_t name_at, uint32_t flags)
{
	bool fits = flags & FG_SYMBOL_SIZED && !(flags & ~ITEM_FLAGS) && size < SIZES &&
		    name_at - t->names < NAMES;

	if (fits && t->count < SYMBOLS_MAX)
		add_item(t, &(struct fg_symtab_item){
				    .key = start,
				    .index = (uint32_t)(name_at - t->names),
				    .more = flags << SIZE_BITS | (uint32_t)size,
			    });
	else
		add(t, &(struct fg_symbol){
			       .start = start,
			       .end = end_of(start, size),
			       .name_at = name_at,
			       .flags = flags | FG_SYMBOL_UNREAD,
		       });
}

/*
 * Sorts the items. Asks for large pages for the second block, because its page faults
 * would cost as much as sorting.
 */
static void sort(struct fg_symtab *t)
{
	struct fg_symtab_item *other;
	size_t i = 1;

	while (i < t->count && t->items[i - 1].key <= t->items[i].key)
		i++;
	if (i >= t->count)
		return;
	other = fg_xmalloc(fg_size_mul(t->count, sizeof(*other)));
	use_large_pages(other, t->count * sizeof(*other));
	fg_symtab_sort(t->items, t->count, other);
	free(other);
}

/* Returns the symbol of an item if it is in the list of symbols, or NULL. */
static struct fg_symbol *here(const struct fg_symtab *t, size_t i)
{
	uint32_t index = t->items[i].index;

	return index & HERE ? &t->symbols[index & ~(HERE | CHOSEN)] : NULL;
}

static uint64_t page_after(uint64_t address)
{
	uint64_t up = address > UINT64_MAX - 2 * PAGE ? UINT64_MAX - PAGE : address;

	return (up + PAGE - 1) / PAGE * PAGE + PAGE;
}

/*
 * Returns the end of a symbol without a size, that of item `i`. `next` is the item
 * after it. Symbols of the kernel are all in the list of symbols.
 */
static uint64_t end_before(const struct fg_symtab *t, size_t i, size_t next)
{
	uint64_t start = t->items[i].key;

	if (next == NO_ITEM)
		return page_after(start);
	if (t->kind == FG_SYMTAB_KALLSYMS &&
	    (here(t, i)->flags ^ here(t, next)->flags) & FG_SYMBOL_MODULE)
		return start > UINT64_MAX - 2 * PAGE ?
			       start :
			       (start + 2 * PAGE - 1) / PAGE * PAGE;
	return t->items[next].key;
}

/* Sets the end of a symbol whose table has no size for it. */
static void set_end(const struct fg_symtab *t, struct fg_symbol *s, size_t i,
		    size_t next)
{
	uint64_t limit = s->end;

	if (t->kind == FG_SYMTAB_JIT || s->flags & FG_SYMBOL_SIZED)
		return;
	s->end = end_before(t, i, next);
	if (limit > s->start && limit < s->end)
		s->end = limit;
}

/*
 * Sets the ends of all symbols without a size. Symbols do not end where a PLT entry
 * starts, because perf adds PLT entries after it has set the ends.
 */
static void set_ends(struct fg_symtab *t)
{
	size_t next = NO_ITEM;

	for (size_t i = t->count; i-- > 0;) {
		struct fg_symtab_item *item = &t->items[i];
		struct fg_symbol *s = here(t, i);

		item->index &= ~CHOSEN;
		if (s && !(s->flags & FG_SYMBOL_PLT))
			set_end(t, s, i, next);
		if (s)
			set_item_end(item, s->end);
		if (!s || !(s->flags & FG_SYMBOL_PLT))
			next = i;
	}
}

/* Returns the largest end of the items of a group. */
static uint64_t reach_of(const struct fg_symtab *t, size_t group)
{
	uint64_t most = 0;

	for (size_t i = group * GROUP; i < t->count && i < (group + 1) * GROUP; i++)
		if (item_end(&t->items[i]) > most)
			most = item_end(&t->items[i]);
	return most;
}

static void set_parent(struct fg_symtab *t, size_t node)
{
	uint64_t left = t->reach[2 * node], right = t->reach[2 * node + 1];

	t->reach[node] = left > right ? left : right;
}

static void plant(struct fg_symtab *t)
{
	size_t leaves = 1;

	while (leaves * GROUP < t->count)
		leaves *= 2;
	free(t->reach);
	free(t->firsts);
	t->reach = fg_xmalloc(fg_size_mul(2 * leaves, sizeof(*t->reach)));
	t->firsts = fg_xmalloc(fg_size_mul(leaves, sizeof(*t->firsts)));
	t->reach_leaves = leaves;
	for (size_t i = 0; i < leaves; i++) {
		t->reach[leaves + i] = reach_of(t, i);
		t->firsts[i] =
			i * GROUP < t->count ? t->items[i * GROUP].key : UINT64_MAX;
	}
	for (size_t node = leaves; --node;)
		set_parent(t, node);
}

void fg_symtab_finish(struct fg_symtab *t)
{
	sort(t);
	set_ends(t);
	plant(t);
}

/*
 * Returns the last item before `before` in its group that ends after an address, or
 * NO_ITEM.
 */
static size_t reaching_in(const struct fg_symtab *t, size_t before, uint64_t address)
{
	for (size_t i = before; i-- > (before - 1) / GROUP * GROUP;)
		if (item_end(&t->items[i]) > address)
			return i;
	return NO_ITEM;
}

/* Like reaching_in(), but searches all groups. */
static size_t reaching(const struct fg_symtab *t, size_t before, uint64_t address)
{
	size_t leaves = t->reach_leaves, node = leaves + before / GROUP;
	size_t found = before % GROUP ? reaching_in(t, before, address) : NO_ITEM;

	if (found != NO_ITEM)
		return found;
	while (node > 1 && !(node & 1 && t->reach[node - 1] > address))
		node /= 2;
	if (node <= 1)
		return NO_ITEM;
	node--;
	while (node < leaves)
		node = 2 * node + (t->reach[2 * node + 1] > address);
	before = (node - leaves + 1) * GROUP;
	return reaching_in(t, before < t->count ? before : t->count, address);
}

uint64_t fg_symtab_end(const struct fg_symtab *t, uint32_t flags)
{
	for (size_t i = t->count; i--;)
		if (!(here(t, i)->flags & flags))
			return here(t, i)->end;
	return 0;
}

static struct fg_symbol symbol_of(const struct fg_symtab *t, size_t i)
{
	const struct fg_symtab_item *item = &t->items[i];

	if (here(t, i))
		return *here(t, i);
	return (struct fg_symbol){
		.start = item->key,
		.end = item_end(item),
		.name_at = t->names + item->index,
		.flags = item->more >> SIZE_BITS | FG_SYMBOL_UNREAD,
	};
}

/*
 * Makes the items from `first` to before `end` stand for one symbol, with that index.
 */
static void unite(struct fg_symtab *t, size_t first, size_t end, uint32_t index)
{
	for (size_t i = first; i < end; i++) {
		t->items[i].index = index | CHOSEN;
		t->items[i].more = 0;
	}
	set_item_end(&t->items[end - 1], here(t, first)->end);
	for (size_t group = first / GROUP; group <= (end - 1) / GROUP; group++) {
		size_t node = t->reach_leaves + group;

		t->reach[node] = reach_of(t, group);
		while (node /= 2)
			set_parent(t, node);
	}
}

/* Chooses the best of the symbols that start at the same address as item `i`. */
static void choose(struct fg_symtab *t, size_t i)
{
	uint64_t start = t->items[i].key;
	size_t first = i, end = i + 1;
	struct fg_symbol_candidate best = { .has_shape = false };
	uint32_t index;

	while (first && t->items[first - 1].key == start)
		first--;
	while (end < t->count && t->items[end].key == start)
		end++;
	best.symbol = symbol_of(t, first);
	index = t->items[first].index;
	for (i = first + 1; i < end && t->kind != FG_SYMTAB_JIT; i++) {
		struct fg_symbol_candidate later = { .symbol = symbol_of(t, i) };

		if (later.symbol.flags & FG_SYMBOL_PLT ||
		    !fg_symbol_is_better(&t->files, &best, &later))
			continue;
		best = later;
		index = t->items[i].index;
	}
	unite(t, first, end, index & HERE ? index : add_symbol(t, &best.symbol));
}

/* Returns the best symbol for the address at which item `i` starts. */
static struct fg_symbol *best_at(struct fg_symtab *t, size_t i)
{
	if (!(t->items[i].index & CHOSEN))
		choose(t, i);
	return here(t, i);
}

/*
 * Returns the last item that starts at the address or before it. Searches the first
 * items of groups, which stay in the cache; a search over all items would miss at
 * almost every step.
 */
static size_t last_before(const struct fg_symtab *t, uint64_t address)
{
	size_t groups = (t->count + GROUP - 1) / GROUP, low = 0, end;

	while (groups > 1) {
		size_t half = groups / 2;

		low += t->firsts[low + half] <= address ? half : 0;
		groups -= half;
	}
	end = (low + 1) * GROUP < t->count ? (low + 1) * GROUP : t->count;
	low *= GROUP;
	while (low < end && t->items[low].key <= address)
		low++;
	return low ? low - 1 : NO_ITEM;
}

/*
 * Names the PLT entry of an ifunc like its function, if that has a name. Returns the
 * entry.
 */
static struct fg_symbol *name_ifunc(struct fg_symtab *t, struct fg_symbol *entry)
{
	size_t index = (size_t)(entry - t->symbols), i = last_before(t, entry->name_at);
	uint64_t address = entry->name_at;
	struct fg_symbol *function = NULL;

	if (i != NO_ITEM && t->items[i].key == address)
		function = best_at(t, i); /* it may move the entry in memory */
	entry = &t->symbols[index];
	entry->flags &= ~(uint32_t)(FG_SYMBOL_IFUNC | FG_SYMBOL_UNREAD);
	entry->name = "";
	if (!function || function->flags & FG_SYMBOL_PLT)
		return entry;
	fg_symbol_read(&t->files, function);
	entry->name = function->name;
	return entry;
}

/*
 * perf keeps symbols in a tree, ordered by their starts. If several symbols are around
 * an address, it finds the one nearest to the root of the tree. That is nearly always
 * the innermost symbol, but a label inside a function is not found before the function.
 * We do the same.
 */
struct fg_symtab_found fg_symtab_find(struct fg_symtab *t, uint64_t address)
{
	struct fg_symtab_found found = { NULL, UINT64_MAX };
	size_t i = last_before(t, address), next = i == NO_ITEM ? 0 : i + 1;

	if (next < t->count)
		found.until = t->items[next].key;
	for (unsigned depth = 0; i != NO_ITEM && depth < DEPTH_MAX; depth++) {
		struct fg_symbol *s = best_at(t, i);

		if (address >= s->start && address < s->end) {
			uint32_t kind =
				s->flags & (FG_SYMBOL_SIZED | FG_SYMBOL_UNTYPED);
			bool first = !found.symbol;

			if (s->end < found.until)
				found.until = s->end;
			if (first || kind == FG_SYMBOL_SIZED)
				found.symbol = s;
			if (kind == FG_SYMBOL_SIZED ||
			    (first && !(kind & FG_SYMBOL_UNTYPED)))
				break;
		}
		i = reaching(t, i, address);
	}
	if (found.symbol && found.symbol->flags & FG_SYMBOL_IFUNC)
		found.symbol = name_ifunc(t, found.symbol);
	fg_symbol_read(&t->files, found.symbol);
	return found;
}

/* ---- sorting */

/*
 * Sorts symbols by address with a radix sort, because tables often have 100,000
 * symbols.
 */

/*
 * The most bits of a digit. With more bits, the counts of digits would not fit into the
 * processor's first cache, and each round would be slower.
 */
#define BITS_MAX 14
#define DIGITS_MAX ((size_t)1 << BITS_MAX)

/* A digit of keys: its lowest bit, and the number of its bits. */
struct digit {
	unsigned shift, bits;
};

static size_t digit_of(const struct fg_symtab_item *keyed, struct digit digit)
{
	return (size_t)(keyed->key >> digit.shift) & (((size_t)1 << digit.bits) - 1);
}

/* Moves the keys to `to`, in the order of a digit. */
static void spread(const struct fg_symtab_item *keys, size_t count, struct digit digit,
		   uint32_t *starts, struct fg_symtab_item *to)
{
	uint32_t sum = 0;

	memset(starts, 0, sizeof(*starts) << digit.bits);
	for (size_t i = 0; i < count; i++)
		starts[digit_of(&keys[i], digit)]++;
	for (size_t i = 0; i < (size_t)1 << digit.bits; i++) {
		uint32_t n = starts[i];

		starts[i] = sum;
		sum += n;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[digit_of(&keys[i], digit)]++] = keys[i];
}

/* Splits the bits in which keys differ into few digits of similar size. */
static struct digit first_digit(uint64_t differ)
{
	struct digit digit = { 0, 0 };
	unsigned bits = 0, digits;

	while (!(differ >> digit.shift & 1))
		digit.shift++;
	while (bits < 64 - digit.shift && differ >> digit.shift >> bits)
		bits++;
	digits = (bits + BITS_MAX - 1) / BITS_MAX;
	digit.bits = (bits + digits - 1) / digits;
	return digit;
}

/* Skips bits that are the same in all keys. */
void fg_symtab_sort(struct fg_symtab_item *keys, size_t count,
		    struct fg_symtab_item *other)
{
	struct fg_symtab_item *from = keys, *to = other;
	/* allocated, because some threads have too small a stack for it */
	uint32_t *starts;
	uint64_t differ = 0;
	struct digit digit;

	for (size_t i = 1; i < count; i++)
		differ |= keys[i].key ^ keys[0].key;
	if (!differ)
		return;
	starts = fg_xcalloc(DIGITS_MAX, sizeof(*starts));
	for (digit = first_digit(differ); digit.shift < 64 && differ >> digit.shift;
	     digit.shift += digit.bits) {
		spread(from, count, digit, starts, to);
		from = to;
		to = from == keys ? other : keys;
	}
	free(starts);
	if (from != keys)
		memcpy(keys, other, count * sizeof(*keys));
}

/* ---- names, and which of two is better */

void fg_symbol_read(const struct fg_symbol_files *files, struct fg_symbol *symbol)
{
	const char *name = "";

	if (!symbol || !(symbol->flags & FG_SYMBOL_UNREAD))
		return;
	if (!(symbol->flags & FG_SYMBOL_IFUNC))
		name = fg_elf_text(symbol->flags & FG_SYMBOL_PLT ? files->runtime :
								   files->elf,
				   symbol->name_at);
	symbol->name = name ? name : "[unknown]";
	symbol->flags &= ~(uint32_t)FG_SYMBOL_UNREAD;
}

struct fg_str fg_symbol_name(const struct fg_symbol *symbol)
{
	struct fg_str name;
	size_t len = 0;

	if (!(symbol->flags & FG_SYMBOL_LINE))
		return fg_str_from(symbol->name);
	while (symbol->name[len] != '\n' && symbol->name[len] != '\t')
		len++;
	name = fg_str_of(symbol->name, len);
	return name;
}

/* ---- comparing */

static struct fg_symbol_shape shape_of(const struct fg_symbol_files *files,
				       struct fg_symbol_candidate *c)
{
	const struct fg_symbol *symbol = &c->symbol;
	struct fg_buf plain = FG_BUF_INIT;
	struct fg_str name;
	struct fg_symbol_shape shape = { 0, 0 };

	if (c->has_shape)
		return c->shape;
	fg_symbol_read(files, &c->symbol);
	name = fg_symbol_name(symbol);
	if (!(symbol->flags & FG_SYMBOL_LINE) &&
	    fg_demangle(symbol->name, &plain) == FG_DEMANGLED)
		name = fg_buf_str(&plain);
	while (shape.underscores < name.len && name.ptr[shape.underscores] == '_')
		shape.underscores++;
	shape.length = name.len;
	fg_buf_release(&plain);
	c->shape = shape;
	c->has_shape = true;
	return shape;
}

bool fg_symbol_is_better(const struct fg_symbol_files *files,
			 struct fg_symbol_candidate *best,
			 struct fg_symbol_candidate *next)
{
	const struct fg_symbol *now = &best->symbol, *later = &next->symbol;
	static const uint32_t bad[] = { FG_SYMBOL_UNTYPED, FG_SYMBOL_WEAK };
	uint32_t differ = now->flags ^ later->flags;
	struct fg_symbol_shape a, b;

	if ((now->end > now->start) != (later->end > later->start))
		return later->end > later->start;
	for (size_t i = 0; i < FG_COUNT_OF(bad); i++)
		if (differ & bad[i])
			return now->flags & bad[i];
	if (differ & FG_SYMBOL_GLOBAL)
		return later->flags & FG_SYMBOL_GLOBAL;
	a = shape_of(files, best);
	b = shape_of(files, next);
	if (a.underscores != b.underscores)
		return b.underscores < a.underscores;
	if (a.length != b.length)
		return b.length > a.length;
	/* A system call has two names, and the one without "SyS" is better. */
	return fg_str_starts(fg_symbol_name(now), FG_STR("SyS")) ||
	       fg_str_starts(fg_symbol_name(now), FG_STR("compat_SyS"));
}
