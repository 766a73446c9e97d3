/*
 * Reads folded stacks line by line, tells whether they are differential, and notes odd
 * lines for warnings. Skips the messages of our programs.
 *
 * A profile is differential if its first FG_FOLDED_INPUT_STACKS stacks, or as many as
 * fit into FG_FOLDED_INPUT_BYTES, all have two counts; they are held back until that is
 * known, and later lines with one count are ignored. If any of them has one count, all
 * have: the first of two numbers is then part of the leaf's name.
 */
#ifndef FG_LIB_PROFILE_FOLDED_INPUT_H
#define FG_LIB_PROFILE_FOLDED_INPUT_H

#include "lib/base/diag.h"
#include "lib/base/reader.h"
#include "lib/profile/slice.h"
#include "lib/profile/tree.h"
#include "lib/profile/unit.h"

#define FG_FOLDED_INPUT_STACKS 1000
#define FG_FOLDED_INPUT_BYTES ((size_t)1 << 20)

/* Lines of one kind, to warn of. */
struct fg_odd_lines {
	uint64_t count;
	struct fg_place at; /* of the first one, whose start is in `text` */
	struct fg_buf text;
};

/* Counts a line, and keeps the first one. */
void fg_odd_lines_add(struct fg_odd_lines *odd, struct fg_str line,
		      const struct fg_place *at);

/* Where a line is that is held back, and of which slices. */
struct fg_folded_held {
	struct fg_place at;
	struct fg_slice_header slices;
};

/* Takes a stack, which it may change: 0, or -1 after reporting. */
typedef int fg_folded_input_add(void *data, struct fg_folded *stack,
				const struct fg_place *at);

struct fg_folded_input {
	struct fg_diag *diag;
	struct fg_unit *unit; /* receives the header lines; or NULL */
	fg_folded_input_add *add;
	void *data;
	bool as_they_are; /* allows stacks with one count among those with two */
	bool keep_slices; /* leaves the root frames of --slice on the stacks */
	bool keep_messages; /* takes messages for stacks, as other programs do */

	const char *input; /* of the last line */
	struct fg_slice_header slices; /* as its header lines before the stack say */
	bool in_slice; /* the stack passed to `add` had such a frame, ... */
	uint64_t slice; /* ... and its slice starts here */
	unsigned columns; /* 1 or 2; 0 until it is known */
	uint64_t lines; /* without empty lines and comments */
	struct fg_folded_tally tally; /* of `lines`; its stacks were passed to `add` */
	const char *countless_input; /* the input that has lines without a count */
	struct fg_buf head; /* the first bytes, to guess what the input is */
	struct fg_odd_lines no_count, negative, one_count, two_counts, lost,
		count_first, messages;

	struct fg_buf held; /* lines with two counts, a line feed after each */
	struct fg_folded_held *held_at;
	size_t held_count, held_alloc;
};

/*
 * Opens files of folded stacks, as fg_reader_open() does. Refuses an input that `judge`
 * takes for something else (collapse/wrong.h). Warns if the last line does not end, as
 * its count may be cut.
 */
struct fg_reader *fg_folded_input_open(const char *const *names, size_t count,
				       fg_reader_judge *judge, struct fg_diag *diag);

/* All pointers are borrowed; `unit` may be NULL. */
void fg_folded_input_init(struct fg_folded_input *in, struct fg_diag *diag,
			  struct fg_unit *unit, fg_folded_input_add *add, void *data);
void fg_folded_input_release(struct fg_folded_input *in);

/* Takes a line, without its '\n': 0, or -1 after reporting. Borrows at->input. */
int fg_folded_input_line(struct fg_folded_input *in, struct fg_str line,
			 const struct fg_place *at);

/* The same for a line that is parsed already. */
int fg_folded_input_parsed(struct fg_folded_input *in, enum fg_folded_kind kind,
			   struct fg_folded *folded, struct fg_str line,
			   const struct fg_place *at);

/* Notes a line for fg_folded_input_fault() that the functions above do not get. */
void fg_folded_input_keep(struct fg_folded_input *in, struct fg_str line);

/*
 * Ends an input: passes what was held back to `add`. Returns 0, or -1 after reporting,
 * also if the text is no profile. A restart begins another input; the odd lines noted
 * so far are kept.
 */
int fg_folded_input_end(struct fg_folded_input *in);
void fg_folded_input_restart(struct fg_folded_input *in);

/* Takes all lines of a reader, and ends the input. 0, or -1 after reporting. */
int fg_folded_input_read(struct fg_folded_input *in, struct fg_reader *reader);

/* Merges a stack into a tree; to be used in `add`. 0, or -1 after reporting. */
int fg_folded_input_merge(struct fg_tree *tree, const struct fg_folded *stack,
			  const struct fg_place *at, struct fg_diag *diag);

/* Why nothing was counted, as the end of a message; to be called after the end. */
const char *fg_folded_input_fault(const struct fg_folded_input *in);

/*
 * Warns of lines that were ignored or may not mean what they seem to. `hint` is
 * appended to the warning of lines with two counts, and may be "".
 */
void fg_folded_input_warn(const struct fg_folded_input *in, const char *hint);

/* Warns of messages of our programs that were skipped. */
void fg_folded_warn_of_messages(struct fg_diag *diag,
				const struct fg_odd_lines *messages);

/* Only the warnings of counts that come first, and of counts that are too small. */
void fg_folded_warn_of_counts(struct fg_diag *diag, const struct fg_odd_lines *first,
			      const struct fg_odd_lines *lost);

#endif
