/*
 * Names of frames without addresses, which differ from one run to the next.
 */
#ifndef FG_LIB_BASE_ADDRESS_H
#define FG_LIB_BASE_ADDRESS_H

#include "lib/base/buf.h"

/* Appends `text` with "0x..." for every "0x" and the hexadecimal digits after it. */
void fg_add_without_hex(struct fg_buf *b, struct fg_str text);

/* The same for a name, without " <7f12>" in "[libfoo.so <7f12>]" either. */
void fg_add_without_address(struct fg_buf *b, struct fg_str name);

#endif
