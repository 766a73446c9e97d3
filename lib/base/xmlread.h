/*
 * XML, read forward: elements and texts in the order in which they start and end, in
 * memory that does not grow with the input.
 *
 * The input is taken as UTF-8, whatever it declares; what is none, and characters that
 * XML does not allow, is U+FFFD. No entity is known but those of XML itself. What is
 * not well-formed is refused, but names may have all characters that are not of ASCII,
 * no prefix has to stand for a namespace, and nobody looks into the XML declaration.
 * Input made to keep a reader busy is refused as well: a DOCTYPE, an element with more
 * than 1000 attributes or in more than 63 others, a tag, text or comment of more than
 * 10 MB.
 */
#ifndef FG_LIB_BASE_XMLREAD_H
#define FG_LIB_BASE_XMLREAD_H

#include "lib/base/reader.h"

/* An element that starts or ends. */
struct fg_xmlread_element {
	size_t name; /* its place among the names asked for; their count for another */
	unsigned depth; /* how many elements are around it */

	/* private */
	struct fg_xmlread *reader;
	const char *end; /* of the tag */
	size_t attribute_count;
};

/* Who is told of what is read; what is passed is valid until the function returns. */
struct fg_xmlread_handler {
	/* of elements, without their namespaces; one may be empty, which is no name */
	const struct fg_str *names;
	size_t name_count;

	/* An empty element ends, too. */
	void (*start)(void *data, const struct fg_xmlread_element *element);
	void (*close)(void *data, const struct fg_xmlread_element *element);

	/* A text or a part of one, in `depth` elements. */
	void (*text)(void *data, unsigned depth, struct fg_str text);
};

enum fg_xmlread_end {
	FG_XMLREAD_WHOLE,
	FG_XMLREAD_DAMAGED, /* there is no XML from here on, of which a warning told */
	FG_XMLREAD_FAILED, /* the input could not be read, which was reported */
};

/*
 * Reads the input that `start` starts, in parts (fg_reader_accept_parts), to its end or
 * to where it goes wrong. All is borrowed.
 */
enum fg_xmlread_end fg_xmlread(struct fg_reader *reader, const struct fg_block *start,
			       const struct fg_xmlread_handler *handler, void *data,
			       struct fg_diag *diag);

/* The line on which the tag of an element ends that starts or ends. */
uint64_t fg_xmlread_line(const struct fg_xmlread_element *element);

/* An attribute without a namespace of an element that starts: whether there is one. */
bool fg_xmlread_attribute(const struct fg_xmlread_element *element, const char *name,
			  struct fg_str *value);

#endif
