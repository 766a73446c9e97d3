/*
 * Finds the commands that are worth running next, for a digest. Names come from the
 * profile, so a command contains nothing of them that a shell or a terminal could take
 * for something else.
 */
#include "lib/base/utf8.h"
#include "reportfolded/digest.h"

/* A longer name is matched by its start and its end, each of at most PATTERN_PART. */
#define PATTERN_MAX 56
#define PATTERN_PART 24

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

static void add_chars(struct fg_buf *b, struct fg_str name)
{
	while (name.len) {
		struct fg_utf8_char c = fg_utf8_first(name);

		add_char(b, fg_str_before(name, c.len), c);
		name = fg_str_from_pos(name, c.len);
	}
}

/* Returns how many functions start and end like that. */
static size_t count_matches(const struct fg_digest *d, struct fg_str start,
			    struct fg_str end)
{
	const struct fg_functions *all = &d->report->functions;
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct fg_str name = fg_intern_name(all->names, all->items[i].name);

		count += name.len >= start.len + end.len &&
			 fg_str_starts(name, start) && fg_str_ends(name, end);
	}
	return count;
}

/*
 * Appends a pattern for a function, in quotes: '^NAME$', or '^START.*END$' if the name
 * is long and no other function matches that.
 */
static void add_pattern(const struct fg_digest *d, struct fg_buf *b, struct fg_str name)
{
	struct fg_str start = fg_utf8_prefix(name, PATTERN_PART), end = name;
	size_t chars = fg_utf8_count(name);

	fg_buf_add_str(b, FG_STR("'^"));
	if (chars > PATTERN_MAX)
		end = fg_str_from_pos(name,
				      fg_utf8_prefix(name, chars - PATTERN_PART).len);
	/* both parts end and start where a word does */
	while (start.len && fg_is_word(start.ptr[start.len - 1]))
		start.len--;
	while (end.len && fg_is_word(end.ptr[0]))
		end = fg_str_from_pos(end, 1);
	if (chars > PATTERN_MAX && count_matches(d, start, end) == 1) {
		add_chars(b, start);
		fg_buf_add_str(b, FG_STR(".*"));
		add_chars(b, end);
	} else {
		add_chars(b, name);
	}
	fg_buf_add_str(b, FG_STR("$'"));
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
		add_pattern(d, b, name);
	}
	fg_buf_add_char(b, ' ');
	add_file(d, b);
}

static struct fg_str name_of(const struct fg_digest *d, uint32_t id)
{
	return fg_intern_name(&d->report->profile.tree.names, id);
}

static const char *words(const struct fg_digest *d, const char *without_lines,
			 const char *with_lines)
{
	return d->report->lines.any ? with_lines : without_lines;
}

static void add_callers(struct fg_digest *d, size_t i, uint32_t name)
{
	d->why[i] = "who calls it";
	add(d, i,
	    words(d, "report-folded --callers", "report-folded --no-lines --callers"),
	    name_of(d, name));
}

static void add_tree(struct fg_digest *d, size_t i)
{
	d->why[i] = "all stacks, merged from the root";
	add(d, i,
	    words(d, "report-folded --tree --min-percent 2",
		  "report-folded --no-lines --tree --min-percent 2"),
	    FG_STR(""));
}

static void find_of_difference(struct fg_digest *d)
{
	const struct fg_findings *f = &d->findings;

	if (f->count) {
		add_callers(d, 0, f->items[0].function->name);
	} else if (f->verdict == FG_VERDICT_SAME) {
		d->why[0] = "how small a growth these samples can show";
		add(d, 0, "report-folded --max-growth 3%", FG_STR(""));
	} else {
		add_tree(d, 0);
	}
	d->why[1] = "all changes, with the probability that each is noise";
	add(d, 1,
	    words(d, "report-folded --movers -n 10",
		  "report-folded --no-lines --movers -n 10"),
	    FG_STR(""));
}

/*
 * Looks at the last function of each path. Of those that belong to the program and have
 * at least WIDE percent, except `hot`, returns the id of the narrowest one's name. If
 * there is none, tries the function that libraries do most for. If that does not fit
 * either, returns FG_TREE_NONE.
 */
static uint32_t find_wide(const struct fg_digest *d, uint32_t hot)
{
	const struct fg_tree_node *nodes = d->report->profile.tree.nodes;
	uint64_t least = UINT64_MAX;
	uint32_t wide = FG_TREE_NONE;

	if (d->caller_count && d->callers[0].share[FG_AFTER] >= WIDE &&
	    d->callers[0].name != hot)
		wide = d->callers[0].name;
	for (size_t i = 0; i < d->path_count; i++) {
		uint64_t total = d->paths[i].total[FG_AFTER];
		uint32_t last = d->paths[i].path.last;

		if (fg_columns_share(&d->report->profile, FG_AFTER, total) < WIDE ||
		    total >= least || nodes[last].name == hot ||
		    !fg_origins_own(&d->origins, last))
			continue;
		least = total;
		wide = nodes[last].name;
	}
	return wide;
}

/*
 * Adds the source of the hottest function, or else of the function of the program that
 * libraries do most for. Sources of libraries are rarely at hand.
 */
static void add_source(struct fg_digest *d, size_t i)
{
	uint32_t hot = d->hot[0].function->name, name = hot;

	if (d->origins.foreign[hot] && d->caller_count)
		name = d->callers[0].name;
	if (d->origins.foreign[name] || !d->origins.files[name].len) {
		add_callers(d, i, hot);
		return;
	}
	d->why[i] = "its lines, below --source-dir .";
	add(d, i, "report-folded --list", name_of(d, name));
}

static void find_of_profile(struct fg_digest *d)
{
	uint32_t wide;

	if (!d->hot_count)
		return;
	add_source(d, 0);
	wide = find_wide(d, d->hot[0].function->name);
	if (wide == FG_TREE_NONE) {
		add_tree(d, 1);
		return;
	}
	d->why[1] = "what it calls";
	add(d, 1,
	    words(d, "report-folded --depth 3 --callees",
		  "report-folded --no-lines --depth 3 --callees"),
	    name_of(d, wide));
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
