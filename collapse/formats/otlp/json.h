/*
 * Converts OTLP/JSON to Protocol Buffers, so that the rest of the collapser need not
 * know about JSON. The collector's file exporter writes a message ProfilesData per
 * line:
 *
 *     {"resourceProfiles":[{"scopeProfiles":[...]}],"dictionary":{...}}
 */
#ifndef FG_COLLAPSE_OTLP_JSON_H
#define FG_COLLAPSE_OTLP_JSON_H

#include "lib/base/json.h"

/* The size in bytes of the big-endian length before each message. */
#define OTLP_FRAME 4

/*
 * Replaces `all` with the messages as Protocol Buffers, each after its length. Keeps
 * only the fields that we use. If the input ends in the middle of a message, leaves out
 * that message. Returns 0. Returns -1 after an error, or if that message is the only
 * one; the caller then calls fg_json_report(), and must not use `all`.
 */
int otlp_json_read(struct fg_json *j, struct fg_buf *all);

#endif
