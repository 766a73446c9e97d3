/*
 * What the main() of every program does: command line, output, exit status.
 *
 * The output is standard output, or with --output a file that is replaced as a whole
 * when the run has succeeded. A run whose output is one of its inputs fails at once.
 */
#ifndef FG_LIB_BASE_CLI_H
#define FG_LIB_BASE_CLI_H

#include "lib/base/opts.h"

/* How every program ends. */
enum fg_exit {
	FG_EXIT_OK = 0,
	FG_EXIT_FAILED = 1,
	FG_EXIT_USAGE = 2,
	FG_EXIT_EXCEEDED = 3, /* as FG_EXIT_OK, but a limit that was set is exceeded */
	FG_EXIT_UNSURE = 4, /* as FG_EXIT_OK, but too little to tell that it is not */
};

/* What a program does when its command line has been read; returns an enum fg_exit. */
typedef int fg_cli_run(const struct fg_cli *cli, struct fg_out *out,
		       struct fg_diag *diag);

/*
 * All of main() but the options, which `cli->tables` have: reads argv, calls run() with
 * the output and standard error, closes the one and releases cli->files. Returns the
 * exit status.
 */
int fg_cli_main(struct fg_cli *cli, int argc, char **argv, fg_cli_run *run);

/*
 * For run(), before it reads the inputs, which are cli->files: shows how far that is
 * until run() has returned, unless the user wants quiet. `waiting` is as in
 * struct fg_progress_plan.
 */
void fg_cli_watch(const struct fg_cli *cli, const char *waiting, struct fg_diag *diag);

#endif
