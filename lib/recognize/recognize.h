/*
 * Recognises inputs by their first bytes. Three kinds of programs ask what an input is:
 *
 * - collapse-guess needs its format: fg_recognize();
 * - a collapser may get the input of another: fg_recognize_other();
 * - a reader of folded stacks may get a profile that is not folded yet:
 *   fg_recognize_unfolded().
 *
 * All get a struct fg_recognized, and make a message of it:
 *
 *     struct fg_recognized r = fg_recognize(first_bytes);
 *
 *     if (fg_recognized_explain(&r, FG_ADVISE_USE, &message))
 *             puts(fg_buf_cstr(&message));
 *
 * This prints "this is a profile of massif: use collapse-massif".
 *
 * Each format that a collapser reads is a struct fg_kind: a row of formats.def, and a
 * file lib/recognize/NAME.c with its probe. foreign.h recognises input that no program
 * here reads. Every program is linked with all of this, so it must not need a grammar
 * of collapse/formats.
 */
#ifndef FG_LIB_RECOGNIZE_RECOGNIZE_H
#define FG_LIB_RECOGNIZE_RECOGNIZE_H

#include "lib/base/reader.h"

/* ---- the formats */

/*
 * Answers of a probe: the first bytes are not of the format, may be, or certainly are.
 */
enum fg_probe { FG_PROBE_NO, FG_PROBE_MAYBE, FG_PROBE_YES };

/*
 * Describes the input of one format. Flags that are not set are false, pointers NULL.
 */
struct fg_kind {
	const char *name; /* like in formats.def */
	const char *input; /* for messages: "the output of perf script" */

	/*
	 * A whole profile with values and units. Programs that read folded stacks
	 * accept such an input, too; see structured.h.
	 */
	bool is_structured;

	/* It may be folded stacks already, which those programs read directly. */
	bool is_folded;

	/* It may be JSON, which the readers of other formats refuse. */
	bool is_json;

	/* It may be binary, or HTML, which the readers of other formats refuse. */
	bool is_binary;

	/*
	 * Judges the first bytes of an input: a few, or some hundred thousand. They may
	 * be cut anywhere, and start with a byte-order mark. YES must be right: other
	 * collapsers then refuse the input. MAYBE counts only if no other format fits.
	 */
	enum fg_probe (*probe)(struct fg_str first_bytes);

	/* Recognises a second, binary form, like perf.data. */
	bool (*is_data)(struct fg_str first_bytes);

	/* The name of that form for messages: "perf's binary data". */
	const char *data;
};

/* The kinds of all formats, in the order of formats.def; NULL comes last. */
extern const struct fg_kind *const fg_kinds[];

#define FORMAT(format, older) extern const struct fg_kind fg_kind_##format;
#include "lib/recognize/formats.def"
#undef FORMAT

/* Appends the name of the kind's program, like "collapse-perf", with '-' for '_'. */
void fg_kind_add_program(const struct fg_kind *kind, struct fg_buf *b);

/* ---- answers */

/* The answer: what the input is. All pointers are NULL if that is unknown. */
struct fg_recognized {
	const struct fg_kind *kind;
	const struct fg_kind *other; /* fits as well as `kind`; NULL if none does */
	const char *input; /* its name for messages: kind->input, or kind->data */
	const char *foreign; /* a whole message, if no program here reads it */
};

/* Enough first bytes for every probe. In JSON, long tables may come first. */
#define FG_RECOGNIZE_BYTES ((size_t)256 * 1024)

/* Returns the format of the input. If two formats fit equally well, returns both. */
struct fg_recognized fg_recognize(struct fg_str first_bytes);

/*
 * Returns the format of the input if it is not `own`, or the advice about foreign
 * input. A format other than `own` counts only if its probe is sure. The answer is
 * "unknown" if the input is of `own`, or may be and no other format is sure.
 */
struct fg_recognized fg_recognize_other(const struct fg_kind *own,
					struct fg_str first_bytes);

/*
 * Returns the format if the input turns out not to be folded stacks, or else an unknown
 * answer. Checks the lines before the first stack of several frames. Ignores lines that
 * are folded stacks themselves, because they may look like another format by chance.
 * Never answers "perf script": call fg_recognize_stackless() for that if no stack was
 * found.
 */
struct fg_recognized fg_recognize_unfolded(struct fg_str first_bytes);

/*
 * Recognises input that must not be read as lines of text: binary data, UTF-16, JSON
 * unless the caller `reads_json`, and text in which some lines look like a profile.
 */
struct fg_recognized fg_recognize_unreadable(struct fg_str first_bytes,
					     bool reads_json);

/* Recognises an input in which a reader of folded stacks found no stacks. */
struct fg_recognized fg_recognize_stackless(struct fg_str first_bytes);

/* Returns a message about bytes that no program here reads, or NULL. */
const char *fg_recognize_foreign(struct fg_str first_bytes);

/* Advice to the user about an input of another format. */
enum fg_advice {
	FG_ADVISE_USE, /* "this is a profile of massif: use collapse-massif" */
	FG_ADVISE_PIPE, /* "...: pipe it through collapse-massif first" */
};

/*
 * Appends a message, like in the comments above. Returns false, and adds nothing, if
 * `r` is unknown.
 */
bool fg_recognized_explain(const struct fg_recognized *r, enum fg_advice advice,
			   struct fg_buf *message);

/* ---- checks of a reader */

/*
 * Makes a collapser's reader refuse input that `own` does not read, see
 * fg_reader_check(). If `own` is NULL, refuses everything that is not lines of text.
 */
void fg_recognize_check(struct fg_reader *reader, const struct fg_kind *own);

/* Makes a reader refuse input that is not folded stacks. */
void fg_recognize_check_folded(struct fg_reader *reader);

/*
 * Appends the message of fg_recognize_stackless(). It has the type of `guess` in struct
 * fg_folded_input.
 */
bool fg_recognize_guess(struct fg_str first_bytes, struct fg_buf *message);

#endif
