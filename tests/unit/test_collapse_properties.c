/*
 * Properties that collapse-perf has on made-up mixtures of whole and damaged samples.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/counts.h"
#include "lib/profile/folded.h"
#include "tests/unit/support/collapse.h"

#define ROUNDS 60

/* ---- made-up input */

enum damage {
	DAMAGE_NONE = 0,
	DAMAGE_ACCOUNTED = 1, /* we still know what becomes of each sample */
	DAMAGE_BYTES = 2, /* we do not know what becomes of samples */
};

struct made {
	struct fg_buf text;
	uint64_t kept, ignored, dropped;
	uint64_t period; /* the sum of the kept samples' */
	uint64_t malformed;
	bool deleted; /* some DSOs are, which the Perl script takes for a symbol */
};

static const char *const comms[] = { "app", "my app", "java", "swapper",
				     "kworker/0:1" };

static const char *const symbols[] = {
	"main",
	"run_loop",
	"malloc",
	"__libc_start_call_main",
	"std::vector<int>::push_back",
	"core::ptr::drop_in_place<alloc::string::String>",
	"runtime.mallocgc",
	"net/http.HandlerFunc.ServeHTTP",
	"Interpreter",
	"[unknown]",
	"foo_bar",
	"a;b",
};

static const char *const kernel_symbols[] = { "do_syscall_64", "schedule",
					      "native_halt" };
static const char *const dsos[] = { "/usr/bin/app", "/usr/lib/libc.so.6", "[vdso]",
				    "/tmp/perf-12.map" };

#define PICK(r, array) ((array)[random_below((r), COUNT_OF(array))])

static void add_header(struct random *r, struct made *m, const char *event,
		       uint64_t period)
{
	fg_buf_addf(&m->text, "%s %d/%d [%03d] %d.%06d: %10" PRIu64 " %s: \n",
		    PICK(r, comms), (int)random_below(r, 40000),
		    (int)random_below(r, 40000), (int)random_below(r, 8),
		    (int)random_below(r, 9999), (int)random_below(r, 1000000), period,
		    event);
}

static void add_frame(struct random *r, struct made *m, uint64_t pc, const char *symbol,
		      const char *dso)
{
	fg_buf_addf(&m->text, "\t%16" PRIx64 " %s", pc, symbol);
	if (strcmp(symbol, "[unknown]"))
		fg_buf_addf(&m->text, "+0x%x", (unsigned)random_below(r, 4096));
	fg_buf_addf(&m->text, " (%s)\n", dso);
}

/* Adds frames from a leaf, in the kernel or not, to a frame where programs start. */
static void add_frames(struct random *r, struct made *m)
{
	for (uint64_t n = random_below(r, 3); n; n--)
		add_frame(r, m, 0xffffffff81000000 + random_below(r, 1 << 20),
			  PICK(r, kernel_symbols), "[kernel.kallsyms]");
	for (uint64_t n = random_below(r, 10); n; n--)
		add_frame(r, m, 0x55d000000000 + random_below(r, 1 << 30),
			  PICK(r, symbols),
			  m->deleted && !random_below(r, 8) ?
				  "/usr/lib/x.so (deleted)" :
				  PICK(r, dsos));
	add_frame(r, m, 0x55d000000000, "_start", "/usr/bin/app");
}

/* Adds a malformed line below the header of a sample. */
static void add_odd_line(struct made *m)
{
	fg_buf_add_str(&m->text, FG_STR("this is no frame\n"));
	m->malformed++;
}

static void add_sample(struct random *r, struct made *m, bool first, enum damage damage)
{
	bool ignored = !first && !random_below(r, 5);
	uint64_t period = random_below(r, 4) ? random_below(r, 1000000) + 1 : 1;
	bool damaged = damage != DAMAGE_NONE && !random_below(r, 3);

	if (ignored) {
		m->ignored++;
	} else {
		m->kept++;
		m->period += period;
	}
	add_header(r, m, ignored ? "page-faults" : "cycles:ppp", period);
	if (damaged && random_below(r, 2)) {
		fg_buf_add_str(&m->text, FG_STR("\n")); /* no frames at all */
		return;
	}
	add_frames(r, m);
	if (damaged && random_below(r, 2)) {
		add_odd_line(m);
		add_frames(r, m);
	}
	if (!damaged || random_below(r, 2))
		fg_buf_add_str(&m->text, FG_STR("\n"));
}

/* Adds the end of a sample whose start is missing. */
static void add_orphan(struct random *r, struct made *m)
{
	if (!fg_str_ends(fg_buf_str(&m->text), FG_STR("\n\n")))
		fg_buf_add_str(&m->text, FG_STR("\n"));
	add_frames(r, m);
	fg_buf_add_str(&m->text, FG_STR("\n"));
	m->dropped++;
}

