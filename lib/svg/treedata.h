/*
 * Writes a tree as bytes that are stored in a picture, and reads it back.
 *
 * folded(5) describes the bytes under "Data in pictures". The reader trusts no number:
 * it limits every size by the number of bytes, and checks every sum and index. The
 * viewer's data.js reads the same bytes.
 */
#ifndef FG_LIB_SVG_TREEDATA_H
#define FG_LIB_SVG_TREEDATA_H

#include "lib/base/diag.h"
#include "lib/profile/tree.h"

#define FG_TREEDATA_MAGIC "fgd1"

enum fg_treedata_flags {
	FG_TREEDATA_DIFFERENTIAL = 1,
	FG_TREEDATA_GAPS = 2,
	FG_TREEDATA_COLOURS = 4,
};

/* Readers refuse data beyond these limits, so writers stay below them. */
#define FG_TREEDATA_MAX ((size_t)256 << 20) /* bytes, without compression */
#define FG_TREEDATA_FRAMES_MAX ((size_t)1 << 24)

struct fg_treedata_colour {
	unsigned char rgb[3];
};

struct fg_treedata {
	const struct fg_tree *tree; /* finished */
	/* indexed by id of the name; or NULL */
	const struct fg_treedata_colour *colours;

	/*
	 * Frames with a smaller total are left out with all their descendants. Their
	 * counts are added to the own counts of the parent. The root always stays.
	 */
	uint64_t min;
};

/* Appends the bytes, uncompressed, to `out`. Returns how many frames they hold. */
size_t fg_treedata_write(const struct fg_treedata *d, struct fg_buf *out);

/*
 * Reads `bytes` into `tree`, which it initialises and finishes. Returns 0, or -1 after
 * reporting what is wrong with the SVG. Release the tree in either case.
 */
int fg_treedata_read(struct fg_str bytes, struct fg_tree *tree,
		     const struct fg_place *at, struct fg_diag *diag);

#endif
