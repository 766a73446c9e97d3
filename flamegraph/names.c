/* Names: what is made once for all frames that have them. */
#include "flamegraph/names.h"

#include <stdlib.h>
#include <string.h>

#include "lib/xalloc.h"
#include "lib/xml.h"

static bool is_separator(struct fg_str raw)
{
	return fg_str_eq(raw, FG_STR("-")) || fg_str_eq(raw, FG_STR("--"));
}

static struct fg_rgb separator_colour(struct fg_str raw)
{
	unsigned char grey = raw.len == 1 ? 200 : 160;

	return (struct fg_rgb){ grey, grey, grey };
}

/* Without regard to the palette map. */
static struct fg_rgb own_colour(const struct fg_names *n, struct fg_str raw)
{
	const struct fg_graph_options *o = n->from.options;
	struct fg_shade shade;

	if (is_separator(raw))
		return separator_colour(raw);
	if (o->hash)
		shade = fg_shade_of_hash(raw);
	else if (o->compat == FG_COMPAT_INFERNO)
		shade = fg_shade_of_fnv(raw);
	else
		shade = fg_shade_of_sum(raw);
	return fg_palette_colour((enum fg_palette)o->palette, raw, shade);
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
	return own_colour(n, raw);
}

struct fg_rgb fg_names_random(struct fg_names *n, struct fg_str raw)
{
	return fg_palette_colour((enum fg_palette)n->from.options->palette, raw,
				 fg_shade_random(&n->random));
}

static struct fg_str colour_text(struct fg_names *n, struct fg_rgb colour)
{
	char text[FG_RGB_MAX];
	char *end = fg_put_colour(text, colour);

	return fg_arena_copy(&n->text, fg_str_of(text, (size_t)(end - text)));
}

/* In the way that other tools write the map too. */
static void remember(struct fg_names *n, struct fg_str raw, struct fg_rgb colour)
{
	char text[FG_RGB_MAX];
	char *end = fg_put_rgb(text, colour);

	fg_palette_map_set(n->from.colours, raw, fg_str_of(text, (size_t)(end - text)));
}

/* "tomato". Other text in a palette map is no colour: "url(x)" would load something. */
static bool is_keyword(struct fg_str colour)
{
	for (size_t i = 0; i < colour.len; i++)
		if (!fg_is_alpha(colour.ptr[i]))
			return false;
	return true;
}

static void choose_fill(struct fg_names *n, struct fg_name *name)
{
	struct fg_rgb colour = own_colour(n, name->raw);

	if (has_map(n) && !name->separator) {
		struct fg_str mapped = fg_palette_map_get(n->from.colours, name->raw);

		if (!mapped.len) {
			remember(n, name->raw, colour);
		} else if (fg_rgb_parse(mapped, &colour) && is_keyword(mapped)) {
			name->fill = mapped;
			return;
		}
	}
	name->fill = colour_text(n, colour);
	name->dark = fg_colour_is_dark(colour);
}

static void prepare(struct fg_names *n, struct fg_name *name, struct fg_str raw)
{
	name->raw = raw;
	name->label = fg_folded_without_annotation(raw);
	name->annotation = fg_str_from_pos(raw, name->label.len);
	name->shown = fg_xml_escaped(name->label, &n->text);
	name->separator = is_separator(raw);
	choose_fill(n, name);
	name->ready = true;
}

void fg_names_prepare(struct fg_names *n, uint32_t id)
{
	const struct fg_search *search = n->from.search;

	prepare(n, &n->items[id], fg_intern_name(&n->from.tree->names, id));
	n->items[id].found = search->found && search->found[id];
}

/* Functions of the file that are in no stack become names without frames. */
static void find_attributes(struct fg_names *n)
{
	const struct fg_nameattrs *attributes = n->from.attributes;
	struct fg_intern *names = &n->from.tree->names;

	for (size_t i = 0; i < attributes->count; i++) {
		const struct fg_nameattr *attr = &attributes->items[i];

		if (!attr->function.len)
			n->root.attr = attr;
		n->items[fg_intern(names, attr->function)].attr = attr;
	}
}

void fg_names_init(struct fg_names *n, const struct fg_names_source *from)
{
	size_t most = fg_size_add(from->tree->names.count, from->attributes->count);

	memset(n, 0, sizeof(*n));
	n->from = *from;
	fg_arena_init(&n->text);
	n->random = (struct fg_random)FG_RANDOM_INIT;
	n->items = fg_xcalloc(most, sizeof(*n->items));
	find_attributes(n);
	prepare(n, &n->root, FG_STR(""));
	n->root.found = from->search->root;
}

void fg_names_release(struct fg_names *n)
{
	fg_arena_release(&n->text);
	free(n->items);
	memset(n, 0, sizeof(*n));
}
