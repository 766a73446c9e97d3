/*
 * Reads folded stacks line by line and passes them to a callback. Finds out if they are
 * differential, collects malformed lines for warnings, and skips messages of our
 * programs.
 *
 *     fg_folded_input_init(&in, diag, NULL, add, data);
 *     status = fg_folded_input_read(&in, reader);
 *     fg_folded_input_warn(&in, "");
 *     fg_folded_input_release(&in);
 *
 * A profile is differential if its first FG_FOLDED_INPUT_STACKS stacks, or as many as
 * fit into FG_FOLDED_INPUT_BYTES, all have two counts. These stacks are held back until
 * that is known. In a differential profile, later lines with one count are ignored. If
 * one of the first stacks has one count, all stacks are read with one: if a line has
 * two numbers, the first is a part of the leaf's name.
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

/* Lines of one kind that we warn about at the end. */
struct fg_noted_lines {
	uint64_t count;
	struct fg_place at; /* place of the first one */
	struct fg_buf text; /* start of the first one */
};

/* Counts a line, and keeps the first one for the message. */
void fg_noted_lines_add(struct fg_noted_lines *noted, struct fg_str line,
			const struct fg_place *at);

/* The place of a line that is held back, and the header lines for its slices. */
struct fg_folded_held {
	struct fg_place at;
	struct fg_slice_header slices;
};

/* Takes a stack, which it may change. Returns 0, or -1 after reporting. */
typedef int fg_folded_input_add(void *data, struct fg_folded *stack,
				const struct fg_place *at);

struct fg_folded_input {
	struct fg_diag *diag;
	struct fg_unit *unit; /* gets the values of header lines; may be NULL */
	fg_folded_input_add *add;
	void *data;

	/*
	 * Recognises an input without stacks. Appends a message such as "this is the
	 * output of perf script: ...", or returns false. Set by the owner; NULL after
	 * fg_folded_input_init().
	 */
	bool (*guess)(struct fg_str first_bytes, struct fg_buf *message);

	bool as_they_are; /* accepts stacks with one count among stacks with two */
	bool keep_slices; /* does not cut the frames of slices off the stacks */
	bool keep_messages; /* treats messages as stacks, like other programs do */

	const char *input; /* input of the last line */
	struct fg_slice_header slices; /* from the header lines of `input` so far */
	/* the stack that is passed to `add` had a slice's frame, which we cut off */
	bool in_slice;
	uint64_t slice; /* the start of that slice, in nanoseconds */
	unsigned columns; /* 1 or 2; 0 as long as we do not know */
	uint64_t lines; /* number of lines, except empty ones and comments */
	/* numbers of lines by kind; its stacks are those that were passed to `add` */
	struct fg_folded_tally tally;
	const char *countless_input; /* the last input that has lines without a count */
	struct fg_buf head; /* the first bytes of the input, to pass to `guess` */
	struct fg_buf guessed; /* the message of `guess` */
	struct fg_noted_lines no_count, negative, one_count, two_counts, lost,
		count_first, messages;

	struct fg_buf held; /* the lines held back, with a line feed after each */
	struct fg_folded_held *held_at;
	size_t held_count, held_alloc;
};

/*
 * Like fg_reader_open(), for files of folded stacks. Warns if the last line does not
 * end, because its count may be cut.
 */
struct fg_reader *fg_folded_input_open(const char *const *names, size_t count,
				       struct fg_diag *diag);

/* Initialises `in`. Borrows `diag`, `unit` (which may be NULL) and `data`. */
void fg_folded_input_init(struct fg_folded_input *in, struct fg_diag *diag,
			  struct fg_unit *unit, fg_folded_input_add *add, void *data);
void fg_folded_input_release(struct fg_folded_input *in);

/*
 * Takes a line without its '\n'. Borrows at->input. Returns 0, or -1 after reporting.
 */
int fg_folded_input_line(struct fg_folded_input *in, struct fg_str line,
			 const struct fg_place *at);

/* Like fg_folded_input_line(), for a line that is parsed already. */
int fg_folded_input_parsed(struct fg_folded_input *in, enum fg_folded_kind kind,
			   struct fg_folded *folded, struct fg_str line,
			   const struct fg_place *at);

/*
 * Keeps a line from the start of the input for the guess what the input is. Call it
 * only for lines that you do not pass to fg_folded_input_line().
 */
void fg_folded_input_keep(struct fg_folded_input *in, struct fg_str line);

/*
 * Ends an input and passes the stacks that were held back to `add`. Returns 0, or -1
 * after reporting, also if the text is not a profile. fg_folded_input_restart() begins
 * another input, but keeps the lines to warn about.
 */
int fg_folded_input_end(struct fg_folded_input *in);
void fg_folded_input_restart(struct fg_folded_input *in);

/* Takes all lines of a reader and ends the input. Returns 0, or -1 after reporting. */
int fg_folded_input_read(struct fg_folded_input *in, struct fg_reader *reader);

/* Adds a stack to a tree; for use in `add`. Returns 0, or -1 after reporting. */
int fg_folded_input_merge(struct fg_tree *tree, const struct fg_folded *stack,
			  const struct fg_place *at, struct fg_diag *diag);

/*
 * Returns why there are no counts above 0, as a text that ends a message. Call it after
 * the last input.
 */
const char *fg_folded_input_fault(struct fg_folded_input *in);

/*
 * Warns of lines that were ignored or may not mean what they seem to. `hint` is
 * appended to the warning of lines with two counts, and may be "".
 */
void fg_folded_input_warn(const struct fg_folded_input *in, const char *hint);

/* Warns of messages of our programs that were skipped. */
void fg_folded_warn_of_messages(struct fg_diag *diag,
				const struct fg_noted_lines *messages);

/* Warns only of counts that come first, and of counts that are too small. */
void fg_folded_warn_of_counts(struct fg_diag *diag, const struct fg_noted_lines *first,
			      const struct fg_noted_lines *lost);

#endif
