/*
 * Frames as valgrind's massif and DHAT print them, "0x10A3F5: main (quarry.c:50)".
 */
#ifndef FG_COLLAPSE_VALGRIND_H
#define FG_COLLAPSE_VALGRIND_H

#include "collapse/values.h"

/*
 * The id of a frame: the function; "[libx.so]" of "0x1: ??? (in /lib/libx.so)"; with
 * --srcline followed by what is in parentheses, without its folder.
 */
uint32_t fg_valgrind_frame(struct fg_sink *s, struct fg_str text);

#endif
