/* A strict XML parser for tests: the content of a document as libxml2 reads it. */
#ifndef FG_TESTS_UNIT_SUPPORT_XML_H
#define FG_TESTS_UNIT_SUPPORT_XML_H

#include "lib/base/buf.h"

/* The contents of a document's root element. */
struct xml_seen {
	struct fg_buf text; /* all text in it */
	struct fg_buf attribute; /* the value of its attribute "a" */
	struct fg_buf comment; /* all comments in it, one after the other */
	bool active; /* it has a script, a handler or a javascript: link */
};

/* Returns 0, or -1 if the document is not well-formed. Release `seen` anyway. */
int xml_read(struct fg_str document, struct xml_seen *seen);
void xml_seen_release(struct xml_seen *seen);

/* Allocates memory for libxml2. */
void *xml_allocate(size_t size);

#endif
