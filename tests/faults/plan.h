/*
 * The plan of a fault: a file that both drive.c and preload.c map. preload.c is the
 * library that drive.c loads into a program.
 */
#ifndef FG_TESTS_FAULTS_PLAN_H
#define FG_TESTS_FAULTS_PLAN_H

/*
 * Environment variables: the path of that file, and the folder of the programs that
 * may fail.
 */
#define FAULTS_PLAN "FAULTS_PLAN"
#define FAULTS_BIN "FAULTS_BIN"

enum fault_kind {
	FAULT_ALLOC, /* malloc, calloc, realloc */
	FAULT_READ,
	FAULT_WRITE, /* except of messages */
	FAULT_MESSAGE, /* to standard error */
	FAULT_OPEN,
	FAULT_CLOSE,
	FAULT_WRITTEN, /* closing a file that was written to */
	FAULT_NAME, /* rename, link */
	FAULT_MAP, /* mmap */
	FAULT_WAIT, /* waitpid */
	FAULT_OTHER, /* pipe, dup, stat, lseek, poll, a thread, a process, a signal */
	FAULT_KINDS
};

enum fault_how {
	FAULT_NONE,
	FAULT_ONCE, /* the call with this number fails */
	FAULT_FROM, /* it and all later calls fail */
	FAULT_SHORT, /* each call reads or writes only one byte */
	FAULT_KILL /* the process is killed instead */
};

struct fault_plan {
	int kind; /* FAULT_KINDS: a call of any kind */
	int how;
	int error; /* errno of the failing call */
	unsigned at; /* from 1 */
	unsigned calls[FAULT_KINDS + 1]; /* so far, by kind; the last one counts all */
	unsigned hits;
};

#endif
