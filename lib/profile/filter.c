/*
 * Keeps, changes and drops stacks and frames as the options say. Patterns for names are
 * matched only once for each name, and the result is kept as marks. To filter a stack,
 * we only check the marks of its frames.
 */
#include "lib/profile/filter.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/address.h"
#include "lib/base/optrows.h"
#include "lib/base/regex.h"
#include "lib/base/xalloc.h"
#include "lib/profile/line.h"
#include "lib/profile/rename.h"

/* ---- the options */

static const char *const recursion_choices[] = {
	[FG_RECURSION_KEEP] = "keep",
	[FG_RECURSION_DIRECT] = "direct",
	[FG_RECURSION_CYCLES] = "cycles",
	[FG_RECURSION_UNKNOWN] = "unknown",
	NULL,
};

#define OPTIONS struct fg_filter_options

const struct fg_opt fg_filter_rows[] = {
	SECTION("Stacks"),
	LIST("focus", focus, "REGEX",
	     "keep stacks with a frame that matches (repeatable; one match is enough)"),
	LIST("ignore", ignore, "REGEX",
	     "leave out stacks with a frame that matches (repeatable)"),
	LIST("keep", keep, "REGEX",
	     "keep stacks whose folded text matches (repeatable; one match is enough)"),
	LIST("drop", drop, "REGEX",
	     "leave out stacks whose folded text matches (repeatable)"),
	UINT("skip-root", skip_root, "leave out the first N frames of each stack"),
	LIST("hide", hide, "REGEX",
	     "leave out frames that match; their callers get the counts"),
	LIST("show", show, "REGEX", "leave out frames that do not match"),
	LIST("show-from", show_from, "REGEX",
	     "start stacks at the first frame that matches; leave out other stacks"),
	LIST("base", base, "NAME",
	     "start stacks at the last frame of that name; leave out other stacks"),
	LIST("trim-below", trim_below, "REGEX",
	     "end stacks at the last frame that matches"),
	UINT("max-depth", max_depth, "cut chains to N frames from the root"),
	CHOICE("recursion", recursion, "HOW", recursion_choices,
	       "keep (default); direct: f;f becomes f; cycles: f;g;f too; "
	       "unknown: only [unknown]"),

	SECTION("Names"),
	LIST("rename", rename, "s/RE/TEXT/",
	     "replace the first match in names, or all with /g (repeatable)"),
	LIST("rules", rules, "FILE",
	     "like --rename, for each line of a file (repeatable)"),
	FLAG("strip-addresses", strip_addresses,
	     "write 0x... for addresses like 0x1f2e in names"),
	FG_OPT_END,
};

const struct fg_opt fg_filter_line_rows[] = {
	FLAG("no-lines", no_lines, "one frame for all lines of a function"),
	FG_OPT_END,
};

bool fg_filter_options_choose(const struct fg_filter_options *o)
{
	return o->keep.count || o->drop.count || o->focus.count || o->ignore.count ||
	       o->show_from.count || o->base.count;
}

bool fg_filter_options_change(const struct fg_filter_options *o)
{
	return o->focus.count || o->ignore.count || o->hide.count || o->show.count ||
	       o->show_from.count || o->trim_below.count || o->base.count ||
	       o->rename.count || o->rules.count || o->skip_root || o->max_depth ||
	       o->recursion != FG_RECURSION_KEEP || o->strip_addresses || o->no_lines;
}

/* ---- patterns, matched against names and stacks */

/* Patterns for names come first, each with a bit in fg_filter.marks. */
enum pattern_list {
	PATTERN_FOCUS,
	PATTERN_IGNORE,
	PATTERN_HIDE,
	PATTERN_SHOW,
	PATTERN_SHOW_FROM,
	PATTERN_BASE,
	PATTERN_TRIM_BELOW,
	PATTERNS_OF_NAMES,
	PATTERN_KEEP = PATTERNS_OF_NAMES,
	PATTERN_DROP,
	PATTERNS,
};

