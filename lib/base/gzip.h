/*
 * Writes a gzip file (RFC 1952) as its bytes come.
 *
 * We leave out the file's name and time, so that the same bytes always give the same
 * file.
 */
#ifndef FG_LIB_BASE_GZIP_H
#define FG_LIB_BASE_GZIP_H

#include "lib/base/out.h"

struct fg_gzip;

/* Starts a file in `out`, which is borrowed. */
struct fg_gzip *fg_gzip_new(struct fg_out *out);

void fg_gzip_add(struct fg_gzip *g, struct fg_str bytes);

/* Writes the rest and frees `g`. */
void fg_gzip_finish(struct fg_gzip *g);

#endif
