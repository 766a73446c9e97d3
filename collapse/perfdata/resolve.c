/* Addresses to frames, with a cache in front of symbol tables. */
#include "collapse/perfdata/resolve.h"

#include <stdlib.h>

#include "collapse/perfdata/demangle.h"
#include "lib/hash.h"
#include "lib/xalloc.h"

#define UNKNOWN FG_STR("[unknown]")
#define FIRST_SIZE 4096
/* Answers that are kept: a recording that lasts long meets ever new addresses. */
#define ANSWERS_MAX ((size_t)512 << 10)

struct fg_pd_answer {
	uint64_t address; /* in the DSO */
	uint64_t start; /* of the symbol there */
	uint32_t dso; /* its index and 1; 0: free */
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

void fg_pd_resolver_init(struct fg_pd_resolver *r, struct fg_pd_dsos *dsos)
{
	const struct fg_pd_frame unknown = { .symbol = UNKNOWN, .dso = UNKNOWN };

	memset(r, 0, sizeof(*r));
	r->dsos = dsos;
	r->seed = fg_hash_seed();
	add_frame(r, &unknown);
}

void fg_pd_resolver_release(struct fg_pd_resolver *r)
{
	free(r->frames);
	free(r->cache);
	fg_arena_release(&r->names);
	memset(r, 0, sizeof(*r));
}

static struct fg_pd_answer *slot_of(const struct fg_pd_resolver *r, uint32_t dso,
				    uint64_t address)
{
	size_t mask = r->cache_alloc - 1;
	size_t i = (size_t)fg_hash_mix(address ^ r->seed, FG_HASH_K1 ^ dso) & mask;

	while (r->cache[i].dso &&
	       (r->cache[i].address != address || r->cache[i].dso != dso))
		i = (i + 1) & mask;
	return &r->cache[i];
}

static void grow_cache(struct fg_pd_resolver *r)
{
	struct fg_pd_answer *old = r->cache;
	size_t alloc = r->cache_alloc;

	r->cache_alloc = alloc ? fg_size_mul(alloc, 2) : FIRST_SIZE;
	r->cache = fg_xcalloc(r->cache_alloc, sizeof(*r->cache));
	for (size_t i = 0; i < alloc; i++)
		if (old[i].dso)
			*slot_of(r, old[i].dso, old[i].address) = old[i];
	free(old);
}

static void remember(struct fg_pd_resolver *r, const struct fg_pd_answer *answer)
{
	if (r->cache_count >= ANSWERS_MAX) {
		memset(r->cache, 0, r->cache_alloc * sizeof(*r->cache));
		r->cache_count = 0;
	}
	if (r->cache_count * 2 >= r->cache_alloc)
		grow_cache(r);
	*slot_of(r, answer->dso, answer->address) = *answer;
	r->cache_count++;
}

/* The name as perf prints it. Symbols of the kernel are not demangled. */
static struct fg_str name_of(struct fg_pd_resolver *r,
			     const struct fg_pd_symbol *symbol)
{
	struct fg_str name = fg_pd_symbol_name(symbol);
	struct fg_buf text = FG_BUF_INIT;

	if (!(symbol->flags & FG_PD_SYMBOL_LINE) && fg_pd_demangle(symbol->name, &text))
		name = fg_buf_str(&text);
	if (symbol->flags & FG_PD_SYMBOL_PLT) {
		if (!text.len)
			fg_buf_add_str(&text, name);
		fg_buf_add_str(&text, FG_STR("@plt"));
		name = fg_buf_str(&text);
	}
	name = fg_arena_copy(&r->names, name);
	fg_buf_release(&text);
	return name;
}

static uint32_t frame_of(struct fg_pd_resolver *r, uint32_t index,
			 struct fg_pd_symbol *symbol)
{
	struct fg_pd_dso *dso = &r->dsos->list[index];
	struct fg_pd_frame frame = { .symbol = UNKNOWN,
				     .dso = dso->name,
				     .dso_index = index };
	uint32_t *known = symbol ? &symbol->name_id : &dso->unknown;

	if (*known)
		return *known - 1;
	frame.named = symbol;
	if (symbol)
		frame.symbol = name_of(r, symbol);
	else if (dso->kind == FG_PD_DSO_BPF)
		frame.symbol = dso->name;
	else
		frame.troubled = dso->trouble != FG_PD_NO_TROUBLE &&
				 dso->trouble != FG_PD_LATE_MAP;
	*known = add_frame(r, &frame) + 1;
	return *known - 1;
}

/* Whether what was found at an address is found there ever after. */
static bool is_final(const struct fg_pd_resolver *r, const struct fg_pd_answer *answer)
{
	const struct fg_pd_frame *frame = &r->frames[answer->frame];

	return frame->named || !answer->frame ||
	       !fg_pd_dso_grows(r->dsos, &r->dsos->list[frame->dso_index]);
}

/* The frame at an address of a DSO, and where its symbol starts. */
static struct fg_pd_answer ask_dso(struct fg_pd_resolver *r, uint32_t index,
				   uint64_t address)
{
	struct fg_pd_answer answer = { .dso = index + 1, .address = address };
	const struct fg_pd_answer *known;
	struct fg_pd_dso *dso = &r->dsos->list[index];
	struct fg_pd_symbol *symbol;

	if (r->cache_alloc) {
		known = slot_of(r, answer.dso, address);
		if (known->dso)
			return *known;
	}
	symbol = fg_pd_dso_find(r->dsos, dso, address);
	answer.start = symbol			  ? symbol->start :
		       dso->kind == FG_PD_DSO_BPF ? dso->start :
						    address;
	if (symbol || fg_pd_dso_covers(r->dsos, dso, address))
		answer.frame = frame_of(r, index, symbol);
	if (is_final(r, &answer))
		remember(r, &answer);
	return answer;
}

struct fg_pd_place fg_pd_resolve(struct fg_pd_resolver *r,
				 const struct fg_pd_maps *maps, uint64_t address)
{
	struct fg_pd_place place = { 0, 0, address };
	const struct fg_pd_map *map;
	struct fg_pd_answer answer;

	if (!maps)
		return place;
	/* Mappings that change get another id, and others do not change these. */
	if (r->map_of != maps->id || address < r->map.start || address >= r->map.end) {
		map = fg_pd_maps_find(maps, address);
		if (!map)
			return place;
		r->map = *map;
		r->map_of = maps->id;
	}
	place.address = address + r->map.shift;
	answer = ask_dso(r, r->map.dso, place.address);
	place.frame = answer.frame;
	place.offset = place.address - answer.start;
	return place;
}
