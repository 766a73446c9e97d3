/*
 * The main() of every program: command line, output, exit status.
 *
 * The output is standard output or, with --output, a file that is replaced as a whole
 * once the run has succeeded. If the output is one of the inputs, the run fails at
 * once.
 */
#ifndef FG_LIB_BASE_CLI_H
#define FG_LIB_BASE_CLI_H

#include "lib/base/opts.h"

/* Exit statuses. */
enum fg_exit {
	FG_EXIT_OK = 0,
	FG_EXIT_FAILED = 1,
	FG_EXIT_USAGE = 2,
	FG_EXIT_EXCEEDED = 3, /* the output is written, and a limit is exceeded */
	/*
	 * the output is written, but there are too few samples to tell if a limit is
	 * exceeded
	 */
	FG_EXIT_UNSURE = 4,
};

/* Runs a program after its command line has been read. Returns an enum fg_exit. */
typedef int fg_cli_run(const struct fg_cli *cli, struct fg_out *out,
		       struct fg_diag *diag);

/*
 * Reads argv as described by cli->tables, opens the output, calls run(), closes the
 * output and releases cli->files. Returns the exit status for main().
 */
int fg_cli_main(struct fg_cli *cli, int argc, char **argv, fg_cli_run *run);

/*
 * Shows the progress of reading cli->files until run() returns, unless the user wants
 * quiet. Call it in run() before reading. `waiting` is explained in struct
 * fg_progress_plan.
 */
void fg_cli_watch(const struct fg_cli *cli, const char *waiting, struct fg_diag *diag);

#endif
