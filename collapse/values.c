/* Chooses values, adds owners and files to stacks, for profiles with several values. */
#include "collapse/values.h"

#include <inttypes.h>
#include <string.h>

#include "collapse/sink_internal.h"
#include "lib/base/longnames.h"
#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"
#include "lib/profile/line.h"

/* ---- the value to count */

/* Returns true for the arguments of --weight that name no value. */
static bool is_reserved(struct fg_str name)
{
	return fg_str_eq(name, FG_STR("list")) || fg_str_eq(name, FG_STR("all"));
}

/* Gives `name` to value `i` if the name is free. Returns true if it is taken. */
static bool is_taken(struct fg_intern *names, struct fg_str name, size_t i)
{
	return is_reserved(name) || fg_intern(names, name) < i;
}

/*
 * A name that gets a number is first cut to this many bytes, because any number of
 * values may share it.
 */
#define NUMBERED_MAX 64

/* Gives a name to each value. If an earlier value has the name, adds a number to it. */
static void name_values(struct fg_intern *names, const struct fg_value *values,
			size_t count)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_intern_init_visible(names);
	for (size_t i = 0; i < count; i++) {
		fg_buf_clear(&text);
		fg_buf_add_str(&text, fg_str_before(values[i].name, FG_LONG_NAME));
		if (!is_taken(names, fg_buf_str(&text), i))
			continue;
		if (text.len > NUMBERED_MAX)
			text.len = NUMBERED_MAX;
		do
			fg_buf_addf(&text, " (%zu)", i + 1);
		while (is_taken(names, fg_buf_str(&text), i));
	}
	fg_buf_release(&text);
}

static void add_value(struct fg_buf *b, struct fg_str name, struct fg_str unit)
{
	fg_buf_add_visible(b, name, FG_QUOTED_MAX);
	if (!unit.len)
		return;
	fg_buf_add_char(b, ' ');
	fg_buf_add_visible(b, unit, FG_QUOTED_MAX);
}

static void list_values(struct fg_sink *s, const struct fg_intern *names,
			const struct fg_value *values, size_t otherwise)
{
	fg_buf_clear(&s->header);
	fg_buf_clear(&s->value.names);
	for (uint32_t i = 0; i < names->count; i++) {
		struct fg_str name = fg_intern_name(names, i);

		fg_buf_add_str(&s->value.names, name);
		fg_buf_add_char(&s->value.names, '\0');
		add_value(&s->header, name, values[i].unit);
		fg_buf_addf(&s->header, "%s\n", i == otherwise ? " (default)" : "");
	}
	s->value.listed = true;
}

static int report_no_value(struct fg_sink *s, const struct fg_intern *names)
{
	const struct fg_place at = { s->input.at.input, 0 };
	struct fg_buf text = FG_BUF_INIT;

	s->failed = true;
	if (!s->samples->weight)
		return fg_error(s->diag, &at, "there is no value that can be counted");
	for (uint32_t i = 0; i < names->count; i++) {
		fg_buf_addf(&text, "%s'", i ? ", " : "");
		fg_buf_add_visible(&text, fg_intern_name(names, i), FG_QUOTED_MAX);
		fg_buf_add_char(&text, '\'');
	}
	fg_error(s->diag, &at, "there is no value '%s' for --weight; %s%s",
		 s->samples->weight,
		 names->count ? "the values are: " : "there are no values",
		 fg_buf_cstr(&text));
	fg_buf_release(&text);
	return -1;
}

/*
 * Returns the index of the value that --weight names, or names->count if there is none.
 */
static size_t find_value(const struct fg_intern *names, const struct fg_value *values,
			 struct fg_str wanted)
{
	uint32_t i = 0;

	while (i < names->count && !fg_str_eq(fg_intern_name(names, i), wanted))
		i++;
	if (i < names->count)
		return i;
	/* The user may have typed control characters like they are in the profile. */
	for (i = 0; i < names->count; i++)
		if (fg_str_eq(values[i].name, wanted))
			break;
	return i;
}

static void add_words(struct fg_buf *b, struct fg_str name, struct fg_str unit)
{
	fg_buf_add_str(b, name);
	fg_buf_add_str(b, unit.len ? FG_STR(" in ") : FG_STR(" without a unit"));
	fg_buf_add_str(b, unit);
}

/* Notes that this input counts another value than the inputs before. */
static void note_other(struct fg_sink *s, struct fg_str name, struct fg_str unit)
{
	struct fg_buf *text = &s->value.other;

	s->value.other_input = s->input.at.input;
	fg_buf_add_str(text, FG_STR("this profile counts "));
	add_words(text, name, unit);
	fg_buf_add_str(text, FG_STR(", but earlier profiles count "));
	add_words(text, fg_buf_str(&s->value.name), fg_buf_str(&s->value.unit));
}

