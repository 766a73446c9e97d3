/* One collapser, by its descriptor: sorted lines, the same for every block size. */
#include "collapse/collapse.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/lines.h"

#define PASTE(a, b) a##b
#define DESCRIPTOR(name) PASTE(fg_format_, name)

/* Command lines; a format that lacks one of the options is run without any. */
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
 * The words of a command line, whose text is cut where they end; first is a name. And
 * files, which have no path where there are none: what the programs answer that they
 * have run, and the input, where it has to be a file.
 */
struct words {
	struct fg_buf text;
	char *argv[WORDS_MAX + 2];
	int argc;
	struct fuzz_file answers, input;
};

static void take_choice(struct words *w, unsigned choice)
{
	for (; choices[choice][w->argc - 1]; w->argc++)
		w->argv[w->argc] = (char *)choices[choice][w->argc - 1];
}

static void take_words(struct words *w, struct fg_str lines)
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

/*
 * What is behind a byte 0x1d is what addr2line, nm and readelf say, which are
 * stand-ins; as theirs it ends with the end of a line. A target is started in the top
 * folder.
 */
static void take_answers(struct words *w, struct fg_str *input)
{
	size_t end = fg_str_find_char(*input, '\x1d');
	struct fg_buf text = FG_BUF_INIT;

	if (end == input->len)
		return;
	fg_buf_add_str(&text, fg_str_from_pos(*input, end + 1));
	if (!fg_str_ends(fg_buf_str(&text), FG_STR("\n")))
		fg_buf_add_char(&text, '\n');
	*input = fg_str_before(*input, end);
	fuzz_file_make(&w->answers, "answers", fg_buf_str(&text));
	fg_buf_release(&text);
	setenv("FUZZ_ANSWERS", fg_buf_cstr(&w->answers.path), 1);
}

/* The options of an input, which are cut off it: a choice, or words of its own. */
static void words_open(struct words *w, struct fg_str *input)
{
	static char name[] = "fuzz";

	*w = (struct words){ .text = FG_BUF_INIT, .argv = { name }, .argc = 1 };
	setenv("PATH", "tests/fuzz/programs", 1);
	if (fuzz_has_words(*input)) {
		take_words(w, fuzz_cut_words(input));
		take_answers(w, input);
	} else {
		take_choice(w, fuzz_choice(input, FG_COUNT_OF(choices)));
	}
}

static void words_close(struct words *w)
{
	if (w->answers.path.len) {
		unsetenv("FUZZ_ANSWERS");
		fuzz_file_remove(&w->answers);
	}
	if (w->input.path.len)
		fuzz_file_remove(&w->input);
	fg_buf_release(&w->text);
}

/* Files that options name are none of the input's. */
static bool reaches_out(const struct fg_collapse *c)
{
	return c->samples.split || c->common.filter.rules.count;
}

/* Options that the format lacks, or that do not go together, are none. */
static void set_options(struct fg_collapse *c, struct words *w, struct fg_diag *diag)
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

/* Returns whether what comes is lines in the order of their text. */
static bool collapse(struct fg_str input, size_t block_size, struct words *words,
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
	set_options(&c, words, &diag);
	errors = diag.errors;
	diag.sink = add_message;
	diag.sink_data = &outcome->messages;
	fg_buf_init(&outcome->messages);
	fg_out_init_memory(&outcome->out);
	io.reader = fg_reader_open_memory(input, "input", &diag);
	if (block_size)
		fg_reader_set_block_size(io.reader, block_size);
	if (c.samples.time && strchr(c.samples.time, '%')) {
		if (!words->input.path.len)
			fuzz_file_make(&words->input, "input", input);
		name[files.count++] = fg_buf_cstr(&words->input.path);
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
	struct words words;
	bool has_lines;

	words_open(&words, &input);
	has_lines = collapse(input, 0, &words, &one);
	for (unsigned i = 0; i < 2; i++) {
		size_t block_size = fuzz_block_size(input, i + 2 * (unsigned)size);

		collapse(input, block_size, &words, &other);
		check_same(&one, &other);
		release_outcome(&other);
	}
	if (has_lines)
		fuzz_check_lines(fg_buf_str(&one.out.buf), 1);
	release_outcome(&one);
	words_close(&words);
	return 0;
}
