/*
 * Functions as a JVM prints them in a thread's stack, "java.base/java.lang.Thread.run(
 * Thread.java:840)": their names, and which threads only seem to be running.
 */
#ifndef FG_COLLAPSE_FORMATS_JSTACK_FRAME_H
#define FG_COLLAPSE_FORMATS_JSTACK_FRAME_H

#include "lib/base/buf.h"

enum jstack_show {
	JSTACK_SHORT = 1, /* of each package its first letter */
	JSTACK_LINES = 2, /* the line after the function */
};

/*
 * Appends the function without its module, its source and the numbers of hidden
 * classes; `show`: bits of enum jstack_show.
 */
void jstack_add_function(struct fg_buf *b, struct fg_str text, unsigned show);

/* Whether the function waits in the kernel or the VM, for which states are RUNNABLE. */
bool jstack_is_wait(struct fg_str text);

/*
 * Whether what the function calls waits: before JDK 11, sockets are read by the method
 * that reads files, FileDispatcherImpl.read0.
 */
bool jstack_waits_below(struct fg_str text);

/* Whether that is a thread of the VM itself. */
bool jstack_is_vm_thread(struct fg_str name);

#endif
