/*
 * Scans XML before libxml2 parses it, and refuses what would keep it busy for minutes.
 *
 * libxml2 compares each attribute of an element with all before it, and adds those that
 * a DTD declares to every element, so a small file can cost minutes. The text has to be
 * in UTF-8 or another encoding in which bytes below 0x80 are ASCII. The scan does not
 * check that the text is well-formed; the parser does.
 */
#ifndef FG_LIB_BASE_XMLSCAN_H
#define FG_LIB_BASE_XMLSCAN_H

#include "lib/base/str.h"

/* The most attributes of an element, including declarations of namespaces. */
#define FG_XMLSCAN_ATTRIBUTES_MAX 1000

/* A zeroed struct is at the start of a document. */
struct fg_xmlscan {
	/* private */
	int state;
	char quote; /* ends a value, or a literal of a declaration */
	unsigned attributes; /* attributes of the element so far */
	/* number of bytes so far of the "--" or "]]" that ends a section */
	unsigned ending;
	char word[8]; /* the word after "<!" */
	unsigned word_len;
};

/*
 * Scans the next bytes. Returns NULL and makes `*bytes` empty, or returns a text for a
 * message about a fault; then `*bytes` starts at the fault.
 */
const char *fg_xmlscan_feed(struct fg_xmlscan *s, struct fg_str *bytes);

/* Returns true if the bytes so far end within a declaration, such as a DOCTYPE. */
bool fg_xmlscan_is_declaring(const struct fg_xmlscan *s);

#endif
