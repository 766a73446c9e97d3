/*
 * What a file is that is no profile text, told by its first bytes.
 */
#ifndef FG_LIB_SNIFF_H
#define FG_LIB_SNIFF_H

#include "lib/str.h"

/*
 * A sentence for a message, "this is gzip data: decompress it with zcat first";
 * NULL where nothing is recognised. About 100 bytes are enough to judge by.
 */
const char *fg_sniff(struct fg_str first_bytes);

/*
 * The same of what is no text: among that much of it some bytes look like lines of a
 * profile, so it is not to be read.
 */
const char *fg_sniff_binary(struct fg_str first_bytes);

#endif
