/*
 * What a process gives up before it reads what others wrote: whoever takes it over, by
 * a fault of ours or of a library, can then read files, write to what is open, and no
 * more.
 */
#ifndef FG_LIB_BASE_CONFINE_H
#define FG_LIB_BASE_CONFINE_H

#include <stdbool.h>

struct fg_confinement {
	/* A socket that messages, and descriptors with them, come from; 0: none. */
	int helper;
	/* A sanitizer will look for leaks at the end, which takes ptrace(). */
	bool finds_leaks;
};

/*
 * Confines this thread, and those that it starts from now on. They make, change and
 * remove no file, reach no network and no other process, and make no system call but
 * those on a list of what reading takes. What is open stays open.
 *
 * What the system does not have is left out without a message. Linux has landlock since
 * 5.13; the list of calls is for x86-64, arm64, riscv64 and s390x.
 */
void fg_confine(const struct fg_confinement *c);

/* Returns true if the user is one who is confined: root, who has most to lose. */
bool fg_is_confined_user(void);

#endif
