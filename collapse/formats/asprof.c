/*
 * Reads the flame graphs that async-profiler writes as HTML, and its trees.
 *
 * The script of a flame graph has a call for each frame, depth first. Up to version
 * 2.10 its arguments are level, start, width, type and name; numbers of samples by type
 * may follow:
 *
 *     f(0,0,10,4,'all')
 *     f(1,0,10,1,'java/lang/Thread.run')
 *     f(2,3,7,1,'Oven.bake',2,1,0)
 *
 * Since version 3.0 the names come first. The first character of a name, from ' ' on,
 * is the number of characters that it has in common with the name before it. The first
 * argument of a call is 8 * name + type. A call of f() has level, start and width after
 * it, where the start counts from that of the last call. u() is one level above the
 * last frame, at its start, and n() is to the right of it. An equal width is left out.
 *
 *     const cpool = [
 *     'all',
 *     ' Oven.bake',
 *     '%serve'
 *     ];
 *
 *     n(3,10)
 *     u(9)
 *     f(17,2,3,7)
 *
 * A tree has a row for each frame, and <ul> and </ul> around the rows of callees:
 *
 *     <li><div>[0] 70.00% 1,007 self: 2.00% 28</div><span class="t1"> Oven.bake</span>
 *     <li><div>70.00% [1,007] ... [28]</div> <span class="t1">Oven.bake</span>
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/values.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

#define OPTIONS struct options
struct options {
	bool annotate;
	int reversed; /* enum reversed */
};

enum reversed { AUTO, YES, NO };

static const char *const reversed_choices[] = {
	[AUTO] = "auto",
	[YES] = "yes",
	[NO] = "no",
	NULL,
};

static const struct fg_opt rows[] = {
	SECTION("Pages"),
	FLAG("annotate", annotate,
	     "mark compiled, inlined and interpreted methods with\n"
	     "_[j], _[1], _[i] and _[0]"),
	CHOICE("reversed", reversed, "WHEN", reversed_choices,
	       "the stacks of the page start at the leaf: yes, no or\n"
	       "auto (default), which the page says"),
	FG_OPT_END,
};

/* The most arguments of a call. */
#define NUMBERS_MAX 7

struct call {
	char function; /* 'f', 'u' or 'n' */
	uint64_t numbers[NUMBERS_MAX];
	size_t count;
	size_t name_at; /* number of arguments before the name, or NUMBERS_MAX + 1 */
	struct fg_str name; /* in asprof->text */
};

/* A frame of the current path. The first one is "all", which is not a function. */
struct level {
	uint32_t name;
	bool is_root; /* a thread or CPU, which comes first even in reversed stacks */
	bool has_callee;
	uint64_t own; /* the width without that of the callees so far */
	uint64_t end; /* start plus width; 0 in trees */
	uint64_t callees_end;
};

/* The page that is being read. */
struct page {
	int choice; /* result of fg_sink_choose_value() */
	bool started; /* a frame was read */
	bool reversed, inverted;
	bool is_difference;
	bool is_cut; /* narrow frames are missing */
	bool in_pool; /* the lines are names */
	bool has_pool;
	unsigned colors; /* number of types that have a colour */
	uint64_t total; /* the sum of a tree */
	size_t level, name_count;
	uint64_t start, width; /* the last call had these */
};

struct asprof {
	struct fg_sink *sink;
	const struct options *options;
	struct page page;
	struct level *levels;
	size_t depth, levels_alloc;
	struct fg_buf unit;
	struct fg_intern pool;
	uint32_t *names; /* ids in `pool`, by number */
	size_t names_alloc;
	struct fg_buf text, frame; /* scratch */
};

static void *open_asprof(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct asprof *a = fg_xcalloc(1, sizeof(*a));

	a->sink = sink;
	a->options = run->own;
	fg_intern_init(&a->pool);
	return a;
}

static void close_asprof(void *state)
{
	struct asprof *a = state;

	free(a->levels);
	free(a->names);
	fg_intern_release(&a->pool);
	fg_buf_release(&a->unit);
	fg_buf_release(&a->text);
	fg_buf_release(&a->frame);
	free(a);
}

