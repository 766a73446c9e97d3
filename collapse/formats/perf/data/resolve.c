/* Turns addresses into frames. A cache saves most lookups in symbol tables. */
#include "collapse/formats/perf/data/resolve.h"

#include <stdlib.h>

#include "collapse/symbols/demangle.h"
#include "collapse/symbols/locate.h"
#include "lib/base/hash.h"
#include "lib/base/longnames.h"
#include "lib/base/xalloc.h"

#define UNKNOWN FG_STR("[unknown]")

/*
 * The cache has one answer for each block of 256 addresses of a DSO, because most
 * addresses are near an earlier one. It takes 1 MB, so that it stays in the processor's
 * cache.
 */
#define BLOCK_BITS 8
#define ANSWERS_BITS 15

/* The answer for all addresses from `from` to before `until`. */
struct fg_pd_answer {
	uint64_t from, until;
	uint64_t start; /* start of the symbol or the BPF program there; 0: neither */
	uint32_t dso; /* index of the DSO plus 1; 0: the entry is free */
	uint32_t frame;
};

static uint32_t add_frame(struct fg_pd_resolver *r, const struct fg_pd_frame *frame)
{
	FG_GROW(r->frames, r->alloc, r->count + 1);
	r->frames[r->count] = *frame;
	return (uint32_t)r->count++;
}

uint32_t fg_pd_resolver_add(struct fg_pd_resolver *r, const struct fg_pd_frame *frame)
{
	struct fg_pd_frame copy = *frame;

	copy.symbol = fg_arena_copy(&r->names, frame->symbol);
	copy.source = fg_arena_copy(&r->names, frame->source);
	return add_frame(r, &copy);
}

void fg_pd_resolver_init(struct fg_pd_resolver *r, struct fg_dsos *dsos)
{
	const struct fg_pd_frame unknown = { .symbol = UNKNOWN, .dso = UNKNOWN };

	memset(r, 0, sizeof(*r));
	r->dsos = dsos;
	r->answers = fg_xcalloc((size_t)1 << ANSWERS_BITS, sizeof(*r->answers));
	add_frame(r, &unknown);
}

void fg_pd_resolver_release(struct fg_pd_resolver *r)
{
	free(r->frames);
	free(r->answers);
	fg_arena_release(&r->names);
	fg_map_release(&r->kept);
	memset(r, 0, sizeof(*r));
}

bool fg_pd_resolver_demangle(struct fg_pd_resolver *r, const char *name,
			     struct fg_buf *out)
{
	enum fg_demangled status = fg_demangle(name, out);

	if (status == FG_DEMANGLED && !fg_long_names_add(&r->long_names, out->len))
		status = FG_DEMANGLED_TOO_LONG;
	if (status == FG_DEMANGLED)
		return true;
	if (status == FG_DEMANGLED_TOO_LONG)
		r->dsos->too_long++;
	fg_buf_clear(out);
	return false;
}

/*
 * Appends the name of a symbol in the form that perf prints. Does not demangle names of
 * the kernel.
 */
static void add_name(struct fg_pd_resolver *r, const struct fg_symbol *symbol,
		     struct fg_buf *text)
{
	if (symbol->flags & FG_SYMBOL_LINE ||
	    !fg_pd_resolver_demangle(r, symbol->name, text))
		fg_buf_add_str(text, fg_symbol_name(symbol));
	if (symbol->flags & FG_SYMBOL_PLT && !text->len)
		fg_buf_addf(text, "offset_0x%llx", (unsigned long long)symbol->start);
	if (symbol->flags & FG_SYMBOL_PLT)
		fg_buf_add_str(text, FG_STR("@plt"));
	if (!text->len) /* the table of symbols is damaged */
		fg_buf_add_str(text, UNKNOWN);
}

void fg_pd_resolver_keep(struct fg_pd_resolver *r, uint32_t index)
{
	const struct fg_dso *dso = &r->dsos->list[index];
	bool is_new;

	/*
	 * We do not keep frames of JIT code: a later process with this pid has other
	 * functions.
	 */
	if (dso->kind == FG_DSO_JIT || dso->kind == FG_DSO_DUMP)
		return;
	for (size_t i = 0; i < dso->symtab.symbol_count; i++) {
		const struct fg_symbol *s = &dso->symtab.symbols[i];
		const struct fg_map_key key = { s->start, index };

		if (s->name_id)
			*fg_map_add(&r->kept, key, 0, &is_new) = s->name_id - 1;
	}
}

