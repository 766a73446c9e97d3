/*
 * OTLP/JSON, as the collector's file exporter writes it: a message ProfilesData a line,
 * its members named as in the proto, in lowerCamelCase.
 */
#ifndef FG_COLLAPSE_OTLP_JSON_H
#define FG_COLLAPSE_OTLP_JSON_H

#include "collapse/json.h"

/* How many bytes of a message's length are before it, the highest first. */
#define OTLP_FRAME 4

/*
 * Adds the messages, as Protocol Buffers have them, to `all`, each with its length
 * before it; of what they have only what is read here. A last one that the text ends in
 * is left out, unless it is the only one: then, and at any other fault, which
 * fg_json_report says, it returns -1. In `all` may be part of a message then.
 */
int otlp_json_read(struct fg_json *j, struct fg_buf *all);

#endif