/* ---- stacks */

static bool is_reversed(const struct asprof *a)
{
	return a->options->reversed == AUTO ? a->page.reversed :
					      a->options->reversed == YES;
}

/*
 * Counts the stack of the last level. A reversed stack has its leaf next to the root
 * frames.
 */
static void write_stack(struct asprof *a)
{
	uint64_t *budget = fg_sink_frame_budget(a->sink);
	struct fg_stack *stack = fg_sink_stack(a->sink);
	const struct fg_owner nobody = { .data = NULL };
	size_t first = 1;

	if (!fg_sink_wants_owner(a->sink, &nobody))
		return;
	if (*budget < a->depth) {
		fg_sink_lose(a->sink, FG_TOO_MANY_FRAMES, 1);
		return;
	}
	*budget -= a->depth;
	if (a->depth == 1) /* the page has no frame here */
		fg_sink_frame(a->sink, FG_STR(""));
	if (is_reversed(a)) {
		while (first < a->depth && a->levels[first].is_root)
			first++;
		for (size_t i = first; i < a->depth; i++)
			fg_stack_add_root(stack, a->levels[i].name);
	} else {
		first = a->depth;
	}
	for (size_t i = first; i-- > 1;)
		fg_stack_add_root(stack, a->levels[i].name);
	fg_sink_add_owner(a->sink, &nobody);
	fg_sink_add(a->sink, a->levels[a->depth - 1].own);
}

/* Ends the frames from `level` on: they have no more callees. */
static void end_levels(struct asprof *a, size_t level)
{
	for (; a->depth > level; a->depth--) {
		const struct level *l = &a->levels[a->depth - 1];

		if (l->has_callee && l->callees_end < l->end)
			a->page.is_cut = true;
		if (l->own)
			write_stack(a);
	}
}

static bool is_id(struct fg_str digits, struct fg_str end)
{
	return fg_str_cut_end(&digits, end) && digits.len &&
	       fg_str_all(digits, fg_is_digit);
}

/*
 * Returns true for "[main tid=7]", "[tid=7]", "[CPU-3]" and "SCHED_BATCH", which
 * options of async-profiler add. They come first even in reversed stacks.
 */
static bool is_root_frame(struct fg_str name)
{
	size_t tid = fg_str_find(name, FG_STR("tid="));

	if (fg_str_starts(name, FG_STR("SCHED_")))
		return true;
	if (!fg_str_cut_start(&name, FG_STR("[")))
		return false;
	if (fg_str_cut_start(&name, FG_STR("CPU-")))
		return is_id(name, FG_STR("]"));
	return (tid == 1 || (tid && name.len > tid && name.ptr[tid - 2] == ' ')) &&
	       is_id(fg_str_from_pos(name, tid + 3), FG_STR("]"));
}

/* Returns the letter of the annotation for a type of frame, or 0. */
static char annotation_of(const struct asprof *a, uint64_t type)
{
	/* up to version 2.6, there was one type for all Java methods not inlined */
	const char *letters = a->page.colors == 5 ? "jik" : "0ji\1\1k1";
	char letter = type < strlen(letters) ? letters[type] : '\1';

	if (letter == '\1' || (letter != 'k' && !a->options->annotate))
		return 0;
	return letter;
}

/* Returns the id of a frame with its annotation. */
static uint32_t name_frame(struct asprof *a, struct fg_str name, uint64_t type)
{
	char letter = annotation_of(a, type);

	if (!letter || fg_folded_without_annotation(name).len < name.len)
		return fg_sink_name(a->sink, name);
	fg_buf_clear(&a->frame);
	fg_buf_add_str(&a->frame, name);
	fg_buf_addf(&a->frame, "_[%c]", letter);
	return fg_sink_name(a->sink, fg_buf_str(&a->frame));
}

