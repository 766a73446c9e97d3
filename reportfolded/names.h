/*
 * Escapes names for each format. Whatever a name's bytes are, it cannot end a cell or a
 * string, move the cursor of a terminal or become markup.
 */
#ifndef FG_REPORTFOLDED_NAMES_H
#define FG_REPORTFOLDED_NAMES_H

#include "lib/base/buf.h"
#include "reportfolded/options.h"

/*
 * Appends a name in the form of the format:
 *
 * text      bytes that are not UTF-8, controls and characters that change the direction
 *           of text become \xHH
 * markdown  like text, in a code span; or in <code> with characters as numbers, if they
 *           could end the span or a table's cell
 * tsv       like text, but \t, \n, \r and \\ for those characters
 * json      the inside of a string, also for the other viewers that read JSON; bytes
 *           that are not UTF-8 become U+FFFD
 * pprof     unchanged, but bytes that are not UTF-8 become U+FFFD
 */
void fg_report_add_name(struct fg_buf *b, struct fg_str name,
			enum fg_report_format format);

/*
 * Like fg_report_add_name(), but cuts a name of more than 80 characters in the middle,
 * because the start of a C++ name tells whose function it is, and the end which one.
 */
void fg_report_add_short_name(struct fg_buf *b, struct fg_str name,
			      enum fg_report_format format);

/*
 * Like fg_report_add_name(), but shortens the name like a label in a picture
 * (lib/profile/shorten.h), so that its form in the format takes at most `room` columns.
 * For text and Markdown. A room of less than FG_REPORT_LEAST_ROOM counts as that.
 */
void fg_report_add_fitting_name(struct fg_buf *b, struct fg_str name,
				enum fg_report_format format, size_t room);
#define FG_REPORT_LEAST_ROOM ((size_t)8)

#endif
