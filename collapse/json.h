/*
 * JSON (RFC 8259), read forward token by token, from an input or from memory.
 *
 *     fg_json_init_reader(&json, reader, start);
 *     while ((kind = fg_json_next(&json)) > FG_JSON_END)
 *         ...
 *
 * Blocks of an input may end anywhere: a string or number that does not end with its
 * block is joined, so that memory is one block and one token. What is nested is kept on
 * a list of one byte each, so that no input is too deep. A byte-order mark at the start
 * is skipped. A comma may follow the last value or member, because programs that write
 * traces by hand leave it there. Bytes in strings need not be UTF-8, and control
 * characters are let through; a half of a pair of \u escapes is U+FFFD. Which of
 * several members of one name counts is the caller's: the last one, as in JavaScript.
 */
#ifndef FG_COLLAPSE_JSON_H
#define FG_COLLAPSE_JSON_H

#include "collapse/json_bytes.h"

enum fg_json_kind {
	FG_JSON_ERROR = -1, /* and so is every token after it */
	FG_JSON_END, /* of the text, behind its one value, or the last of many */
	FG_JSON_OBJECT, /* '{' */
	FG_JSON_OBJECT_END,
	FG_JSON_ARRAY, /* '[' */
	FG_JSON_ARRAY_END,
	FG_JSON_NAME, /* of a member; its value is next */
	FG_JSON_STRING,
	FG_JSON_NUMBER,
	FG_JSON_TRUE,
	FG_JSON_FALSE,
	FG_JSON_NULL,
};

struct fg_json {
	/* of the token: a string without its escapes, a number as it is written */
	struct fg_str text; /* valid until the next one is asked for */
	struct fg_buf open; /* the brackets that are open; its length is the depth */

	/* after FG_JSON_ERROR */
	const char *error; /* what is wrong */
	uint64_t line; /* where, from 1 */
	uint64_t column; /* in bytes, from 1 */
	bool cut; /* the text ends before its value does */

	bool many; /* set by the caller: other values may follow the first */

	/* private */
	struct json_bytes from; /* at the next token */
	struct fg_buf joined; /* a string with escapes, or what spans blocks */
	bool in_object;
	int expects;
};

/* `bytes` are borrowed. */
void fg_json_init(struct fg_json *j, struct fg_str bytes);

/* All of an input, in parts (fg_reader_accept_parts); `start` is its first block. */
void fg_json_init_reader(struct fg_json *j, struct fg_reader *reader,
			 const struct fg_block *start);

void fg_json_release(struct fg_json *j);

enum fg_json_kind fg_json_next(struct fg_json *j);

/* Passes over the rest of a value, whose first token was the last one: 0, or -1. */
int fg_json_skip(struct fg_json *j, enum fg_json_kind first);

/*
 * Whether the next value is of that kind, of which the first token is then read. One
 * of another kind is passed over.
 */
bool fg_json_enter(struct fg_json *j, enum fg_json_kind kind);

/* Whether an array, or object, has another value, or name: its first token is read. */
static inline bool fg_json_more(struct fg_json *j, enum fg_json_kind *kind)
{
	*kind = fg_json_next(j);
	return *kind != FG_JSON_ERROR && *kind != FG_JSON_ARRAY_END &&
	       *kind != FG_JSON_OBJECT_END;
}

/*
 * The next value where it is a string or a number, valid as `text` is; any other one is
 * passed over, and ptr is NULL.
 */
struct fg_str fg_json_value(struct fg_json *j);

/* Reports the error, unless that was done: -1. `input` is the name of it. */
int fg_json_report(const struct fg_json *j, const char *input, struct fg_diag *diag);

#endif
