/* Running collapse-perf within a test. */
#include "tests/unit/support/collapse.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/format.h"
#include "lib/xalloc.h"

#define ARGUMENTS_MAX 16

static int split(char *words, char **argv)
{
	int argc = 0;

	for (char *word; (word = strtok_r(words, " ", &words));) {
		assert_true(argc < ARGUMENTS_MAX);
		argv[argc++] = word;
	}
	return argc;
}

void collapse_text(struct fg_str text, size_t block_size, const char *arguments,
		   struct collapsed *result)
{
	const struct fg_format *format = &fg_format_perf;
	void *options = fg_xcalloc(1, format->options_size);
	const struct fg_opt_table table = { format->rows, options };
	struct fg_cli cli = { .program = "prog",
			      .usage = "",
			      .summary = "",
			      .version = "",
			      .tables = &table,
			      .table_count = 1 };
	struct fg_collapse run = { .out = &result->out,
				   .files = &cli.files,
				   .diag = &result->caught.diag,
				   .options = options };
	char *argv[ARGUMENTS_MAX + 1] = { NULL };
	struct fg_buf words = FG_BUF_INIT;
	int argc;

	fg_buf_addf(&words, "prog %s", arguments);
	fg_buf_add_char(&words, '\0');
	argc = split(words.ptr, argv);
	caught_init(&result->caught);
	fg_out_init_memory(&result->out);
	format->init(options, "prog");
	assert_int_equal(fg_cli_parse(&cli, argc, argv, &result->out, run.diag),
			 FG_CLI_RUN);
	assert_int_equal(format->check(options, run.diag), 0);
	run.diag->verbosity = format->verbosity(options);
	run.reader = fg_reader_open_memory(text, "input", run.diag);
	if (block_size)
		fg_reader_set_block_size(run.reader, block_size);
	result->status = format->run(&run);
	fg_reader_close(run.reader);
	fg_opt_list_release(&cli.files);
	format->release(options);
	free(options);
	fg_buf_release(&words);
}

void collapsed_release(struct collapsed *result)
{
	fg_out_close(&result->out);
	caught_release(&result->caught);
}
