/*
 * What a process that reads what others wrote gives up before it does: whoever takes it
 * over by a fault of ours, or of a library, can then read files and no more.
 */
#ifndef FG_LIB_BASE_CONFINE_H
#define FG_LIB_BASE_CONFINE_H

#include <stdbool.h>

struct fg_confinement {
	const char *output; /* a file that is replaced at the end; NULL: none */
	bool runs_programs; /* it starts others, which may write what they have to */
};

/*
 * From here on this thread, and those that it starts, make and change no file but in
 * the folder of the output, and run no program unless that is asked for; nor do they
 * reach a network, other processes, or what only root may of the kernel. What is open
 * stays so. What the system does not offer is left out, silently: Linux has landlock
 * since 5.13, and seccomp.
 */
void fg_confine(const struct fg_confinement *c);

/* Whether that is asked for: as root, who has most to lose. */
bool fg_is_confined_user(void);

#endif
