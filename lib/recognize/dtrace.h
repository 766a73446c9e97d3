/*
 * What a line of dtrace's output is by itself, wherever it stands, and whether a text
 * is made of such lines. Lines come without the white space around them.
 */
#ifndef FG_LIB_RECOGNIZE_DTRACE_H
#define FG_LIB_RECOGNIZE_DTRACE_H

#include "lib/base/str.h"

/* Whether that is a frame for sure; a function's name by itself may be a key, too. */
bool dtrace_is_frame(struct fg_str line);

/* "value  ------------- Distribution ------------- count": a table begins. */
bool dtrace_is_table_head(struct fg_str line);

/* "bash      12": all but the number; or nothing. */
struct fg_str dtrace_key_before_number(struct fg_str line);

/* "0 75195 :tick-60s", "3 51734 ip_xmit:entry": a probe that fired. */
bool dtrace_is_probe(struct fg_str line);

/*
 * What bcc prints between a stack and its weight, "-                tar (18235)" or
 * "tar [18235]": the comm; or nothing. What a script prints may look like the latter,
 * which is not `sure`.
 */
struct fg_str dtrace_bcc_comm(struct fg_str line, bool *sure);

/* "Tracing 1 functions for "c:malloc"... Hit Ctrl-C to end.": stacks follow. */
bool dtrace_is_bcc_head(struct fg_str line);

/* "b'main'", as bcc prints under Python 3, or "ffffffffb8e01234 main": "main". */
struct fg_str dtrace_bcc_name(struct fg_str line);

/*
 * "CPU ID FUNCTION:NAME", "dtrace: pid 41 has exited", "$ dtrace -n ...", "^C"; and of
 * bcc its head, "Detaching...", or the time, "21:46:08"
 */
bool dtrace_is_head(struct fg_str line);

#endif