/* Adds a sample whose last frame line is cut off. */
static void add_cut_sample(struct random *r, struct made *m)
{
	size_t start;

	add_header(r, m, "cycles:ppp", 7);
	add_frames(r, m);
	start = fg_str_rfind_char(fg_str_before(fg_buf_str(&m->text), m->text.len - 1),
				  '\n');
	m->text.len = start + 2 + random_below(r, m->text.len - start - 5);
	m->dropped++;
}

static void damage_bytes(struct random *r, struct fg_buf *text)
{
	static const char odd[] = "\n\t :;()[]x0\r+.-#|";

	for (uint64_t n = 1 + random_below(r, 12); n && text->len; n--)
		text->ptr[random_below(r, text->len)] =
			odd[random_below(r, sizeof(odd) - 1)];
}

static void make(struct random *r, struct made *m, enum damage damage)
{
	uint64_t samples = 1 + random_below(r, 30);

	memset(m, 0, sizeof(*m));
	m->deleted = damage != DAMAGE_NONE;
	for (uint64_t i = 0; i < samples; i++) {
		add_sample(r, m, i == 0, damage);
		if (damage == DAMAGE_ACCOUNTED && !random_below(r, 10))
			add_orphan(r, m);
	}
	if (damage == DAMAGE_ACCOUNTED && random_below(r, 2))
		add_cut_sample(r, m);
	if (damage == DAMAGE_BYTES)
		damage_bytes(r, &m->text);
}

/* ---- running */

static void collapse(struct fg_str text, size_t block_size, const char *option,
		     struct collapsed *result)
{
	collapse_format(&fg_format_perf, text,
			(struct collapse_how){ option ? option : "", block_size },
			result);
}

/* ---- the output */

struct lines {
	struct fg_intern names;
	struct fg_counts counts;
	struct fg_sum total;
};

static void lines_init(struct lines *l)
{
	fg_intern_init(&l->names);
	fg_counts_init(&l->counts);
	l->total = (struct fg_sum){ 0, 0 };
}

/* Checks that each line is a folded stack with one count, after the line before. */
static void lines_add(struct lines *l, struct fg_str text)
{
	struct fg_str last = { NULL, 0 };

	while (text.len) {
		struct fg_folded line;
		uint32_t ids[64];
		size_t depth = 0;

		assert_int_equal(fg_folded_parse(fg_str_cut(&text, '\n'), &line),
				 FG_FOLDED_STACK);
		assert_int_equal(line.columns, 1);
		assert_int_equal(line.count[0].decimals, 0);
		assert_true(!last.ptr || fg_str_cmp(last, line.stack) < 0);
		last = line.stack;
		while (line.stack.len) {
			assert_true(depth < COUNT_OF(ids));
			ids[depth++] =
				fg_intern(&l->names, fg_str_cut(&line.stack, ';'));
		}
		fg_sum_add(&fg_counts_entry(&l->counts, ids, depth)->sum,
			   line.count[0].digits);
		fg_sum_add(&l->total, line.count[0].digits);
	}
}

static void lines_release(struct lines *l)
{
	fg_intern_release(&l->names);
	fg_counts_release(&l->counts);
}

/* Checks the numbers of the closing line, which is missing if all samples were kept. */
static void check_tally(struct made *m, struct collapsed *result)
{
	static const char *const phrase = " kept, ";
	const char *text = fg_buf_cstr(&result->caught.text);
	const char *at = strstr(text, phrase);
	unsigned long long kept, ignored, dropped;

	if (!at) {
		assert_int_equal(m->ignored + m->dropped, 0);
		return;
	}
	while (at > text && at[-1] != '\n' && at[-1] != ':')
		at--; /* go to the start of "1 sample kept, 2 ignored, 3 dropped" */
	assert_int_equal(sscanf(at, "%llu %*s kept, %llu ignored, %llu dropped", &kept,
				&ignored, &dropped),
			 3);
	assert_int_equal(kept, m->kept);
	assert_int_equal(ignored, m->ignored);
	assert_int_equal(dropped, m->dropped);
}

/* ---- the properties */

static void every_sample_is_accounted_for(void **state)
{
	struct random r = { 11 };

	(void)state;
	for (int i = 0; i < ROUNDS * 4; i++) {
		struct collapsed result;
		struct made made;

		make(&r, &made, DAMAGE_ACCOUNTED);
		collapse(fg_buf_str(&made.text), 0, NULL, &result);
		assert_int_equal(result.status, 0);
		check_tally(&made, &result);
		if (made.malformed)
			assert_has(fg_buf_str(&result.caught.text), "not understood");
		collapsed_release(&result);
		fg_buf_release(&made.text);
	}
}

