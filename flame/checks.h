/*
 * Checks of what is recorded: can it run, or be recorded, and what will be missing from
 * its stacks? Warnings name the cure.
 *
 * A check that ends the run reports why and returns the exit status, else 0.
 */
#ifndef FG_FLAME_CHECKS_H
#define FG_FLAME_CHECKS_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

/* Options of the checks. */
struct fg_check_how {
	bool as_root; /* the recorder runs as root, with sudo or because we are */
	bool dry_run; /* start no program of the user */
	/* callers are found by frame pointers, because the user said so */
	bool frame_pointers;
};

/* A program or a process. A zeroed struct is empty. */
struct fg_target {
	struct fg_buf file; /* its machine code, a path; empty: unknown */
	/* the name of a runtime that compiles or interprets code, "java", or empty */
	struct fg_buf runtime;
	struct fg_buf process; /* the name of a process */
};

void fg_target_release(struct fg_target *t);

/* Checks a command of `count` words, and describes it in `t`. */
int fg_check_command(struct fg_target *t, const char *const *words, size_t count,
		     const struct fg_check_how *how, struct fg_diag *diag);

/* Like fg_check_command(), for a process. */
int fg_check_pid(struct fg_target *t, long pid, const struct fg_check_how *how,
		 struct fg_diag *diag);

/* Returns true if we, and so the recorder, may read the maps of a process. */
bool fg_may_look_into(long pid);

/*
 * Returns the options, like "--perf-basic-prof", that make a runtime of this name write
 * the names of its functions, or NULL if the program is no runtime. Sets *told to true
 * if `words`, its command line and environment, have such an option already.
 */
const char *fg_runtime_option(struct fg_str program, struct fg_str words, bool *told);

/*
 * Appends the interpreter in the first line of a script, "#!/usr/bin/env python3".
 * After env, it is the next word.
 */
void fg_add_interpreter(struct fg_str first_line, struct fg_buf *interpreter);

#endif
