/* Prepares names: makes once what all frames of a name share. */
#include "flamegraph/names.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"
#include "lib/profile/line.h"
#include "lib/svg/xml.h"

/*
 * We keep at most this many prepared names (a power of two), and about this many bytes
 * of their texts.
 */
#define PREPARED_MAX ((size_t)1 << 13)
#define TEXT_MAX ((size_t)4 << 20)

static bool is_separator(struct fg_str raw)
{
	return fg_str_eq(raw, FG_STR("-")) || fg_str_eq(raw, FG_STR("--"));
}

static struct fg_rgb separator_colour(struct fg_str raw)
{
	unsigned char grey = raw.len == 1 ? 200 : 160;

	return (struct fg_rgb){ grey, grey, grey };
}

/* Returns the name that chooses the colour: without its line, except with --compat. */
static struct fg_str coloured_name(const struct fg_names *n, struct fg_str raw,
				   struct fg_buf *b)
{
	return n->from.options->compat == FG_COMPAT_NONE ? fg_line_function(raw, b) :
							   raw;
}

/*
 * Returns a colour in the palette. `id` is the id of the name in the tree, or
 * UINT32_MAX for the root.
 */
static struct fg_rgb shaded(const struct fg_names *n, uint32_t id, struct fg_str raw,
			    struct fg_shade shade)
{
	const struct fg_names_source *from = &n->from;

	if (from->libraries)
		return fg_libraries_colour(from->libraries, id, shade);
	return fg_palette_colour((enum fg_palette)from->options->palette, raw, shade);
}

/* Returns the colour of a name without the palette map. */
static struct fg_rgb own_colour(const struct fg_names *n, uint32_t id,
				struct fg_str raw)
{
	const struct fg_graph_options *o = n->from.options;
	struct fg_buf work = FG_BUF_INIT;
	struct fg_shade shade;
	struct fg_rgb colour;

	if (is_separator(raw))
		return separator_colour(raw);
	raw = coloured_name(n, raw, &work);
	if (o->hash)
		shade = fg_shade_of_hash(raw);
	else if (o->compat == FG_COMPAT_INFERNO)
		shade = fg_shade_of_fnv(raw);
	else
		shade = fg_shade_of_sum(raw);
	colour = shaded(n, id, raw, shade);
	fg_buf_release(&work);
	return colour;
}

static bool has_map(const struct fg_names *n)
{
	return n->from.options->cp && !n->from.tree->before;
}

struct fg_rgb fg_names_colour(const struct fg_names *n, uint32_t id)
{
	struct fg_str raw = fg_intern_name(&n->from.tree->names, id);
	struct fg_rgb colour;

	if (has_map(n) && !is_separator(raw) &&
	    !fg_rgb_parse(fg_palette_map_get(n->from.colours, raw), &colour))
		return colour;
	return own_colour(n, id, raw);
}

struct fg_rgb fg_names_random(struct fg_names *n, const struct fg_name *name)
{
	return shaded(n, name->id_plus_1 - 1, name->raw, fg_shade_random(&n->random));
}

/* Adds a colour to the palette map, in the form that other tools write. */
static void remember(struct fg_names *n, struct fg_str raw, struct fg_rgb colour)
{
	char text[FG_RGB_MAX];
	char *end = fg_put_rgb(text, colour);

	fg_palette_map_set(n->from.colours, raw, fg_str_of(text, (size_t)(end - text)));
}

/*
 * Returns true for colour keywords like "tomato". Other text from a palette map must
 * not get into the picture: "url(x)" would load something.
 */
static bool is_keyword(struct fg_str colour)
{
	for (size_t i = 0; i < colour.len; i++)
		if (!fg_is_alpha(colour.ptr[i]))
			return false;
	return true;
}

static void choose_fill(struct fg_names *n, struct fg_name *name)
{
	struct fg_rgb colour = own_colour(n, name->id_plus_1 - 1, name->raw);
	const char *end;

	if (has_map(n) && !name->separator) {
		struct fg_str mapped = fg_palette_map_get(n->from.colours, name->raw);

		if (!mapped.len) {
			remember(n, name->raw, colour);
		} else if (fg_rgb_parse(mapped, &colour) && is_keyword(mapped)) {
			name->fill = mapped;
			return;
		}
	}
	end = fg_put_fill(name->fill_text, colour, n->from.options->compat);
	name->fill = fg_str_of(name->fill_text, (size_t)(end - name->fill_text));
	name->dark = fg_colour_is_dark(colour);
}

static void prepare(struct fg_names *n, struct fg_name *name, struct fg_str raw)
{
	name->raw = raw;
	name->label = fg_folded_without_annotation(raw);
	name->annotation = fg_str_from_pos(raw, name->label.len);
	name->shown = fg_xml_escaped(name->label, &n->text);
	if (name->shown.ptr != name->label.ptr)
		n->text_len += name->shown.len;
	name->separator = is_separator(raw);
	name->dark = false;
	choose_fill(n, name);
}

static void forget_all(struct fg_names *n)
{
	fg_arena_release(&n->text);
	n->text_len = 0;
	memset(n->prepared, 0, (n->mask + (size_t)1) * sizeof(*n->prepared));
}

void fg_names_prepare(struct fg_names *n, uint32_t id)
{
	const struct fg_search *search = n->from.search;
	struct fg_name *name = &n->prepared[id & n->mask];

	if (n->text_len > TEXT_MAX)
		forget_all(n);
	name->id_plus_1 = id + 1;
	prepare(n, name, fg_intern_name(&n->from.tree->names, id));
	name->attr = fg_names_attr(n, id);
	name->found = search->found && search->found[id];
}

/*
 * Finds the attributes of each name. Adds functions that are in no stack to the tree's
 * names, where they have no frames.
 */
static void find_attributes(struct fg_names *n)
{
	const struct fg_nameattrs *attributes = n->from.attributes;
	struct fg_intern *names = &n->from.tree->names;

	if (!attributes->count)
		return;
	n->attrs = fg_xcalloc(fg_size_add(names->count, attributes->count),
			      sizeof(*n->attrs));
	for (size_t i = 0; i < attributes->count; i++) {
		const struct fg_nameattr *attr = &attributes->items[i];

		if (!attr->function.len)
			n->root.attr = attr;
		n->attrs[fg_intern(names, attr->function)] = attr;
	}
}

/* Labels the root like the viewer does. The older palettes never had a label there. */
static void label_root(struct fg_names *n)
{
	int palette = n->from.options->palette;

	if (palette == FG_PALETTE_KIND || palette == FG_PALETTE_LIBRARY)
		n->root.shown = n->root.label = FG_STR("all");
}

void fg_names_init(struct fg_names *n, const struct fg_names_source *from)
{
	size_t size = 1;

	memset(n, 0, sizeof(*n));
	n->from = *from;
	fg_arena_init(&n->text);
	n->random = (struct fg_random)FG_RANDOM_INIT;
	find_attributes(n);
	while (size < from->tree->names.count && size < PREPARED_MAX)
		size *= 2;
	n->prepared = fg_xcalloc(size, sizeof(*n->prepared));
	n->mask = (uint32_t)size - 1;
	prepare(n, &n->root, FG_STR(""));
	label_root(n);
	n->root.found = from->search->root;
}

void fg_names_release(struct fg_names *n)
{
	fg_arena_release(&n->text);
	free(n->prepared);
	free(n->attrs);
	memset(n, 0, sizeof(*n));
}
