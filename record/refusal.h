/*
 * Explains why the kernel refuses to record, and names the command that cures it.
 *
 * The kernel says only EACCES, EPERM or EINVAL. The cause is in the settings of the
 * kernel, in limits, or in the container around us. fg_refusal_look() gathers these
 * facts; fg_refusal_explain() is a pure function of them, so that tests can try each
 * cause on any machine.
 */
#ifndef FG_RECORD_REFUSAL_H
#define FG_RECORD_REFUSAL_H

#include <sys/types.h>

#include "lib/base/buf.h"

/* The call that was refused. */
enum fg_refused {
	FG_REFUSED_OPEN, /* perf_event_open() */
	FG_REFUSED_RING, /* mmap() of a ring */
};

enum fg_refusal_target { FG_TARGET_COMMAND, FG_TARGET_PROCESS, FG_TARGET_MACHINE };

/* A setting that cannot be read. */
#define FG_SETTING_UNKNOWN (-100)

struct fg_refusal {
	enum fg_refused refused;
	int error; /* its errno */
	enum fg_refusal_target target;
	struct fg_str event; /* its name */
	bool is_hardware; /* the event needs the counters of the processor */
	bool is_tracepoint;
	int pid; /* the process or thread of FG_TARGET_PROCESS */

	/* Filled in by fg_refusal_look(): */
	int paranoid; /* kernel.perf_event_paranoid, or FG_SETTING_UNKNOWN */
	bool is_root;
	bool has_right; /* CAP_PERFMON or CAP_SYS_ADMIN */
	bool in_container;
	bool is_filtered; /* seccomp filters our system calls */
	bool is_locked_down; /* the kernel, in lockdown mode "confidentiality" */
	bool has_hardware; /* there is a PMU of the processor */
	bool is_there; /* the process `pid` exists */
	bool is_others; /* the process belongs to another user */
	uint64_t files; /* limit on open files */
	uint64_t memory; /* limit on locked memory, in bytes */
};

/* Fills in the facts of this machine and this process. */
void fg_refusal_look(struct fg_refusal *r);

/* Appends the cause and the cure, one line without a full stop. */
void fg_refusal_explain(const struct fg_refusal *r, struct fg_buf *text);

/* Returns a number from /proc/sys/kernel, or FG_SETTING_UNKNOWN. */
int fg_kernel_setting(const char *name);

/* Returns the effective capabilities of this process, as bits. */
uint64_t fg_capabilities(void);

/* Returns true if this process has one of the rights to record anything. */
bool fg_may_record_all(void);

/* Returns true if we run in a container. */
bool fg_in_container(void);

#endif
