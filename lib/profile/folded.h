/*
 * One line of folded stacks, `root;...;leaf COUNT` or `... BEFORE AFTER`:
 *
 *     struct fg_folded f;
 *
 *     if (fg_folded_parse(FG_STR("app;main;work 5"), &f) == FG_FOLDED_STACK)
 *             f.stack is "app;main;work", f.count[0] is 5
 *
 * To read files of such lines use folded_input.h, which knows if they have two counts
 * and warns of malformed ones. The grammar is in folded(5): the count is the last
 * number on the line that has white space before it, and if the rest ends in such a
 * number again, the line is differential. Frames may have any byte in them but ';' and
 * '\n'.
 */
#ifndef FG_LIB_PROFILE_FOLDED_H
#define FG_LIB_PROFILE_FOLDED_H

#include "lib/base/count.h"

struct fg_folded {
	struct fg_str stack; /* root first, ';' between frames; borrowed */
	struct fg_str with_first; /* with two counts: the stack and the first count */
	unsigned columns; /* 1, or 2 for a differential line */
	struct fg_count count[2]; /* the only count, or the counts before and after */
	bool lost; /* a count above 0 was too small and became 0 */
	bool count_first; /* the count was at the start of the line */
	bool is_negative; /* the number is negative, so it is not a count: "main -5" */
	/* a message of our programs: "collapse-perf: a.txt:1: ... 4" */
	bool is_message;
};

/*
 * The warning for `lost`. Its arguments are the number of lines, unsigned long long,
 * and "" or "s" for the plural.
 */
#define FG_FOLDED_LOST "%llu line%s with a count below 0.000000001, which is read as 0"

/* The words for `is_negative` in messages about a line. */
#define FG_FOLDED_NEGATIVE "with a negative count, as in a difference"

/* The warning for `count_first`. */
#define FG_FOLDED_COUNTS_FIRST \
	"counts come first, as perf report -g folded,count prints them"

enum fg_folded_kind {
	FG_FOLDED_STACK,
	FG_FOLDED_EMPTY, /* empty, a comment, or a row of perf report */
	FG_FOLDED_NO_COUNT, /* no number at the end */
	FG_FOLDED_TOO_LARGE, /* a count of 2^64 or more */
};

/*
 * Reads a line without its '\n'. White space at its end, such as '\r', is ignored.
 * Always sets folded->is_message. The other fields are valid only for FG_FOLDED_STACK;
 * is_negative also for FG_FOLDED_NO_COUNT.
 */
enum fg_folded_kind fg_folded_parse(struct fg_str line, struct fg_folded *folded);

/*
 * Turns a line of two counts into one of a single count: the first number becomes a
 * part of the leaf's name.
 */
void fg_folded_join(struct fg_folded *folded);

/*
 * Returns true for a comment: '#' and a space, without ';' after them. Also true for a
 * stack that looks like a comment; write such a stack with a ';' at its end.
 */
bool fg_folded_is_comment(struct fg_str line);

/*
 * Returns true if a line of one count whose stack ends in this frame would be misread:
 * "Thread 7" with the count 5 is "Thread 7 5", a line of two counts, and "# x" as the
 * only frame is a comment. Write such a stack with a ';' at its end, like a stack with
 * an empty last frame.
 */
bool fg_folded_needs_semicolon(struct fg_str leaf, bool is_only);

/*
 * Compares two names like folded text is sorted, with a ';' after each name that is not
 * the leaf. Returns < 0, 0 or > 0.
 */
static inline int fg_folded_compare(struct fg_str a, bool a_is_leaf, struct fg_str b,
				    bool b_is_leaf)
{
	size_t common = a.len < b.len ? a.len : b.len;
	int order = common ? memcmp(a.ptr, b.ptr, common) : 0;
	int next_a, next_b;

	if (order)
		return order;
	next_a = a.len > common ? (unsigned char)a.ptr[common] : a_is_leaf ? -1 : ';';
	next_b = b.len > common ? (unsigned char)b.ptr[common] : b_is_leaf ? -1 : ';';
	return next_a - next_b;
}

/*
 * Returns the stack with its leaf first. The text is in `b`. Drops empty frames at its
 * end.
 */
struct fg_str fg_folded_reverse(struct fg_buf *b, struct fg_str stack);

/*
 * Returns `name` without an annotation of folded(5) at its end: _[k], _[i] and so on.
 */
struct fg_str fg_folded_without_annotation(struct fg_str name);

/* Returns true for a row of perf report's table of stacks, "    71.43%  app  main". */
bool fg_folded_is_report_row(struct fg_str line);

/* Counts lines by kind, to tell a profile from other text. */
struct fg_folded_tally {
	uint64_t stacks;
	/*
	 * `deep` and `rows` are not exact: to save time, they do not grow while `deep`
	 * exceeds the sum of `rows` and `countless`, because the text is then a
	 * profile.
	 */
	uint64_t deep; /* stacks of several frames */
	uint64_t rows; /* stacks that look like rows of a table of numbers */
	uint64_t countless; /* lines without a count */
};

/*
 * Returns true if a stack of one frame looks like a row of a table: together with its
 * counts, it has at least three numbers.
 */
bool fg_folded_is_row(const struct fg_folded *folded);

static inline void fg_folded_tally_stack(struct fg_folded_tally *t,
					 const struct fg_folded *folded)
{
	t->stacks++;
	if (t->deep > t->countless + t->rows)
		return;
	if (fg_str_has_char(folded->stack, ';'))
		t->deep++;
	else
		t->rows += fg_folded_is_row(folded);
}

/*
 * Returns an error message if the text is prose or a table of numbers: some of its
 * lines end in a number and so look like stacks. Returns NULL if it may be a profile.
 */
const char *fg_folded_refused(const struct fg_folded_tally *t);

/* Returns true if most lines are stacks of several frames, and few are not stacks. */
bool fg_folded_is_text(struct fg_str first_bytes);

#endif
