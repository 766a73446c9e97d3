/* One collapser, by its descriptor: sorted lines, the same for every block size. */
#include "collapse/format.h"
#include "lib/xalloc.h"
#include "tests/fuzz/lines.h"

#define PASTE(a, b) a##b
#define DESCRIPTOR(name) PASTE(fg_format_, name)

/* Command lines; a format that has not all of a line's options is run without any. */
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
};

struct options {
	void *values;
	bool in_order; /* of time, so that lines are not sorted */
};

static void set_options(struct options *o, unsigned choice, struct fg_diag *diag)
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
	struct fg_out out;
	int argc = 1;

	for (; choices[choice][argc - 1]; argc++)
		argv[argc] = (char *)choices[choice][argc - 1];
	o->values = fg_xcalloc(1, format->options_size);
	table.base = o->values;
	if (format->init)
		format->init(o->values, "fuzz");
	fg_out_init_memory(&out);
	if (fg_cli_parse(&cli, argc, argv, &out, diag) != FG_CLI_RUN ||
	    format->check(o->values, diag)) {
		memset(o->values, 0, format->options_size);
		if (format->init)
			format->init(o->values, "fuzz");
		format->check(o->values, diag);
		choice = 0;
	}
	o->in_order = choice && !strcmp(argv[1], "--time-order");
	fg_out_close(&out);
	fg_opt_list_release(&cli.files);
}

static void release_options(struct options *o)
{
	if (DESCRIPTOR(FG_FORMAT).release)
		DESCRIPTOR(FG_FORMAT).release(o->values);
	free(o->values);
}

static int collapse(struct fg_str input, size_t block_size, const struct options *o,
		    struct fg_out *out)
{
	struct fg_diag diag;
	struct fg_opt_list files = { NULL, 0, 0 };
	struct fg_collapse run = {
		.out = out, .diag = &diag, .options = o->values, .files = &files
	};
	int status;

	fuzz_diag(&diag);
	fg_out_init_memory(out);
	run.reader = fg_reader_open_memory(input, "input", &diag);
	if (block_size)
		fg_reader_set_block_size(run.reader, block_size);
	status = DESCRIPTOR(FG_FORMAT).run(&run);
	fg_reader_close(run.reader);
	fuzz_check(!status == !diag.errors, "a failure is reported");
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	unsigned choice = fuzz_choice(&input, sizeof(choices) / sizeof(*choices));
	struct fg_out one, other;
	struct options options;
	struct fg_diag diag;
	int status;

	fuzz_diag(&diag);
	set_options(&options, choice, &diag);
	status = collapse(input, 0, &options, &one);
	for (unsigned i = 0; i < 2; i++) {
		size_t block_size = fuzz_block_size(input, i + 2 * (unsigned)size);

		fuzz_check(collapse(input, block_size, &options, &other) == status,
			   "block sizes do not change the status");
		fuzz_check_equal(fg_buf_str(&one.buf), fg_buf_str(&other.buf),
				 "block sizes do not change the output");
		fg_out_close(&other);
	}
	if (!options.in_order)
		fuzz_check_lines(fg_buf_str(&one.buf), 1);
	fg_out_close(&one);
	release_options(&options);
	return 0;
}
