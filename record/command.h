/*
 * The recorded command: a child process that waits until the recording is ready.
 *
 * It has our ids, capabilities, signal handlers and limits as we got them, and none of
 * our descriptors.
 */
#ifndef FG_RECORD_COMMAND_H
#define FG_RECORD_COMMAND_H

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "lib/base/diag.h"

/* State that this process changes; the command gets it as our caller left it. */
struct fg_inherited {
	sigset_t mask;
	struct sigaction on_child, on_pipe;
	struct rlimit files;
};

struct fg_command {
	pid_t pid; /* 0: there is none, or it has ended */
	int go; /* writing a byte starts the command */
	int failed; /* has the errno of exec, if it fails */
	bool has_ended;
	int status; /* of wait() */
	int error; /* why wait() failed, or 0; the command then counts as ended */
};

/*
 * Starts the process that will be the command. Its standard output is our standard
 * error if `aside` is true. Returns 0, or -1 after reporting.
 */
int fg_command_prepare(struct fg_command *c, char *const *words,
		       const struct fg_inherited *inherited, bool aside,
		       struct fg_diag *diag);

/* Starts the command. Returns 0, or the exit status after reporting. */
int fg_command_start(struct fg_command *c, const char *name, struct fg_diag *diag);

/* Notes that the command has ended, if it has. */
void fg_command_check(struct fg_command *c);

/* Waits until it has ended. */
void fg_command_wait(struct fg_command *c);

/* Sends a signal, unless the command has ended. */
void fg_command_signal(const struct fg_command *c, int number);

/*
 * Returns the exit status for ours: its own, or 128 + the signal that killed it. If
 * that is not known, reports why and returns FG_EXIT_FAILED.
 */
int fg_command_status(const struct fg_command *c, struct fg_diag *diag);

/* Ends a command that was prepared but not started. */
void fg_command_abandon(struct fg_command *c);

#endif