/* Starts the stacks of a page. Returns false if the run is over. */
static bool start_stacks(struct asprof *a)
{
	struct fg_str unit = fg_buf_str(&a->unit);
	const struct fg_value value = { unit.len ? unit : FG_STR("samples"), unit };

	if (a->page.started)
		return a->page.choice >= 0;
	a->page.started = true;
	a->page.choice = fg_sink_choose_value(a->sink, &value, 1, 0);
	return a->page.choice >= 0;
}

/* A frame of the page. */
struct frame {
	size_t level;
	struct fg_str name;
	uint64_t type, start, width;
	bool has_start;
};

/*
 * Adds the next frame of the page, below the last one of a lower level. Returns false
 * if it does not fit there.
 */
static bool add_frame(struct asprof *a, const struct frame *f)
{
	struct level *l;

	if (f->level > a->depth || f->start > UINT64_MAX - f->width)
		return false;
	if (f->level && f->has_start &&
	    f->start + f->width > a->levels[f->level - 1].end)
		return false; /* the frame below it was malformed */
	end_levels(a, f->level);
	FG_GROW(a->levels, a->levels_alloc, a->depth + 1);
	l = &a->levels[a->depth++];
	*l = (struct level){ .own = f->width };
	if (f->has_start)
		l->end = f->start + f->width;
	if (f->level == 0)
		return true;
	l->name = name_frame(a, f->name, f->type);
	l->is_root = (f->level == 1 || l[-1].is_root) && is_root_frame(f->name);
	if (l[-1].has_callee && f->has_start && f->start > l[-1].callees_end)
		a->page.is_cut = true;
	l[-1].has_callee = true;
	l[-1].callees_end = l->end;
	l[-1].own -= f->width < l[-1].own ? f->width : l[-1].own;
	return true;
}

/* ---- flame graphs */

/*
 * Cuts a string and its quotes off `rest`, and sets `text` to what is in them. Returns
 * false if the string has no end.
 */
static bool cut_string(struct fg_str *rest, struct fg_buf *text)
{
	char quote = rest->ptr[0];

	fg_buf_clear(text);
	for (size_t i = 1; i < rest->len; i++) {
		char c = rest->ptr[i];

		if (c == quote) {
			*rest = fg_str_from_pos(*rest, i + 1);
			return true;
		}
		/* up to version 2.5, a '\\' in a name was not escaped itself */
		if (c == '\\' && i + 1 < rest->len &&
		    (rest->ptr[i + 1] == quote || rest->ptr[i + 1] == '\\'))
			c = rest->ptr[++i];
		fg_buf_add_char(text, c);
	}
	return false;
}

static bool is_quoted(struct fg_str s)
{
	return s.len && (s.ptr[0] == '\'' || s.ptr[0] == '"');
}

/* Cuts an argument off `rest`: a number, or the only string. */
static bool cut_argument(struct asprof *a, struct fg_str *rest, struct call *call)
{
	size_t digits = fg_str_span(*rest, fg_is_digit);

	if (is_quoted(*rest) && call->name_at > NUMBERS_MAX) {
		call->name_at = call->count;
		return cut_string(rest, &a->text);
	}
	if (call->count == NUMBERS_MAX ||
	    fg_str_u64(fg_str_before(*rest, digits), &call->numbers[call->count]))
		return false;
	call->count++;
	*rest = fg_str_from_pos(*rest, digits);
	return true;
}

/* Reads the arguments of a call, up to its ')'. Returns false if they are malformed. */
static bool read_arguments(struct asprof *a, struct fg_str rest, struct call *call)
{
	*call = (struct call){ call->function, .name_at = NUMBERS_MAX + 1 };
	do {
		rest = fg_str_trim_left(rest);
		if (!cut_argument(a, &rest, call))
			return false;
		rest = fg_str_trim_left(rest);
	} while (fg_str_cut_start(&rest, FG_STR(",")));
	call->name = fg_buf_str(&a->text);
	return fg_str_starts(rest, FG_STR(")"));
}

/* Adds the frame of f(level, start, width, type, 'name', ...). */
static bool add_named(struct asprof *a, const struct call *call)
{
	const uint64_t *n = call->numbers;
	const struct frame frame = { n[0], call->name, n[3], n[1], n[2], true };

	return call->function == 'f' && call->name_at == 4 && add_frame(a, &frame);
}

