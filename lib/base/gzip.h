/*
 * A gzip file (RFC 1952) of one member, written as its bytes come.
 *
 * It has no name and no time, so that the same bytes give the same file.
 */
#ifndef FG_LIB_BASE_GZIP_H
#define FG_LIB_BASE_GZIP_H

#include "lib/base/out.h"

struct fg_gzip;

/* Compresses into `out`, which is borrowed. */
struct fg_gzip *fg_gzip_new(struct fg_out *out);

void fg_gzip_add(struct fg_gzip *g, struct fg_str bytes);

/* Writes what is left and frees `g`. */
void fg_gzip_finish(struct fg_gzip *g);

#endif