struct pattern {
	const char *text;
	struct fg_regex *regex; /* NULL for --base, which is compared as it is */
	bool matched; /* the pattern has matched at least once */
};

struct patterns {
	const char *option; /* for messages */
	struct pattern *items;
	size_t count;
};

static int compile(struct patterns *p, const struct fg_opt_list *texts,
		   const char *option, bool literal, struct fg_diag *diag)
{
	p->option = option;
	p->items = fg_xcalloc(texts->count, sizeof(*p->items));
	for (size_t i = 0; i < texts->count; i++) {
		struct pattern *item = &p->items[p->count++];

		item->text = texts->items[i];
		if (literal)
			continue;
		item->regex = fg_regex_new(item->text, option, diag);
		if (!item->regex)
			return -1;
	}
	return 0;
}

/*
 * Compiles the patterns of the options, which are borrowed, into PATTERNS lists.
 * Returns 0, or -1 after reporting a malformed one. Release the lists in either case.
 */
static int compile_patterns(struct patterns *lists, const struct fg_filter_options *o,
			    struct fg_diag *diag)
{
	const struct {
		const struct fg_opt_list *texts;
		const char *option;
	} rows[PATTERNS] = {
		[PATTERN_FOCUS] = { &o->focus, "--focus" },
		[PATTERN_IGNORE] = { &o->ignore, "--ignore" },
		[PATTERN_HIDE] = { &o->hide, "--hide" },
		[PATTERN_SHOW] = { &o->show, "--show" },
		[PATTERN_SHOW_FROM] = { &o->show_from, "--show-from" },
		[PATTERN_BASE] = { &o->base, "--base" },
		[PATTERN_TRIM_BELOW] = { &o->trim_below, "--trim-below" },
		[PATTERN_KEEP] = { &o->keep, "--keep" },
		[PATTERN_DROP] = { &o->drop, "--drop" },
	};

	for (size_t i = 0; i < PATTERNS; i++)
		if (compile(&lists[i], rows[i].texts, rows[i].option, i == PATTERN_BASE,
			    diag))
			return -1;
	return 0;
}

static void release_patterns(struct patterns *lists)
{
	for (size_t which = 0; which < PATTERNS; which++) {
		for (size_t i = 0; i < lists[which].count; i++)
			fg_regex_free(lists[which].items[i].regex);
		free(lists[which].items);
	}
}

/*
 * Returns 1 if any pattern of a list matches, else 0, or -1 after reporting that
 * matching failed. Tries all patterns that have not matched yet, even after one has
 * matched, so that we can warn of patterns that never match.
 */
static int match_patterns(struct patterns *list, struct fg_str s)
{
	int found = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct pattern *item = &list->items[i];
		int matched;

		if (found && item->matched)
			continue;
		matched = item->regex ? fg_regex_match(item->regex, s) :
					fg_str_eq(s, fg_str_from(item->text));
		if (matched < 0)
			return -1;
		item->matched |= matched > 0;
		found |= matched > 0;
	}
	return found;
}

/* Warns of each pattern for names that has not matched any name. */
static void report_patterns(const struct patterns *lists, struct fg_diag *diag)
{
	for (size_t which = 0; which < PATTERNS_OF_NAMES; which++) {
		const struct patterns *p = &lists[which];

		for (size_t i = 0; i < p->count; i++)
			if (!p->items[i].matched)
				fg_warn(diag, NULL, "%s '%s' matches no frame",
					p->option, p->items[i].text);
	}
}

/* ---- the filter */

/* The id of a frame that is left out because its name became empty. */
#define FG_FRAME_GONE (UINT32_MAX - 1)

/*
 * The marks of a name are bits: MARK_KNOWN if the patterns have been tried, and one bit
 * for each list that matches.
 */
#define MARK_KNOWN 0x80
#define MARK(pattern) (1U << (pattern))

/*
 * The last line of folded text. We keep its frames because neighbouring lines begin
 * with the same frames. So only the frames that differ from the line before are looked
 * up.
 */
