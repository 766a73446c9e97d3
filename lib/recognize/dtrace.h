/*
 * Tests single lines of dtrace and bcc. Pass each line without blanks at its start and
 * end.
 */
#ifndef FG_LIB_RECOGNIZE_DTRACE_H
#define FG_LIB_RECOGNIZE_DTRACE_H

#include "lib/base/str.h"

/*
 * Returns true if the line is certainly a frame, like "libc`main+0x1f". A line with
 * only the name of a function is not, because it may also be a key.
 */
bool dtrace_is_frame(struct fg_str line);

/* Returns true for the header of a table, "value ------ Distribution ------ count". */
bool dtrace_is_table_head(struct fg_str line);

/* Returns "bash" for "bash      12", or an empty string for other lines. */
struct fg_str dtrace_key_before_number(struct fg_str line);

/* Returns true for a probe that fired: "0 75195 :tick-60s", "3 51734 ip_xmit:entry". */
bool dtrace_is_probe(struct fg_str line);

/*
 * Returns the comm of a line that bcc prints between a stack and its weight,
 * "-                tar (18235)" or "tar [18235]", or an empty string. The second form
 * is not `sure`, because scripts print such lines, too.
 */
struct fg_str dtrace_bcc_comm(struct fg_str line, bool *sure);

/*
 * Returns true for bcc's first line, "Tracing 1 functions for "c:malloc"... Hit Ctrl-C
 * to end."
 */
bool dtrace_is_bcc_head(struct fg_str line);

/* Returns "main" for bcc's "b'main'", "ffffffffb8e01234 main" and "main". */
struct fg_str dtrace_bcc_name(struct fg_str line);

/*
 * Returns true for lines to skip around the stacks: "CPU ID FUNCTION:NAME", "dtrace:
 * pid 41 has exited", "$ dtrace -n ...", "^C", and bcc's first line, "Detaching..." or
 * a time, "21:46:08".
 */
bool dtrace_is_head(struct fg_str line);

#endif
