/*
 * Gives up rights before a process reads input that others wrote. If an attacker takes
 * over the process through a fault in our code or a library, they can read files and
 * write to descriptors that are open, and do nothing else.
 */
#ifndef FG_LIB_BASE_CONFINE_H
#define FG_LIB_BASE_CONFINE_H

#include <stdbool.h>

struct fg_confinement {
	/* A socket that we may get messages and descriptors from; 0: there is none. */
	int helper;
	/* A sanitizer will search for leaks at the end, which needs ptrace(). */
	bool finds_leaks;
};

/*
 * Confines this thread and the threads that it starts from now on. They cannot create,
 * change or remove files, use the network, or reach other processes; system calls that
 * reading does not need fail. Open files stay open.
 *
 * If the system lacks something, we go on without it and without a message. Linux has
 * landlock since 5.13; the list of calls is for x86-64, arm64, riscv64 and s390x.
 */
void fg_confine(const struct fg_confinement *c);

/* Returns true if we run as a user whom we confine: root, who has most to lose. */
bool fg_is_confined_user(void);

#endif