struct fg_filter_line {
	struct fg_buf text;
	uint32_t *ids;
	size_t ids_alloc;
	size_t *ends; /* offsets in the text at which the frames end */
	size_t ends_alloc;
	size_t depth;
	uint32_t *out; /* a copy of `ids` that the filter changes */
	size_t out_alloc;
	struct fg_buf changed; /* the text of `out` */
};

struct fg_filter {
	const struct fg_filter_options *options;
	struct fg_diag *diag;
	struct fg_intern *names; /* the caller's, or own_names */
	struct fg_intern own_names;
	struct patterns patterns[PATTERNS];
	struct fg_renames renames;
	uint8_t *marks; /* indexed by id; 0: not matched yet */
	size_t marks_alloc;
	uint32_t *renamed_plus_1; /* indexed by id; 0: not renamed yet */
	size_t renamed_alloc;
	/*
	 * by id: 1 + the frame's index in the current chain; may be left over from an
	 * earlier one
	 */
	size_t *seen;
	size_t seen_alloc;
	struct fg_buf name; /* scratch for renaming */
	struct fg_buf function; /* scratch for a name without its line */
	struct fg_filter_line text;
	/* matching failed and was reported; from then on all stacks are left out */
	bool failed;
};

int fg_filter_new(const struct fg_filter_options *o, struct fg_intern *names,
		  struct fg_diag *diag, struct fg_filter **made)
{
	struct fg_filter *f;

	*made = NULL;
	if (!fg_filter_options_change(o) && !fg_filter_options_choose(o))
		return 0;
	*made = f = fg_xcalloc(1, sizeof(*f));
	f->options = o;
	f->diag = diag;
	fg_intern_init_visible(&f->own_names);
	f->names = names ? names : &f->own_names;
	if (compile_patterns(f->patterns, o, diag))
		return -1;
	for (size_t i = 0; i < o->rules.count; i++)
		if (fg_renames_read(&f->renames, o->rules.items[i], diag))
			return -1;
	for (size_t i = 0; i < o->rename.count; i++)
		if (fg_renames_add(&f->renames, fg_str_from(o->rename.items[i]),
				   "--rename", diag))
			return -1;
	return 0;
}

static void release_line(struct fg_filter_line *line)
{
	fg_buf_release(&line->text);
	fg_buf_release(&line->changed);
	free(line->ids);
	free(line->ends);
	free(line->out);
}

void fg_filter_free(struct fg_filter *f)
{
	if (!f)
		return;
	release_patterns(f->patterns);
	fg_renames_release(&f->renames);
	fg_intern_release(&f->own_names);
	fg_buf_release(&f->name);
	fg_buf_release(&f->function);
	free(f->marks);
	free(f->renamed_plus_1);
	free(f->seen);
	release_line(&f->text);
	free(f);
}

bool fg_filter_failed(const struct fg_filter *f)
{
	return f && f->failed;
}

static bool any_matches(struct fg_filter *f, enum pattern_list which, struct fg_str s)
{
	int matched = f->failed ? 0 : match_patterns(&f->patterns[which], s);

	f->failed |= matched < 0;
	return matched > 0;
}

bool fg_filter_keeps(void *data, struct fg_str stack)
{
	struct fg_filter *f = data;

	if (f->failed ||
	    (f->patterns[PATTERN_KEEP].count && !any_matches(f, PATTERN_KEEP, stack)))
		return false;
	return !any_matches(f, PATTERN_DROP, stack) && !f->failed;
}

void fg_filter_report(const struct fg_filter *f)
{
	/*
	 * If there was no frame at all, the patterns are not to blame, and another
	 * message says what is wrong.
	 */
	if (f && f->marks_alloc)
		report_patterns(f->patterns, f->diag);
}

/* ---- names */

static uint32_t rename_frame(struct fg_filter *f, uint32_t id)
{
	struct fg_str name = fg_intern_name(f->names, id), kept = name;

	if (f->options->no_lines)
		kept = fg_line_function(name, &f->function);
	fg_buf_clear(&f->name);
	if (f->options->strip_addresses)
		fg_add_without_address(&f->name, kept);
	else
		fg_buf_add_str(&f->name, kept);
	f->failed |= fg_renames_apply(&f->renames, &f->name) != 0;
	if (!f->failed && !f->name.len && name.len)
		return FG_FRAME_GONE;
	return fg_str_eq(fg_buf_str(&f->name), name) ?
		       id :
		       fg_intern(f->names, fg_buf_str(&f->name));
}

