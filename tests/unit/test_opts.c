/*
 * Tests of lib/base/opts: Getopt::Long's habits, errors, and --help from the same rows.
 */
#include <math.h>
#include <string.h>

#include "lib/base/opts.h"
#include "tests/unit/support/support.h"

enum { DIM, BRIGHT };

struct options {
	bool inverted;
	int verbose;
	const char *title;
	struct fg_opt_list keep;
	struct fg_opt_list words;
	uint64_t width;
	double min;
	int colour;
	bool old; /* set by the second table */
	int sort;
	int page;
};

static const char *const colours[] = { "dim", "bright", NULL };

#define AT(field) .offset = offsetof(struct options, field)

/* The first line just fits; the last one is too long and has no space to break at. */
#define HELP_1 "as it was, in lines of 49 columns at most, to see"
#define HELP_2 "and then a word that cannot be broken"
#define HELP_3 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define LONG_HELP HELP_1 " " HELP_2 " " HELP_3

static const struct fg_opt rows[] = {
	{ .kind = FG_OPT_SECTION, .help = "Picture" },
	{ .kind = FG_OPT_FLAG,
	  .name = "inverted",
	  .letter = 'i',
	  AT(inverted),
	  .help = "draw icicles" },
	{ .kind = FG_OPT_TEXT,
	  .name = "title",
	  .arg = "TEXT",
	  .letter = 't',
	  AT(title),
	  .help = "what is written on top" },
	{ .kind = FG_OPT_UINT,
	  .name = "width",
	  .arg = "N",
	  .letter = 'n',
	  AT(width),
	  .help = "how wide" },
	{ .kind = FG_OPT_REAL,
	  .name = "minimum-of-all-widths",
	  .arg = "PIXELS",
	  AT(min),
	  .help = "how narrow" },
	{ .kind = FG_OPT_CHOICE,
	  .name = "colour",
	  .arg = "NAME",
	  AT(colour),
	  .choices = colours,
	  .help = "how bright" },
	{ .kind = FG_OPT_CHOICE,
	  .name = "color",
	  .arg = "NAME",
	  AT(colour),
	  .choices = colours },
	FG_OPT_END,
};

static const struct fg_opt more_rows[] = {
	{ .kind = FG_OPT_SECTION, .help = "More" },
	{ .kind = FG_OPT_COUNTER,
	  .name = "verbose",
	  .letter = 'v',
	  AT(verbose),
	  .value = 1,
	  .help = "say more" },
	{ .kind = FG_OPT_COUNTER,
	  .name = "quiet",
	  .letter = 'q',
	  AT(verbose),
	  .value = -1,
	  .help = "say less" },
	{ .kind = FG_OPT_LIST,
	  .name = "keep",
	  .arg = "REGEX",
	  .letter = 'k',
	  AT(keep),
	  .help = "only these" },
	{ .kind = FG_OPT_WORDS, .name = "words", AT(words) },
	{ .kind = FG_OPT_FLAG, .name = "old", AT(old), .help = LONG_HELP },
	{ .kind = FG_OPT_COUNTER, .name = "page-new", AT(page), .value = 1 },
	{ .kind = FG_OPT_COUNTER,
	  .name = "page-old",
	  AT(page),
	  .value = 2,
	  .older = true },
	{ .kind = FG_OPT_COUNTER, .name = "page-other", AT(page), .value = 3 },
	{ .kind = FG_OPT_COUNTER,
	  .name = "leaf-a",
	  AT(page),
	  .value = 4,
	  .older = true },
	{ .kind = FG_OPT_COUNTER,
	  .name = "leaf-b",
	  AT(page),
	  .value = 5,
	  .older = true },
	{ .kind = FG_OPT_FLAG, .name = "older", AT(old) },
	{ .kind = FG_OPT_COUNTER, .name = "sort-up", AT(sort), .value = 1 },
	{ .kind = FG_OPT_COUNTER, .name = "sort-down", AT(sort), .value = -1 },
	{ .kind = FG_OPT_SET, .name = "names", AT(page), .value = 7 },
	{ .kind = FG_OPT_SET, .name = "no-names", AT(page), .value = 8 },
	FG_OPT_END,
};