/*
 * Sets the name and unit that --header will write. If inputs disagree, there is no
 * unit.
 */
static void take_value(struct fg_sink *s, struct fg_str name, struct fg_str unit)
{
	struct fg_buf shown = FG_BUF_INIT, shown_unit = FG_BUF_INIT;

	fg_buf_add_visible(&shown, name, name.len);
	fg_buf_add_visible(&shown_unit, unit, FG_QUOTED_MAX);
	if (!s->tally.kept || !s->value.chosen) {
		fg_buf_clear(&s->value.name);
		fg_buf_add_str(&s->value.name, fg_buf_str(&shown));
		fg_buf_clear(&s->value.unit);
		fg_buf_add_str(&s->value.unit, fg_buf_str(&shown_unit));
		s->value.chosen = true;
	} else if (!s->value.other.len &&
		   (!fg_str_eq(fg_buf_str(&shown), fg_buf_str(&s->value.name)) ||
		    !fg_str_eq(fg_buf_str(&shown_unit), fg_buf_str(&s->value.unit)))) {
		note_other(s, fg_buf_str(&shown), fg_buf_str(&shown_unit));
		fg_buf_clear(&s->value.unit);
	}
	fg_buf_release(&shown);
	fg_buf_release(&shown_unit);
}

static int choose(struct fg_sink *s, const struct fg_intern *names,
		  const struct fg_value *values, size_t otherwise)
{
	const char *wanted = s->samples->weight;
	size_t chosen = otherwise;
	struct fg_str name;

	if (wanted && !strcmp(wanted, "list")) {
		list_values(s, names, values, otherwise);
		return -1;
	}
	if (wanted)
		chosen = find_value(names, values, fg_str_from(wanted));
	if (chosen >= names->count)
		return report_no_value(s, names);
	name = fg_intern_name(names, (uint32_t)chosen);
	take_value(s, name, values[chosen].unit);
	return (int)chosen;
}

int fg_sink_choose_value(struct fg_sink *s, const struct fg_value *values, size_t count,
			 size_t otherwise)
{
	struct fg_intern names;
	int chosen;

	if (s->value.listed || s->failed)
		return -1;
	name_values(&names, values, count);
	chosen = choose(s, &names, values, otherwise);
	fg_intern_release(&names);
	return chosen;
}

#define KIB UINT64_C(1024)
#define SECOND UINT64_C(1000000000)

struct fg_unit_scale fg_unit_scale(struct fg_str unit)
{
	static const struct {
		const char *name;
		uint64_t factor;
		bool is_time;
	} units[] = {
		{ "ns", 1, true },
		{ "nanosecond", 1, true },
		{ "us", 1000, true },
		{ "µs", 1000, true },
		{ "microsecond", 1000, true },
		{ "ms", 1000000, true },
		{ "millisecond", 1000000, true },
		{ "s", SECOND, true },
		{ "sec", SECOND, true },
		{ "second", SECOND, true },
		{ "min", 60 * SECOND, true },
		{ "minute", 60 * SECOND, true },
		{ "h", 3600 * SECOND, true },
		{ "hr", 3600 * SECOND, true },
		{ "hour", 3600 * SECOND, true },
		{ "b", 1, false },
		{ "byte", 1, false },
		{ "kb", KIB, false },
		{ "kbyte", KIB, false },
		{ "kilobyte", KIB, false },
		{ "mb", KIB * KIB, false },
		{ "mbyte", KIB * KIB, false },
		{ "megabyte", KIB * KIB, false },
		{ "gb", KIB * KIB * KIB, false },
		{ "gbyte", KIB * KIB * KIB, false },
		{ "gigabyte", KIB * KIB * KIB, false },
	};
	char lower[16];
	struct fg_str name = { lower, 0 };

