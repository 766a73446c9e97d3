/*
 * Converts OTLP/JSON to Protocol Buffers, so that the rest of the collapser need not
 * know about JSON. The collector's file exporter writes a message ProfilesData per
 * line:
 *
 *     {"resourceProfiles":[{"scopeProfiles":[...]}],"dictionary":{...}}
 */
#ifndef FG_COLLAPSE_OTLP_JSON_H
#define FG_COLLAPSE_OTLP_JSON_H

#include "collapse/json.h"

/* The size of the length before each message, which is big-endian. */
#define OTLP_FRAME 4

/*
 * Replaces `all` with the messages as Protocol Buffers, each after its length, and with
 * those fields only that we use. If the input ends in the middle of a message, leaves
 * that one out. Returns 0, or -1 if there is no whole message before it, and after any
 * other error; the caller then calls fg_json_report(), and must not use `all`.
 */
int otlp_json_read(struct fg_json *j, struct fg_buf *all);

#endif
