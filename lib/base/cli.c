/* The part of main() that all programs share: opens the output, runs the program. */
#include "lib/base/inputs.h"
#include "lib/base/cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/progress.h"
#include "lib/base/reader.h"
#include "lib/base/replace.h"
#include "lib/base/xalloc.h"

/* The output file, to check that no input is the same file. */
struct written {
	struct stat st;
	/*
	 * true: the file of --output, which is replaced. false: standard output, which
	 * is written to; an empty input may be the same file
	 */
	bool replaced;
	struct fg_diag *diag;
};

static int check_input(const char *name, const struct written *out)
{
	bool is_stdin = fg_is_standard_input(name);
	struct fg_place at = { fg_input_name(name), 0 };
	struct stat in;

	if (is_stdin ? fstat(STDIN_FILENO, &in) : stat(name, &in)) {
		if (errno == ENOENT || errno == EBADF)
			return 0; /* the error is reported when the input is read */
		return fg_error(out->diag, &at, "cannot open: %s", strerror(errno));
	}
	if ((!in.st_size && !out->replaced) || in.st_dev != out->st.st_dev ||
	    in.st_ino != out->st.st_ino)
		return 0;
	return fg_error(out->diag, &at, "the input is the output too");
}

static int check_names(const char *const *names, size_t count,
		       const struct written *out)
{
	for (size_t i = 0; i < count; i++)
		if (check_input(names[i], out))
			return -1;
	return 0;
}

/* Checks the files that an option names, because they are inputs, too. */
static int check_option(const struct fg_opt *row, const void *base,
			const struct written *out)
{
	const char *field = (const char *)base + row->offset;
	const struct fg_opt_list *list = (const void *)field;
	const char *const *text = (const void *)field;

	if (!row->arg || strncmp(row->arg, "FILE", 4) != 0)
		return 0;
	if (row->kind == FG_OPT_TEXT)
		return *text ? check_names(text, 1, out) : 0;
	return check_names(list->items, list->count, out);
}

static bool is_end(const struct fg_opt *row)
{
	return row->kind == FG_OPT_SECTION && !row->help;
}

/*
 * Fails if an input is the output. Like cat, we refuse a file that would grow by what
 * we read from it, and one that we would replace by its own result.
 */
static int check_inputs(const struct fg_cli *cli, const struct written *out)
{
	size_t count = cli->files.count;
	const char *const *names = fg_inputs(cli->files.items, &count);

	if (!S_ISREG(out->st.st_mode))
		return 0;
	for (size_t i = 0; i < cli->table_count; i++) {
		const struct fg_opt_table *table = &cli->tables[i];

		for (const struct fg_opt *row = table->rows; !is_end(row); row++)
			if (check_option(row, table->base, out))
				return -1;
	}
	return check_names(names, count, out);
}

/*
 * Checks the output. `status` is the result of its stat(). If errno is `missing`, the
 * file does not exist yet, so it cannot be an input.
 */
static int check_output(const struct fg_cli *cli, const char *name,
			const struct written *out, int status, int missing)
{
	struct fg_place at = { name, 0 };

	if (!status)
		return check_inputs(cli, out);
	if (errno == missing)
		return 0;
	return fg_error(out->diag, &at, "cannot write: %s", strerror(errno));
}

static bool has_written(int status)
{
	return status == FG_EXIT_OK || status == FG_EXIT_EXCEEDED ||
	       status == FG_EXIT_UNSURE;
}

/* Standard output, or the file that will replace the one named by --output. */
struct destination {
	int fd;
	const char *name;
};

static const struct destination standard = { STDOUT_FILENO, "(standard output)" };

/* Runs the program and closes its output. Returns an enum fg_exit. */
static int run_into(struct destination to, const struct fg_cli *cli, fg_cli_run *run,
		    struct fg_diag *diag)
{
	struct fg_out out;
	int status;

	fg_out_init(&out, to.fd, to.name, diag);
	status = run(cli, &out, diag);
	fg_progress_stop(diag->progress);
	diag->progress = NULL;
	if (fg_out_close(&out) && has_written(status))
		status = FG_EXIT_FAILED;
	return status;
}

static int run_into_standard_output(const struct fg_cli *cli, fg_cli_run *run,
				    struct fg_diag *diag)
{
	struct written out = { .diag = diag };
	int status;

	status = fstat(standard.fd, &out.st);
	if (check_output(cli, standard.name, &out, status, EBADF))
		return FG_EXIT_FAILED;
	return run_into(standard, cli, run, diag);
}

static int run_into_file(struct fg_cli *cli, fg_cli_run *run, struct fg_diag *diag)
{
	struct written out = { .replaced = true, .diag = diag };
	struct fg_replacement file;
	int status;

	status = stat(cli->output, &out.st);
	if (check_output(cli, cli->output, &out, status, ENOENT))
		return FG_EXIT_FAILED;
	if (fg_replacement_open(&file, cli->output, diag))
		return FG_EXIT_FAILED;
	/* cppcheck-suppress autoVariables ; set back to NULL below */
	cli->file = &file;
	status = run_into((struct destination){ file.fd, cli->output }, cli, run, diag);
	cli->file = NULL;
	if (!has_written(status))
		fg_replacement_abandon(&file);
	else if (fg_replacement_finish(&file))
		status = FG_EXIT_FAILED;
	return status;
}

int fg_cli_main(struct fg_cli *cli, int argc, char **argv, fg_cli_run *run)
{
	struct fg_diag diag;
	struct fg_out out;
	int status = FG_EXIT_OK;

	fg_xalloc_start();
	fg_diag_init(&diag, cli->program);
	fg_out_init(&out, standard.fd, standard.name, &diag);
	switch (fg_cli_parse(cli, argc, argv, &out, &diag)) {
	case FG_CLI_USAGE:
		status = FG_EXIT_USAGE;
		break;
	case FG_CLI_DONE:
		break;
	case FG_CLI_RUN:
		if (cli->output && strcmp(cli->output, "-"))
			status = run_into_file(cli, run, &diag);
		else
			status = run_into_standard_output(cli, run, &diag);
		break;
	}
	if (fg_out_close(&out) && status == FG_EXIT_OK)
		status = FG_EXIT_FAILED;
	fg_opt_list_release(&cli->files);
	return status;
}

void fg_cli_watch(const struct fg_cli *cli, const char *waiting, struct fg_diag *diag)
{
	const struct fg_progress_plan plan = {
		.program = cli->program,
		.names = cli->files.items,
		.count = cli->files.count,
		.waiting = waiting,
	};

	if (diag->verbosity > FG_QUIET)
		diag->progress = fg_progress_start(&plan);
}