/* A command line and its result. */
struct run {
	struct options options;
	struct fg_opt_table tables[2];
	struct fg_cli cli;
	struct fg_out out;
	struct caught caught;
	enum fg_cli_result result;
};

#define WORDS_MAX 8

static void run_init(struct run *r, const char *const *words)
{
	const char *argv[WORDS_MAX + 2] = { "prog" };
	int argc = 1;

	memset(r, 0, sizeof(*r));
	for (; words[argc - 1]; argc++)
		argv[argc] = words[argc - 1];
	r->options.width = 1200;
	r->options.title = "default";
	r->options.colour = -7;
	r->tables[0] = (struct fg_opt_table){ rows, &r->options };
	r->tables[1] = (struct fg_opt_table){ more_rows, &r->options };
	r->cli.program = "prog";
	r->cli.usage = "[OPTION]... [FILE]...";
	r->cli.summary = "Does what it does.";
	r->cli.version = "1.2.3";
	r->cli.tables = r->tables;
	r->cli.table_count = 2;
	caught_init(&r->caught);
	fg_out_init_memory(&r->out);
	r->result = fg_cli_parse(&r->cli, argc, (char **)(uintptr_t)argv, &r->out,
				 &r->caught.diag);
}

static void run_release(struct run *r)
{
	for (size_t i = 0; i < r->cli.table_count; i++)
		fg_opts_release(r->tables[i].rows, r->tables[i].base);
	fg_opt_list_release(&r->cli.files);
	fg_out_close(&r->out);
	caught_release(&r->caught);
}

/* Appends the options that differ from the defaults. */
static void describe(const struct run *r, struct fg_buf *text)
{
	const struct options *o = &r->options;

	if (o->inverted)
		fg_buf_addf(text, "inverted ");
	if (o->verbose)
		fg_buf_addf(text, "verbose=%d ", o->verbose);
	if (strcmp(o->title, "default") != 0)
		fg_buf_addf(text, "title=%s ", o->title);
	if (o->width != 1200)
		fg_buf_addf(text, "width=%llu ", (unsigned long long)o->width);
	if (o->min > 0)
		fg_buf_addf(text, "min=%g ", o->min);
	if (o->colour != -7)
		fg_buf_addf(text, "colour=%d ", o->colour);
	if (o->old)
		fg_buf_addf(text, "old ");
	if (o->sort)
		fg_buf_addf(text, "sort=%d ", o->sort);
	if (o->page)
		fg_buf_addf(text, "page=%d ", o->page);
	for (size_t i = 0; i < o->keep.count; i++)
		fg_buf_addf(text, "keep=%s ", o->keep.items[i]);
	for (size_t i = 0; i < o->words.count; i++)
		fg_buf_addf(text, "word=%s ", o->words.items[i]);
	for (size_t i = 0; i < r->cli.files.count; i++)
		fg_buf_addf(text, "<%s>", r->cli.files.items[i]);
}

struct accepted {
	const char *words[WORDS_MAX];
	const char *want;
};

static void check_accepted(const struct accepted *row)
{
	struct fg_buf text = FG_BUF_INIT;
	struct run r;

	run_init(&r, row->words);
	describe(&r, &text);
	assert_str(fg_buf_str(&r.caught.text), "");
	assert_int_equal(r.result, FG_CLI_RUN);
	assert_str_is(fg_buf_str(&text), fg_str_from(row->want));
	assert_int_equal(r.out.buf.len, 0);
	fg_buf_release(&text);
	run_release(&r);
}