	if (unit.len >= sizeof(lower))
		return (struct fg_unit_scale){ 1, unit };
	for (size_t i = 0; i < unit.len; i++) {
		char c = unit.ptr[i];

		lower[name.len++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	for (size_t i = 0; i < FG_COUNT_OF(units); i++) {
		struct fg_str known = fg_str_from(units[i].name), rest = name;

		if (!fg_str_cut_start(&rest, known) ||
		    (rest.len && (known.len < 3 || !fg_str_eq(rest, FG_STR("s")))))
			continue;
		return (struct fg_unit_scale){ units[i].factor,
					       units[i].is_time ? FG_STR("ns") :
								  FG_STR("bytes") };
	}
	return (struct fg_unit_scale){ 1, unit };
}

void fg_sink_explain_no_value(struct fg_sink *s, bool any_sample, bool any_value)
{
	if (!any_sample)
		fg_sink_set_cause(s, "the profile has no samples");
	else if (s->samples->thread.count)
		return; /* no message, because --thread may have kept none */
	else if (!any_value)
		fg_sink_set_cause(s, "the chosen value is 0 in all samples: --weight "
				     "list prints the other values");
	else
		fg_sink_set_cause(s, "no sample could be kept");
}

/* ---- the owner of a stack */

/*
 * Returns the slot that remembers a fact about a long string: the frame that it has as
 * root number `use`, or, if `use` is FG_ROOTS_MAX, whether --thread names it. Returns
 * NULL if the string is short or may move.
 */
static size_t *known_of(const struct fg_owner *owner, struct fg_str text, size_t use,
			bool *is_new)
{
	const struct fg_map_key key = { (uintptr_t)text.ptr,
					text.len * (FG_ROOTS_MAX + 1) + use };

	if (!owner->long_texts || text.len < FG_LONG_NAME)
		return NULL;
	return fg_map_add(owner->long_texts, key, 0, is_new);
}

static bool is_listed(const struct fg_opt_list *wanted, struct fg_str thread)
{
	for (size_t i = 0; i < wanted->count; i++)
		if (fg_glob(fg_str_from(wanted->items[i]), thread))
			return true;
	return false;
}

bool fg_sink_wants_owner(struct fg_sink *s, const struct fg_owner *owner)
{
	const struct fg_opt_list *wanted = &s->samples->thread;
	size_t is_wanted, *known;
	bool is_new;

	if (!wanted->count)
		return true;
	known = known_of(owner, owner->thread, FG_ROOTS_MAX, &is_new);
	if (!known)
		known = &is_wanted;
	if (known == &is_wanted || is_new)
		*known = is_listed(wanted, owner->thread);
	s->left_out_threads = s->left_out_threads || !*known;
	return *known;
}

static void add_label(struct fg_sink *s, struct fg_str key, struct fg_str value)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_add_str(&text, key);
	fg_buf_add_char(&text, '=');
	fg_buf_add_str(&text, value.ptr ? value : FG_STR("?"));
	fg_sink_root(s, fg_buf_str(&text));
	fg_buf_release(&text);
}

/* Returns the owner's string for a root frame; .ptr is NULL if there is none. */
static struct fg_str text_of(const struct fg_owner *owner,
			     const struct fg_root_choice *root)
{
	switch (root->kind) {
	case FG_ROOT_LABEL:
		return owner->label ?
			       owner->label(owner->data, fg_str_from(root->key)) :
			       fg_str_of(NULL, 0);
	case FG_ROOT_PROCESS:
		return owner->process;
	case FG_ROOT_THREAD:
		return owner->thread;
	default:
		return fg_str_of(NULL, 0);
	}
}

void fg_sink_add_owner(struct fg_sink *s, const struct fg_owner *owner)
{
	for (size_t i = 0; i < s->samples->root_count; i++) {
		const struct fg_root_choice *root = &s->samples->roots[i];
		struct fg_str text = text_of(owner, root);
		bool is_new;
		size_t *known = known_of(owner, text, i, &is_new);

		if (known && !is_new)
			fg_sink_root_id(s, (uint32_t)*known);
		else if (root->kind == FG_ROOT_LABEL)
			add_label(s, fg_str_from(root->key), text);
		else if (text.ptr)
			fg_sink_root(s, text);
		if (known)
			*known = s->roots.ids[s->roots.count - 1];
	}
}

struct fg_roots fg_sink_owner_roots(struct fg_sink *s, const struct fg_owner *owner)
{
	struct fg_roots roots;

