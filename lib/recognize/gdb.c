/*
 * Recognises gdb's backtraces, and splits a frame into its parts.
 *
 *     Thread 1 (Thread 0x7f44dd11d6c0 (LWP 2113) "worker"):
 *     #0  0x00007f44dcfb1a47 in wait4 () from /lib/libc.so.6
 *     #1  0x000055d0c0ffee00 in main (argc=1) at main.c:3
 */
#include "lib/recognize/gdb.h"

#include "lib/base/line_prefix.h"
#include "lib/base/utf8.h"
#include "lib/recognize/recognize.h"

/* Returns the offset after the string or character constant that starts at `at`. */
static size_t skip_quoted(struct fg_str s, size_t at)
{
	char quote = s.ptr[at++];

	while (at < s.len && s.ptr[at] != quote)
		at += s.ptr[at] == '\\' ? 2 : 1;
	return at < s.len ? at + 1 : s.len;
}

/*
 * Returns the offset after the list in parentheses that starts at `at`, or 0 if it does
 * not end.
 */
static size_t skip_list(struct fg_str s, size_t at)
{
	size_t depth = 0;

	while (at < s.len) {
		if (s.ptr[at] == '"' || s.ptr[at] == '\'') {
			at = skip_quoted(s, at);
			continue;
		}
		depth += s.ptr[at] == '(';
		depth -= s.ptr[at] == ')';
		at++;
		if (!depth)
			return at;
	}
	return 0;
}

static bool is_argument_char(char c)
{
	return fg_is_word(c) || fg_str_has_char(FG_STR("$.:#@"), c);
}

/* Returns true if a list of arguments starts here: "()", "(...)", "(argc=1". */
static bool is_list(struct fg_str s)
{
	struct fg_str inner = fg_str_trim_left(fg_str_from_pos(s, 1));
	size_t word = fg_str_span(inner, is_argument_char);

	return fg_str_starts(inner, FG_STR(")")) ||
	       fg_str_starts(inner, FG_STR("...)")) ||
	       (word && !fg_is_digit(inner.ptr[0]) && word < inner.len &&
		inner.ptr[word] == '=');
}

/* Returns true for the text after the arguments: "at main.c:3", or an empty one. */
static bool is_place(struct fg_str rest)
{
	struct fg_str words = fg_str_trim(rest);

	if (!words.len)
		return true;
	return fg_is_space(rest.ptr[0]) &&
	       (fg_str_starts_part(words, FG_STR("at"), ' ') ||
		fg_str_starts_part(words, FG_STR("from"), ' '));
}

/* Skips "0x0000558d74b25522 in ". */
static struct fg_str skip_address(struct fg_str text)
{
	size_t in = fg_str_find(text, FG_STR(" in "));

	return fg_str_starts(text, FG_STR("0x")) && in < text.len ?
		       fg_str_from_pos(text, in + 4) :
		       text;
}

/*
 * Splits "0x00007f80029e17d5 raise (libc.so.6 + 0x3c7d5)". Returns false for other
 * rows.
 */
static bool split_coredump(struct fg_str text, struct gdb_row *row)
{
	struct fg_str rest = fg_str_trim_right(text), library;
	uint64_t address;
	size_t paren;

	if (fg_str_0x(fg_str_cut(&rest, ' '), &address) ||
	    !fg_str_cut_end(&rest, FG_STR(")")) || fg_str_has(text, FG_STR(" in ")))
		return false;
	paren = fg_str_rfind_char(rest, '(');
	library = fg_str_from_pos(rest, paren + 1);
	/* a '=' is in a list of arguments, "(argc=1)" */
	if (paren < 2 || paren >= rest.len || rest.ptr[paren - 1] != ' ' ||
	    !library.len || fg_str_has_char(library, '='))
		return false;
	row->name = fg_str_trim(fg_str_before(rest, paren));
	row->library = fg_str_before(library, fg_str_find(library, FG_STR(" + 0x")));
	if (fg_str_eq(row->name, FG_STR("n/a")))
		row->name = FG_STR("??");
	row->function = row->whole = true;
	return true;
}

/* KDE writes "??? () at /usr/lib/libc.so.6" for "?? () from /usr/lib/libc.so.6". */
static void set_library(struct gdb_row *row)
{
	bool is_kde = fg_str_eq(fg_str_trim(row->name), FG_STR("???"));

	if (is_kde)
		row->name = FG_STR("??");
	row->library = row->place;
	if (!fg_str_cut_start(&row->library, FG_STR("from ")) &&
	    !(is_kde && fg_str_cut_start(&row->library, FG_STR("at "))))
		row->library.len = 0;
}

/*
 * Splits "main (argc=1) at main.c:3". A name may contain parentheses, too, so a list
 * counts as the arguments only if a place or the end comes after it.
 */
