/*
 * Writes text in XML 1.0 documents (https://www.w3.org/TR/xml/).
 *
 * The output is well-formed whatever the bytes are: markup is escaped, and bytes that
 * are not UTF-8 or that XML forbids become U+FFFD.
 */
#ifndef FG_FLAMEGRAPH_XML_H
#define FG_FLAMEGRAPH_XML_H

#include "lib/base/arena.h"
#include "lib/base/out.h"

/* Writes `s` as character data. White space, including '\r', stays as it is. */
void fg_xml_text(struct fg_out *o, struct fg_str s);

/*
 * Returns `s` in the form of fg_xml_text(). The result is in `arena`, or it is `s`
 * itself if that is plain ASCII.
 */
struct fg_str fg_xml_escaped(struct fg_str s, struct fg_arena *arena);

/* Write ` name="value"` with the value escaped. */
void fg_xml_attr(struct fg_out *o, const char *name, struct fg_str value);
void fg_xml_attr_text(struct fg_out *o, const char *name, const char *value);
void fg_xml_attr_u64(struct fg_out *o, const char *name, uint64_t value);

/*
 * Write a number like fg_add_number(), or with more digits for programs that calculate.
 */
void fg_xml_attr_number(struct fg_out *o, const char *name, double value);
void fg_xml_attr_real(struct fg_out *o, const char *name, double value);

/*
 * Appends `s`, with the references resolved that need no declaration ("&amp;",
 * "&#38;"). Anything else stays as it is.
 */
void fg_xml_resolve(struct fg_buf *text, struct fg_str s);

/* Writes `s` as the content of a comment: no "--", no '-' at the end. */
void fg_xml_comment(struct fg_out *o, struct fg_str s);

#endif
