/*
 * Names in each format, whatever their bytes: they cannot end a cell or a string, move
 * the cursor of a terminal or become markup.
 */
#ifndef FG_REPORTFOLDED_NAMES_H
#define FG_REPORTFOLDED_NAMES_H

#include "lib/base/buf.h"
#include "reportfolded/options.h"

/*
 * text      what is not UTF-8, controls and what turns the direction of text as \xHH
 * markdown  the same as a code span, or as <code> with numbers for characters where
 *           a code span could end or a table's cell could
 * tsv       as text, and \t, \n, \r and \\ for those
 * json      the inside of a string; what is not UTF-8 becomes U+FFFD; so it is in the
 *           formats for other viewers that are JSON
 * pprof     as it is; what is not UTF-8 becomes U+FFFD
 */
void fg_report_add_name(struct fg_buf *b, struct fg_str name,
			enum fg_report_format format);

/*
 * Like fg_report_add_name(), but cuts a name of more than 80 characters in the middle:
 * the start of a name in C++ says whose function it is, the end which one.
 */
void fg_report_add_short_name(struct fg_buf *b, struct fg_str name,
			      enum fg_report_format format);

#endif