/* Returns the id of the new name, or FG_FRAME_GONE. Renames each id only once. */
static uint32_t renamed(struct fg_filter *f, uint32_t id)
{
	size_t had = f->renamed_alloc;

	if (id >= had) {
		FG_GROW(f->renamed_plus_1, f->renamed_alloc, (size_t)id + 1);
		memset(f->renamed_plus_1 + had, 0,
		       (f->renamed_alloc - had) * sizeof(*f->renamed_plus_1));
	}
	if (!f->renamed_plus_1[id])
		f->renamed_plus_1[id] = rename_frame(f, id) + 1;
	return f->renamed_plus_1[id] - 1;
}

/*
 * Returns the marks of a name. Matches the patterns only at the first call for the
 * name.
 */
static unsigned marks_of(struct fg_filter *f, uint32_t id)
{
	size_t had = f->marks_alloc;

	if (id >= had) {
		FG_GROW(f->marks, f->marks_alloc, (size_t)id + 1);
		memset(f->marks + had, 0, f->marks_alloc - had);
	}
	if (!f->marks[id]) {
		struct fg_str name = fg_intern_name(f->names, id);

		f->marks[id] = MARK_KNOWN;
		for (unsigned which = 0; which < PATTERNS_OF_NAMES; which++)
			if (any_matches(f, (enum pattern_list)which, name))
				f->marks[id] |= (uint8_t)MARK(which);
	}
	return f->marks[id];
}

static bool has_mark(const struct fg_filter *f, uint32_t id, enum pattern_list which)
{
	return f->marks[id] & MARK(which);
}

/* ---- frames */

static bool is_root(const struct fg_filter_stack *s, size_t i)
{
	return i < s->roots;
}