/* Adds the frame of a call whose name is in the pool. */
static bool add_pooled(struct asprof *a, const struct call *call)
{
	struct page *p = &a->page;
	const uint64_t key = call->numbers[0];
	struct frame f = { .level = p->level, .start = p->start, .has_start = true };
	uint64_t move = 0;
	size_t used = 1;

	if (call->name_at <= NUMBERS_MAX || key / 8 >= p->name_count)
		return false;
	if (call->function == 'f') {
		used = 3;
		f.level = call->count < 3 ? SIZE_MAX : call->numbers[1];
		move = call->numbers[2];
	} else if (call->function == 'u') {
		f.level++;
	} else {
		move = p->width;
	}
	if (f.level > a->depth || move > UINT64_MAX - f.start)
		return false;
	f.start += move;
	f.width = call->count > used && call->numbers[used] ? call->numbers[used] :
							      p->width;
	f.name = fg_intern_name(&a->pool, a->names[key / 8]);
	f.type = key % 8;
	p->level = f.level;
	p->start = f.start;
	p->width = f.width;
	return add_frame(a, &f);
}

/*
 * Reads a call such as "f(0,0,10,4,'all')". Returns false if the line is not one, but
 * perhaps a line of the script, like "f(key, level0, width0, width)".
 */
static bool read_call(struct asprof *a, struct fg_str line)
{
	struct call call;
	struct fg_str rest = fg_str_from_pos(line, 2);

	if (line.len < 3 || !strchr("fun", line.ptr[0]) || line.ptr[1] != '(' ||
	    !fg_is_digit(fg_str_trim_left(rest).ptr[0]))
		return false;
	call.function = line.ptr[0];
	if (start_stacks(a) &&
	    (!read_arguments(a, rest, &call) ||
	     !(a->page.has_pool ? add_pooled(a, &call) : add_named(a, &call))))
		fg_sink_malformed(a->sink, line);
	return true;
}

/* Reads a name of the pool. */
static void read_name(struct asprof *a, struct fg_str line)
{
	struct page *p = &a->page;
	struct fg_str name;

	if (!is_quoted(line) || !cut_string(&line, &a->text)) {
		p->in_pool = false;
		return;
	}
	name = fg_buf_str(&a->text);
	FG_GROW(a->names, a->names_alloc, p->name_count + 1);
	if (p->name_count && name.len) {
		struct fg_str last =
			fg_intern_name(&a->pool, a->names[p->name_count - 1]);
		size_t first = (unsigned char)name.ptr[0];

		fg_buf_clear(&a->frame);
		if (first > ' ')
			fg_buf_add_str(&a->frame, fg_str_before(last, first - ' '));
		fg_buf_add_str(&a->frame, fg_str_from_pos(name, 1));
		name = fg_buf_str(&a->frame);
	}
	a->names[p->name_count++] = fg_intern(&a->pool, name);
}

/* Reads "var NAME = VALUE;" with any of var, let and const. Returns the value. */
static struct fg_str value_of(struct fg_str line, const char *name)
{
	struct fg_str word = fg_str_cut(&line, ' ');

	if (!fg_str_eq(word, FG_STR("let")) && !fg_str_eq(word, FG_STR("var")) &&
	    !fg_str_eq(word, FG_STR("const")))
		return fg_str_of(NULL, 0);
	word = fg_str_cut(&line, ' ');
	if (!fg_str_eq(word, fg_str_from(name)) ||
	    !fg_str_cut_start(&line, FG_STR("= ")))
		return fg_str_of(NULL, 0);
	return line;
}

