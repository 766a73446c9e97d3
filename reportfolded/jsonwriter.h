/*
 * Writes JSON from left to right and puts the commas where they belong. The caller
 * closes whatever it opens:
 *
 *     fg_json_open(&j, '[');
 *     fg_json_u64(&j, 1);
 *     fg_json_close(&j, ']');
 */
#ifndef FG_REPORTFOLDED_JSONWRITER_H
#define FG_REPORTFOLDED_JSONWRITER_H

#include "lib/base/count.h"
#include "lib/base/out.h"

struct fg_jsonwriter {
	struct fg_out *out; /* borrowed */
	bool comma; /* the next item needs one before it */
};

/* Write a bracket: '{', '[', and their ends. */
void fg_json_open(struct fg_jsonwriter *j, char bracket);
void fg_json_close(struct fg_jsonwriter *j, char bracket);

/* Writes a key, which is plain ASCII. Its value comes next. */
void fg_json_key(struct fg_jsonwriter *j, const char *key);

/* Write a value. Bytes of a string that are not UTF-8 become U+FFFD. */
void fg_json_string(struct fg_jsonwriter *j, struct fg_str value);
void fg_json_u64(struct fg_jsonwriter *j, uint64_t value);
void fg_json_decimal(struct fg_jsonwriter *j, struct fg_sum value, unsigned decimals);

/* Writes JSON text: a word, or several values with commas between them. */
void fg_json_raw(struct fg_jsonwriter *j, struct fg_str value);

/* Starts a new line. */
void fg_json_line(struct fg_jsonwriter *j);

/* Write a key and its value. */
void fg_json_key_string(struct fg_jsonwriter *j, const char *key, struct fg_str value);
void fg_json_key_u64(struct fg_jsonwriter *j, const char *key, uint64_t value);
void fg_json_key_raw(struct fg_jsonwriter *j, const char *key, const char *value);

#endif
