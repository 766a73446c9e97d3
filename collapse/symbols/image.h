/*
 * What tells a file of code from others, as readelf prints it: its build id, and where
 * its first segment is made for.
 */
#ifndef FG_COLLAPSE_SYMBOLS_IMAGE_H
#define FG_COLLAPSE_SYMBOLS_IMAGE_H

#include "lib/base/buf.h"

/* A zeroed struct is of no file. */
struct fg_image {
	struct fg_buf build_id; /* hexadecimal; empty where it has none */
	uint64_t base; /* the address of its first segment */
};

void fg_image_release(struct fg_image *image);

/*
 * Fills in the zeroed *image: 0, or an errno where readelf could not be started. Of
 * what is no ELF file nothing is known.
 */
int fg_image_read(struct fg_image *image, const char *path);

#endif