static bool is_value(const struct fg_filter_stack *s, size_t i)
{
	return i >= s->depth - s->values;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Leaves out all frames before index `start`. */
static void cut_start(struct fg_filter_stack *s, size_t start)
{
	s->depth -= start;
	memmove(s->ids, s->ids + start, s->depth * sizeof(*s->ids));
	s->roots -= least(start, s->roots);
	s->values = least(s->values, s->depth);
}

/* Leaves out the frame at index `end` and all after it. */
static void cut_end(struct fg_filter_stack *s, size_t end)
{
	s->values -= least(s->depth - end, s->values);
	s->roots = least(s->roots, end);
	s->depth = end;
}

/* Removes the frames for which `goes` returns true. */
static void cut_each(struct fg_filter *f, struct fg_filter_stack *s,
		     bool (*goes)(const struct fg_filter *f, uint32_t id))
{
	struct fg_filter_stack to = { s->ids, 0, 0, 0 };

	for (size_t i = 0; i < s->depth; i++) {
		if (goes(f, s->ids[i]))
			continue;
		to.roots += is_root(s, i);
		to.values += is_value(s, i);
		to.ids[to.depth++] = s->ids[i];
	}
	*s = to;
}

static bool is_gone(const struct fg_filter *f, uint32_t id)
{
	(void)f;
	return id == FG_FRAME_GONE;
}

static bool is_hidden(const struct fg_filter *f, uint32_t id)
{
	return has_mark(f, id, PATTERN_HIDE) ||
	       (f->patterns[PATTERN_SHOW].count && !has_mark(f, id, PATTERN_SHOW));
}

static void rename_frames(struct fg_filter *f, struct fg_filter_stack *s)
{
	bool any_gone = false;

	if (!f->renames.count && !f->options->strip_addresses && !f->options->no_lines)
		return;
	for (size_t i = 0; i < s->depth; i++) {
		s->ids[i] = renamed(f, s->ids[i]);
		any_gone |= s->ids[i] == FG_FRAME_GONE;
	}
	if (any_gone)
		cut_each(f, s, is_gone);
}

/* Marks the frames. Returns true if --focus and --ignore keep the stack. */
static bool is_wanted(struct fg_filter *f, const struct fg_filter_stack *s)
{
	unsigned all = 0;

	for (size_t i = 0; i < s->depth; i++)
		all |= marks_of(f, s->ids[i]);
	if (f->patterns[PATTERN_FOCUS].count && !(all & MARK(PATTERN_FOCUS)))
		return false;
	return !(all & MARK(PATTERN_IGNORE));
}

/* Returns the index of the first frame with a mark, or s->depth. */
static size_t find_first(const struct fg_filter *f, const struct fg_filter_stack *s,
			 enum pattern_list which)
{
	size_t i = 0;

	while (i < s->depth && !has_mark(f, s->ids[i], which))
		i++;
	return i;
}

/* Returns one more than the index of the last frame with a mark, or 0. */
static size_t find_end(const struct fg_filter *f, const struct fg_filter_stack *s,
		       enum pattern_list which)
{
	size_t i = s->depth;

	while (i && !has_mark(f, s->ids[i - 1], which))
		i--;
	return i;
}

/*
 * Applies --show-from, --base and --trim-below. Returns false if the stack has no frame
 * to start from.
 */
static bool cut_ends(struct fg_filter *f, struct fg_filter_stack *s)
{
	size_t at;

	if (f->patterns[PATTERN_SHOW_FROM].count) {
		at = find_first(f, s, PATTERN_SHOW_FROM);
		if (at == s->depth)
			return false;
		cut_start(s, at);
	}
	if (f->patterns[PATTERN_BASE].count) {
		at = find_end(f, s, PATTERN_BASE);
		if (!at)
			return false;
		cut_start(s, at - 1);
	}
	at = find_end(f, s, PATTERN_TRIM_BELOW);
	if (at)
		cut_end(s, at);
	return true;
}

/* ---- recursion and depth */

static bool is_unknown(const struct fg_filter *f, uint32_t id)
{
	return fg_str_eq(fg_intern_name(f->names, id), FG_STR("[unknown]"));
}

/*
 * Merges equal neighbours or, with --recursion=unknown, only [unknown] frames: a
 * profiler that follows wrong frame pointers finds many of them in a row.
 */
static size_t cut_direct(const struct fg_filter *f, uint32_t *ids, size_t depth)
{
	bool all = f->options->recursion == FG_RECURSION_DIRECT;
	size_t to = 0;

	for (size_t i = 0; i < depth; i++)
		if (!to || ids[to - 1] != ids[i] || !(all || is_unknown(f, ids[i])))
			ids[to++] = ids[i];
	return to;
}

/*
 * Cuts cycles: if a function appears again, cuts everything after its first frame, so
 * a;b;c;b;d becomes a;b;d. `seen` may have indices left over from other stacks, so we
 * check each one.
 */
static size_t cut_cycles(struct fg_filter *f, uint32_t *ids, size_t depth)
{
	size_t had = f->seen_alloc, to = 0;

	FG_GROW(f->seen, f->seen_alloc, f->names->count);
	if (f->seen_alloc > had)
		memset(f->seen + had, 0, (f->seen_alloc - had) * sizeof(*f->seen));
	for (size_t i = 0; i < depth; i++) {
		uint32_t id = ids[i];
		size_t seen = f->seen[id];

		if (seen && seen <= to && ids[seen - 1] == id) {
			to = seen;
		} else {
			ids[to++] = id;
			f->seen[id] = to;
		}
	}
	return to;
}

/* Applies --recursion and --max-depth to the frames between roots and values. */
static void cut_chain(struct fg_filter *f, struct fg_filter_stack *s)
{
	const struct fg_filter_options *o = f->options;
	size_t had = s->depth - s->roots - s->values, depth = had;
	uint32_t *chain = s->ids + s->roots;

	if (o->recursion == FG_RECURSION_CYCLES)
		depth = cut_cycles(f, chain, depth);
	else if (o->recursion != FG_RECURSION_KEEP)
		depth = cut_direct(f, chain, depth);
	if (o->max_depth && depth > o->max_depth)
		depth = (size_t)o->max_depth;
	if (depth == had)
		return;
	memmove(chain + depth, chain + had, s->values * sizeof(*chain));
	s->depth -= had - depth;
}

bool fg_filter_stack(struct fg_filter *f, struct fg_filter_stack *s)
{
	bool was_empty = !s->depth;

	if (f->failed)
		return false;
	rename_frames(f, s);
	if (!is_wanted(f, s) || f->failed)
		return false;
	cut_start(s, f->options->skip_root < s->depth ? (size_t)f->options->skip_root :
							s->depth);
	if (f->patterns[PATTERN_HIDE].count || f->patterns[PATTERN_SHOW].count)
		cut_each(f, s, is_hidden);
	if (!cut_ends(f, s))
		return false;
	cut_chain(f, s);
	if (!s->depth && !was_empty)
		s->ids[s->depth++] = fg_intern(f->names, FG_STR(FG_FILTER_OTHER));
	return true;
}

/* ---- folded text: only frames that differ from the line before are looked up */

/*
 * Drops the kept frames after those that the stack shares with the line before. Returns
 * the offset of the first frame that differs.
 */
static size_t keep_common(struct fg_filter_line *line, struct fg_str stack)
{
	size_t common = fg_str_common(fg_buf_str(&line->text), stack);

	while (line->depth && line->ends[line->depth - 1] > common)
		line->depth--;
	if (line->depth && line->ends[line->depth - 1] == common &&
	    stack.len > common && stack.ptr[common] != ';')
		line->depth--;
	line->text.len = common;
	fg_buf_add_str(&line->text, fg_str_from_pos(stack, common));
	return line->depth ? line->ends[line->depth - 1] + 1 : 0;
}

static void read_frames(struct fg_filter *f, struct fg_str stack)
{
	struct fg_filter_line *line = &f->text;
	size_t start = keep_common(line, stack);

	if (!stack.len)
		line->depth = 0;
	/* an empty frame that is the leaf starts where the stack ends */
	while (start < stack.len || (start && start == stack.len)) {
		struct fg_str rest = fg_str_from_pos(stack, start);
		struct fg_str frame = fg_str_before(rest, fg_str_find_char(rest, ';'));

		FG_GROW(line->ids, line->ids_alloc, line->depth + 1);
		FG_GROW(line->ends, line->ends_alloc, line->depth + 1);
		line->ids[line->depth] = fg_intern(f->names, frame);
		line->ends[line->depth++] = start + frame.len;
		start += frame.len + 1;
	}
}

/* Returns the folded text of a changed stack, valid until the next call. */
static struct fg_str text_of(struct fg_filter *f, const struct fg_filter_stack *s)
{
	struct fg_buf *text = &f->text.changed;

	fg_buf_clear(text);
	for (size_t i = 0; i < s->depth; i++) {
		if (i)
			fg_buf_add_char(text, ';');
		fg_buf_add_str(text, fg_intern_name(f->names, s->ids[i]));
	}
	return fg_buf_str(text);
}

bool fg_filter_text(struct fg_filter *f, struct fg_str *stack)
{
	struct fg_filter_line *line = &f->text;
	struct fg_filter_stack s;

	if (!fg_filter_options_change(f->options))
		return fg_filter_keeps(f, *stack);
	read_frames(f, *stack);
	FG_GROW(line->out, line->out_alloc, line->depth + 1);
	if (line->depth)
		memcpy(line->out, line->ids, line->depth * sizeof(*line->out));
	s = (struct fg_filter_stack){ line->out, line->depth, 0, 0 };
	if (!fg_filter_stack(f, &s))
		return false;
	if (s.depth != line->depth ||
	    (s.depth && memcmp(s.ids, line->ids, s.depth * sizeof(*s.ids)) != 0))
		*stack = text_of(f, &s);
	return fg_filter_keeps(f, *stack);
}
