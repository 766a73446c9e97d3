/*
 * Functions in the stacks that a JVM prints: their names, and whether they wait.
 *
 *     java.base@17/java.lang.Thread.run(Thread.java:840)     java.lang.Thread.run
 *
 * A thread that waits in native code, such as epoll_wait(), is RUNNABLE to the JVM. So
 * only its functions show that it waits.
 */
#ifndef FG_COLLAPSE_FORMATS_JSTACK_FRAME_H
#define FG_COLLAPSE_FORMATS_JSTACK_FRAME_H

#include "lib/base/buf.h"

enum jstack_show {
	JSTACK_SHORT = 1, /* only the first letter of each package */
	JSTACK_LINES = 2, /* file and line after the function */
};

/*
 * Appends the function without its module, its source file and the numbers of hidden
 * classes. `show` has bits of enum jstack_show.
 */
void jstack_add_function(struct fg_buf *b, struct fg_str text, unsigned show);

/* Returns true if the function waits in the kernel or the VM. */
bool jstack_is_wait(struct fg_str text);

/*
 * Returns true if the functions that this one calls wait. Before JDK 11, sockets are
 * read by the method that also reads files, FileDispatcherImpl.read0, so we check its
 * caller.
 */
bool jstack_waits_below(struct fg_str text);

/* Returns true if it is the name of a thread of the VM itself. */
bool jstack_is_vm_thread(struct fg_str name);

#endif
