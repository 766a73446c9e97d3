/*
 * Reads a line of ftrace's function graphs, which the kernel, perf ftrace and trace-cmd
 * print.
 */
#ifndef FG_LIB_RECOGNIZE_FTRACE_H
#define FG_LIB_RECOGNIZE_FTRACE_H

#include "lib/base/str.h"

enum ftrace_kind {
	FTRACE_BEGIN, /* "f() {" */
	FTRACE_WHOLE, /* "f();", a function that calls no other */
	FTRACE_END, /* "}" or "} [f]", with asterisks for the brackets */
	FTRACE_SWITCH, /* "sh-4711 => <idle>-0" */
	FTRACE_START, /* "# tracer: function_graph", above a trace */
	FTRACE_LOST, /* "CPU:1 [LOST 12 EVENTS]" */
	FTRACE_OTHER, /* another line of a trace: a header, an event, an interrupt */
	FTRACE_MALFORMED,
};

struct ftrace_task {
	struct fg_str comm; /* empty if the line does not have the task */
	uint64_t pid;
};

/* All strings are borrowed from the line. */
struct ftrace_line {
	enum ftrace_kind kind;
	uint64_t cpu; /* 0 if the line does not have it */
	struct ftrace_task task; /* the one that comes next, if kind is FTRACE_SWITCH */
	struct ftrace_task from; /* the one that ran before, if kind is FTRACE_SWITCH */
	size_t depth; /* the number of functions around this one */
	struct fg_str name; /* without the module; empty if an end does not have it */
	bool timed; /* it has a duration */
	uint64_t ns; /* the duration, or the number of lost events */
};

/* Reads a line, and returns its kind. */
enum ftrace_kind ftrace_line_read(struct fg_str text, struct ftrace_line *line);

#endif