static const struct accepted accepted[] = {
	{ { NULL }, "" },
	{ { "a", "-", "b" }, "<a><-><b>" },
	{ { "" }, "<>" },
	{ { "a", "--inverted", "b" }, "inverted <a><b>" },
	{ { "-inverted" }, "inverted " },
	{ { "--inv" }, "inverted " },
	{ { "-INV" }, "inverted " },
	{ { "--Inverted" }, "inverted " },
	{ { "-i" }, "inverted " },
	{ { "--i" }, "inverted " },
	{ { "--title", "x" }, "title=x " },
	{ { "--title=x" }, "title=x " },
	{ { "-title=x=y" }, "title=x=y " },
	{ { "--title=" }, "title= " },
	{ { "--title", "--inverted" }, "title=--inverted " },
	{ { "--title", "--" }, "title=-- " },
	{ { "-t", "x" }, "title=x " },
	{ { "-tx" }, "title=x " },
	{ { "-t=x" }, "title=x " },
	{ { "--title", "x", "--title", "y" }, "title=y " },
	{ { "--width", "0" }, "width=0 " },
	{ { "--width=18446744073709551615" }, "width=18446744073709551615 " },
	{ { "-n", "5" }, "width=5 " },
	{ { "-n5" }, "width=5 " },
	{ { "-n=5" }, "width=5 " },
	{ { "--min", "0.5" }, "min=0.5 " },
	{ { "--min=1e2" }, "min=100 " },
	{ { "--colour", "dim" }, "colour=0 " },
	{ { "--color", "bright" }, "colour=1 " },
	{ { "--col", "bright" }, "colour=1 " },
	{ { "-v", "-v", "--verbose" }, "verbose=3 " },
	{ { "-vvq" }, "verbose=1 " },
	{ { "-ivi" }, "inverted verbose=1 " },
	{ { "-it", "x" }, "inverted title=x " },
	{ { "-vitx" }, "inverted verbose=1 title=x " },
	{ { "-vn=5" }, "verbose=1 width=5 " },
	{ { "-in5", "-v" }, "inverted verbose=1 width=5 " },
	{ { "--quiet" }, "verbose=-1 " },
	{ { "--keep", "a", "x", "-k", "b", "-kc", "--keep=d" },
	  "keep=a keep=b keep=c keep=d <x>" },
	{ { "--words", "a", "-", "--old", "b" }, "old word=a word=- <b>" },
	{ { "--words=a", "b", "--", "c" }, "word=a word=b <c>" },
	{ { "--old" }, "old " },
	{ { "--ol" }, "old " },
	{ { "--olde" }, "old " },
	{ { "--older" }, "old " },
	{ { "--page" }, "page=2 " },
	{ { "--page-o" }, "page=2 " },
	{ { "--page-n" }, "page=1 " },
	{ { "--page-other" }, "page=3 " },
	{ { "--sort-u" }, "sort=1 " },
	{ { "--names", "--no-names" }, "page=8 " },
	{ { "--no-names", "--no-n", "--names" }, "page=7 " },
	{ { "--", "--inverted", "-i", "--", "-" }, "<--inverted><-i><--><->" },
	{ { "-i", "--", "a" }, "inverted <a>" },
	{ { "a", "--", "--help" }, "<a><--help>" },
};

static void test_what_is_accepted(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(accepted); i++)
		check_accepted(&accepted[i]);
}

