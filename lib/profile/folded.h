/*
 * One line of folded stacks, `root;...;leaf COUNT` or `... BEFORE AFTER`.
 *
 * The grammar is in the manual, folded(5). The count is the last number on the
 * line that has white space before it; when what is left ends in such a number
 * again the line is differential. Blanks after the last count mean nothing. Frames may
 * hold any byte but ';' and '\n'.
 */
#ifndef FG_LIB_PROFILE_FOLDED_H
#define FG_LIB_PROFILE_FOLDED_H

#include "lib/base/count.h"

struct fg_folded {
	struct fg_str stack; /* root first, ';' between frames; borrowed */
	struct fg_str with_first; /* of two counts, the stack and the first of them */
	unsigned columns; /* 1, or 2 for a differential line */
	struct fg_count count[2]; /* the only one; or before and after */
	bool lost; /* a count was too small and became 0 */
	bool count_first; /* the count was at the start of the line */
	bool is_negative; /* the line has no count since that is negative: "main -5" */
	bool is_message; /* of one of our programs: "collapse-perf: a.txt:1: ... 4" */
};

/* A warning of such lines; its arguments: unsigned long long, and "" or "s". */
#define FG_FOLDED_LOST \
	"%llu line%s with a count of less than 0.000000001, which is taken for 0"

/* What a line is called whose count is negative. */
#define FG_FOLDED_NEGATIVE "with a negative count, as in a difference"

/* A warning of lines whose count comes first. */
#define FG_FOLDED_COUNTS_FIRST \
	"counts come first, as perf report -g folded,count prints them"

enum fg_folded_kind {
	FG_FOLDED_STACK,
	FG_FOLDED_EMPTY, /* nothing on the line but blanks, or a comment */
	FG_FOLDED_NO_COUNT, /* no number at the end */
	FG_FOLDED_TOO_LARGE, /* a count of 2^64 or more */
};

/*
 * Reads a line, which has no '\n'; blanks at its end, '\r' too, are not part of it. A
 * message is read like any other line, and marked in `folded`, whatever is returned.
 */
enum fg_folded_kind fg_folded_parse(struct fg_str line, struct fg_folded *folded);

/* Turns two columns into one: the first number becomes part of the leaf's name. */
void fg_folded_join(struct fg_folded *folded);

/*
 * Whether a line is a comment: '#' and a blank, without ';' after them. Given a stack,
 * whether its line would be taken for one; a ';' at the stack's end prevents that.
 */
bool fg_folded_is_comment(struct fg_str line);

/*
 * Whether a line of one count whose stack ends in this frame would be misread: with the
 * count 5, "Thread 7" is "Thread 7 5", a line of two counts, and "# x" alone is a
 * comment. Such a stack is written with a ';' at its end, as if an empty frame came
 * last.
 */
bool fg_folded_needs_semicolon(struct fg_str leaf, bool is_only);

/*
 * The order of two names as parts of folded text, where each goes on with ';', or ends
 * the text when it is a leaf that is not closed: < 0, 0, > 0.
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

/* The stack with its leaf first, made in `b`; empty frames at its end are dropped. */
struct fg_str fg_folded_reverse(struct fg_buf *b, struct fg_str stack);

/* `name` without an annotation of folded(5) at its end: _[k], _[i] and so on. */
struct fg_str fg_folded_without_annotation(struct fg_str name);

/* Counts of lines that tell a profile from other text. */
struct fg_folded_tally {
	uint64_t stacks;
	/* Counted only as far as needed: */
	uint64_t deep; /* stacks with several frames */
	uint64_t rows; /* those that look like rows of a table of numbers */
	uint64_t countless; /* lines without a count */
};

/* Whether a stack of one frame, with its counts, has three numbers or more. */
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
 * Why a text is no profile although some of its lines end in a number, as an error
 * message: it is prose, or a table of numbers. NULL if it may be a profile.
 */
const char *fg_folded_refused(const struct fg_folded_tally *t);

/* Whether most lines are stacks of several frames, and few are no stacks. */
bool fg_folded_is_text(struct fg_str first_bytes);

/*
 * What is wrong with an input in which no line was a folded stack, judged from
 * its first bytes, and the cure, as the end of a message: "this is the output of
 * perf script: pipe it through collapse-perf first". NULL where no guess is good.
 */
const char *fg_folded_guess(struct fg_str first_bytes);

#endif
