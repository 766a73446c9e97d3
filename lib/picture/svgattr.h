/* The attributes of an element of an SVG file, as libxml2 gives them. */
#ifndef FG_LIB_PICTURE_SVGATTR_H
#define FG_LIB_PICTURE_SVGATTR_H

#include "lib/base/buf.h"
#include "lib/base/count.h"

/* That of our elements and attributes. */
#define FG_SVG_NAMESPACE "urn:flamepipe:svg"

struct fg_svgattrs {
	const unsigned char **items; /* five pointers each */
	int count;
};

/* The value of an attribute, of ours or of SVG; false where there is none. */
bool fg_svgattr_find(struct fg_svgattrs a, bool ours, const char *name,
		     struct fg_str *value);

/* The same of one of ours that is a count. */
bool fg_svgattr_count(struct fg_svgattrs a, const char *name, struct fg_count *count);

/*
 * The number in a length of SVG's, "1200", "1200px" or "100%", whichever the unit; 0
 * where the attribute is missing or no such length.
 */
double fg_svgattr_length(struct fg_svgattrs a, const char *name);

/* Appends the value of one of ours that a header line of folded stacks can say. */
void fg_svgattr_keep(struct fg_svgattrs a, const char *name, struct fg_buf *kept);

#endif
