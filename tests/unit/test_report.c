/* Tests of reportfolded: functions, callers and callees against an oracle; names. */
#include <stdlib.h>

#include "reportfolded/names.h"
#include "reportfolded/read.h"
#include "reportfolded/report.h"
#include "tests/unit/support/support.h"

#define STACKS 40
#define DEPTH_MAX 6
#define NAMES 4 /* "a" to "d", so that there is much recursion */

/* A stack of names from 0 to NAMES - 1, root first. */
struct stack {
	size_t depth;
	char names[DEPTH_MAX];
	uint64_t counts[2];
};

struct fixture {
	struct caught caught;
	struct fg_report_options options;
	struct fg_report report;
	struct stack stacks[STACKS];
};

static void make_stacks(struct fixture *f, struct random *random, struct fg_buf *text)
{
	for (size_t i = 0; i < STACKS; i++) {
		struct stack *s = &f->stacks[i];

		s->depth = 1 + random_below(random, DEPTH_MAX);
		for (size_t j = 0; j < s->depth; j++) {
			s->names[j] = (char)random_below(random, NAMES);
			fg_buf_addf(text, "%s%c", j ? ";" : "", 'a' + s->names[j]);
		}
		for (unsigned j = 0; j < 2; j++)
			s->counts[j] = random_below(random, 20);
		s->counts[FG_AFTER]++;
		fg_buf_addf(text, " %u %u\n", (unsigned)s->counts[FG_BEFORE],
			    (unsigned)s->counts[FG_AFTER]);
	}
}

static void read_profile(struct fixture *f, struct fg_str text)
{
	struct fg_reader *reader =
		fg_reader_open_memory(text, "input", &f->caught.diag);

	assert_int_equal(
		fg_report_read(&f->report.profile, false, reader, &f->caught.diag), 0);
	fg_reader_close(reader);
}

static void set_up(struct fixture *f)
{
	caught_init(&f->caught);
	fg_report_options_init(&f->options);
	f->report =
		(struct fg_report){ .options = &f->options, .diag = &f->caught.diag };
}

static void tear_down(struct fixture *f)
{
	fg_functions_release(&f->report.functions);
	fg_columns_release(&f->report.calls);
	fg_columns_release(&f->report.profile);
	fg_report_options_release(&f->options);
	caught_release(&f->caught);
}

/* Returns the first index of `name` from the root, or the depth. */
static size_t outermost(const struct stack *s, char name)
{
	size_t i = 0;

	while (i < s->depth && s->names[i] != name)
		i++;
	return i;
}

static void check_function(const struct fixture *f, const struct fg_function *function)
{
	char name =
		fg_intern_name(&f->report.profile.tree.names, function->name).ptr[0] -
		'a';

	for (unsigned column = 0; column < 2; column++) {
		uint64_t self = 0, total = 0;

		for (size_t i = 0; i < STACKS; i++) {
			const struct stack *s = &f->stacks[i];

			if (s->names[s->depth - 1] == name)
				self += s->counts[column];
			if (outermost(s, name) < s->depth)
				total += s->counts[column];
		}
		assert_int_equal(function->self[column], self);
		assert_int_equal(function->total[column], total);
	}
}

static void functions(void **state)
{
	struct random random = { 5 };

	(void)state;
	for (unsigned run = 0; run < 100; run++) {
		struct fixture f;
		struct fg_buf text = FG_BUF_INIT;

		set_up(&f);
		make_stacks(&f, &random, &text);
		read_profile(&f, fg_buf_str(&text));
		assert_int_equal(f.report.profile.columns, 2);
		fg_functions_init(&f.report.functions, &f.report.profile);
		for (size_t i = 0; i < f.report.functions.count; i++)
			check_function(&f, &f.report.functions.items[i]);
		fg_buf_release(&text);
		tear_down(&f);
	}
}

/* Returns the frame that `path` leads to, or 0. Its names are 'a' and so on. */
static uint32_t find(const struct fg_tree *t, struct fg_str path)
{
	uint32_t node = 0;

	for (size_t i = 0; i < path.len; i++) {
		uint32_t child = t->nodes[node].first;

		while (child != FG_TREE_NONE &&
		       fg_intern_name(&t->names, t->nodes[child].name).ptr[0] !=
			       path.ptr[i])
			child = t->nodes[child].next;
		if (child == FG_TREE_NONE)
			return 0;
		node = child;
	}
	return node;
}

/* Adds the counts that a stack has on that path, starting at a match. */
static void add_path(const struct stack *s, struct fg_str path, bool callers,
		     uint64_t *sums)
{
	size_t start = outermost(s, (char)(path.ptr[0] - 'a'));

	if (start == s->depth)
		return;
	for (size_t i = 0; i < path.len; i++) {
		size_t at = callers ? start - i : start + i;

		if (callers ? i > start : at >= s->depth)
			return;
		if (s->names[at] != path.ptr[i] - 'a')
			return;
	}
	for (unsigned column = 0; column < 2; column++)
		sums[column] += s->counts[column];
}

