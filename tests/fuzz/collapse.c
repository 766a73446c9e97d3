/*
 * Fuzzes one collapser, chosen by its descriptor. Its lines must be sorted, and must
 * not depend on the block size.
 */
#include "collapse/collapse.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/lines.h"

#define PASTE(a, b) a##b
#define DESCRIPTOR(name) PASTE(fg_format_, name)

/* Command lines. A format that lacks one of the options runs without any. */
static const char *const choices[][5] = {
	{ NULL },
	{ "--compat=perl" },
	{ "--all", "--addrs" },
	{ "--srcline" },
	{ "--raw-names" },
	{ "--compat=perl", "--all", "--addrs" },
	{ "--compat=perl", "--srcline", "--tid" },
	{ "--event-filter=*", "--tid", "--slice=20ms" },
	{ "--order=caller", "--skip-after=main" },
	{ "--keep=a.*b|main", "--drop=^x" },
	{ "--compat=perl", "--event-filter=cycles", "--pid" },
	{ "--strict", "--order=callee", "--kernel" },
	{ "--event-frame", "--merge-threads", "--root=cpu" },
	{ "--weight=samples", "--dso", "--max-depth=2", "--every=1us" },
	{ "--weight=prev", "--trace-field=next", "--trace-field=comm" },
	{ "--recursion=cycles", "--root=none", "--time=+0,+0.0001" },
	{ "--recursion=direct", "--root=tid", "--time=1,1234.5" },
	{ "--off-cpu", "--verbose" },
	{ "--time-order", "--max-depth=3", "--recursion=cycles" },
	{ "--comm=s*,?", "--pid-filter=0,12-99", "--cpu=0-2" },
	{ "--tid-filter=7", "--time=,1235", "--event-filter=*" },
	{ "--verbose" },
	{ "--event=*", "--slice=20ms" },
	{ "--event=*", "--weight=duration", "--srcline" },
	{ "--event=app.*", "--weight=grain", "--time-order", "--root=none" },
	{ "--offsets", "--count" },
	{ "--map=h", "--strict" },
	{ "--offsets" },
	{ "--threads" },
	{ "--pid", "--tid" },
	{ "--weight", "--modules", "--threads" },
	{ "--idle", "--no-modules" },
	{ "--us", "--column=CPU Time" },
	{ "--size", "--no-modules" },
	{ "--allocations" },
	{ "--all-states", "--lines", "--shorten-pkgs" },
	{ "--include-tid", "--no-include-tname" },
	{ "--sample-type=1" },
	{ "--sample-type=cpu", "--strict" },
	{ "--threads", "--no-lines" },
	{ "--bytes" },
	{ "--alloc", "--recursion=cycles" },
	{ "--calls" },
	{ "--idle", "--srcline", "--slice=1us" },
	{ "--weight=samples", "--root=process" },
	{ "--weight=count", "--header" },
	{ "--profile=0", "--root=none" },
	{ "--weight=time", "--root=process" },
	{ "--weight=cpu", "--thread=*", "--slice=1ms" },
	{ "--srcline", "--root=thread", "--root=label:k" },
	{ "--weight=cpu", "--thread=w*", "--header" },
	{ "--system-names", "--weight=samples" },
	{ "--weight=leaked", "--srcline", "--header" },
	{ "--weight=total" },
	{ "--weight=temporary", "--recursion=cycles" },
	{ "--unfold=graph", "--limit=0" },
	{ "--unfold=callers", "--srcline" },
	{ "--unfold=flat", "--dso", "--header" },
	{ "--limit=10" },
	{ "--snapshot=last", "--srcline" },
	{ "--snapshot=3", "--verbose" },
	{ "--weight=gb", "--srcline" },
	{ "--weight=allocations", "--root=thread", "--thread=*1*" },
	{ "--weight=await", "--srcline" },
	{ "--weight=time", "--header", "--slice=20ms" },
	{ "--wall", "--root=state", "--root=tid", "--ignore-idle" },
	{ "--weight=latency", "--root=parallelism", "--slice=1ms" },
};

static const struct fg_format *const format = &DESCRIPTOR(FG_FORMAT);

/* ---- options */

#define WORDS_MAX 16

/*
 * The arguments of a command line, whose text is cut where they end; the first is a
 * name. `input` has a path if the input has to be a file.
 */
struct command_line {
	struct fg_buf text;
	char *argv[WORDS_MAX + 2];
	int argc;
	struct fuzz_file input;
};

static void take_choice(struct command_line *w, unsigned choice)
{
	for (; choices[choice][w->argc - 1]; w->argc++)
		w->argv[w->argc] = (char *)choices[choice][w->argc - 1];
}

