/*
 * Text for XML 1.0 documents (https://www.w3.org/TR/xml/).
 *
 * Whatever the bytes are, what is written is well-formed: markup is escaped,
 * and bytes that are not UTF-8 or that XML forbids become U+FFFD.
 */
#ifndef FG_FLAMEGRAPH_XML_H
#define FG_FLAMEGRAPH_XML_H

#include "lib/base/arena.h"
#include "lib/base/out.h"

/* Writes `s` as character data. White space, '\r' as well, is written as it is. */
void fg_xml_text(struct fg_out *o, struct fg_str s);

/* `s` as fg_xml_text writes it, in `arena`; `s` itself where it is plain ASCII. */
struct fg_str fg_xml_escaped(struct fg_str s, struct fg_arena *arena);

/* Writes ` name="value"` with the value escaped. */
void fg_xml_attr(struct fg_out *o, const char *name, struct fg_str value);
void fg_xml_attr_text(struct fg_out *o, const char *name, const char *value);
void fg_xml_attr_u64(struct fg_out *o, const char *name, uint64_t value);

/* As fg_add_number writes it; and with more digits, for programs that calculate. */
void fg_xml_attr_number(struct fg_out *o, const char *name, double value);
void fg_xml_attr_real(struct fg_out *o, const char *name, double value);

/*
 * Appends `s` with the references of XML in it resolved: those that need no declaration
 * ("&amp;", "&#38;"). What is none stays as it is.
 */
void fg_xml_resolve(struct fg_buf *text, struct fg_str s);

/* Writes `s` as the content of a comment: no "--", no '-' at the end. */
void fg_xml_comment(struct fg_out *o, struct fg_str s);

#endif
