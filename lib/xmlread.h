/*
 * XML, read forward: elements and texts in the order in which they start and end, in
 * memory that does not grow with the input.
 *
 * The input is taken as UTF-8, whatever it declares; what is none, and characters that
 * XML does not allow, is U+FFFD. No entity is known but those of XML itself. Input made
 * to keep a reader busy is refused: a DOCTYPE, an element with more than 1000
 * attributes or in more than 63 others, more than 256 namespaces; and so is what
 * libxml2 refuses, such as texts and values of more than 10 MB.
 */
#ifndef FG_LIB_XMLREAD_H
#define FG_LIB_XMLREAD_H

#include "lib/reader.h"

struct fg_xmlread;

enum fg_xml_event {
	FG_XML_FAILED, /* the input could not be read, which was reported */
	FG_XML_DAMAGED, /* there is no XML from here on, of which a warning told */
	FG_XML_END,
	FG_XML_START, /* of an element */
	FG_XML_CLOSE, /* the end of an element; an empty one has it too */
	FG_XML_TEXT, /* or a part of one */
};

/*
 * Reads the input that `start` starts, in parts (fg_reader_accept_parts). All is
 * borrowed; `start` until the first event.
 */
struct fg_xmlread *fg_xmlread_new(struct fg_reader *reader,
				  const struct fg_block *start, struct fg_diag *diag);

/* Accepts NULL. */
void fg_xmlread_free(struct fg_xmlread *x);

/* The next event. The first three are the last; then ask for no more. */
enum fg_xml_event fg_xmlread_next(struct fg_xmlread *x);

/* ---- of the event that was last; what is borrowed, until the next */

/* How many elements are around it: that of a START is that of its CLOSE. */
unsigned fg_xmlread_depth(const struct fg_xmlread *x);

/* The name of the element, without its namespace, at a START or a CLOSE. */
struct fg_str fg_xmlread_name(const struct fg_xmlread *x);

/* An attribute at a START: whether there is one. */
bool fg_xmlread_attribute(const struct fg_xmlread *x, const char *name,
			  struct fg_str *value);

/* The text of a TEXT. */
struct fg_str fg_xmlread_text(const struct fg_xmlread *x);

/* The line it starts on; beyond 65534, about that. */
uint64_t fg_xmlread_line(const struct fg_xmlread *x);

#endif
