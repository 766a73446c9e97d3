/*
 * Reads JSON (RFC 8259) forward, token by token, from an input or from memory.
 *
 * Most callers know what comes next, and walk objects and arrays like this:
 *
 *     fg_json_init_reader(&json, reader, start);
 *     if (fg_json_enter(&json, FG_JSON_OBJECT))
 *             while (fg_json_more(&json, &kind))
 *                     if (fg_str_eq(json.text, FG_STR("weight")))
 *                             weight = fg_json_value(&json);
 *                     else
 *                             fg_json_skip(&json, fg_json_next(&json));
 *     if (json.error)
 *             status = fg_json_report(&json, input, diag);
 *     fg_json_release(&json);
 *
 * Blocks of an input may end anywhere. A string or number that spans blocks is joined,
 * so we keep at most one block and one token in memory. Open brackets take one byte
 * each, so no input is too deep.
 *
 * We accept a bit more than the RFC: a byte-order mark at the start, strings that are
 * not UTF-8 or have control characters, and a comma after the last value or member.
 * Programs that write traces without a JSON library often leave that comma there. Half
 * of a pair of \u escapes becomes U+FFFD. If a name appears twice in an object, callers
 * should let the last one count, like JavaScript does.
 */
#ifndef FG_LIB_BASE_JSON_H
#define FG_LIB_BASE_JSON_H

#include "lib/base/reader.h"

enum fg_json_kind {
	FG_JSON_ERROR = -1, /* after an error, all later tokens are errors too */
	FG_JSON_END, /* the input ends after its last value */
	FG_JSON_OBJECT, /* '{' */
	FG_JSON_OBJECT_END,
	FG_JSON_ARRAY, /* '[' */
	FG_JSON_ARRAY_END,
	FG_JSON_NAME, /* a member's name; its value comes next */
	FG_JSON_STRING,
	FG_JSON_NUMBER,
	FG_JSON_TRUE,
	FG_JSON_FALSE,
	FG_JSON_NULL,
};

/* A cursor in the bytes of an input; private. */
struct fg_json_bytes {
	const char *at, *end; /* the cursor, and the end of its block */
	const char *block; /* the start of its block */
	/* NULL for bytes in memory, and after the last block */
	struct fg_reader *reader;
	uint64_t lines; /* line feeds before the block */
	/* the bytes of the block's first line that are before the block */
	uint64_t columns;
	bool failed; /* the input could not be read, which is reported already */
};

struct fg_json {
	/*
	 * The text of the last token: a string or name with its escapes decoded, a
	 * number as it is written. It is valid until the next token.
	 */
	struct fg_str text;
	struct fg_buf open; /* the open brackets; its length is the depth */

	/* These are set after FG_JSON_ERROR. */
	const char *error; /* a message */
	uint64_t line; /* the line of the error, from 1 */
	uint64_t column; /* the byte of that line, from 1 */
	bool cut; /* the input ends in the middle of a value */

	bool many; /* set by the caller if other values may follow the first one */

	/* private */
	struct fg_json_bytes from; /* the cursor, at the next token */
	struct fg_buf joined; /* a string with escapes, or a token that spans blocks */
	bool in_object;
	int expects; /* an enum expects of json.c */
};

/* Starts to read `bytes`, which are borrowed. */
void fg_json_init(struct fg_json *j, struct fg_str bytes);

/*
 * Starts to read an input. `start` is its first block, which fg_reader_block()
 * returned.
 */
void fg_json_init_reader(struct fg_json *j, struct fg_reader *reader,
			 const struct fg_block *start);

void fg_json_release(struct fg_json *j);

/* Reads a token. */
enum fg_json_kind fg_json_next(struct fg_json *j);

/*
 * Skips the rest of a value. `first` is its first token, which was read last. Returns
 * -1 after an error.
 */
int fg_json_skip(struct fg_json *j, enum fg_json_kind first);

/*
 * Reads the first token of the next value and returns true if the value is of `kind`.
 * Otherwise skips the value and returns false.
 */
bool fg_json_enter(struct fg_json *j, enum fg_json_kind kind);

/*
 * Reads the next name of an object, or the first token of the next value of an array.
 * Returns false at the end of either, and after an error.
 */
static inline bool fg_json_more(struct fg_json *j, enum fg_json_kind *kind)
{
	*kind = fg_json_next(j);
	return *kind != FG_JSON_ERROR && *kind != FG_JSON_ARRAY_END &&
	       *kind != FG_JSON_OBJECT_END;
}

/*
 * Reads the next value if it is a string or a number, and returns its text, which is
 * valid until the next token. Skips any other value and returns a .ptr of NULL.
 */
struct fg_str fg_json_value(struct fg_json *j);

/*
 * Reports the error, unless the reader did. Returns -1. `input` is the name of the
 * input.
 */
int fg_json_report(const struct fg_json *j, const char *input, struct fg_diag *diag);

#endif
