/*
 * Frames of valgrind's massif and DHAT, "0x10A3F5: main (quarry.c:50)".
 */
#ifndef FG_COLLAPSE_VALGRIND_H
#define FG_COLLAPSE_VALGRIND_H

#include "collapse/values.h"

/*
 * Returns the id of a frame. It is the function, with --srcline or --lines followed by
 * the file and line in parentheses, or "[libx.so]" for "0x1: ??? (in /lib/libx.so)".
 */
uint32_t fg_valgrind_frame(struct fg_sink *s, struct fg_str text);

#endif
