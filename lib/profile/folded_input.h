/*
 * Folded stacks line by line: how many counts they have, and what is odd about them.
 *
 * A profile is differential where its first stacks, FG_FOLDED_INPUT_STACKS of them or
 * FG_FOLDED_INPUT_BYTES, all have two counts; they are held back until that is known.
 * Then a line with one count is ignored. Where any of them has one count, all have: the
 * first of two numbers is a part of the leaf's name.
 */
#ifndef FG_LIB_PROFILE_FOLDED_INPUT_H
#define FG_LIB_PROFILE_FOLDED_INPUT_H

#include "lib/base/diag.h"
#include "lib/base/reader.h"
#include "lib/profile/slice.h"
#include "lib/profile/treefit.h"
#include "lib/profile/unit.h"

#define FG_FOLDED_INPUT_STACKS 1000
#define FG_FOLDED_INPUT_BYTES ((size_t)1 << 20)

/* Lines of one kind that a warning is about. */
struct fg_odd_lines {
	uint64_t count;
	struct fg_place at; /* the first, and the start of its text */
	struct fg_buf text;
};

/* Takes a stack, which it may change: 0, or -1 after reporting. */
typedef int fg_folded_input_add(void *data, struct fg_folded *stack,
				const struct fg_place *at);

struct fg_folded_input {
	struct fg_diag *diag;
	struct fg_unit *unit; /* takes what header lines say; or NULL */
	fg_folded_input_add *add;
	void *data;
	bool as_they_are; /* stacks of one count and of two may stand side by side */
	bool keep_slices; /* stacks keep the frames of slices of time, which go else */

	struct fg_slice_header slices; /* as the last header lines have them */
	bool in_slice; /* the stack that is given to add was in one, */
	uint64_t slice; /* which starts then */
	unsigned columns; /* 1 or 2; 0: not known yet */
	uint64_t lines; /* that are neither empty nor comments */
	struct fg_folded_tally tally; /* of those; its stacks were given to add */
	const char *countless_input; /* where lines without a count are */
	struct fg_buf head; /* the first bytes, to guess what they are */
	struct fg_odd_lines no_count, one_count, two_counts, lost, count_first;

	struct fg_buf held; /* lines with two counts, a line feed after each */
	struct fg_place *held_at;
	size_t held_count, held_alloc;
};

/*
 * Opens files of folded stacks, as fg_reader_open; an input that `judge` knows for
 * something else (collapse/wrong.h) is refused. Warns of a last line without a line
 * feed, as its count may be cut.
 */
struct fg_reader *fg_folded_input_open(const char *const *names, size_t count,
				       fg_reader_judge *judge, struct fg_diag *diag);

/* All pointers are borrowed; `unit` may be NULL. */
void fg_folded_input_init(struct fg_folded_input *in, struct fg_diag *diag,
			  struct fg_unit *unit, fg_folded_input_add *add, void *data);
void fg_folded_input_release(struct fg_folded_input *in);

/* The next line, without its '\n': 0, or -1 after reporting. at->input is borrowed. */
int fg_folded_input_line(struct fg_folded_input *in, struct fg_str line,
			 const struct fg_place *at);

/* The same of a line that was parsed already. */
int fg_folded_input_parsed(struct fg_folded_input *in, enum fg_folded_kind kind,
			   struct fg_folded *folded, struct fg_str line,
			   const struct fg_place *at);

/* Keeps a line for fg_folded_input_fault, where the above does not get it. */
void fg_folded_input_keep(struct fg_folded_input *in, struct fg_str line);

/*
 * After the last line: gives what was held back to add. 0, or -1 after reporting, also
 * where the text is no profile. What comes then is another input, of which nothing is
 * known but its odd lines.
 */
int fg_folded_input_end(struct fg_folded_input *in);
void fg_folded_input_restart(struct fg_folded_input *in);

/* All lines of a reader, and the end: 0, or -1 after reporting. */
int fg_folded_input_read(struct fg_folded_input *in, struct fg_reader *reader);

/* For `add`: merges a stack into a tree. 0, or -1 after reporting. */
int fg_folded_input_merge(struct fg_tree *tree, const struct fg_folded *stack,
			  const struct fg_place *at, struct fg_diag *diag);

/* After the end, where nothing was counted: why, as the end of a message. */
const char *fg_folded_input_fault(const struct fg_folded_input *in);

/*
 * Warns of lines that were ignored or may not mean what they seem to; `hint` follows
 * what is said of lines with two counts, "" where there is nothing to say.
 */
void fg_folded_input_warn(const struct fg_folded_input *in, const char *hint);

/* Of these, the warnings of counts that come first, and of those that are too small. */
void fg_folded_warn_of_counts(struct fg_diag *diag, const struct fg_odd_lines *first,
			      const struct fg_odd_lines *lost);

#endif
