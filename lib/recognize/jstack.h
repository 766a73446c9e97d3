/*
 * The line above a thread's stack, as different virtual machines print it.
 */
#ifndef FG_LIB_RECOGNIZE_JSTACK_H
#define FG_LIB_RECOGNIZE_JSTACK_H

#include "lib/base/str.h"

/* The starts of the line above all threads, and of the one below a thread's header. */
#define JSTACK_VM_LINE "Full thread dump "
#define JSTACK_STATE_LINE "java.lang.Thread.State: "

/* What a thread does, as far as is known. */
enum jstack_state { JSTACK_UNTOLD, JSTACK_RUNS, JSTACK_WAITS };

struct jstack_header {
	struct fg_str name; /* borrowed from the line, or static */
	enum jstack_state state;
	bool bare_frames; /* functions have no "at" before them */
	bool numbered; /* the name has but a number */
	bool slashes; /* the names of classes have '/' for '.' */
};

/*
 * Reads, with `...` for what does not matter,
 *
 *     "NAME" #30 daemon prio=5 ... runnable [0x7f4c]      HotSpot, HP, SAP
 *     "NAME" id=1 idx=0x4 ... alive, in native, waiting   JRockit
 *     "NAME" Id=1 RUNNABLE, "NAME" id=1 state=RUNNABLE    programs, by ThreadMXBean
 *     "NAME" daemon prio=5 tid=3 Runnable                 Android
 *     #30 "NAME" virtual RUNNABLE 2026-11-22T04:51:14Z    Thread.dump_to_file
 *     Thread 2113: (state = IN_NATIVE), Thread t@1: ...   jstack -F, jstack of JDK 5
 *
 * False where the line is none of them.
 */
bool jstack_header_read(struct fg_str line, struct jstack_header *h);

/* Where in a line a header is that stands behind something else, or its length. */
size_t jstack_header_find(struct fg_str line);

/* What "RUNNABLE", as behind "java.lang.Thread.State: ", says. */
enum jstack_state jstack_header_state(struct fg_str state);

#endif
