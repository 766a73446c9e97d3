/*
 * JSON as it is written from left to right: what was opened is closed by the caller,
 * and the commas are put where they belong.
 */
#ifndef FG_REPORTFOLDED_JSONWRITER_H
#define FG_REPORTFOLDED_JSONWRITER_H

#include "lib/base/count.h"
#include "lib/base/out.h"

struct fg_jsonwriter {
	struct fg_out *out; /* borrowed */
	bool comma; /* one is due before what comes next */
};

/* '{', '[' and their ends. */
void fg_json_open(struct fg_jsonwriter *j, char bracket);
void fg_json_close(struct fg_jsonwriter *j, char bracket);

/* A key, whose value is to follow; it is plain ASCII. */
void fg_json_key(struct fg_jsonwriter *j, const char *key);

/* Values. Bytes of a string that are no UTF-8 become U+FFFD. */
void fg_json_string(struct fg_jsonwriter *j, struct fg_str value);
void fg_json_u64(struct fg_jsonwriter *j, uint64_t value);
void fg_json_decimal(struct fg_jsonwriter *j, struct fg_sum value, unsigned decimals);

/* What is JSON already: a word, or several values with commas between them. */
void fg_json_raw(struct fg_jsonwriter *j, struct fg_str value);

/* What follows is on a line of its own. */
void fg_json_line(struct fg_jsonwriter *j);

/* A key and its value. */
void fg_json_key_string(struct fg_jsonwriter *j, const char *key, struct fg_str value);
void fg_json_key_u64(struct fg_jsonwriter *j, const char *key, uint64_t value);
void fg_json_key_raw(struct fg_jsonwriter *j, const char *key, const char *value);

#endif
