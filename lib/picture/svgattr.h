/* Looks up attributes of an SVG element, as libxml2 passes them. */
#ifndef FG_LIB_PICTURE_SVGATTR_H
#define FG_LIB_PICTURE_SVGATTR_H

#include "lib/base/buf.h"
#include "lib/base/count.h"

/* The namespace of our elements and attributes. */
#define FG_SVG_NAMESPACE "urn:flamepipe:svg"

struct fg_svgattrs {
	const unsigned char **items; /* five pointers each */
	int count;
};

/* The value of one of our attributes or of SVG's; false if there is none. */
bool fg_svgattr_find(struct fg_svgattrs a, bool ours, const char *name,
		     struct fg_str *value);

/* The value of one of our attributes that is a count. */
bool fg_svgattr_count(struct fg_svgattrs a, const char *name, struct fg_count *count);

/*
 * The number in an SVG length such as "1200", "1200px" or "100%", whatever the unit; 0
 * if the attribute is missing or no length.
 */
double fg_svgattr_length(struct fg_svgattrs a, const char *name);

/* Appends the value of one of our attributes, if a header line can hold it. */
void fg_svgattr_keep(struct fg_svgattrs a, const char *name, struct fg_buf *kept);

#endif
