/*
 * Files that are not the text of a profile, recognised by their first bytes.
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
 * The same for binary data only. It must not be read: in so many bytes, some would look
 * like lines of a profile.
 */
const char *fg_sniff_binary(struct fg_str first_bytes);

#endif
