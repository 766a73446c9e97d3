/*
 * What an input is: the formats that collapsers read, and how each is recognised.
 *
 * Each format has a row in formats.def and a file lib/recognize/NAME.c, which defines
 * its kind. Every program is linked with all of them, so that each can say what it was
 * given; they use nothing of the grammars in collapse/formats.
 */
#ifndef FG_LIB_RECOGNIZE_RECOGNIZE_H
#define FG_LIB_RECOGNIZE_RECOGNIZE_H

#include "lib/base/str.h"

/* How well some first bytes fit a format. */
enum fg_probe { FG_PROBE_NO, FG_PROBE_MAYBE, FG_PROBE_YES };

/* What the input of a format is. Flags are false unless set. */
struct fg_kind {
	const char *name; /* as in formats.def */
	const char *input; /* for messages: "the output of perf script" */

	/*
	 * A whole profile with values and units. Programs that read folded stacks take
	 * such an input as well, by way of collapse-guess.
	 */
	bool is_structured;

	/* Its stacks may be folded stacks already, which those programs read. */
	bool is_folded;

	/* It may be JSON, or bytes that are no text. Other readers refuse those. */
	bool is_json;
	bool is_binary;

	/*
	 * Judges the first bytes of an input: a few, or some hundred thousand. They may
	 * be cut anywhere, and start with a byte-order mark.
	 */
	enum fg_probe (*probe)(struct fg_str first_bytes);
};

/* The kinds of all formats, in the order of formats.def; NULL comes last. */
extern const struct fg_kind *const fg_kinds[];

#define FORMAT(format, older) extern const struct fg_kind fg_kind_##format;
#include "lib/recognize/formats.def"
#undef FORMAT

#endif