static void counts_in_are_counts_out(void **state)
{
	struct random r = { 12 };

	(void)state;
	for (int i = 0; i < ROUNDS * 4; i++) {
		struct collapsed result;
		struct lines lines;
		struct made made;

		make(&r, &made, i % 2 ? DAMAGE_ACCOUNTED : DAMAGE_NONE);
		collapse(fg_buf_str(&made.text), 0, NULL, &result);
		lines_init(&lines);
		lines_add(&lines, fg_buf_str(&result.out.buf));
		assert_int_equal(lines.total.high, 0);
		assert_int_equal(lines.total.low, made.period);
		lines_release(&lines);
		collapsed_release(&result);
		fg_buf_release(&made.text);
	}
}

/* Holds for any bytes. Does not check names that end in a number. */
static void output_is_sorted_and_unique(void **state)
{
	static const char *const options[] = { NULL, "--compat=perl", "--all",
					       "--addrs" };
	struct random r = { 13 };

	(void)state;
	for (int i = 0; i < ROUNDS * 4; i++) {
		struct fg_str text, last = { NULL, 0 };
		struct collapsed result;
		struct made made;

		make(&r, &made, DAMAGE_BYTES);
		collapse(fg_buf_str(&made.text), 0, options[i % 4], &result);
		text = fg_buf_str(&result.out.buf);
		while (text.len) {
			struct fg_str line = fg_str_cut(&text, '\n');
			struct fg_str stack =
				fg_str_before(line, fg_str_rfind_char(line, ' '));

			assert_true(stack.len < line.len);
			assert_true(!last.ptr || fg_str_cmp(last, stack) < 0);
			last = stack;
		}
		collapsed_release(&result);
		fg_buf_release(&made.text);
	}
}

static void sum_of_parts_is_the_whole(void **state)
{
	const struct fg_counts_format format = { .style = FG_COUNTS_EXACT };
	struct random r = { 14 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct made made[2];
		struct fg_buf both = FG_BUF_INIT;
		struct collapsed whole;
		struct lines lines;
		struct fg_out out;

		lines_init(&lines);
		for (int part = 0; part < 2; part++) {
			struct collapsed result;

			make(&r, &made[part], DAMAGE_NONE);
			collapse(fg_buf_str(&made[part].text), 0, NULL, &result);
			lines_add(&lines, fg_buf_str(&result.out.buf));
			fg_buf_add_str(&both, fg_buf_str(&made[part].text));
			fg_buf_release(&made[part].text);
			collapsed_release(&result);
		}
		collapse(fg_buf_str(&both), 0, NULL, &whole);
		fg_out_init_memory(&out);
		fg_counts_write(&lines.counts, &lines.names, &format, &out);
		assert_str_is(fg_buf_str(&whole.out.buf), fg_buf_str(&out.buf));
		fg_out_close(&out);
		collapsed_release(&whole);
		lines_release(&lines);
		fg_buf_release(&both);
	}
}

static void block_sizes_change_nothing(void **state)
{
	static const char *const options[] = { NULL,	    "--compat=perl", "--addrs",
					       "--srcline", "--raw-names",   "--tid" };
	struct random r = { 15 };

	(void)state;
	for (size_t i = 0; i < ROUNDS; i++) {
		const char *option = options[i % COUNT_OF(options)];
		struct collapsed whole;
		struct made made;

		make(&r, &made, i % 3 ? DAMAGE_BYTES : DAMAGE_ACCOUNTED);
		collapse(fg_buf_str(&made.text), 0, option, &whole);
		for (size_t size = 1; size <= 40; size++) {
			size_t block = size <= 20 ? size : random_below(&r, 3000) + 1;
			struct collapsed part;

			collapse(fg_buf_str(&made.text), block, option, &part);
			assert_int_equal(part.status, whole.status);
			assert_str_is(fg_buf_str(&part.out.buf),
				      fg_buf_str(&whole.out.buf));
			assert_str_is(fg_buf_str(&part.caught.text),
				      fg_buf_str(&whole.caught.text));
			collapsed_release(&part);
		}
		collapsed_release(&whole);
		fg_buf_release(&made.text);
	}
}

static void compat_is_the_default_on_good_input(void **state)
{
	struct random r = { 16 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct collapsed ours, perl;
		struct made made;

		make(&r, &made, DAMAGE_NONE);
		collapse(fg_buf_str(&made.text), 0, NULL, &ours);
		collapse(fg_buf_str(&made.text), 0, "--compat=perl", &perl);
		assert_str_is(fg_buf_str(&perl.out.buf), fg_buf_str(&ours.out.buf));
		collapsed_release(&ours);
		collapsed_release(&perl);
		fg_buf_release(&made.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sample_is_accounted_for),
		cmocka_unit_test(counts_in_are_counts_out),
		cmocka_unit_test(output_is_sorted_and_unique),
		cmocka_unit_test(sum_of_parts_is_the_whole),
		cmocka_unit_test(block_sizes_change_nothing),
		cmocka_unit_test(compat_is_the_default_on_good_input),
	};

	return cmocka_run_group_tests_name("collapse_properties", tests, NULL, NULL);
}
