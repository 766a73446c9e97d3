/*
 * The header of a thread above its stack, as gdb and coredumpctl print it:
 *
 *     Thread 2 (Thread 0x7f44dd11d6c0 (LWP 2113) "worker"):
 *     Thread 1 (process 42):
 *     Thread 2 (Thread 4300.0x1e34):
 *     Thread 7993:
 *     Stack trace of thread 2113:
 */
#ifndef FG_COLLAPSE_FORMATS_GDB_THREAD_H
#define FG_COLLAPSE_FORMATS_GDB_THREAD_H

#include "lib/base/str.h"

bool gdb_thread_is(struct fg_str line);

/*
 * The name of a thread, else what the system knows it by, "LWP 2113"; "Thread" where it
 * says neither. Borrowed from the line, or static.
 */
struct fg_str gdb_thread_name(struct fg_str line);

#endif