static void split_call(struct fg_str all, struct gdb_row *row)
{
	size_t at = 0;

	/* otherwise is_place() would do it for each list */
	all = fg_str_trim_right(all);
	row->name = all;
	row->function = row->whole =
		fg_str_starts(all, FG_STR("<")) && fg_str_ends(all, FG_STR(">"));
	while ((at += fg_str_find(fg_str_from_pos(all, at), FG_STR(" ("))) < all.len) {
		bool list = is_list(fg_str_from_pos(all, at + 1));
		size_t end = list ? skip_list(all, at + 1) : at + 1;
		struct fg_str rest = fg_str_from_pos(all, end);

		if (list && (!end || is_place(rest))) {
			row->name = fg_str_before(all, at);
			row->function = true;
			row->whole = end;
			row->place =
				fg_str_trim(fg_str_before(rest, end ? rest.len : 0));
			break;
		}
		if (list && rest.len && fg_is_space(rest.ptr[0])) { /* a note follows */
			row->name = fg_str_before(all, at);
			row->function = row->whole = true;
		}
		at = end;
	}
	set_library(row);
}

struct gdb_row gdb_row_split(struct fg_str text)
{
	struct gdb_row row = { .whole = false };

	if (!split_coredump(text, &row))
		split_call(skip_address(text), &row);
	row.name = fg_str_trim(row.name);
	return row;
}

size_t gdb_row_start(struct fg_str line, uint64_t *number)
{
	struct fg_str rest = fg_str_from_pos(line, 1);
	size_t digits = fg_str_span(rest, fg_is_digit);
	size_t blanks = fg_str_span(fg_str_from_pos(rest, digits), fg_is_blank);

	return fg_str_starts(line, FG_STR("#")) && blanks &&
			       !fg_str_u64(fg_str_before(rest, digits), number) ?
		       1 + digits + blanks :
		       0;
}

bool gdb_row_goes_on(struct fg_str text, struct fg_str line)
{
	struct gdb_row row = gdb_row_split(text);
	struct fg_str words = fg_str_trim(line);

	if (!row.whole || fg_str_eq(row.place, FG_STR("at")) ||
	    fg_str_eq(row.place, FG_STR("from")))
		return true;
	return !row.place.len && !row.library.len &&
	       (fg_str_starts(words, FG_STR("at ")) ||
		fg_str_starts(words, FG_STR("from ")));
}

bool gdb_row_is(struct fg_str line, uint64_t wanted)
{
	uint64_t number;
	size_t start = gdb_row_start(line, &number);

	return start && number == wanted &&
	       gdb_row_split(fg_str_from_pos(line, start)).function;
}

bool gdb_thread_is(struct fg_str line)
{
	struct fg_str rest = line;

	if (fg_str_starts(line, FG_STR("Stack trace of thread ")))
		return true;
	if (!fg_str_cut_start(&rest, FG_STR("Thread ")) || !rest.len ||
	    !fg_is_digit(rest.ptr[0]))
		return false;
	rest = fg_str_from_pos(rest, fg_str_span(rest, fg_is_digit));
	return fg_str_starts(rest, FG_STR(" (")) ||
	       fg_str_eq(fg_str_trim_right(rest), FG_STR(":"));
}

bool gdb_is_crash_handler(struct fg_str line)
{
	return fg_str_starts(line, FG_STR("[KCrash Handler]"));
}

size_t gdb_prefix_length(struct fg_str line)
{
	size_t at = fg_str_find(line, FG_STR("#0 "));

	if (at && at < line.len && gdb_row_is(fg_str_from_pos(line, at), 0))
		return at;
	at = fg_str_find(line, FG_STR("Stack trace of thread "));
	if (at == line.len)
		at = fg_str_find(line, FG_STR("Thread "));
	return at < line.len && gdb_thread_is(fg_str_from_pos(line, at)) ? at : 0;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	struct fg_line_prefix prefix = { .words = 0 };
	bool any_thread = false, any_frame = false, more = false;

	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');
		size_t length = gdb_prefix_length(line);

		if (length)
			fg_line_prefix_set(&prefix, line, length);
		fg_line_prefix_cut(&prefix, &line);
		any_thread |= gdb_thread_is(line);
		any_frame |= gdb_row_is(line, 0) || gdb_is_crash_handler(line);
		more |= gdb_row_is(line, 1);
	}
	fg_line_prefix_release(&prefix);
	if (!any_frame)
		return FG_PROBE_NO;
	return any_thread || more ? FG_PROBE_YES : FG_PROBE_MAYBE;
}

const struct fg_kind fg_kind_gdb = {
	.name = "gdb",
	.input = "the output of gdb",
	.probe = probe,
};
