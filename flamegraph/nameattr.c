/* Reads the file of --nameattr. */
#include "flamegraph/nameattr.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/intern.h"
#include "lib/base/reader.h"
#include "lib/base/xalloc.h"
#include "lib/svg/xml.h"

struct pair {
	struct fg_str name, value;
};

/* The line that is being read, and tables that all lines share. */
struct line {
	struct fg_nameattrs *all;
	struct fg_diag *diag;
	struct fg_place at;
	struct pair *pairs;
	size_t count;
	size_t alloc;
	struct fg_intern names; /* names of the attributes in all lines */
	/* indexed by id: index in `pairs` + 1; may be left over from an earlier line */
	size_t *seen;
	size_t seen_alloc;
};

static void warn(const struct line *l, const char *what, struct fg_str text)
{
	struct fg_buf shown = FG_BUF_INIT;

	fg_buf_add_visible(&shown, text, FG_QUOTED_MAX);
	fg_warn(l->diag, &l->at, "%s: '%s'", what, fg_buf_cstr(&shown));
	fg_buf_release(&shown);
}

struct entity {
	struct fg_str text;
	char c;
};

static const struct entity entities[] = {
	{ FG_STR_INIT("&amp;"), '&' },	 { FG_STR_INIT("&lt;"), '<' },
	{ FG_STR_INIT("&gt;"), '>' },	 { FG_STR_INIT("&quot;"), '"' },
	{ FG_STR_INIT("&apos;"), '\'' },
};

/*
 * Resolves entities. Users wrote values for tools that do not escape them, so `&amp;`
 * means `&`.
 */
static struct fg_str unescaped(struct fg_arena *arena, struct fg_str s)
{
	struct fg_str copy = fg_arena_copy(arena, s);
	char *to = fg_arena_bytes(arena, s.len);
	size_t len = 0;

	while (copy.len) {
		size_t step = 1;

		to[len] = copy.ptr[0];
		for (size_t i = 0; i < FG_COUNT_OF(entities); i++)
			if (fg_str_starts(copy, entities[i].text)) {
				to[len] = entities[i].c;
				step = entities[i].text.len;
			}
		len++;
		copy = fg_str_from_pos(copy, step);
	}
	return fg_str_of(to, len);
}

/*
 * Returns true if the URL starts with `scheme`. Like a browser, ignores white space,
 * control bytes and case.
 */
static bool has_scheme(struct fg_str url, const char *scheme)
{
	for (size_t i = 0; i < url.len && *scheme; i++) {
		unsigned char c = (unsigned char)url.ptr[i];

		if (c <= ' ')
			continue;
		if (c >= 'A' && c <= 'Z')
			c = (unsigned char)(c - 'A' + 'a');
		if (c != (unsigned char)*scheme++)
			return false;
	}
	return !*scheme;
}

/*
 * Returns true for a URL that may run a script, including data: URLs, because they may
 * hold a page with a script.
 */
static bool is_script_url(struct fg_str value)
{
	return has_scheme(value, "javascript:") || has_scheme(value, "data:");
}

static bool is_xml_name(struct fg_str name)
{
	if (!name.len || (!fg_is_alpha(name.ptr[0]) && name.ptr[0] != '_'))
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (!fg_is_word(name.ptr[i]) && name.ptr[i] != '-' &&
		    name.ptr[i] != '.')
			return false;
	return true;
}

/*
 * Returns true if we may write an attribute of this name: one without a prefix, or with
 * the prefix xlink or xml.
 */
static bool may_be_written(struct fg_str name)
{
	struct fg_str local = name;
	struct fg_str prefix = fg_str_cut(&local, ':');

	if (prefix.len == name.len)
		return is_xml_name(name) && !fg_str_eq(name, FG_STR("xmlns"));
	return is_xml_name(local) &&
	       (fg_str_eq(prefix, FG_STR("xlink")) || fg_str_eq(prefix, FG_STR("xml")));
}

static bool is_handler(struct fg_str name)
{
	return name.len > 2 && (name.ptr[0] | 0x20) == 'o' &&
	       (name.ptr[1] | 0x20) == 'n';
}

/*
 * Returns the pair of that name in this line, or a new one. An entry of `seen` may be
 * from an earlier line, so we check that it fits.
 */
static struct pair *pair_of(struct line *l, struct fg_str name)
{
	uint32_t id = fg_intern(&l->names, name);
	size_t had = l->seen_alloc;

	FG_GROW(l->seen, l->seen_alloc, (size_t)id + 1);
	memset(l->seen + had, 0, (l->seen_alloc - had) * sizeof(*l->seen));
	if (l->seen[id] && l->seen[id] <= l->count &&
	    fg_str_eq(l->pairs[l->seen[id] - 1].name, name))
		return &l->pairs[l->seen[id] - 1];
	FG_GROW(l->pairs, l->alloc, l->count + 1);
	l->seen[id] = ++l->count;
	return &l->pairs[l->count - 1];
}

/* Adds an attribute. Replaces an earlier one of the same name. */
static void add_pair(struct line *l, struct fg_str name, struct fg_str value)
{
	struct pair pair = { name, unescaped(&l->all->text, value) };

	if (!may_be_written(name)) {
		warn(l, "not the name of an attribute, ignored", name);
		return;
	}
	if (is_handler(name) || is_script_url(pair.value)) {
		warn(l, "an attribute that runs a script, ignored", name);
		return;
	}
	*pair_of(l, name) = pair;
}

