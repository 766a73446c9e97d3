/*
 * The hashes by which a content security policy allows what is in a picture
 * (https://www.w3.org/TR/CSP3/), for pages that forbid scripts and styles in general.
 */
#ifndef FG_FLAMEGRAPH_CSP_H
#define FG_FLAMEGRAPH_CSP_H

#include "lib/out.h"

/*
 * What comes before the bytes of an embedded file in its element; the hash is of both.
 */
#define FG_CSP_LEAD "\n"

/* Writes "script-src 'sha256-...'; style-src 'sha256-...' 'sha256-...'\n". */
void fg_csp_write(struct fg_out *out);

#endif
