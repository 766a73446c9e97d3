/*
 * Gives inlined functions frames of their own. Each address of a DSO is looked up once.
 */
#include "collapse/formats/perf/data/expand.h"

#include <stdlib.h>

#include "lib/base/hash.h"
#include "lib/base/longnames.h"
#include "lib/base/xalloc.h"

/* The most addresses that we remember. Beyond that we forget all and start again. */
#define KEYS_MAX ((size_t)256 << 10)
/* The most frames of these addresses together. */
#define FRAMES_MAX ((size_t)4 << 20)

struct fg_pd_span {
	size_t first, count;
};

void fg_pd_expander_init(struct fg_pd_expander *x, struct fg_pd_resolver *resolver)
{
	memset(x, 0, sizeof(*x));
	x->resolver = resolver;
	fg_intern_init(&x->keys);
	fg_intern_init(&x->functions);
	fg_intern_init(&x->names);
}

void fg_pd_expander_release(struct fg_pd_expander *x)
{
	fg_intern_release(&x->keys);
	fg_map_release(&x->texts);
	fg_intern_release(&x->functions);
	fg_intern_release(&x->names);
	free(x->shown);
	free(x->spans);
	free(x->frames);
	free(x->of_name);
	fg_buf_release(&x->key);
	memset(x, 0, sizeof(*x));
}

void fg_pd_expander_forget_texts(struct fg_pd_expander *x)
{
	fg_map_clear(&x->texts);
}

static void add_number(struct fg_buf *b, uint64_t number)
{
	fg_buf_add(b, (const char *)&number, sizeof(number));
}

/*
 * Returns the id of a frame. Adds it if it is new. `name` is a number that stands for
 * the frame's name. Each source line of a function needs a copy of the name, so we
 * limit the bytes of long names.
 */
static uint32_t frame_like(struct fg_pd_expander *x, struct fg_pd_frame *frame,
			   uint32_t name)
{
	size_t known = x->names.count;
	uint32_t id, of_name;

	fg_buf_clear(&x->key);
	add_number(&x->key, (uint64_t)frame->dso_index * 2 + frame->inlined);
	add_number(&x->key, name);
	fg_buf_add_str(&x->key, frame->source);
	id = fg_intern(&x->names, fg_buf_str(&x->key));
	if (id < known)
		return x->of_name[id];
	if (frame->source.len &&
	    !fg_long_names_add(&x->resolver->long_names,
			       frame->symbol.len + frame->source.len)) {
		x->resolver->dsos->without_line++;
		frame->source.len = 0;
		of_name = frame_like(x, frame, name);
	} else {
		of_name = fg_pd_resolver_add(x->resolver, frame);
	}
	FG_GROW(x->of_name, x->of_name_alloc, x->names.count);
	x->of_name[id] = of_name;
	return of_name;
}

static void add(struct fg_pd_expander *x, uint32_t frame)
{
	FG_GROW(x->frames, x->alloc, x->count + 1);
	x->frames[x->count++] = frame;
}

/* Puts "FILE:LINE" into `b`, which is empty, and returns it. */
static struct fg_str add_source(const struct fg_pd_expander *x, struct fg_buf *b,
				const struct fg_inlined *f)
{
	if (!f->file)
		return FG_STR("");
	if (x->resolver->dsos->detail == FG_INLINES_PATHS)
		fg_inlined_path(f, b);
	else
		fg_buf_add_str(b, fg_str_from(f->file));
	fg_buf_addf(b, ":%d", f->line);
	return fg_buf_str(b);
}

/*
 * Returns the key of a name in `functions`. For a long name it is a hash, because
 * copies of long names could take too much memory.
 */
static struct fg_str key_of(struct fg_pd_expander *x, struct fg_str name)
{
	if (name.len < FG_LONG_NAME)
		return name;
	fg_buf_clear(&x->key);
	fg_buf_add_char(&x->key, '\0');
	add_number(&x->key, fg_hash_bytes(name.ptr, name.len, x->functions.seed));
	add_number(&x->key, name.len);
	return fg_buf_str(&x->key);
}

/*
 * Appends the name that frames show, or nothing if the limit for long names is reached.
 */
static void add_function(struct fg_pd_resolver *r, const char *name,
			 struct fg_buf *text)
{
	uint64_t too_long = r->dsos->too_long;

