/*
 * The hashes by which a content security policy allows what is in a picture
 * (https://www.w3.org/TR/CSP3/), for pages that forbid scripts and styles in general.
 */
#ifndef FLAMEGRAPH_CSP_H
#define FLAMEGRAPH_CSP_H

#include "lib/out.h"

/*
 * What the element of an embedded file has before the file's own bytes, between its
 * tags: the hash is of both.
 */
#define FG_CSP_LEAD "\n"

/* Writes "script-src 'sha256-...'; style-src 'sha256-...' 'sha256-...'\n". */
void fg_csp_write(struct fg_out *out);

#endif