/* Checks all paths of up to three frames that start with a match, "a" or "b". */
static void check_paths(const struct fixture *f, bool callers)
{
	const struct fg_columns *p = &f->report.calls;

	for (unsigned n = 0; n < 2 * NAMES * NAMES; n++) {
		char path[] = { (char)('a' + n % 2), (char)('a' + n / 2 % NAMES),
				(char)('a' + n / 2 / NAMES) };

		for (size_t len = 1; len <= 3; len++) {
			uint64_t sums[2] = { 0, 0 }, got[2] = { 0, 0 };
			uint32_t node = find(&p->tree, fg_str_of(path, len));

			for (size_t i = 0; i < STACKS; i++)
				add_path(&f->stacks[i], fg_str_of(path, len), callers,
					 sums);
			if (node)
				fg_columns_total(p, node, got);
			assert_int_equal(got[FG_BEFORE], sums[FG_BEFORE]);
			assert_int_equal(got[FG_AFTER], sums[FG_AFTER]);
		}
	}
}

static void calls(void **state)
{
	struct random random = { 11 };

	(void)state;
	for (unsigned run = 0; run < 100; run++) {
		bool callers = run % 2;
		struct fixture f;
		struct fg_buf text = FG_BUF_INIT;

		set_up(&f);
		f.options.given.callers = callers ? "^[ab]$" : NULL;
		f.options.given.callees = callers ? NULL : "^[ab]$";
		f.options.given.depth = run % 3 ? "2" : NULL;
		assert_int_equal(fg_report_options_check(&f.options, &f.caught.diag),
				 0);
		f.report.kind = f.options.kind;
		make_stacks(&f, &random, &text);
		read_profile(&f, fg_buf_str(&text));
		assert_int_equal(fg_report_calls(&f.report, &f.report.calls), 0);
		check_paths(&f, callers);
		fg_buf_release(&text);
		tear_down(&f);
	}
}

static void limits_as_text(void **state)
{
	double percent;

	(void)state;
	assert_int_equal(fg_report_percent(FG_STR("3%"), &percent), 0);
	assert_true(percent == 3);
	assert_int_equal(fg_report_percent(FG_STR("+0.5"), &percent), 0);
	assert_true(percent == 0.5);
	assert_int_equal(fg_report_percent(FG_STR("-3%"), &percent), -1);
	assert_int_equal(fg_report_percent(FG_STR("+-3%"), &percent), -1);
	assert_int_equal(fg_report_percent(FG_STR("%"), &percent), -1);
	assert_int_equal(fg_report_percent(FG_STR(""), &percent), -1);
	assert_int_equal(fg_report_percent(FG_STR("3%%"), &percent), -1);
}

static void check_name(const char *name, enum fg_report_format format, const char *want)
{
	struct fg_buf b = FG_BUF_INIT;

	fg_report_add_name(&b, fg_str_from(name), format);
	assert_str_is(fg_buf_str(&b), fg_str_from(want));
	fg_buf_release(&b);
}

static void names(void **state)
{
	(void)state;
	check_name("std::f<int>", FG_REPORT_TEXT, "std::f<int>");
	check_name("std::f<int>", FG_REPORT_MARKDOWN, "`std::f<int>`");
	check_name("std::f<int>", FG_REPORT_JSON, "std::f\\u003cint>");
	check_name("a|b", FG_REPORT_MARKDOWN, "<code>a&#124;b</code>");
	check_name("a`b_c", FG_REPORT_MARKDOWN, "<code>a&#96;b&#95;c</code>");
	check_name(" a", FG_REPORT_MARKDOWN, "<code>&#32;a</code>");
	check_name("", FG_REPORT_MARKDOWN, "<code></code>");
	check_name("a\tb\\n", FG_REPORT_TSV, "a\\tb\\\\n");
	check_name("a\tb\\n", FG_REPORT_TEXT, "a\\x09b\\n");
	check_name("\"\\\x01", FG_REPORT_JSON, "\\\"\\\\\\u0001");
	check_name("\xff\xc3\xa9", FG_REPORT_TEXT, "\\xff\xc3\xa9");
	check_name("\xff\xc3\xa9", FG_REPORT_JSON, "\xef\xbf\xbd\xc3\xa9");
	check_name("\xe2\x80\xae", FG_REPORT_TEXT, "\\xe2\\x80\\xae");
	check_name("\xe2\x80\xae", FG_REPORT_JSON, "\\u202e");
	check_name("\xc2\x9b", FG_REPORT_TSV, "\\xc2\\x9b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions),
		cmocka_unit_test(calls),
		cmocka_unit_test(limits_as_text),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
