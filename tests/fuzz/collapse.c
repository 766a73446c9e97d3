/*
 * One collapser, by its descriptor: sorted lines, the same for every block size and
 * number of threads.
 */
#include "collapse/format.h"
#include "lib/xalloc.h"
#include "tests/fuzz/lines.h"

#define PASTE(a, b) a##b
#define DESCRIPTOR(name) PASTE(fg_format_, name)

/* Command lines; a format that lacks one of the options is run without any. */
static const char *const choices[][4] = {
	{ NULL },
	{ "--compat=perl" },
	{ "--all", "--addrs" },
	{ "--srcline" },
	{ "--raw-names" },
	{ "--compat=perl", "--all", "--addrs" },
	{ "--compat=perl", "--srcline", "--tid" },
	{ "--event-filter=*", "--tid" },
	{ "--order=caller", "--skip-after=main" },
	{ "--keep=a.*b|main", "--drop=^x" },
	{ "--compat=perl", "--event-filter=cycles", "--pid" },
	{ "--strict", "--order=callee", "--kernel" },
	{ "--event-frame", "--merge-threads", "--root=cpu" },
	{ "--weight=samples", "--dso", "--max-depth=2" },
	{ "--weight=prev", "--trace-field=next", "--trace-field=comm" },
	{ "--recursion=cycles", "--root=none", "--time=+0,+0.0001" },
	{ "--recursion=direct", "--root=tid", "--time=1,1234.5" },
	{ "--time-order" },
	{ "--time-order", "--max-depth=3", "--recursion=cycles" },
	{ "--comm=s*,?", "--pid-filter=0,12-99", "--cpu=0-2" },
	{ "--tid-filter=7", "--time=,1235", "--event-filter=*" },
	{ "--verbose" },
};

struct options {
	void *values;
	bool in_order; /* of time, so that lines are not sorted */
};

/* `threads` is the last argument. */
static void set_options(struct options *o, unsigned choice, const char *threads)
{
	const struct fg_format *format = &DESCRIPTOR(FG_FORMAT);
	struct fg_opt_table table = { format->rows, NULL };
	struct fg_cli cli = { .program = "fuzz",
			      .usage = "",
			      .summary = "",
			      .version = "",
			      .tables = &table,
			      .table_count = 1 };
	char *argv[6] = { (char[]){ "fuzz" } };
	struct fg_diag diag;
	struct fg_out out;
	int argc = 1;

	for (; choices[choice][argc - 1]; argc++)
		argv[argc] = (char *)choices[choice][argc - 1];
	argv[argc++] = (char *)threads;
	fuzz_diag(&diag);
	o->values = fg_xcalloc(1, format->options_size);
	table.base = o->values;
	format->init(o->values, "fuzz");
	fg_out_init_memory(&out);
	if (fg_cli_parse(&cli, argc, argv, &out, &diag) != FG_CLI_RUN ||
	    format->check(o->values, &diag)) {
		memset(o->values, 0, format->options_size);
		format->init(o->values, "fuzz");
		format->check(o->values, &diag);
		choice = 0;
	}
	o->in_order = choice && !strcmp(argv[1], "--time-order");
	fg_out_close(&out);
	fg_opt_list_release(&cli.files);
}

static void release_options(struct options *o)
{
	DESCRIPTOR(FG_FORMAT).release(o->values);
	free(o->values);
}

struct outcome {
	int status;
	struct fg_out out;
	struct fg_buf messages;
};

static void release_outcome(struct outcome *outcome)
{
	fg_out_close(&outcome->out);
	fg_buf_release(&outcome->messages);
}

static void add_message(void *data, const char *message)
{
	fg_buf_addf(data, "%s\n", message);
}

static void collapse(struct fg_str input, size_t block_size, const struct options *o,
		     struct outcome *outcome)
{
	struct fg_diag diag;
	struct fg_opt_list files = { NULL, 0, 0 };
	struct fg_collapse run = { .out = &outcome->out,
				   .diag = &diag,
				   .options = o->values,
				   .files = &files };

	fg_diag_init(&diag, "fuzz");
	diag.verbosity = DESCRIPTOR(FG_FORMAT).verbosity(o->values);
	diag.sink = add_message;
	diag.sink_data = &outcome->messages;
	fg_buf_init(&outcome->messages);
	fg_out_init_memory(&outcome->out);
	run.reader = fg_reader_open_memory(input, "input", &diag);
	if (block_size)
		fg_reader_set_block_size(run.reader, block_size);
	outcome->status = DESCRIPTOR(FG_FORMAT).run(&run);
	fg_reader_close(run.reader);
	fuzz_check(!outcome->status == !diag.errors, "a failure is reported");
}

static void check_same(const struct outcome *one, const struct outcome *other)
{
	fuzz_check(other->status == one->status, "the status is the same");
	fuzz_check_equal(fg_buf_str(&one->out.buf), fg_buf_str(&other->out.buf),
			 "the output is the same");
	fuzz_check_equal(fg_buf_str(&one->messages), fg_buf_str(&other->messages),
			 "the messages are the same");
}

/* Blocks as small as the input, and so many of them that threads share the most. */
static void check_threads(struct fg_str input, unsigned choice)
{
	struct fg_buf many = FG_BUF_INIT;
	struct outcome outcomes[2];

	for (unsigned i = 0; i < 40; i++)
		fg_buf_add_str(&many, input);
	for (unsigned i = 0; i < 2; i++) {
		struct options options;

		set_options(&options, choice, i ? "-n3" : "-n1");
		collapse(fg_buf_str(&many), input.len + 1, &options, &outcomes[i]);
		release_options(&options);
	}
	check_same(&outcomes[0], &outcomes[1]);
	for (unsigned i = 0; i < 2; i++)
		release_outcome(&outcomes[i]);
	fg_buf_release(&many);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	unsigned choice = fuzz_choice(&input, FG_COUNT_OF(choices));
	struct outcome one, other;
	struct options options;

	set_options(&options, choice, "-n1");
	collapse(input, 0, &options, &one);
	for (unsigned i = 0; i < 2; i++) {
		collapse(input, fuzz_block_size(input, i + 2 * (unsigned)size),
			 &options, &other);
		check_same(&one, &other);
		release_outcome(&other);
	}
	if (!options.in_order)
		fuzz_check_lines(fg_buf_str(&one.out.buf), 1);
	release_outcome(&one);
	release_options(&options);
	if (input.len < 20000 && input.len % 4 == 0) /* it is slow */
		check_threads(input, choice);
	return 0;
}