	if (fg_pd_resolver_demangle(r, name, text))
		return;
	if (fg_long_names_add(&r->long_names, strlen(name)))
		fg_buf_add_str(text, fg_str_from(name));
	else
		r->dsos->too_long = too_long + 1;
}

/*
 * Returns the number of a function's name. Demangles a name only once, because many
 * functions may share it.
 */
static uint32_t function_named(struct fg_pd_expander *x, const char *name)
{
	size_t known = x->functions.count;
	uint32_t id = fg_intern(&x->functions, key_of(x, fg_str_from(name)));
	struct fg_buf text = FG_BUF_INIT;

	if (id < known)
		return id;
	add_function(x->resolver, name, &text);
	FG_GROW(x->shown, x->shown_alloc, known + 1);
	x->shown[id] = fg_arena_copy(&x->resolver->names, fg_buf_str(&text));
	fg_buf_release(&text);
	return id;
}

/*
 * Like function_named(), but reads each string only once, because a long one may belong
 * to many addresses.
 */
static uint32_t function_of(struct fg_pd_expander *x, const char *name)
{
	bool is_new;
	size_t *known = fg_map_add(&x->texts, (struct fg_map_key){ (uintptr_t)name, 0 },
				   0, &is_new);

	if (is_new)
		*known = function_named(x, name);
	return (uint32_t)*known;
}

/* Adds a frame of an inlined function. The debug information has its name. */
static void add_inlined(struct fg_pd_expander *x, const struct fg_pd_frame *around,
			const struct fg_inlined *f)
{
	uint32_t name = function_of(x, f->name ? f->name : "");
	struct fg_buf source = FG_BUF_INIT;
	struct fg_pd_frame frame = *around;

	frame.symbol = x->shown[name].len ? x->shown[name] : FG_STR("[unknown]");
	frame.source = add_source(x, &source, f);
	frame.inlined = true;
	add(x, frame_like(x, &frame, name));
	fg_buf_release(&source);
}

/*
 * Adds the function into which all others are inlined. Its name is that of its symbol.
 */
static void add_outermost(struct fg_pd_expander *x, uint32_t symbol,
			  const struct fg_inlined *f)
{
	struct fg_pd_frame frame = x->resolver->frames[symbol];
	struct fg_buf source = FG_BUF_INIT;

	frame.source = add_source(x, &source, f);
	add(x, frame.source.len ? frame_like(x, &frame, symbol) : symbol);
	fg_buf_release(&source);
}

static struct fg_pd_span expand(struct fg_pd_expander *x, uint32_t symbol,
				uint64_t address)
{
	struct fg_pd_frame around = x->resolver->frames[symbol];
	struct fg_dsos *dsos = x->resolver->dsos;
	struct fg_inlined list[FG_INLINES_MAX];
	struct fg_pd_span span = { .first = x->count };
	size_t count =
		fg_dso_inlines(dsos, &dsos->list[around.dso_index], address, list);

	for (size_t i = 0; x->inlined && i + 1 < count; i++)
		add_inlined(x, &around, &list[i]);
	if (count)
		add_outermost(x, symbol, &list[count - 1]);
	else
		add(x, symbol);
	span.count = x->count - span.first;
	return span;
}

static void forget(struct fg_pd_expander *x)
{
	fg_intern_release(&x->keys);
	fg_intern_init(&x->keys);
	x->count = 0;
}

struct fg_pd_frames fg_pd_expand(struct fg_pd_expander *x,
				 const struct fg_pd_place *place, enum fg_pd_pc pc)
{
	/*
	 * A return address may be beyond the function, or the inlined code, that has
	 * the call.
	 */
	uint64_t address = place->address - (pc == FG_PD_PC_RETURNS && place->offset);
	struct fg_pd_span *span;
	size_t known;
	uint32_t id;

	if (x->keys.count >= KEYS_MAX || x->count >= FRAMES_MAX)
		forget(x);
	known = x->keys.count;
	fg_buf_clear(&x->key);
	add_number(&x->key, place->frame);
	add_number(&x->key, address);
	id = fg_intern(&x->keys, fg_buf_str(&x->key));
	FG_GROW(x->spans, x->span_alloc, (size_t)id + 1);
	span = &x->spans[id];
	if (id == known)
		*span = expand(x, place->frame, address);
	return (struct fg_pd_frames){ x->frames + span->first, span->count };
}
