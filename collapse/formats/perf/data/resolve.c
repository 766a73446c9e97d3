/* Addresses to frames, with a cache in front of symbol tables. */
#include "collapse/formats/perf/data/resolve.h"

#include <stdlib.h>

#include "collapse/formats/perf/data/demangle.h"
#include "collapse/formats/perf/data/locate.h"
#include "lib/base/hash.h"
#include "lib/base/xalloc.h"

#define UNKNOWN FG_STR("[unknown]")
/* A name from here on is long, and what long names take in all is limited. */
#define LONG_NAME ((size_t)1 << 10)
#define LONG_NAMES_MAX ((size_t)64 << 20)
/* Answers kept, 10 MB: a recording that lasts long meets ever new addresses. */
#define ANSWERS_MAX ((size_t)128 << 10)

/* As many as stay in the cache: most frames of a stack were in the last ones. */
#define RECENT_BITS 14

struct fg_pd_recent {
	uint64_t pc;
	uint64_t address, offset; /* of the place */
	uint32_t frame;
	uint32_t maps; /* their id; 0: free */
};

struct fg_pd_answer {
	uint64_t start; /* of the symbol there */
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
	r->recent = fg_xcalloc((size_t)1 << RECENT_BITS, sizeof(*r->recent));
	add_frame(r, &unknown);
}

void fg_pd_resolver_release(struct fg_pd_resolver *r)
{
	free(r->frames);
	free(r->answers);
	fg_map_release(&r->known);
	free(r->recent);
	fg_arena_release(&r->names);
	memset(r, 0, sizeof(*r));
}

static void remember(struct fg_pd_resolver *r, struct fg_map_key key,
		     const struct fg_pd_answer *answer)
{
	bool is_new;
	size_t at;

	if (r->known.count >= ANSWERS_MAX)
		fg_map_clear(&r->known);
	at = r->known.count;
	fg_map_add(&r->known, key, at, &is_new);
	FG_GROW(r->answers, r->answers_alloc, at + 1);
	r->answers[at] = *answer;
}

bool fg_pd_resolver_demangle(struct fg_pd_resolver *r, const char *name,
			     struct fg_buf *out)
{
	enum fg_pd_demangled status = fg_pd_demangle(name, out);

	if (status == FG_PD_DEMANGLED && out->len >= LONG_NAME) {
		if (out->len > LONG_NAMES_MAX - r->long_names)
			status = FG_PD_NAME_TOO_LONG;
		else
			r->long_names += out->len;
	}
	if (status == FG_PD_DEMANGLED)
		return true;
	if (status == FG_PD_NAME_TOO_LONG)
		r->dsos->too_long++;
	fg_buf_clear(out);
	return false;
}

/* The name as perf prints it. Symbols of the kernel are not demangled. */
static struct fg_str name_of(struct fg_pd_resolver *r,
			     const struct fg_pd_symbol *symbol)
{
	struct fg_str name = fg_pd_symbol_name(symbol);
	struct fg_buf text = FG_BUF_INIT;

	if (!(symbol->flags & FG_PD_SYMBOL_LINE) &&
	    fg_pd_resolver_demangle(r, symbol->name, &text))
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
	if (symbol) {
		frame.symbol = name_of(r, symbol);
		frame.troubled = dso->trouble == FG_PD_UNREADABLE;
	} else if (dso->kind == FG_PD_DSO_BPF) {
		frame.symbol = dso->name;
	} else {
		frame.troubled = dso->trouble != FG_PD_NO_TROUBLE &&
				 dso->trouble != FG_PD_LATE_MAP;
	}
	*known = add_frame(r, &frame) + 1;
	return *known - 1;
}

bool fg_pd_resolve_is_final(const struct fg_pd_resolver *r, uint32_t id)
{
	const struct fg_pd_frame *frame = &r->frames[id];

	return frame->named || !id ||
	       !fg_pd_dso_grows(r->dsos, &r->dsos->list[frame->dso_index]);
}

/* The frame at an address of a DSO, and where its symbol starts. */
static struct fg_pd_answer ask_dso(struct fg_pd_resolver *r, uint32_t index,
				   uint64_t address)
{
	const struct fg_map_key key = { address, index };
	const size_t *known = fg_map_find(&r->known, key);
	struct fg_pd_answer answer = { 0 };
	struct fg_pd_dso *dso = &r->dsos->list[index];
	struct fg_pd_symbol *symbol;

	if (known)
		return r->answers[*known];
	symbol = fg_pd_dso_find(r->dsos, dso, address);
	fg_pd_dso_check(dso);
	answer.start = symbol			  ? symbol->start :
		       dso->kind == FG_PD_DSO_BPF ? dso->start :
						    address;
	if (symbol || fg_pd_dso_covers(r->dsos, dso, address))
		answer.frame = frame_of(r, index, symbol);
	if (fg_pd_resolve_is_final(r, answer.frame))
		remember(r, key, &answer);
	return answer;
}

static struct fg_pd_place look_up(struct fg_pd_resolver *r, struct fg_pd_maps *maps,
				  uint64_t pc)
{
	struct fg_pd_place place = { 0, 0, pc };
	struct fg_pd_answer answer;
	struct fg_pd_map map;

	/* Mappings that change get another id, and others do not change these. */
	if (r->map_of != maps->id || pc < r->map.start || pc >= r->map.end) {
		if (!fg_pd_maps_find_any(maps, pc, &map)) {
			maps->missed = true;
			return place;
		}
		r->map = map;
		r->map_of = maps->id;
	}
	place.address = pc + r->map.shift;
	answer = ask_dso(r, r->map.dso, place.address);
	place.frame = answer.frame;
	place.offset = place.address - answer.start;
	return place;
}

static struct fg_pd_recent *recent_of(const struct fg_pd_resolver *r,
				      const struct fg_pd_maps *maps, uint64_t pc)
{
	uint64_t hash = (pc ^ maps->id * FG_HASH_K1) * FG_HASH_K0;

	return &r->recent[hash >> (64 - RECENT_BITS)];
}

void fg_pd_resolve_soon(const struct fg_pd_resolver *r, const struct fg_pd_maps *maps,
			uint64_t pc)
{
	if (maps)
		__builtin_prefetch(recent_of(r, maps, pc));
}

struct fg_pd_place fg_pd_resolve(struct fg_pd_resolver *r, struct fg_pd_maps *maps,
				 uint64_t pc)
{
	struct fg_pd_place place = { 0, 0, pc };
	struct fg_pd_recent *recent;

	if (!maps)
		return place;
	recent = recent_of(r, maps, pc);
	if (recent->pc == pc && recent->maps == maps->id)
		return (struct fg_pd_place){ recent->frame, recent->offset,
					     recent->address };
	place = look_up(r, maps, pc);
	if (fg_pd_resolve_is_final(r, place.frame))
		*recent = (struct fg_pd_recent){ pc, place.address, place.offset,
						 place.frame, maps->id };
	return place;
}
