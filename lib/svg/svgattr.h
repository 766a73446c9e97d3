/* Looks up attributes of an SVG element. */
#ifndef FG_LIB_SVG_SVGATTR_H
#define FG_LIB_SVG_SVGATTR_H

#include "lib/base/buf.h"
#include "lib/base/count.h"
#include "lib/base/xmlread.h"

/* The namespace of our elements and attributes. */
#define FG_SVG_NAMESPACE "urn:flamepipe:svg"

/*
 * Finds one of our attributes, in our namespace or inferno's, which means the same.
 * Returns false if the element does not have it.
 */
bool fg_svgattr_find(const struct fg_xmlread_element *e, const char *name,
		     struct fg_str *value);

/* Like fg_svgattr_find(), for an attribute that is a count. */
bool fg_svgattr_count(const struct fg_xmlread_element *e, const char *name,
		      struct fg_count *count);

/*
 * Returns the number in one of SVG's lengths, such as "1200", "1200px" or "100%",
 * whatever its unit. Returns 0 if the attribute is missing or not a length.
 */
double fg_svgattr_length(const struct fg_xmlread_element *e, const char *name);

/* Appends the value of one of our attributes if a header line can hold it. */
void fg_svgattr_keep(const struct fg_xmlread_element *e, const char *name,
		     struct fg_buf *kept);

#endif