static void take_arguments(struct command_line *w, struct fg_str lines)
{
	fg_buf_add_str(&w->text, lines);
	fg_buf_add_char(&w->text, '\0');
	for (char *at = w->text.ptr; *at && w->argc <= WORDS_MAX; w->argc++) {
		size_t len = strcspn(at, "\n");

		w->argv[w->argc] = at;
		at += len + (at[len] != '\0');
		w->argv[w->argc][len] = '\0';
	}
}

/* Cuts the options off an input: a choice, or its own arguments. */
static void command_line_open(struct command_line *w, struct fg_str *input)
{
	static char name[] = "fuzz";

	*w = (struct command_line){ .text = FG_BUF_INIT, .argv = { name }, .argc = 1 };
	if (fuzz_has_arguments(*input))
		take_arguments(w, fuzz_cut_arguments(input));
	else
		take_choice(w, fuzz_choice(input, FG_COUNT_OF(choices)));
}

static void command_line_close(struct command_line *w)
{
	if (w->input.path.len)
		fuzz_file_remove(&w->input);
	fg_buf_release(&w->text);
}

/* Returns true if an option names a file. Files are not part of the input. */
static bool reaches_out(const struct fg_collapse *c)
{
	return c->samples.split || c->common.filter.rules.count;
}

/* Sets the options. Ignores those that the format lacks or that exclude each other. */
static void set_options(struct fg_collapse *c, struct command_line *w,
			struct fg_diag *diag)
{
	struct fg_opt_table tables[FG_COLLAPSE_TABLES];
	struct fg_cli cli = { .program = "fuzz",
			      .usage = "",
			      .summary = "",
			      .version = "",
			      .tables = tables };
	enum fg_cli_result result;
	struct fg_out out;

	fg_collapse_init(c, format, "fuzz");
	cli.table_count = fg_collapse_tables(c, tables);
	fg_out_init_memory(&out);
	result = fg_cli_parse(&cli, w->argc, w->argv, &out, diag);
	fg_out_close(&out);
	fg_opt_list_release(&cli.files);
	if (result == FG_CLI_RUN && !reaches_out(c) && !fg_collapse_check(c, diag))
		return;
	fg_collapse_release(c);
	fg_collapse_init(c, format, "fuzz");
	fuzz_check(!fg_collapse_check(c, diag), "the defaults are valid");
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

/* Collapses the input. Returns true if its lines are in the order of their text. */
static bool collapse(struct fg_str input, size_t block_size, struct command_line *args,
		     struct outcome *outcome)
{
	struct fg_diag diag;
	const char *name[1];
	struct fg_opt_list files = { name, 0, 0 };
	struct fg_collapse_io io = { .out = &outcome->out, .files = &files };
	struct fg_collapse c;
	bool has_lines;
	unsigned errors;

	fg_diag_init(&diag, "fuzz");
	diag.sink = fuzz_drop_message;
	set_options(&c, args, &diag);
	errors = diag.errors;
	diag.sink = add_message;
	diag.sink_data = &outcome->messages;
	fg_buf_init(&outcome->messages);
	fg_out_init_memory(&outcome->out);
	io.reader = fg_reader_open_memory(input, "input", &diag);
	if (block_size)
		fg_reader_set_block_size(io.reader, block_size);
	if (c.samples.time && strchr(c.samples.time, '%')) {
		if (!args->input.path.len)
			fuzz_file_make(&args->input, "input", input);
		name[files.count++] = fg_buf_cstr(&args->input.path);
	}
	outcome->status = fg_collapse_run(&c, &io);
	fg_reader_close(io.reader);
	fuzz_check(!outcome->status == (diag.errors == errors),
		   "a failure is reported");
	has_lines = !c.samples.time_order && !c.samples.every &&
		    !(c.samples.weight && !strcmp(c.samples.weight, "list"));
	fg_collapse_release(&c);
	return has_lines;
}

static void check_same(const struct outcome *one, const struct outcome *other)
{
	fuzz_check(other->status == one->status, "the status is the same");
	fuzz_check_equal(fg_buf_str(&one->out.buf), fg_buf_str(&other->out.buf),
			 "the output is the same");
	fuzz_check_equal(fg_buf_str(&one->messages), fg_buf_str(&other->messages),
			 "the messages are the same");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct outcome one, other;
	struct command_line args;
	bool has_lines;

	command_line_open(&args, &input);
	has_lines = collapse(input, 0, &args, &one);
	for (unsigned i = 0; i < 2; i++) {
		size_t block_size = fuzz_block_size(input, i + 2 * (unsigned)size);

		collapse(input, block_size, &args, &other);
		check_same(&one, &other);
		release_outcome(&other);
	}
	if (has_lines)
		fuzz_check_lines(fg_buf_str(&one.out.buf), 1);
	release_outcome(&one);
	command_line_close(&args);
	return 0;
}
