/*
 * Finds the commands that are worth running next, for a digest. Names come from the
 * profile, so a command contains nothing of them that a shell or a terminal could take
 * for something else.
 */
#include "lib/base/utf8.h"
#include "reportfolded/digest.h"

/* A longer name is matched by its start. */
#define PATTERN_MAX 36

/* The callees of a function of this share are worth a look, in percent. */
#define WIDE 30

/* A longer file name is not repeated in the commands. */
#define FILE_MAX 28

/*
 * Appends a character of a name to a regular expression, within single quotes. A
 * character that could end the quotes, or move the cursor, is matched by '.'.
 */
static void add_char(struct fg_buf *b, struct fg_str bytes, struct fg_utf8_char c)
{
	static const struct fg_str plain = FG_STR_INIT("_ :,=<>@%#&~;/\"");

	if (!c.valid || c.code < ' ' || c.code >= 0x7f || c.code == '\'' ||
	    c.code == '`' || c.code == '\\') {
		fg_buf_add_char(b, '.');
		return;
	}
	if (!fg_is_word((char)c.code) && !fg_str_has_char(plain, (char)c.code))
		fg_buf_add_char(b, '\\');
	fg_buf_add_str(b, bytes);
}

/* Appends '^NAME$', a pattern for a function, in quotes. */
static void add_pattern(struct fg_buf *b, struct fg_str name)
{
	size_t start = b->len;

	fg_buf_add_str(b, FG_STR("'^"));
	while (name.len && b->len - start < PATTERN_MAX) {
		struct fg_utf8_char c = fg_utf8_first(name);

		add_char(b, fg_str_before(name, c.len), c);
		name = fg_str_from_pos(name, c.len);
	}
	fg_buf_add_str(b, name.len ? FG_STR("'") : FG_STR("$'"));
}

static bool is_plain(char c)
{
	return fg_is_word(c) || c == '.' || c == '/' || c == '-' || c == '+' ||
	       c == '=' || c == '@' || c == ',' || c == ':' || c == '%';
}

/* Appends the name of the input, or FILE if it has none that is short and plain. */
static void add_file(const struct fg_digest *d, struct fg_buf *b)
{
	const struct fg_report_options *o = d->report->options;
	struct fg_str name =
		o->input_count == 1 ? fg_str_from(o->inputs[0]) : FG_STR("");

	if (fg_str_all(name, is_plain) && name.ptr[0] != '-' && name.len <= FILE_MAX)
		fg_buf_add_str(b, name);
	else
		fg_buf_add_str(b, FG_STR("FILE"));
}

/* Adds a command that starts with `words`, for a function if `name` is not empty. */
static void add(struct fg_digest *d, size_t i, const char *words, struct fg_str name)
{
	struct fg_buf *b = &d->next[i];

	fg_buf_add_str(b, fg_str_from(words));
	if (name.len) {
		fg_buf_add_char(b, ' ');
		add_pattern(b, name);
	}
	fg_buf_add_char(b, ' ');
	add_file(d, b);
}

static struct fg_str name_of(const struct fg_digest *d, uint32_t id)
{
	return fg_intern_name(&d->report->profile.tree.names, id);
}

/* Adds the command that looks at one function, and says what it shows. */
static void add_function(struct fg_digest *d, size_t i, const struct fg_function *f,
			 bool has_line)
{
	struct fg_str name = name_of(d, f->name);

	if (has_line) {
		d->why[i] = "its lines, below --source-dir .";
		add(d, i, "report-folded --list", name);
	} else {
		d->why[i] = "who calls it";
		add(d, i,
		    d->report->lines.any ? "report-folded --no-lines --callers" :
					   "report-folded --callers",
		    name);
	}
}

static void find_of_difference(struct fg_digest *d)
{
	const struct fg_findings *f = &d->findings;

	if (f->count) {
		add_function(d, 0, f->items[0].function, false);
	} else {
		d->why[0] = "how small a growth these samples can show";
		add(d, 0, "report-folded --max-growth 3%", FG_STR(""));
	}
	d->why[1] = "all changes, with the probability that each is noise";
	add(d, 1, "report-folded --movers -n 10", FG_STR(""));
}

/*
 * Returns the name of the narrowest function at the end of a path that has at least
 * WIDE percent, other than `hot`; or FG_TREE_NONE.
 */
static uint32_t find_wide(const struct fg_digest *d, uint32_t hot)
{
	const struct fg_tree_node *nodes = d->report->profile.tree.nodes;
	uint64_t least = UINT64_MAX;
	uint32_t wide = FG_TREE_NONE;

	for (size_t i = 0; i < d->path_count; i++) {
		uint64_t total = d->paths[i].total[FG_AFTER];
		uint32_t name = nodes[d->paths[i].path.last].name;

		if (fg_report_share(&d->report->profile, FG_AFTER, total) < WIDE ||
		    total >= least || name == hot)
			continue;
		least = total;
		wide = name;
	}
	return wide;
}

static void find_of_profile(struct fg_digest *d)
{
	const struct fg_hot *hot = d->hot_count ? &d->hot[0] : NULL;
	uint32_t wide = hot ? find_wide(d, hot->function->name) : FG_TREE_NONE;

	if (hot)
		add_function(d, 0, hot->function, hot->file.len);
	if (wide != FG_TREE_NONE) {
		d->why[1] = "what it calls";
		add(d, 1,
		    d->report->lines.any ?
			    "report-folded --no-lines --depth 3 --callees" :
			    "report-folded --depth 3 --callees",
		    name_of(d, wide));
	} else {
		d->why[1] = "all stacks, merged from the root";
		add(d, 1,
		    d->report->lines.any ?
			    "report-folded --no-lines --tree --min-percent 2" :
			    "report-folded --tree --min-percent 2",
		    FG_STR(""));
	}
}

void fg_digest_find_next(struct fg_digest *d)
{
	if (d->report->profile.columns == 2)
		find_of_difference(d);
	else
		find_of_profile(d);
	d->why[2] = "the picture, for a browser";
	add(d, 2, "flamegraph -o flame.svg", FG_STR(""));
}
