/* Runs a collapser inside a test. */
#include "tests/unit/support/collapse.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"

#define ARGUMENTS_MAX 64

static int split(char *words, char **argv)
{
	int argc = 0;

	for (char *word; (word = strtok_r(words, " ", &words));) {
		assert_true(argc < ARGUMENTS_MAX);
		argv[argc++] = word;
	}
	return argc;
}

void collapse_format(const struct fg_format *format, struct fg_str text,
		     struct collapse_how how, struct collapsed *result)
{
	struct fg_diag *diag = &result->caught.diag;
	struct fg_opt_table tables[FG_COLLAPSE_TABLES];
	struct fg_collapse c;
	struct fg_cli cli = { .program = "prog",
			      .usage = "",
			      .summary = "",
			      .version = "",
			      .tables = tables };
	struct fg_collapse_io io = { .files = &cli.files, .out = &result->out };
	char *argv[ARGUMENTS_MAX + 1] = { NULL };
	struct fg_buf words = FG_BUF_INIT;
	int argc;

	fg_buf_addf(&words, "prog %s", how.arguments);
	fg_buf_add_char(&words, '\0');
	argc = split(words.ptr, argv);
	caught_init(&result->caught);
	fg_out_init_memory(&result->out);
	fg_collapse_init(&c, format, "prog");
	cli.table_count = fg_collapse_tables(&c, tables);
	io.reader = fg_reader_open_memory(text, "input", diag);
	if (how.block_size)
		fg_reader_set_block_size(io.reader, how.block_size);
	result->status = -1;
	if (fg_cli_parse(&cli, argc, argv, &result->out, diag) == FG_CLI_RUN &&
	    !fg_collapse_check(&c, diag))
		result->status = fg_collapse_run(&c, &io);
	fg_reader_close(io.reader);
	fg_opt_list_release(&cli.files);
	fg_collapse_release(&c);
	fg_buf_release(&words);
}

void collapsed_release(struct collapsed *result)
{
	fg_out_close(&result->out);
	caught_release(&result->caught);
}
