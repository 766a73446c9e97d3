/*
 * The threads of a dump that a Java virtual machine prints. Each thread that runs
 * counts 1. The grammars of such dumps share their options, too.
 *
 *     fg_java_thread_start(&thread, FG_STR("pool-1-thread-7"));
 *     fg_java_thread_runs(&thread);
 *     fg_java_thread_add(&thread, FG_STR("app.Main.work(Main.java:3)"));
 *     fg_java_thread_add(&thread, FG_STR("java.lang.Thread.run(Thread.java:8)"));
 *     fg_java_thread_end(&thread);
 *
 * This counts 1 for "pool-1-thread;java.lang.Thread.run;app.Main.work".
 */
#ifndef FG_COLLAPSE_JAVATHREAD_H
#define FG_COLLAPSE_JAVATHREAD_H

#include "collapse/collapse.h"
#include "collapse/sink.h"

/* The options, for .rows and .options_size of struct fg_format. */
struct fg_java_options {
	bool all_states;
	int no_tname;
	int tid;
	int shorten;
	int lines;
};

extern const struct fg_opt fg_java_rows[];

struct fg_java_thread {
	bool open; /* a thread has started */
	bool any_frame; /* it has a frame */
	bool numbered; /* its name is only a number, which --include-tid keeps */
	bool truncated; /* the dump has cut off its outermost callers */
	bool slashes; /* names of classes have '/' instead of '.' */

	/* private */
	struct fg_sink *sink;
	const struct fg_java_options *options;
	unsigned show; /* bits of enum fg_java_show */
	struct fg_buf name;
	struct fg_buf text; /* scratch for a function */
	struct fg_buf frame; /* scratch for a frame */
	bool running; /* its state says that it runs */
	bool counts; /* neither its state nor a function says that it waits */
	bool after_leaf; /* it has one frame so far */
};

/* Starts without a thread. Borrows `sink` and `run`. */
void fg_java_thread_init(struct fg_java_thread *t, struct fg_sink *sink,
			 const struct fg_collapse *run);
void fg_java_thread_release(struct fg_java_thread *t);

/* Ends the thread before, and starts one without a state and without frames. */
void fg_java_thread_start(struct fg_java_thread *t, struct fg_str name);

/*
 * Note that the dump says that the thread runs, or that it waits. A thread does not
 * count if the dump says neither, or both.
 */
void fg_java_thread_runs(struct fg_java_thread *t);
void fg_java_thread_waits(struct fg_java_thread *t);

/* Leaves the thread out, even with --all-states. */
void fg_java_thread_leave_out(struct fg_java_thread *t);

/*
 * Adds a caller, or the function that runs if it is the first. `text` is a function
 * with its source, "app.Main.work(Main.java:3)".
 */
void fg_java_thread_add(struct fg_java_thread *t, struct fg_str text);

/*
 * Ends the thread, if one has started. Counts it if its state and functions say that it
 * runs.
 */
void fg_java_thread_end(struct fg_java_thread *t);

#endif
