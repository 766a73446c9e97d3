/*
 * Fields in the payload of a tracepoint:
 *
 *     comm=app pid=4242 prio=120 target_cpu=003
 *     fd: 0x00000003, buf: 0x7ffc12345678, count: 0x00000400
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_PAYLOAD_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_PAYLOAD_H

#include "lib/base/str.h"

/*
 * Sets *value to the value of the field `name`. Returns false if there is no such
 * field.
 */
bool perf_payload_field(struct fg_str text, struct fg_str name, struct fg_str *value);

/*
 * Like perf_payload_field(), for a number, decimal or 0x... Returns 0, or -1 if there
 * is no such number.
 */
int perf_payload_number(struct fg_str text, struct fg_str name, uint64_t *number);

/*
 * Returns true if `text` ends in the middle of a string, `msg="two`, that the next line
 * continues.
 */
bool perf_payload_is_open(struct fg_str text);

/* Returns true if the line has the '"' that ends a string of an earlier line. */
bool perf_payload_closes(struct fg_str line);

#endif