	fg_sink_add_owner(s, owner);
	roots = s->roots;
	s->roots.count = 0;
	return roots;
}

void fg_sink_add_roots(struct fg_sink *s, const struct fg_roots *roots)
{
	for (size_t i = 0; i < roots->count; i++)
		s->roots.ids[s->roots.count++] = roots->ids[i];
}

/* ---- frames with files */

bool fg_sink_charge_name(struct fg_sink *s, size_t len, const char *what)
{
	if (fg_long_names_add(&s->long_names, len))
		return true;
	fg_sink_lose(s, what, 1);
	return false;
}

#define FRAMES_PER_STACK 1024

uint64_t *fg_sink_frame_budget(struct fg_sink *s)
{
	s->frame_budget += FRAMES_PER_STACK;
	return &s->frame_budget;
}

/*
 * Returns true for "anonymous", "(anonymous)", "<anonymous>" and "(anonymous
 * function)".
 */
static bool is_anonymous(struct fg_str name)
{
	if (!fg_str_cut_start(&name, FG_STR("(")))
		fg_str_cut_start(&name, FG_STR("<"));
	return fg_str_cut_start(&name, FG_STR("anonymous")) &&
	       (!name.len || fg_str_eq(name, FG_STR(")")) ||
		fg_str_eq(name, FG_STR(">")) || fg_str_eq(name, FG_STR(" function)")));
}

/*
 * Returns true if programs have many functions of that name, like "(anonymous)", or
 * Python's "<module>", "<lambda>", "<listcomp>" and "__init__".
 */
static bool is_shared(struct fg_str name)
{
	if (fg_str_starts(name, FG_STR("<")) &&
	    fg_str_find_char(name, '>') + 1 == name.len)
		return true;
	return is_anonymous(name) ||
	       (name.len > 4 && fg_str_starts(name, FG_STR("__")) &&
		fg_str_ends(name, FG_STR("__")));
}

bool fg_sink_shows_file(const struct fg_sink *s, struct fg_str name)
{
	return s->samples->srcline || s->samples->lines || is_shared(fg_str_trim(name));
}

bool fg_sink_shows_lines(const struct fg_sink *s)
{
	return s->samples->lines;
}

/* Cuts the file name, after the last '/' or '\\', off `path` and returns it. */
static struct fg_str cut_basename(struct fg_str *path)
{
	size_t slash = path->len;
	struct fg_str name;

	while (slash && path->ptr[slash - 1] != '/' && path->ptr[slash - 1] != '\\')
		slash--;
	name = fg_str_from_pos(*path, slash);
	*path = fg_str_before(*path, slash ? slash - 1 : 0);
	return name;
}

/*
 * Appends " (FILE)" without folders, line number, and the query of a URL. Node's own
 * files, such as node:internal/timers, keep their folders. Files whose names many
 * packages have, such as __init__.py and index.js, keep the innermost folder.
 */
static void add_file(struct fg_buf *b, struct fg_str file)
{
	struct fg_str name;
	size_t digits;

	if (fg_str_has(file, FG_STR("://")))
		file = fg_str_before(file, fg_str_find_char(file, '?'));
	name = fg_str_starts(file, FG_STR("node:")) ? file : cut_basename(&file);
	if (!name.len)
		return;
	digits = fg_str_end_span(name, fg_is_digit);
	if (digits < name.len && name.ptr[name.len - digits - 1] == ':')
		name.len -= digits + 1;
	fg_buf_add_str(b, FG_STR(" ("));
	if (fg_str_starts(name, FG_STR("__")) ||
	    fg_str_starts(name, FG_STR("index."))) {
		struct fg_str folder = cut_basename(&file);

		fg_buf_add_str(b, folder);
		if (folder.len)
			fg_buf_add_char(b, '/');
	}
	fg_buf_add_str(b, name);
	fg_buf_add_char(b, ')');
}

/* Appends ":FILE:LINE". */
static void add_place(struct fg_buf *b, struct fg_str file, uint64_t line)
{
	file = fg_str_basename(file);
	if (!file.len)
		return;
	fg_buf_add_char(b, ':');
	fg_buf_add_str(b, file);
	if (line)
		fg_buf_addf(b, ":%" PRIu64, line);
}

/*
 * Appends the name that --lines shows. Without its line, it is the name that is shown
 * without the option.
 */
static void add_with_line(struct fg_buf *b, struct fg_str name, struct fg_str file,
			  uint64_t line)
{
	struct fg_str plain = fg_folded_without_annotation(name);

	fg_buf_add_str(b, plain);
	if (is_shared(fg_str_trim(name)))
		add_file(b, file);
	fg_line_add(b, file, line);
	fg_buf_add_str(b, fg_str_from_pos(name, plain.len));
}

uint32_t fg_sink_name_at(struct fg_sink *s, struct fg_str name, struct fg_str file,
			 uint64_t line)
{
	struct fg_buf text = FG_BUF_INIT;
	uint32_t id;

	if (!file.len || !fg_sink_shows_file(s, name))
		return fg_sink_name(s, name);
	if (!fg_str_trim(name).len)
		name = FG_STR("[unknown]");
	if (s->samples->lines) {
		add_with_line(&text, name, file, line);
	} else {
		fg_buf_add_str(&text, name);
		if (s->samples->srcline)
			add_place(&text, file, line);
		else
			add_file(&text, file);
	}
	id = fg_sink_name(s, fg_buf_str(&text));
	fg_buf_release(&text);
	return id;
}

void fg_sink_frame_at(struct fg_sink *s, struct fg_str name, struct fg_str file,
		      uint64_t line)
{
	fg_stack_add_root(&s->stack, fg_sink_name_at(s, name, file, line));
}
