/*
 * Tests of flame's command line: what belongs to the command, and what fits together.
 */
#include <unistd.h>

#include "flame/options.h"
#include "tests/unit/support/support.h"

#define WORDS_MAX 12

/* Reads a command line, and appends what it means, or the message. */
static void read_line(const char *const *words, struct fg_buf *text)
{
	static const char *const modes[] = { "command", "pids",	    "all",
					     "custom",	"perfdata", "compare" };
	const char *argv[WORDS_MAX + 2] = { "flame" };
	struct fg_flame_options o;
	struct caught c;
	struct fg_out out;
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = words[argc - 1];
	caught_init(&c);
	fg_out_init_memory(&out);
	if (fg_flame_options_read(&o, argc, (char **)(uintptr_t)argv, &out, &c.diag) ==
	    FG_CLI_RUN) {
		fg_buf_addf(text, "%s", modes[o.mode]);
		for (size_t i = 0; i < o.command.count; i++)
			fg_buf_addf(text, " <%s>", o.command.items[i]);
		fg_buf_addf(text, " -o %s", o.output);
		if (o.perfdata)
			fg_buf_addf(text, " perfdata=%s", o.perfdata);
		if (o.root)
			fg_buf_addf(text, " root=%s", o.root);
		for (size_t i = 0; i < o.collapse.count; i++)
			fg_buf_addf(text, " collapse=%s", o.collapse.items[i]);
		for (size_t i = 0; i < o.draw.count; i++)
			fg_buf_addf(text, " draw=%s", o.draw.items[i]);
	}
	fg_buf_add_str(text, fg_buf_str(&c.text));
	fg_flame_options_release(&o);
	fg_out_close(&out);
	caught_release(&c);
}

struct line {
	const char *words[WORDS_MAX];
	const char *want;
};

static void check(const struct line *line)
{
	struct fg_buf text = FG_BUF_INIT;

	read_line(line->words, &text);
	assert_has(fg_buf_str(&text), line->want);
	fg_buf_release(&text);
}

static void test_command_lines(void **state)
{
	static const struct line table[] = {
		{ { "ls", "-a", "--wall" },
		  "command <ls> <-a> <--wall> -o flamegraph.svg" },
		{ { "-o", "x", "--", "ls", "--" }, "command <ls> <--> -o x" },
		{ { "--root", "ls" }, "command <ls> -o flamegraph.svg root=" },
		{ { "--root=doas", "-a" }, "all -o flamegraph.svg root=doas" },
		{ { "--collapse", "--tid", "--draw", "--cp", "-o", "--", "ls" },
		  "command <ls> -o flamegraph.svg collapse=--tid draw=--cp draw=-o" },
		{ { "-ad5" }, "all -o flamegraph.svg" },
		{ { "-p41,42" }, "pids -o flamegraph.svg" },
		{ { "-c", "record -a" }, "custom -o flamegraph.svg" },
		{ { "--perfdata", "x" }, "perfdata -o flamegraph.svg perfdata=x" },
		{ { "compare", "--runs", "3", "a b", "-o", "x", "c" },
		  "compare <a b> <c> -o x" },
		{ { "-q", "compare", "--", "a", "-b" },
		  "compare <a> <-b> -o diff.svg" },
		{ { "--", "compare", "a" }, "command <compare> <a> -o flamegraph.svg" },
		{ { "--diff", "old", "ls" }, "command <ls> -o diff.svg" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++)
		check(&table[i]);
}

static void test_a_file_after_diff_is_the_new_profile(void **state)
{
	struct folder f;
	struct fg_buf file = FG_BUF_INIT, script = FG_BUF_INIT;

	(void)state;
	folder_init(&f);
	fg_buf_addf(&file, "%s", folder_write(&f, "new.svg", FG_STR("<svg>")));
	fg_buf_addf(&script, "%s", folder_write(&f, "script", FG_STR("#!/bin/sh\n")));
	check(&(struct line){ { "--diff", "old", fg_buf_cstr(&file), "-o", "x" },
			      "perfdata -o x perfdata=" });
	check(&(struct line){ { "--diff", "old", "--", fg_buf_cstr(&file) },
			      "command <" });
	check(&(struct line){ { "--diff", "old", fg_buf_cstr(&script) }, "command <" });
	check(&(struct line){ { fg_buf_cstr(&file) }, "command <" });
	check(&(struct line){
		{ "--diff", "old", fg_buf_cstr(&file), "true" },
		"--perfdata records nothing: it goes without a command" });
	folder_release(&f);
	fg_buf_release(&file);
	fg_buf_release(&script);
}

static void test_wrong_lines(void **state)
{
	static const struct line table[] = {
		{ { NULL }, "there is nothing to record" },
		{ { "-p", "1", "true" }, "-p records what runs already" },
		{ { "-p1,,2" }, "--pid takes a number, or several" },
		{ { "-F0", "x" }, "--freq takes a number from 1 on, not '0'" },
		{ { "-d1.2.3", "x" }, "--duration takes a number, not '1.2.3'" },
		{ { "-z=x", "x" }, "--compression-level takes a number" },
		{ { "--call-graph", "orc", "x" }, "takes fp, dwarf or lbr, not 'orc'" },
		{ { "--call-graph", "dwarf,0", "x" }, "takes dwarf,BYTES" },
		{ { "--call-graph", "dwarf,", "x" }, "takes dwarf,BYTES" },
		{ { "-o", "", "x" }, "--output takes a file, not ''" },
		{ { "-F9", "-c", "record", "x" }, "-F, -e and -z do not go with it" },
		{ { "--wall", "--off-cpu", "x" }, "--wall has what --off-cpu shows" },
		{ { "--ignore-idle", "x" }, "--ignore-idle is for --wall" },
		{ { "--ignore-root", "1", "x" }, "--ignore-root is for --diff" },
		{ { "--flamechart", "--reverse", "x" }, "--flamechart goes without" },
		{ { "compare", "a" }, "compare takes two commands" },
		{ { "compare", "a", "b", "c" }, "quote one that has arguments: 'c'" },
		{ { "compare", "--runs=1", "a", "b" }, "--runs takes a number from 2" },
		{ { "compare", "-a", "a", "b" }, "compare runs two commands" },
		{ { "--perfdata", "x", "-F9" }, "without -F, -e, -c and -z" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++)
		check(&table[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command_lines),
		cmocka_unit_test(test_a_file_after_diff_is_the_new_profile),
		cmocka_unit_test(test_wrong_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