/* Returns the id of a named frame, reusing the one from an earlier load of its DSO. */
static uint32_t add_named(struct fg_pd_resolver *r, struct fg_pd_frame *frame,
			  const struct fg_symbol *symbol)
{
	const struct fg_map_key key = { symbol->start, frame->dso_index };
	const size_t *kept = fg_map_find(&r->kept, key);
	size_t long_names = r->long_names;
	struct fg_buf name = FG_BUF_INIT;
	uint32_t id;

	add_name(r, symbol, &name);
	if (kept && fg_str_eq(r->frames[*kept].symbol, fg_buf_str(&name))) {
		id = (uint32_t)*kept;
		r->long_names = long_names;
	} else {
		frame->symbol = fg_arena_copy(&r->names, fg_buf_str(&name));
		id = add_frame(r, frame);
	}
	fg_buf_release(&name);
	return id;
}

static uint32_t frame_of(struct fg_pd_resolver *r, uint32_t index,
			 struct fg_symbol *symbol)
{
	struct fg_dso *dso = &r->dsos->list[index];
	struct fg_pd_frame frame = { .symbol = UNKNOWN,
				     .dso = dso->name,
				     .dso_index = index };
	uint32_t *known = symbol ? &symbol->name_id : &dso->unknown;

	if (*known)
		return *known - 1;
	if (symbol) {
		frame.named = true;
		frame.troubled = dso->trouble == FG_DSO_UNREADABLE;
		*known = add_named(r, &frame, symbol) + 1;
		return *known - 1;
	}
	if (dso->kind == FG_DSO_BPF && dso->name.len) {
		frame.symbol = dso->name;
	} else {
		frame.troubled = dso->trouble != FG_DSO_NO_TROUBLE &&
				 dso->trouble != FG_DSO_LATE_MAP;
	}
	*known = add_frame(r, &frame) + 1;
	return *known - 1;
}

bool fg_pd_resolve_is_final(const struct fg_pd_resolver *r, uint32_t id)
{
	const struct fg_pd_frame *frame = &r->frames[id];

	return frame->named || !id ||
	       !fg_dso_grows(r->dsos, &r->dsos->list[frame->dso_index]);
}

/* Returns the entry for the block of an address. It may hold another block's answer. */
static struct fg_pd_answer *answer_for(const struct fg_pd_resolver *r, uint32_t index,
				       uint64_t address)
{
	uint64_t at = (address >> BLOCK_BITS) ^ (index * FG_HASH_K0 >> 32);

	return &r->answers[at & (((uint64_t)1 << ANSWERS_BITS) - 1)];
}

static struct fg_pd_answer ask_dso(struct fg_pd_resolver *r, uint32_t index,
				   uint64_t address)
{
	struct fg_pd_answer answer = { .from = address, .dso = index + 1 };
	struct fg_pd_answer *known = answer_for(r, index, address);
	struct fg_dso *dso = &r->dsos->list[index];
	struct fg_symtab_found found;

	if (address >= known->from && address < known->until &&
	    known->dso == answer.dso)
		return *known;
	found = fg_dso_find(r->dsos, dso, address);
	fg_dso_check(dso);
	answer.until = found.until;
	answer.start = found.symbol ? found.symbol->start : dso->start;
	if (found.symbol || fg_dso_covers(r->dsos, dso, address))
		answer.frame = frame_of(r, index, found.symbol);
	if (fg_pd_resolve_is_final(r, answer.frame))
		*known = answer;
	return answer;
}

/*
 * Returns true if an address is in the mapping that was found last. That mapping is
 * still valid if the id is the same, because each change of the mappings changes the
 * id.
 */
static bool is_in_last(const struct fg_pd_maps *maps, uint64_t pc)
{
	return maps->last_of == maps->id && pc >= maps->last.start &&
	       pc < maps->last.end;
}

void fg_pd_resolve_soon(const struct fg_pd_resolver *r, const struct fg_pd_maps *maps,
			uint64_t pc)
{
	if (maps && is_in_last(maps, pc))
		__builtin_prefetch(
			answer_for(r, maps->last.dso, pc + maps->last.shift));
}

struct fg_pd_place fg_pd_resolve(struct fg_pd_resolver *r, struct fg_pd_maps *maps,
				 uint64_t pc)
{
	struct fg_pd_place place = { 0, 0, pc };
	struct fg_pd_answer answer;

	if (!maps)
		return place;
	if (!is_in_last(maps, pc)) {
		maps->last_of = 0;
		if (!fg_pd_maps_find_any(maps, pc, &maps->last)) {
			maps->missed = true;
			return place;
		}
		maps->last_of = maps->id;
	}
	place.address = pc + maps->last.shift;
	answer = ask_dso(r, maps->last.dso, place.address);
	place.frame = answer.frame;
	place.offset = answer.start ? place.address - answer.start : 0;
	return place;
}