/*
 * Reads NAME="VALUE" pairs. Values may have double quotes, single quotes, or no quotes.
 */
static void add_extra(struct line *l, struct fg_str text)
{
	for (text = fg_str_trim(text); text.len; text = fg_str_trim_left(text)) {
		size_t equals = fg_str_find_char(text, '=');
		struct fg_str name = fg_str_trim(fg_str_before(text, equals));
		struct fg_str rest, value;

		if (equals == text.len) {
			warn(l, "no NAME=\"VALUE\", ignored", text);
			return;
		}
		rest = fg_str_trim_left(fg_str_from_pos(text, equals + 1));
		if (rest.len && (rest.ptr[0] == '"' || rest.ptr[0] == '\'')) {
			char quote = rest.ptr[0];

			rest = fg_str_from_pos(rest, 1);
			if (!fg_str_has_char(rest, quote)) {
				warn(l, "no closing quote, ignored", text);
				return;
			}
			value = fg_str_cut(&rest, quote);
		} else {
			value = fg_str_cut(&rest, ' ');
		}
		add_pair(l, name, value);
		text = rest;
	}
}

/* The values of a line. We keep them until we know if the frame becomes a link. */
struct values {
	struct fg_str g_extra, a_extra, href, target;
};

static void add_value(struct line *l, struct fg_str field, struct values *values,
		      struct fg_nameattr *item)
{
	struct fg_str value = field;
	struct fg_str name = fg_str_cut(&value, '=');

	if (fg_str_eq(name, FG_STR("title"))) {
		struct fg_str title = unescaped(&l->all->text, value);

		item->title = fg_xml_escaped(title, &l->all->text);
		item->has_title = item->title.len > 0;
	} else if (fg_str_eq(name, FG_STR("id")) || fg_str_eq(name, FG_STR("class"))) {
		add_pair(l, name, value);
	} else if (fg_str_eq(name, FG_STR("href"))) {
		values->href = value;
	} else if (fg_str_eq(name, FG_STR("target"))) {
		values->target = value;
	} else if (fg_str_eq(name, FG_STR("g_extra"))) {
		values->g_extra = value;
	} else if (fg_str_eq(name, FG_STR("a_extra"))) {
		values->a_extra = value;
	} else if (field.len) {
		warn(l, "unknown attribute, ignored", field);
	}
}

static void add_link(struct line *l, const struct values *values,
		     struct fg_nameattr *item)
{
	size_t before = l->count;

	if (!values->href.len)
		return;
	add_pair(l, FG_STR("xlink:href"), values->href);
	item->is_link = l->count > before;
	if (!item->is_link)
		return;
	add_pair(l, FG_STR("target"),
		 values->target.len ? values->target : FG_STR("_top"));
	add_extra(l, values->a_extra);
}

static struct fg_str written(const struct line *l)
{
	struct fg_out out;
	struct fg_str text;

	fg_out_init_memory(&out);
	for (size_t i = 0; i < l->count; i++) {
		fg_out_add_char(&out, ' ');
		fg_out_add_str(&out, l->pairs[i].name);
		fg_out_add_str(&out, FG_STR("=\""));
		fg_xml_text(&out, l->pairs[i].value);
		fg_out_add_char(&out, '"');
	}
	text = fg_arena_copy(&l->all->text, fg_buf_str(&out.buf));
	fg_out_close(&out);
	return text;
}

static void read_line(struct line *l, struct fg_str text)
{
	struct values values = { .href = { "", 0 } };
	struct fg_nameattr item = { .has_title = false };
	struct fg_str rest = text;
	struct fg_str function = fg_str_cut(&rest, '\t');

	if (!text.len)
		return;
	if (function.len == text.len) {
		warn(l, "no tab after the name of the function, ignored", text);
		return;
	}
	l->count = 0;
	while (rest.len)
		add_value(l, fg_str_cut(&rest, '\t'), &values, &item);
	add_link(l, &values, &item);
	add_extra(l, values.g_extra);
	item.function = fg_arena_copy(&l->all->text, function);
	item.attributes = written(l);
	FG_GROW(l->all->items, l->all->alloc, l->all->count + 1);
	l->all->items[l->all->count++] = item;
}

int fg_nameattrs_read(struct fg_nameattrs *a, const char *file, struct fg_diag *diag)
{
	struct line line = { .all = a, .diag = diag };
	struct fg_reader *reader;
	struct fg_str text;
	int status;

	memset(a, 0, sizeof(*a));
	fg_arena_init(&a->text);
	if (!file)
		return 0;
	fg_intern_init(&line.names);
	reader = fg_reader_open(&file, 1, diag);
	while ((status = fg_reader_line(reader, &text, &line.at)) > 0) {
		fg_str_cut_end(&text, FG_STR("\r"));
		read_line(&line, text);
	}
	fg_reader_close(reader);
	fg_intern_release(&line.names);
	free(line.pairs);
	free(line.seen);
	return status;
}

void fg_nameattrs_release(struct fg_nameattrs *a)
{
	fg_arena_release(&a->text);
	free(a->items);
	memset(a, 0, sizeof(*a));
}