/* Reads a line of the script that says something about the frames. */
static void read_script(struct asprof *a, struct fg_str line)
{
	struct page *p = &a->page;
	struct fg_str unit = value_of(line, "units");
	struct fg_str difference = value_of(line, "maxdiff");

	if (fg_str_starts(value_of(line, "cpool"), FG_STR("["))) {
		p->in_pool = p->has_pool = true;
	} else if (fg_str_starts(value_of(line, "reverse"), FG_STR("true"))) {
		p->reversed = true;
	} else if (fg_str_starts(value_of(line, "inverted"), FG_STR("true"))) {
		p->reversed = p->inverted = true;
	} else if (difference.len) {
		p->is_difference = fg_is_digit(difference.ptr[0]);
	} else if (is_quoted(unit)) {
		cut_string(&unit, &a->unit);
	} else if (fg_str_starts(line, FG_STR("[0x"))) {
		p->colors++;
	}
}

/* ---- trees */

/* Returns the number in "1,007 self: ..." or "[1,007] ...". */
static bool read_amount(struct asprof *a, struct fg_str text, uint64_t *number)
{
	fg_str_cut_start(&text, FG_STR("["));
	fg_buf_clear(&a->text);
	for (size_t i = 0; i < text.len; i++) {
		if (fg_is_digit(text.ptr[i]))
			fg_buf_add_char(&a->text, text.ptr[i]);
		else if (text.ptr[i] != ',')
			break;
	}
	return !fg_str_u64(fg_buf_str(&a->text), number);
}

/* Returns the text with the characters for "&lt;" and the like. */
static struct fg_str unescape(struct asprof *a, struct fg_str text)
{
	static const struct {
		struct fg_str escaped;
		char c;
	} all[] = { { FG_STR_INIT("&amp;"), '&' },
		    { FG_STR_INIT("&lt;"), '<' },
		    { FG_STR_INIT("&gt;"), '>' } };

	fg_buf_clear(&a->text);
	while (text.len) {
		size_t i = 0;

		while (i < FG_COUNT_OF(all) && !fg_str_cut_start(&text, all[i].escaped))
			i++;
		if (i < FG_COUNT_OF(all)) {
			fg_buf_add_char(&a->text, all[i].c);
		} else {
			fg_buf_add_char(&a->text, text.ptr[0]);
			text = fg_str_from_pos(text, 1);
		}
	}
	return fg_buf_str(&a->text);
}

/* Returns the type of a class, which was a colour up to version 1.8. */
static uint64_t type_of(struct asprof *a, struct fg_str class)
{
	static const struct fg_str colors[] = { FG_STR_INIT("green"),
						FG_STR_INIT("aqua"),
						FG_STR_INIT("brown") };
	uint64_t type = 0;

	if (fg_str_cut_start(&class, FG_STR("t")))
		return fg_str_u64(class, &type) ? UINT64_MAX : type;
	a->page.colors = 5;
	while (type < FG_COUNT_OF(colors) && !fg_str_eq(class, colors[type]))
		type++;
	return type;
}

/* Adds the frame of a row after its "<li><div". Returns false if it is malformed. */
static bool add_row(struct asprof *a, struct fg_str row)
{
	static const struct fg_str span = FG_STR_INIT("<span class=\"");
	size_t share = fg_str_find(row, FG_STR("% "));
	size_t class_at = fg_str_find(row, span);
	struct fg_str name = fg_str_from_pos(row, class_at + span.len);
	struct fg_str class = fg_str_cut(&name, '"');
	size_t end = fg_str_find(name, FG_STR("</span>"));
	struct frame frame = { .level = a->page.level };

	if (end == name.len || !fg_str_cut_start(&name, FG_STR(">")) ||
	    !read_amount(a, fg_str_from_pos(row, share + 2), &frame.width))
		return false;
	name = fg_str_before(name, end - 1);
	fg_str_cut_start(&name, FG_STR(" "));
	frame.type = type_of(a, class);
	frame.name = unescape(a, name);
	return add_frame(a, &frame);
}

/* Starts the rows of a tree with the frame of all stacks. */
static void start_tree(struct asprof *a)
{
	const struct frame all = { .width = a->page.total };

	a->page.level = 1;
	if (start_stacks(a))
		add_frame(a, &all);
}

