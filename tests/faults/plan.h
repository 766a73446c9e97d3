/*
 * What drive.c and the library that it puts before a program, preload.c, share: a file
 * that both map.
 */
#ifndef FG_TESTS_FAULTS_PLAN_H
#define FG_TESTS_FAULTS_PLAN_H

/* Where that file is, and in which folder the programs are that may fail. */
#define FAULTS_PLAN "FAULTS_PLAN"
#define FAULTS_BIN "FAULTS_BIN"

enum fault_kind {
	FAULT_ALLOC, /* malloc, calloc, realloc */
	FAULT_READ,
	FAULT_WRITE, /* but of messages */
	FAULT_MESSAGE, /* to standard error */
	FAULT_OPEN,
	FAULT_CLOSE,
	FAULT_WRITTEN, /* closing a file that was written to */
	FAULT_NAME, /* rename, link */
	FAULT_MAP, /* mmap */
	FAULT_OTHER, /* pipe, dup, stat, lseek, a thread, a process */
	FAULT_KINDS
};

enum fault_how {
	FAULT_NONE,
	FAULT_ONCE, /* the call with this number fails */
	FAULT_FROM, /* so do all that follow */
	FAULT_SHORT, /* each one reads or writes a byte only */
	FAULT_KILL /* the process is killed instead */
};

struct fault_plan {
	int kind; /* FAULT_KINDS: a call of any kind */
	int how;
	int error; /* errno of what fails */
	unsigned at; /* from 1 */
	unsigned calls[FAULT_KINDS + 1]; /* so far; the last one is of all */
	unsigned hits;
};

#endif
