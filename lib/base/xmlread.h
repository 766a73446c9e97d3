/*
 * Reads XML forward with libxml2's push parser: the caller feeds bytes in parts of any
 * size and gets elements and text as they come. Memory does not grow with the input.
 *
 *     struct fg_xmlread *x = fg_xmlread_new(&handler, data, FG_XMLREAD_REPAIR);
 *
 *     while (more_bytes(&bytes) && !fg_xmlread_feed(x, bytes))
 *             ;
 *     if (fg_xmlread_end(x))
 *             report(fg_xmlread_fault(x), fg_xmlread_line(x));
 *     fg_xmlread_free(x);
 *
 * The input may be hostile. The reader refuses entities, attributes declared in a DTD,
 * elements nested more than 256 deep, more than 1000 attributes of an element, more
 * than 256 namespaces declared around an element, more than 1 MB of distinct names, a
 * declaration of more than 1 MB, and text or a tag of more than 10 MB, which is
 * libxml2's limit.
 *
 * There may be only one reader at a time.
 */
#ifndef FG_LIB_BASE_XMLREAD_H
#define FG_LIB_BASE_XMLREAD_H

#include "lib/base/str.h"

struct fg_xmlread;

/* An element that starts. Valid until the callback returns. */
struct fg_xmlread_element {
	struct fg_str name; /* without its namespace's prefix */
	struct fg_str uri; /* its namespace, or empty */
	unsigned depth; /* 1 for the root */

	/* private */
	const unsigned char **attributes; /* five pointers each, see libxml2's SAX2 */
	int attribute_count;
};

/*
 * Callbacks. Their arguments are valid until they return. None is called after
 * fg_xmlread_refuse().
 */
struct fg_xmlread_handler {
	void (*start)(void *data, const struct fg_xmlread_element *element);

	/*
	 * Called when an element ends. An empty element `<a/>` gives both a start and
	 * an end.
	 */
	void (*close)(void *data, struct fg_str name, unsigned depth);

	/* Called with text, or a part of it, in the element at `depth`. */
	void (*text)(void *data, unsigned depth, struct fg_str text);
};

enum fg_xmlread_encoding {
	/*
	 * The encoding that the input declares. Malformed bytes are an error, and so is
	 * an encoding that does not contain ASCII, such as UTF-16.
	 */
	FG_XMLREAD_DECLARED,

	/*
	 * UTF-8, whatever the input declares. A malformed character, or one that XML
	 * forbids, becomes U+FFFD. Skips a byte-order mark and white space before the
	 * document.
	 */
	FG_XMLREAD_REPAIR,
};

/* Makes a reader. The handler and its data are borrowed. */
struct fg_xmlread *fg_xmlread_new(const struct fg_xmlread_handler *handler, void *data,
				  enum fg_xmlread_encoding encoding);

/* Accepts NULL. */
void fg_xmlread_free(struct fg_xmlread *x);

/* Reads the next bytes. Returns 0, or -1 at a fault: feed no more then. */
int fg_xmlread_feed(struct fg_xmlread *x, struct fg_str bytes);

/* Ends the document. Returns 0, or -1 if it is incomplete or had a fault. */
int fg_xmlread_end(struct fg_xmlread *x);

/*
 * Stops reading. Callbacks call it when they find a fault in the document. `fault` is a
 * text for messages; it is borrowed, and ignored if there was a fault before.
 */
void fg_xmlread_refuse(struct fg_xmlread *x, const char *fault);

/*
 * Returns the first fault as a text for messages, or NULL if there was none. Valid
 * until fg_xmlread_free().
 */
const char *fg_xmlread_fault(const struct fg_xmlread *x);

/*
 * Returns the line of the fault or, in a callback, the line where the current tag ends.
 * Returns 0 if it is not known.
 */
uint64_t fg_xmlread_line(const struct fg_xmlread *x);

/*
 * Finds an attribute by its name and namespace; a NULL `uri` means one without a
 * namespace. Returns false if the element does not have it.
 */
bool fg_xmlread_attribute(const struct fg_xmlread_element *element, const char *uri,
			  const char *name, struct fg_str *value);

#endif
