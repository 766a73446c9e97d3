/*
 * Tests that the fast path for frame lines of perf script (block.c) gives the same
 * stacks as the function that reads any line (lines.c), for lines of random parts.
 */
#include <string.h>

#include "collapse/formats/perf/text/block.h"
#include "collapse/formats/perf/text/lines.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/sink_internal.h"
#include "tests/unit/support/support.h"

#define ROUNDS 3000

/* A frame line is made of one part of each list. */
static const char *const starts[] = { "\t", "\t", "\t", "\t", "\t\t", " ", "        " };
static const char *const addresses[] = {
	"    7f0011223344", "ffffffff81001234", "               1",	"deadbeef",
	"ffffffffffffffff", "    7F0011223344", "    7f00112233440011",
};
static const char *const spaces[] = { " ", " ", " ", "  ", "\t", "" };
static const char *const symbols[] = {
	"main+0x12",
	"[unknown]",
	"std::map<int, int>::find(int const&) const+0xf",
	"operator()",
	"f(void (*)(int))+0x1",
	"LazyCompile:*run app (2).js:12",
	"a::b->c::d",
	"'quoted'",
	"\"\"",
	"_start",
	"clone3+0x2",
	"(anonymous namespace)::g",
	"+0x12",
	"x+0x",
	"[vdso]",
	"",
};
static const char *const dsos[] = {
	" (/usr/lib/libc.so.6)",
	" ([kernel.kallsyms])",
	" (/tmp/perf-12.map)",
	" ([unknown])",
	" (inlined)",
	" (/a b (c)/d)",
	" (/usr/lib/x.so+0x12)",
	" ()",
	" (/cut",
	"",
	" (//anon)",
	" (/x (deleted))",
};

#define PICK(r, array) ((array)[random_below((r), COUNT_OF(array))])

static void add_sample(struct random *r, struct fg_buf *text)
{
	fg_buf_addf(text, "%s 12/13 [000] 1.%06d: 1 cycles: \n",
		    random_below(r, 4) ? "app" : "java", (int)random_below(r, 1000000));
	for (uint64_t n = random_below(r, 6); n; n--)
		fg_buf_addf(text, "%s%s%s%s%s\n", PICK(r, starts), PICK(r, addresses),
			    PICK(r, spaces), PICK(r, symbols), PICK(r, dsos));
	fg_buf_addf(text, "\n");
}

/* Reads the text like format->block. */
static void read_fast(struct perf *p, struct fg_str text)
{
	perf_block(p, text);
}

static void read_lines(struct perf *p, struct fg_str text)
{
	while (text.len) {
		p->at->line++;
		p->line(p, fg_str_cut(&text, '\n'));
	}
}

static void collapse(struct fg_str text, const struct perf_options *options,
		     void (*read)(struct perf *p, struct fg_str text),
		     struct fg_buf *result)
{
	const struct fg_format *format = &fg_format_perf;
	struct fg_collapse c;
	struct caught caught;
	struct fg_out out;
	struct perf *p;

	caught_init(&caught);
	fg_out_init_memory(&out);
	fg_collapse_init(&c, format, "prog");
	memcpy(c.own, options, sizeof(*options));
	assert_int_equal(fg_collapse_check(&c, &caught.diag), 0);
	p = format->open(c.sink, &c);
	read(p, text);
	format->end_input(p);
	format->finish(p);
	format->close(p);
	fg_sink_write(c.sink, &out);
	fg_buf_add_str(result, fg_buf_str(&out.buf));
	fg_buf_addf(result, "%d chains, %d malformed lines, line %d\n",
		    (int)fg_sink_tally(c.sink)->chains,
		    (int)fg_sink_tally(c.sink)->malformed,
		    (int)fg_sink_at(c.sink)->line);
	fg_buf_add_str(result, fg_buf_str(&caught.text));
	fg_out_close(&out);
	fg_collapse_release(&c);
	caught_release(&caught);
}

static void check(struct random *r, const struct perf_options *options)
{
	char padding[FG_READER_PADDING] = { 0 };
	struct fg_buf text = FG_BUF_INIT, fast = FG_BUF_INIT, slow = FG_BUF_INIT;
	struct fg_str bytes;

	fg_buf_add(&text, padding, sizeof(padding));
	for (uint64_t n = 1 + random_below(r, 4); n; n--)
		add_sample(r, &text);
	fg_buf_add(&text, padding, sizeof(padding));
	bytes = fg_str_of(text.ptr + sizeof(padding), text.len - 2 * sizeof(padding));
	collapse(bytes, options, read_fast, &fast);
	collapse(bytes, options, read_lines, &slow);
	assert_str_is(fg_buf_str(&fast), fg_buf_str(&slow));
	fg_buf_release(&text);
	fg_buf_release(&fast);
	fg_buf_release(&slow);
}

static void both_paths_read_the_same(void **state)
{
	static const struct perf_options options[] = {
		{ .kernel = false },
		{ .kernel = true, .jit = true },
		{ .addrs = true },
		{ .dso = true },
		{ .raw_names = true },
		{ .compat = FG_COMPAT_PERL },
		{ .compat = FG_COMPAT_PERL, .kernel = true, .addrs = true },
	};
	struct random r = { 41 };

	(void)state;
	for (size_t i = 0; i < ROUNDS; i++)
		check(&r, &options[i % COUNT_OF(options)]);
}

/*
 * The input has more symbols than the memo holds. Forgotten ones get the same frames.
 */
static void forgotten_symbols_get_the_same_frames(void **state)
{
	static const struct perf_options options[] = { { .kernel = false },
						       { .dso = true } };
	enum { SYMBOLS = FG_MEMO_MAX + 100, TIMES = 2 };
	char padding[FG_READER_PADDING] = { 0 };
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	fg_buf_add(&text, padding, sizeof(padding));
	for (int i = 0; i < TIMES * SYMBOLS; i++)
		fg_buf_addf(&text, "java 1 1.0: 1 c: \n\t1 g%d->h+0x1 (/x)\n\n",
			    i % SYMBOLS);
	fg_buf_add(&text, padding, sizeof(padding));
	for (size_t i = 0; i < COUNT_OF(options); i++) {
		struct fg_buf result = FG_BUF_INIT;
		struct fg_str rest, line;
		size_t lines = 0;

		collapse(fg_str_of(text.ptr + sizeof(padding),
				   text.len - 2 * sizeof(padding)),
			 &options[i], read_fast, &result);
		rest = fg_buf_str(&result);
		while (line = fg_str_cut(&rest, '\n'),
		       fg_str_starts(line, FG_STR("java;")))
			lines += fg_str_ends(line, FG_STR(" 2"));
		assert_int_equal(lines, SYMBOLS);
		fg_buf_release(&result);
	}
	fg_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_paths_read_the_same),
		cmocka_unit_test(forgotten_symbols_get_the_same_frames),
	};

	return cmocka_run_group_tests_name("perf_shapes", tests, NULL, NULL);
}
