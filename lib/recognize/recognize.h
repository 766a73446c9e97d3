/*
 * What is this input? Three programs ask that of its first bytes: collapse-guess, a
 * collapser that may have been given the input of another, and a program that reads
 * folded stacks and may have been given a profile that is not folded yet.
 *
 * Each format that a collapser reads is a struct fg_kind: a row of formats.def, and a
 * file lib/recognize/NAME.c with its probe. What no program here reads, but can be
 * named, is in foreign.h. Every program is linked with all of it; nothing here needs a
 * grammar of collapse/formats.
 */
#ifndef FG_LIB_RECOGNIZE_RECOGNIZE_H
#define FG_LIB_RECOGNIZE_RECOGNIZE_H

#include "lib/base/reader.h"

/* ---- the formats */

/* How well some first bytes fit a format. */
enum fg_probe { FG_PROBE_NO, FG_PROBE_MAYBE, FG_PROBE_YES };

/* The input of one format. Flags are false, and pointers NULL, unless set. */
struct fg_kind {
	const char *name; /* as in formats.def */
	const char *input; /* for messages: "the output of perf script" */

	/*
	 * A whole profile with values and units. Programs that read folded stacks take
	 * such an input, too; see structured.h.
	 */
	bool is_structured;

	/* Its stacks may be folded stacks already, which those programs read. */
	bool is_folded;

	/* It may be JSON, or bytes that are not text. Other readers refuse those. */
	bool is_json;
	bool is_binary;

	/*
	 * Judges the first bytes of an input: a few, or some hundred thousand. They may
	 * be cut anywhere, and start with a byte-order mark. YES must be right: other
	 * collapsers then refuse the input. MAYBE counts only if no other format fits.
	 */
	enum fg_probe (*probe)(struct fg_str first_bytes);

	/* A second, binary form, like perf.data: its first bytes, and its name. */
	bool (*is_data)(struct fg_str first_bytes);
	const char *data; /* "perf's binary data" */
};

/* The kinds of all formats, in the order of formats.def; NULL comes last. */
extern const struct fg_kind *const fg_kinds[];

#define FORMAT(format, older) extern const struct fg_kind fg_kind_##format;
#include "lib/recognize/formats.def"
#undef FORMAT

/* ---- answers */

/* What an input is. All pointers are NULL if it is unknown. */
struct fg_recognized {
	const struct fg_kind *kind;
	const struct fg_kind *other; /* fits as well as `kind`; NULL if none does */
	const char *input; /* how messages call it: kind->input, or kind->data */
	const char *foreign; /* a whole message, if no program here reads it */
};

/* Enough first bytes for every probe. What tells JSON may come after long tables. */
#define FG_RECOGNIZE_BYTES ((size_t)256 * 1024)

/* For collapse-guess: which format is it? */
struct fg_recognized fg_recognize(struct fg_str first_bytes);

/*
 * For the collapser of `own`: is the input of another format, or foreign? Returns
 * nothing if it is of `own`, or may be. Other formats have to be sure.
 */
struct fg_recognized fg_recognize_other(const struct fg_kind *own,
					struct fg_str first_bytes);

/*
 * For a reader of folded stacks: is it something that is not folded? Looks at the lines
 * before the first stack of several frames. Lines that are folded stacks by themselves
 * do not decide, because some lines of a profile may look like those of other formats.
 * Does not refuse perf script, which is better named when no stack was found.
 */
struct fg_recognized fg_recognize_unfolded(struct fg_str first_bytes);

/*
 * What must not be read as lines of text: binary data, UTF-16, JSON unless the caller
 * `reads_json`, and text in which some lines look like a profile.
 */
struct fg_recognized fg_recognize_unreadable(struct fg_str first_bytes,
					     bool reads_json);

/* For a reader of folded stacks that found none: what was the input? */
struct fg_recognized fg_recognize_stackless(struct fg_str first_bytes);

/* Returns a message about bytes that no program here reads, or NULL. */
const char *fg_recognize_foreign(struct fg_str first_bytes);

/* What the user should do with an input of another format. */
enum fg_advice {
	FG_ADVISE_USE, /* "this is the output of stap: use collapse-stap" */
	FG_ADVISE_PIPE, /* "...: pipe it through collapse-stap first" */
};

/* Appends the end of a message. Returns false, and adds nothing, if it is unknown. */
bool fg_recognized_explain(const struct fg_recognized *r, enum fg_advice advice,
			   struct fg_buf *message);

/* ---- answers as messages, for those who read */

/*
 * Makes a collapser's reader refuse what `own` does not read, see fg_reader_check(). If
 * `own` is NULL, the reader refuses everything that is not lines of text.
 */
void fg_recognize_check(struct fg_reader *reader, const struct fg_kind *own);

/* Makes a reader refuse what is not folded. */
void fg_recognize_check_folded(struct fg_reader *reader);

/* Explains fg_recognize_stackless(); for the `guess` of struct fg_folded_input. */
bool fg_recognize_guess(struct fg_str first_bytes, struct fg_buf *message);

#endif
