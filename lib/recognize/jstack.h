/*
 * Reads the header of a thread, the line above its stack. Each virtual machine prints
 * it in its own way.
 */
#ifndef FG_LIB_RECOGNIZE_JSTACK_H
#define FG_LIB_RECOGNIZE_JSTACK_H

#include "lib/base/str.h"

/* The line above all threads, and the one below a thread's header, start like this. */
#define JSTACK_VM_LINE "Full thread dump "
#define JSTACK_STATE_LINE "java.lang.Thread.State: "

/* JSTACK_UNKNOWN: the header does not tell the state, but a line below it may. */
enum jstack_state { JSTACK_UNKNOWN, JSTACK_RUNS, JSTACK_WAITS };

struct jstack_header {
	struct fg_str name; /* borrowed from the line, or static */
	enum jstack_state state;
	bool bare_frames; /* frames have no "at" before them */
	bool numbered; /* the name is only a number, "Thread 2113" */
	bool slashes; /* names of classes have '/' instead of '.' */
};

/*
 * Reads the header of a thread. `...` stands for fields that are ignored.
 *
 *     "NAME" #30 daemon prio=5 ... runnable [0x7f4c]      HotSpot, HP, SAP
 *     "NAME" id=1 idx=0x4 ... alive, in native, waiting   JRockit
 *     "NAME" Id=1 RUNNABLE, "NAME" id=1 state=RUNNABLE    programs, by ThreadMXBean
 *     "NAME" daemon prio=5 tid=3 Runnable                 Android
 *     #30 "NAME" virtual RUNNABLE 2026-11-22T04:51:14Z    Thread.dump_to_file
 *     Thread 2113: (state = IN_NATIVE), Thread t@1: ...   jstack -F, jstack of JDK 5
 *
 * Returns false for other lines.
 */
bool jstack_header_read(struct fg_str line, struct jstack_header *h);

/*
 * Returns the offset of a header that comes after other text, such as a log's prefix,
 * or line.len if there is none.
 */
size_t jstack_header_find(struct fg_str line);

/*
 * Returns the state for the text after "java.lang.Thread.State: ", such as "RUNNABLE".
 */
enum jstack_state jstack_header_state(struct fg_str state);

#endif
