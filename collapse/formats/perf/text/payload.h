/*
 * Fields of a tracepoint's payload.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_PAYLOAD_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_PAYLOAD_H

#include "lib/base/str.h"

/* The value of the field `name` in `name=value ...`; false where there is none. */
bool perf_payload_field(struct fg_str text, struct fg_str name, struct fg_str *value);

/* The same as a number, decimal or 0x...: 0, or -1. */
int perf_payload_number(struct fg_str text, struct fg_str name, uint64_t *number);

/*
 * Whether a string in the payload goes on in the next line; and whether that line
 * has its end.
 */
bool perf_payload_is_open(struct fg_str text);
bool perf_payload_closes(struct fg_str line);

#endif