/* Reads "Backtrace view, total samples: 1,234". It can be in several lines. */
static void read_head(struct asprof *a, struct fg_str line)
{
	struct page *p = &a->page;
	size_t total = fg_str_find(line, FG_STR("total "));
	struct fg_str rest = fg_str_from_pos(line, total);
	size_t colon = fg_str_find(rest, FG_STR(": "));

	if (fg_str_has(line, FG_STR(">Backtrace view")))
		p->reversed = true;
	if (colon < rest.len)
		read_amount(a, fg_str_from_pos(rest, colon + 2), &p->total);
	if (fg_str_starts(line, FG_STR(".t")) && line.len > 2 &&
	    fg_is_digit(line.ptr[2]) && (unsigned)(line.ptr[2] - '0') >= p->colors)
		p->colors = (unsigned)(line.ptr[2] - '0') + 1;
}

/* Reads a line of a tree. Returns false if it is not one. */
static bool read_tree(struct asprof *a, struct fg_str line)
{
	struct page *p = &a->page;
	struct fg_str row = line;

	if (fg_str_cut_start(&row, FG_STR("<li><div"))) {
		if (!p->level)
			start_tree(a);
		if (p->choice >= 0 && !add_row(a, row))
			fg_sink_malformed(a->sink, line);
	} else if (fg_str_eq(line, FG_STR("<li>..."))) {
		p->is_cut = true;
	} else if (p->level && fg_str_eq(line, FG_STR("<ul>"))) {
		p->level++;
	} else if (p->level > 1 && fg_str_eq(line, FG_STR("</ul>"))) {
		p->level--;
	} else {
		return false;
	}
	return true;
}

/* ---- pages */

/*
 * Warns, unless the run has failed. How much is read after a failure depends on the
 * size of the blocks, and the messages must not.
 */
static void warn(struct asprof *a, const char *message)
{
	const struct fg_place at = { fg_sink_at(a->sink)->input, 0 };

	if (!fg_sink_has_failed(a->sink))
		fg_warn(fg_sink_diag(a->sink), &at, "%s", message);
}

/* Ends a page; another one may follow. */
static void end_page(struct asprof *a)
{
	struct page *p = &a->page;

	end_levels(a, 0);
	if (p->is_cut)
		warn(a, "frames too narrow to be drawn are not in this page: their "
			"counts are in their callers' own counts");
	if (p->is_difference)
		warn(a, "this page compares two profiles: the counts of the second are "
			"read");
	if (p->inverted && a->options->reversed == AUTO)
		warn(a, "this page is upside down, so its stacks are taken to start at "
			"the leaf; if only the picture is inverted, use --reversed=no");
	fg_intern_release(&a->pool);
	fg_buf_clear(&a->unit);
	a->page = (struct page){ .choice = 0 };
}

static void read_line(void *state, struct fg_str line)
{
	struct asprof *a = state;

	line = fg_str_trim(line);
	if (a->page.in_pool) {
		read_name(a, line);
	} else if (read_call(a, line) || read_tree(a, line)) {
		return;
	} else if (fg_str_has(line, FG_STR("</html>"))) {
		end_page(a);
		fg_sink_set_unended(a->sink, false); /* pages end like that */
	} else {
		read_script(a, line);
		if (!a->page.started)
			read_head(a, line);
	}
}

static void end_input(void *state)
{
	struct asprof *a = state;

	if (a->page.started)
		fg_sink_warn_cut(a->sink, "the page has no end");
	end_page(a);
}

/* ---- the format */

const struct fg_format fg_format_asprof = {
	.kind = &fg_kind_asprof,
	.summary =
		"Reads flame graphs and trees that async-profiler wrote as HTML, and\n"
		"writes folded stacks.",
	.footer = "Example:\n"
		  "  collapse-asprof before.html > before.folded\n"
		  "  diff-folded before.html after.html | flamegraph > diff.svg",
	.hints = { .empty = "did async-profiler fail?",
		   .not_found =
			   "no frame was found: is this a page of async-profiler?" },
	.has_values = true,
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_asprof,
	.line = read_line,
	.end_input = end_input,
	.close = close_asprof,
};
