/*
 * Functions in the stacks that a JVM prints: their names, and whether they wait.
 *
 *     java.base@17/java.lang.Thread.run(Thread.java:840)     java.lang.Thread.run
 *
 * A thread that waits in native code, such as epoll_wait(), is RUNNABLE to the JVM. So
 * only its functions show that it waits.
 */
#ifndef FG_COLLAPSE_JAVA_H
#define FG_COLLAPSE_JAVA_H

#include "lib/base/buf.h"

enum fg_java_show {
	FG_JAVA_SHORT = 1, /* only the first letter of each package */
	FG_JAVA_LINES = 2, /* file and line after the function */
};

/*
 * Appends the function without its module, its source file and the numbers of hidden
 * classes. `show` has bits of enum fg_java_show.
 */
void fg_java_add_function(struct fg_buf *b, struct fg_str text, unsigned show);

/*
 * Returns the offset of the '/' before the number of a hidden class in a function,
 * "X$$Lambda/0x800.run", or a length if it has none.
 */
size_t fg_java_hidden_number(struct fg_str function);

/* Returns true if the function waits in the kernel or the VM. */
bool fg_java_is_wait(struct fg_str text);

/*
 * Returns true if the functions that this one calls wait. Before JDK 11, sockets are
 * read by the method that also reads files, FileDispatcherImpl.read0, so we check its
 * caller.
 */
bool fg_java_waits_below(struct fg_str text);

/* Returns true if it is the name of a thread of the VM itself. */
bool fg_java_is_vm_thread(struct fg_str name);

#endif
