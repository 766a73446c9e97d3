/*
 * JSON (RFC 8259) in memory, token by token.
 *
 *     fg_json_init(&json, bytes);
 *     while ((kind = fg_json_next(&json)) > FG_JSON_END)
 *         ...
 *
 * What is nested is kept on a list, so that no input is too deep. Bytes in strings
 * need not be UTF-8, and control characters are let through.
 */
#ifndef FG_COLLAPSE_JSON_H
#define FG_COLLAPSE_JSON_H

#include "lib/buf.h"

enum fg_json_kind {
	FG_JSON_ERROR = -1, /* and so is every token after it */
	FG_JSON_END, /* of the text, behind its one value */
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
	const char *error; /* after FG_JSON_ERROR: what is wrong, at `at` */
	bool cut; /* the text ends before its value does */
	size_t at; /* where the next token, or the error, is */
	struct fg_buf open; /* the brackets that are open; its length is the depth */

	/* private */
	struct fg_str bytes;
	struct fg_buf decoded;
	int expects;
};

/* `bytes` are borrowed. */
void fg_json_init(struct fg_json *j, struct fg_str bytes);
void fg_json_release(struct fg_json *j);

enum fg_json_kind fg_json_next(struct fg_json *j);

/* Passes over the rest of a value, whose first token was the last one: 0, or -1. */
int fg_json_skip(struct fg_json *j, enum fg_json_kind first);

#endif
