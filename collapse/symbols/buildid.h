/* Build ids tell one build of a binary from another. */
#ifndef FG_COLLAPSE_SYMBOLS_BUILDID_H
#define FG_COLLAPSE_SYMBOLS_BUILDID_H

#include "lib/base/buf.h"

#define FG_BUILD_ID_MAX 20

struct fg_build_id {
	unsigned char bytes[FG_BUILD_ID_MAX];
	size_t len; /* 0: there is no build id */
};

/*
 * Sets the id to the first FG_BUILD_ID_MAX bytes of `bytes`, or fewer if it is shorter.
 */
void fg_build_id_set(struct fg_build_id *id, struct fg_str bytes);

bool fg_build_id_eq(const struct fg_build_id *a, const struct fg_build_id *b);

/*
 * Appends the id in hexadecimal digits. If `slash` is not 0, it comes after the first
 * two.
 */
void fg_build_id_add(struct fg_buf *text, const struct fg_build_id *id, char slash);

/*
 * Finds the GNU build id among the notes of an ELF file. Returns false if there is
 * none.
 */
bool fg_build_id_from_notes(struct fg_build_id *id, struct fg_str notes);

#endif
