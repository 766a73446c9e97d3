/* The program of one format: collapse-NAME, compiled with -DFG_FORMAT=NAME. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "collapse/collapse.h"
#include "collapse/split.h"
#include "lib/base/cli.h"
#include "lib/base/confine.h"
#include "lib/base/io.h"
#include "lib/base/replace.h"

#define PASTE(a, b) a##b
#define DESCRIPTOR(name) PASTE(fg_format_, name)

static const struct fg_format *const format = &DESCRIPTOR(FG_FORMAT);

#ifdef __has_feature /* clang has this feature test, gcc has a macro */
#define FINDS_LEAKS __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define FINDS_LEAKS true
#else
#define FINDS_LEAKS false
#endif

static void do_nothing(int signal)
{
	(void)signal;
}

/*
 * Ignores the first Ctrl-C. In `perf record | collapse-perf` it ends the recording, and
 * we still have to write what was recorded. The second one ends this program.
 */
static void ignore_first_interrupt(void)
{
	const struct sigaction once = { .sa_handler = do_nothing,
					.sa_flags = (int)(SA_RESETHAND | SA_RESTART) };
	struct sigaction now;

	if (!sigaction(SIGINT, NULL, &now) && now.sa_handler == SIG_DFL)
		sigaction(SIGINT, &once, NULL);
}

/*
 * Gives up the rights that reading does not need. Stores the socket of the format's
 * helper process in *helper, or 0. Returns -1 after reporting if the process that puts
 * the output in place cannot be started.
 *
 * Close *helper before the output. The helper holds a copy of the pipe to that other
 * process, which waits until all copies are closed.
 */
static int confine(const struct fg_cli *cli, int *helper)
{
	struct fg_confinement c = {
		.finds_leaks = FINDS_LEAKS,
	};

	if (cli->file && fg_replacement_delegate(cli->file))
		return -1;
	if (format->start_helper)
		c.helper = format->start_helper(cli->data, _exit);
	*helper = c.helper;
	fg_confine(&c);
	return 0;
}

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	struct fg_collapse_io io = { .files = &cli->files, .out = out };
	struct fg_collapse *c = cli->data;
	int status, helper = 0;

	if (fg_collapse_check(c, diag))
		return FG_EXIT_USAGE;
	/* --split creates one file after another, so we cannot give up our rights. */
	if (fg_collapse_splits(c))
		return fg_collapse_split(c, &cli->files, out, diag) ? FG_EXIT_FAILED :
								      FG_EXIT_OK;
	if (fg_is_confined_user() && confine(cli, &helper))
		return FG_EXIT_FAILED;
	if (c->samples.every)
		ignore_first_interrupt();
	fg_io_allow_more_files();
	fg_cli_watch(cli, format->waiting, diag);
	io.reader = fg_reader_open(cli->files.items, cli->files.count, diag);
	status = fg_collapse_run(cli->data, &io);
	fg_reader_close(io.reader);
	if (helper)
		close(helper);
	return status ? FG_EXIT_FAILED : FG_EXIT_OK;
}

static const char *called_as(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;

	return slash ? slash + 1 : argv0 ? argv0 : "";
}

int main(int argc, char **argv)
{
	struct fg_collapse c;
	struct fg_opt_table tables[FG_COLLAPSE_TABLES];
	struct fg_buf program = FG_BUF_INIT;
	struct fg_cli cli = {
		.usage = "[OPTION]... [FILE]...",
		.summary = format->summary,
		.footer = format->footer,
		.version = FG_VERSION,
		.tables = tables,
	};
	int status;

	fg_collapse_init(&c, format, called_as(argc > 0 ? argv[0] : NULL));
	cli.table_count = fg_collapse_tables(&c, tables);
	fg_kind_add_program(format->kind, &program);
	cli.program = fg_buf_cstr(&program);
	cli.data = &c;
	status = fg_cli_main(&cli, argc, argv, run);
	fg_buf_release(&program);
	fg_collapse_release(&c);
	return status;
}
