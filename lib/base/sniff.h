/*
 * Files that are not the text of a profile, recognised by their first bytes.
 */
#ifndef FG_LIB_BASE_SNIFF_H
#define FG_LIB_BASE_SNIFF_H

#include "lib/base/str.h"

#define FG_SNIFF_PERF_REPORT \
	"this is the output of perf report: use that of perf script"

/*
 * A sentence for a message, "this is gzip data: decompress it with zcat first";
 * NULL where nothing is recognised. About 100 bytes are enough to judge by, as a rule.
 */
const char *fg_sniff(struct fg_str first_bytes);

/*
 * The same for what must not be read, since some of it would look like lines of a
 * profile: binary data, text in UTF-16, JSON, the tables of perf report. More bytes are
 * of use where perf report's start with many lines about the machine. `reads_json`:
 * JSON is what is expected.
 */
const char *fg_sniff_refused(struct fg_str first_bytes, bool reads_json);

/*
 * The same of a line of text, as of gprof: by it a profile is known that no program
 * here reads.
 */
const char *fg_sniff_line(struct fg_str line);

/*
 * Whether the line starts as the frames of perf script do: a tab, and an address in 16
 * columns. "\t be it" of a text is not like that.
 */
bool fg_sniff_perf_frame(struct fg_str line);

#endif