static void test_what_is_refused(void **state)
{
	static const struct {
		const char *words[WORDS_MAX];
		const char *message;
	} table[] = {
		{ { "--nothing" }, "unknown option '--nothing' (see prog --help)" },
		{ { "-nothing" }, "--width takes a whole number, not 'othing'" },
		{ { "-x" }, "unknown option '-x' (see prog --help)" },
		{ { "-ix" }, "unknown option '-ix' (see prog --help)" },
		{ { "-it" }, "--title needs an argument" },
		{ { "-inx" }, "--width takes a whole number, not 'x'" },
		{ { "-ixn5" }, "unknown option '-ixn5' (see prog --help)" },
		{ { "-5" }, "unknown option '-5' (see prog --help)" },
		{ { "---inverted" }, "unknown option '---inverted' (see prog --help)" },
		{ { "--invertedly" },
		  "unknown option '--invertedly' (see prog --help)" },
		{ { "--ver" }, "ambiguous option '--ver' (see prog --help)" },
		{ { "--v" }, "ambiguous option '--v' (see prog --help)" },
		{ { "--leaf" }, "ambiguous option '--leaf' (see prog --help)" },
		{ { "--sort" }, "ambiguous option '--sort' (see prog --help)" },
		{ { "--=x" }, "ambiguous option '--=x' (see prog --help)" },
		{ { "--inverted=1" }, "--inverted takes no argument" },
		{ { "-i=1" }, "--inverted takes no argument" },
		{ { "--verbose=" }, "--verbose takes no argument" },
		{ { "--title" }, "--title needs an argument" },
		{ { "--words" }, "--words needs an argument" },
		{ { "a", "-t" }, "--title needs an argument" },
		{ { "--width", "" }, "--width takes a whole number, not ''" },
		{ { "--width=" }, "--width takes a whole number, not ''" },
		{ { "--width", "-1" }, "--width takes a whole number, not '-1'" },
		{ { "--width", "1.5" }, "--width takes a whole number, not '1.5'" },
		{ { "--width", "18446744073709551616" },
		  "--width takes a whole number, not '18446744073709551616'" },
		{ { "--min", "x" }, "--minimum-of-all-widths takes a number, not 'x'" },
		{ { "--min", "-1" },
		  "--minimum-of-all-widths takes a number, not '-1'" },
		{ { "--min", "nan" },
		  "--minimum-of-all-widths takes a number, not 'nan'" },
		{ { "--colour", "dark" },
		  "--colour takes one of dim, bright, not 'dark'" },
		{ { "--colour", "di" }, "--colour takes one of dim, bright, not 'di'" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct fg_buf want = FG_BUF_INIT;
		struct run r;

		run_init(&r, table[i].words);
		fg_buf_addf(&want, "prog: %s\n", table[i].message);
		assert_str_is(fg_buf_str(&r.caught.text), fg_buf_str(&want));
		assert_int_equal(r.result, FG_CLI_USAGE);
		assert_int_equal(r.out.buf.len, 0);
		fg_buf_release(&want);
		run_release(&r);
	}
}

static void test_a_refused_value_is_not_stored(void **state)
{
	static const char *const words[] = { "--width", "7x", NULL };
	struct run r;

	(void)state;
	run_init(&r, words);
	assert_int_equal(r.options.width, 1200);
	run_release(&r);
}

#define HELP                                                                      \
	"Usage: prog [OPTION]... [FILE]...\n"                                     \
	"Does what it does.\n"                                                    \
	"\n"                                                                      \
	"Picture:\n"                                                              \
	"  -i, --inverted              draw icicles\n"                            \
	"  -t, --title TEXT            what is written on top\n"                  \
	"  -n, --width N               how wide\n"                                \
	"      --minimum-of-all-widths PIXELS\n"                                  \
	"                              how narrow\n"                              \
	"      --colour NAME           how bright\n"                              \
	"\n"                                                                      \
	"More:\n"                                                                 \
	"  -v, --verbose               say more\n"                                \
	"  -q, --quiet                 say less\n"                                \
	"  -k, --keep REGEX            only these\n"                              \
	"      --old                   " HELP_1 "\n"                              \
	"                              " HELP_2 "\n"                              \
	"                              " HELP_3 "\n"                              \
	"\n"                                                                      \
	"Other:\n"                                                                \
	"  -o, --output FILE           write to FILE (default standard output)\n" \
	"  -h, --help                  show this help\n"                          \
	"  -V, --version               show the version\n"

static void test_help_and_version(void **state)
{
	static const struct {
		const char *words[WORDS_MAX];
		struct fg_str want;
	} table[] = {
		{ { "--help" }, FG_STR_INIT(HELP) },
		{ { "-help" }, FG_STR_INIT(HELP) },
		{ { "-h" }, FG_STR_INIT(HELP) },
		{ { "--he" }, FG_STR_INIT(HELP) },
		{ { "-hh" }, FG_STR_INIT(HELP) },
		{ { "-hV" }, FG_STR_INIT(HELP) },
		{ { "-vh" }, FG_STR_INIT(HELP) },
		{ { "a", "-h", "--nothing" }, FG_STR_INIT(HELP) },
		{ { "--version" }, FG_STR_INIT("prog (flamepipe) 1.2.3\n") },
		{ { "-V", "--help" }, FG_STR_INIT("prog (flamepipe) 1.2.3\n") },
		{ { "--vers" }, FG_STR_INIT("prog (flamepipe) 1.2.3\n") },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct run r;

		run_init(&r, table[i].words);
		assert_int_equal(r.result, FG_CLI_DONE);
		assert_str(fg_buf_str(&r.caught.text), "");
		assert_str_is(fg_buf_str(&r.out.buf), table[i].want);
		run_release(&r);
	}
}

static void test_a_footer_comes_last(void **state)
{
	char *argv[] = { (char[]){ "prog" }, (char[]){ "-h" }, NULL };
	struct fg_cli cli = { .program = "prog",
			      .usage = "",
			      .summary = "S.",
			      .footer = "The end.",
			      .version = "1" };
	struct caught c;
	struct fg_out out;

	(void)state;
	caught_init(&c);
	fg_out_init_memory(&out);
	assert_int_equal(fg_cli_parse(&cli, 2, argv, &out, &c.diag), FG_CLI_DONE);
	assert_true(fg_str_ends(fg_buf_str(&out.buf),
				FG_STR("show the version\n\nThe end.\n")));
	fg_out_close(&out);
	caught_release(&c);
}

/* Not even the option of an older script, which usually wins over new ones. */
static void test_an_empty_word_abbreviates_no_option(void **state)
{
	static const struct fg_opt lone[] = {
		{ .kind = FG_OPT_FLAG, .name = "old", .older = true },
		FG_OPT_END,
	};
	char *argv[] = { (char[]){ "prog" }, (char[]){ "--=" }, NULL };
	bool old = false;
	struct fg_opt_table table = { lone, &old };
	struct fg_cli cli = { .program = "prog", .tables = &table, .table_count = 1 };
	struct caught c;
	struct fg_out out;

	(void)state;
	caught_init(&c);
	fg_out_init_memory(&out);
	assert_int_equal(fg_cli_parse(&cli, 2, argv, &out, &c.diag), FG_CLI_USAGE);
	assert_str(fg_buf_str(&c.text),
		   "prog: ambiguous option '--=' (see prog --help)\n");
	fg_out_close(&out);
	caught_release(&c);
}

static void test_no_words_at_all(void **state)
{
	char *argv[] = { NULL };
	struct fg_cli cli = { .program = "prog" };
	struct caught c;
	struct fg_out out;

	(void)state;
	caught_init(&c);
	fg_out_init_memory(&out);
	assert_int_equal(fg_cli_parse(&cli, 0, argv, &out, &c.diag), FG_CLI_RUN);
	assert_int_equal(cli.files.count, 0);
	fg_out_close(&out);
	caught_release(&c);
}

/* A program that takes a command, like flame(1). */
struct command_options {
	bool all;
	const char *root;
	const char *output;
	struct fg_opt_list draw;
	struct fg_opt_list collapse;
};

#define COMMAND_AT(field) .offset = offsetof(struct command_options, field)

static const struct fg_opt command_rows[] = {
	{ .kind = FG_OPT_FLAG,
	  .name = "all",
	  .letter = 'a',
	  COMMAND_AT(all),
	  .help = "everything" },
	{ .kind = FG_OPT_MAYBE,
	  .name = "root",
	  .letter = 'r',
	  .arg = "COMMAND",
	  COMMAND_AT(root),
	  .help = "as root" },
	{ .kind = FG_OPT_TEXT,
	  .name = "output",
	  .letter = 'o',
	  .arg = "FILE",
	  COMMAND_AT(output),
	  .help = "the picture" },
	{ .kind = FG_OPT_REST,
	  .name = "draw",
	  .arg = "OPTION...",
	  COMMAND_AT(draw),
	  .help = "pass on" },
	{ .kind = FG_OPT_REST,
	  .name = "collapse",
	  .arg = "OPTION...",
	  COMMAND_AT(collapse),
	  .help = "pass on" },
	FG_OPT_END,
};

/*
 * Reads a command line, and appends the options that were given to `text` or, after
 * --help, the help.
 */
static void read_command(const char *const *words, struct fg_buf *text)
{
	const char *argv[WORDS_MAX + 2] = { "prog" };
	struct command_options o = { .all = false };
	struct fg_opt_table table = { command_rows, &o };
	struct fg_cli cli = { .program = "prog",
			      .usage = "",
			      .summary = "S.",
			      .tables = &table,
			      .table_count = 1,
			      .takes_command = true };
	struct caught c;
	struct fg_out out;
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = words[argc - 1];
	caught_init(&c);
	fg_out_init_memory(&out);
	fg_cli_parse(&cli, argc, (char **)(uintptr_t)argv, &out, &c.diag);
	fg_buf_add_str(text, fg_buf_str(&out.buf));
	fg_buf_add_str(text, fg_buf_str(&c.text));
	fg_buf_addf(text, "%s", o.all ? "all " : "");
	if (o.root)
		fg_buf_addf(text, "root=%s ", o.root);
	if (o.output)
		fg_buf_addf(text, "output=%s ", o.output);
	for (size_t i = 0; i < o.draw.count; i++)
		fg_buf_addf(text, "draw=%s ", o.draw.items[i]);
	for (size_t i = 0; i < o.collapse.count; i++)
		fg_buf_addf(text, "collapse=%s ", o.collapse.items[i]);
	for (size_t i = 0; i < cli.files.count; i++)
		fg_buf_addf(text, "<%s>", cli.files.items[i]);
	fg_opts_release(command_rows, &o);
	fg_opt_list_release(&cli.files);
	fg_out_close(&out);
	caught_release(&c);
}

static void test_a_program_that_takes_a_command(void **state)
{
	static const struct accepted table[] = {
		{ { "-a", "ls", "-a", "--help" }, "all <ls><-a><--help>" },
		{ { "-", "--root" }, "<-><--root>" },
		{ { "-a", "--", "ls", "--" }, "all <ls><-->" },
		{ { "--", "--", "-a" }, "<--><-a>" },
		{ { "--root", "ls" }, "root= <ls>" },
		{ { "--root=doas", "ls" }, "root=doas <ls>" },
		{ { "--root=", "-a" }, "all root= " },
		{ { "-ar", "-a" }, "all root= " },
		{ { "-ardoas" }, "all root=doas " },
		{ { "-r=doas" }, "root=doas " },
		{ { "--draw", "-a", "x", "--all", "--", "ls" },
		  "draw=-a draw=x draw=--all <ls>" },
		{ { "--draw", "-a", "--collapse", "-a", "--draw", "b" },
		  "draw=-a draw=b collapse=-a " },
		{ { "--draw", "--coll", "--draw=", "--output" },
		  "draw=--coll draw=--draw= draw=--output " },
		{ { "--draw", "--", "ls" }, "<ls>" },
		{ { "--draw=x", "y" }, "draw=x draw=y " },
		{ { "-o", "x", "-oy" }, "output=y " },
		{ { "--out=x" }, "output=x " },
		{ { "--root=x", "-b" },
		  "prog: unknown option '-b' (see prog --help)\nroot=x " },
		{ { "--help" },
		  "Usage: prog \nS.\n"
		  "  -a, --all                   everything\n"
		  "  -r, --root[=COMMAND]        as root\n"
		  "  -o, --output FILE           the picture\n"
		  "      --draw OPTION...        pass on\n"
		  "      --collapse OPTION...    pass on\n"
		  "\nOther:\n"
		  "  -h, --help                  show this help\n"
		  "  -V, --version               show the version\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct fg_buf text = FG_BUF_INIT;

		read_command(table[i].words, &text);
		assert_str_is(fg_buf_str(&text), fg_str_from(table[i].want));
		fg_buf_release(&text);
	}
}

/* A program like cargo-flame(1), which passes the options of command_rows on. */
struct passing_options {
	bool plain;
	struct fg_opt_list unit;
};

#define PASSING_AT(field) .offset = offsetof(struct passing_options, field)

static const struct fg_opt passing_rows[] = {
	{ .kind = FG_OPT_FLAG,
	  .name = "plain",
	  .letter = 'p',
	  PASSING_AT(plain),
	  .help = "plainly" },
	{ .kind = FG_OPT_MAYBE_NEXT,
	  .name = "unit",
	  .letter = 'u',
	  .arg = "NAME",
	  PASSING_AT(unit),
	  .help = "a unit" },
	FG_OPT_END,
};

/*
 * Reads a command line of that program. Appends its own options to `text`, then those
 * that it passes on, then the arguments.
 */
static void read_passing(const char *const *words, struct fg_buf *text)
{
	const char *argv[WORDS_MAX + 2] = { "prog" };
	struct passing_options own = { .plain = false };
	struct command_options other = { .all = false };
	struct fg_opt_table tables[] = { { passing_rows, &own },
					 { command_rows, &other } };
	struct fg_opt_given_list given = { .items = NULL };
	struct fg_cli cli = { .program = "prog",
			      .called = "my prog",
			      .usage = "",
			      .summary = "S.",
			      .tables = tables,
			      .table_count = 2,
			      .takes_command = true,
			      .passed_on = &given };
	struct caught c;
	struct fg_out out;
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = words[argc - 1];
	caught_init(&c);
	fg_out_init_memory(&out);
	fg_cli_parse(&cli, argc, (char **)(uintptr_t)argv, &out, &c.diag);
	fg_buf_add_str(text, fg_buf_str(&out.buf));
	fg_buf_add_str(text, fg_buf_str(&c.text));
	fg_buf_addf(text, "%s%s", own.plain ? "plain " : "", other.all ? "all " : "");
	for (size_t i = 0; i < own.unit.count; i++)
		fg_buf_addf(text, "unit=%s ", own.unit.items[i]);
	for (size_t i = 0; i < given.count; i++)
		fg_buf_addf(text, "[%s %s]", given.items[i].row->name,
			    given.items[i].value ? given.items[i].value : "-");
	fg_buf_addf(text, "%s", cli.has_dashes ? " --" : "");
	for (size_t i = 0; i < cli.files.count; i++)
		fg_buf_addf(text, "<%s>", cli.files.items[i]);
	fg_opts_release(passing_rows, &own);
	fg_opts_release(command_rows, &other);
	fg_opt_given_list_release(&given);
	fg_opt_list_release(&cli.files);
	fg_out_close(&out);
	caught_release(&c);
}

static void test_options_that_are_passed_on(void **state)
{
	static const struct accepted table[] = {
		{ { "-p", "-a" }, "plain all [all -]" },
		{ { "-pao", "x", "--root", "-rdoas" },
		  "plain all [all -][output x][root ][root doas]" },
		{ { "--out=x", "ls", "-a" }, "[output x]<ls><-a>" },
		{ { "--draw", "-a", "b", "--collapse=c", "d", "--", "ls" },
		  "[draw -][draw -a][draw b][draw --collapse=c][draw d] --<ls>" },
		{ { "--draw", "-a", "--collapse", "c", "--" },
		  "[draw -][draw -a][collapse -][collapse c] --" },
		{ { "--unit" }, "unit= " },
		{ { "--unit", "x", "y" }, "unit=x <y>" },
		{ { "--unit=x", "y" }, "unit=x <y>" },
		{ { "--unit", "-a", "-u", "--", "y" },
		  "all unit= unit= [all -] --<y>" },
		{ { "-u", "x", "-uy", "-u=", "" }, "unit=x unit=y unit= <>" },
		{ { "--unit", "" }, "unit= <>" },
		{ { "ls", "--" }, "<ls><-->" },
		{ { "--bad" }, "prog: unknown option '--bad' (see my prog --help)\n" },
		{ { "--help" },
		  "Usage: my prog \nS.\n"
		  "  -p, --plain                 plainly\n"
		  "  -u, --unit [NAME]           a unit\n"
		  "\nOther:\n"
		  "  -h, --help                  show this help\n"
		  "  -V, --version               show the version\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct fg_buf text = FG_BUF_INIT;

		read_passing(table[i].words, &text);
		assert_str_is(fg_buf_str(&text), fg_str_from(table[i].want));
		fg_buf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_accepted),
		cmocka_unit_test(test_what_is_refused),
		cmocka_unit_test(test_a_refused_value_is_not_stored),
		cmocka_unit_test(test_help_and_version),
		cmocka_unit_test(test_a_footer_comes_last),
		cmocka_unit_test(test_an_empty_word_abbreviates_no_option),
		cmocka_unit_test(test_no_words_at_all),
		cmocka_unit_test(test_a_program_that_takes_a_command),
		cmocka_unit_test(test_options_that_are_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
