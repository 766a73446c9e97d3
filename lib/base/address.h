/*
 * Takes addresses out of the names of frames, because they differ from run to run.
 */
#ifndef FG_LIB_BASE_ADDRESS_H
#define FG_LIB_BASE_ADDRESS_H

#include "lib/base/buf.h"

/* Appends `text`, but writes a literal "0x..." for each address, such as "0x7f12". */
void fg_add_without_hex(struct fg_buf *b, struct fg_str text);

/*
 * Like fg_add_without_hex(), but also shortens "[libfoo.so <7f12>]" to "[libfoo.so]".
 */
void fg_add_without_address(struct fg_buf *b, struct fg_str name);

#endif
