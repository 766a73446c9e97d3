/* Tests of collapse/perf_threads and perf_merge: cutting input, merging results. */
#include <stdlib.h>
#include <string.h>

#include "collapse/perf.h"
#include "collapse/perf_deferred.h"
#include "collapse/perf_event.h"
#include "collapse/perf_fold.h"
#include "collapse/perf_merge.h"
#include "collapse/perf_select.h"
#include "collapse/perf_threads.h"
#include "tests/unit/support/collapse.h"

/* Bytes in a block, and how many blocks one thread reads alone. */
#define BLOCK 600
#define ALONE 4

/* ---- cutting */

static const struct {
	struct fg_str bytes;
	size_t boundary; /* by default */
	size_t perl;
} cuts[] = {
	{ { NULL, 0 }, 0, 0 },
	{ FG_STR_INIT("\n"), 0, 1 },
	{ FG_STR_INIT("a 1 2.300000: 4 e: \n"), 0, 0 },
	{ FG_STR_INIT("a 1 2.300000: 4 e: \n\n"), 0, 21 },
	{ FG_STR_INIT("\na 1 2.300000: 4 e: \n"), 1, 1 },
	{ FG_STR_INIT("\na 1 2.300000: 4 e: \n\t12 f (d)\n"), 1, 1 },
	{ FG_STR_INIT("x\na 1 2.300000: 4 e: \n\nb 1 2.400000: 4 e: \n\t12 f (d)\n"),
	  23, 23 },
	{ FG_STR_INIT("x\na 1 2.300000: 4 e: \nb 1 2.400000: 4 e: \n\t12 f (d)\n"), 22,
	  0 },
	{ FG_STR_INIT("x\r\n\r\na 1 2.300000: 4 e: \r\n\r\n"), 5, 0 },
	/* no time stamp: what the line means depends on what is before it */
	{ FG_STR_INIT("\ta\n\na 1 4 e: \n\t12 f (d)\n"), 0, 4 },
	/* a tab starts a frame, whatever follows */
	{ FG_STR_INIT("x\n\ta 1 2.300000: 4 e: \n"), 0, 0 },
};

static void test_boundaries(void **state)
{
	struct perf_options o;

	(void)state;
	memset(&o, 0, sizeof(o));
	for (size_t i = 0; i < COUNT_OF(cuts); i++) {
		o.compat = PERF_COMPAT_NONE;
		assert_int_equal(perf_last_boundary(&o, cuts[i].bytes),
				 cuts[i].boundary);
		o.compat = PERF_COMPAT_PERL;
		assert_int_equal(perf_last_boundary(&o, cuts[i].bytes), cuts[i].perl);
	}
}

/* ---- made-up input */

static void add_header(struct fg_buf *text, unsigned number, const char *event)
{
	fg_buf_addf(text, "app-%u %u/%u [00%u] 1.%06u: %u %s: \n", number % 7, number,
		    number + 1, number % 4, number, number % 10 + 1, event);
}

/* Frames from the leaf: one that few samples have, and the same root. */
static void add_frames(struct fg_buf *text, unsigned number)
{
	for (unsigned i = 0; i <= number % 3; i++)
		fg_buf_addf(text, "\t%16x f%u+0x%x (/usr/bin/app)\n", 0x1000 + number,
			    number * (i + 1) % 50, number);
	fg_buf_addf(text, "\t%16x _start+0x1 (/usr/bin/app)\n", 0x2000);
}

static void add_sample(struct fg_buf *text, unsigned number, const char *event)
{
	add_header(text, number, event);
	add_frames(text, number);
	fg_buf_add_char(text, '\n');
}

static void add_samples(struct fg_buf *text, unsigned first, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		add_sample(text, first + i, "cycles");
}

/* ---- running */

/* `arguments` is one line of them, `threads` the value of -n. */
static void collapse(struct fg_str text, const char *arguments, const char *threads,
		     struct collapsed *result)
{
	struct fg_buf all = FG_BUF_INIT;

	fg_buf_addf(&all, "-n %s %s", threads, arguments);
	collapse_text(text, BLOCK, fg_buf_cstr(&all), result);
	fg_buf_release(&all);
}

/* Two, three and seven threads give the same result as one. */
static void check(struct fg_buf *text, const char *arguments)
{
	static const char *const threads[] = { "2", "3", "7" };
	struct collapsed one;

	assert_true(text->len > 2 * ALONE * BLOCK);
	collapse(fg_buf_str(text), arguments, "1", &one);
	for (size_t i = 0; i < COUNT_OF(threads); i++) {
		struct collapsed several;

		collapse(fg_buf_str(text), arguments, threads[i], &several);
		assert_str_is(fg_buf_str(&several.caught.text),
			      fg_buf_str(&one.caught.text));
		assert_str_is(fg_buf_str(&several.out.buf), fg_buf_str(&one.out.buf));
		assert_int_equal(several.status, one.status);
		collapsed_release(&several);
	}
	collapsed_release(&one);
}

static void check_all_options(struct fg_buf *text)
{
	static const char *const options[] = {
		"",
		"--compat=perl",
		"--compat=perl --srcline",
		"--compat=perl --event-filter=faults --all",
		"--all --addrs --dso",
		"--srcline",
		"--srcline --skip-after=f7",
		"--skip-after=f7 --recursion=cycles",
		"--event-filter=*",
		"--event-frame --root=tid",
		"--trace-field=x --trace-field=y --weight=z",
		"--time=+0.0002,",
		"--time=,1.000100 --cpu=1,3",
		"--pid-filter=70-400 --merge-threads",
		"--time-order",
		"--order=caller --max-depth=2",
		"--strict",
		"--verbose",
		"--quiet --keep=f[0-9]*1",
	};

	for (size_t i = 0; i < COUNT_OF(options); i++)
		check(text, options[i]);
	fg_buf_release(text);
}

/* ---- what is read, and what is left */

/* The threads read all but the last sample, whose end they cannot see. */
static void test_sharing(void **state)
{
	static const struct perf_options options = { .threads = 3,
						     .roots = { PERF_ROOT_COMM },
						     .root_count = 1 };
	struct fg_buf text = FG_BUF_INIT;
	struct fg_reader *reader;
	struct fg_block block;
	struct caught caught;
	struct perf p;

	(void)state;
	caught_init(&caught);
	add_samples(&text, 0, 500);
	reader = fg_reader_open_memory(fg_buf_str(&text), "input", &caught.diag);
	fg_reader_set_block_size(reader, BLOCK);
	perf_init(&p, &options, &caught.diag);
	assert_false(perf_may_share(&p)); /* which event is the first? */
	assert_int_equal(fg_reader_block(reader, &block), 1);
	perf_block(&p, block.bytes);
	assert_true(perf_may_share(&p));
	assert_int_equal(perf_share(&p, reader), 0);
	assert_true(p.chunk > 20);
	assert_int_equal(p.tally.samples, 499);
	assert_int_equal(p.tally.kept, 499);
	assert_false(p.sample.open);
	assert_int_equal(fg_reader_block(reader, &block), 1);
	assert_true(fg_str_starts(block.bytes, FG_STR("app-2 499/500 ")));
	assert_str_is(block.bytes,
		      fg_str_from_pos(fg_buf_str(&text), text.len - block.bytes.len));
	for (size_t i = 0; i < text.len - block.bytes.len; i++)
		p.at.line -= text.ptr[i] == '\n';
	assert_int_equal(p.at.line, 0);
	assert_int_equal(fg_reader_block(reader, &block), 0);
	perf_release(&p);
	fg_reader_close(reader);
	fg_buf_release(&text);
	assert_int_equal(caught.text.len, 0);
	caught_release(&caught);
}

/*
 * After a sample that waits for its user frames only one thread reads, so that no
 * more samples than necessary have to wait.
 */
static void test_sharing_ends_at_a_cookie(void **state)
{
	static const struct perf_options options = { .threads = 1,
						     .event_frame = true,
						     .roots = { PERF_ROOT_COMM },
						     .root_count = 1 };
	struct fg_buf text = FG_BUF_INIT;
	struct fg_reader *reader;
	struct fg_block block;
	struct caught caught;
	struct perf p;

	(void)state;
	caught_init(&caught);
	add_samples(&text, 0, 20);
	add_header(&text, 20, "cycles");
	fg_buf_addf(&text, "\t%16x (cookie) ([unknown])\n\n", 7);
	add_samples(&text, 21, 1000);
	reader = fg_reader_open_memory(fg_buf_str(&text), "input", &caught.diag);
	fg_reader_set_block_size(reader, BLOCK);
	perf_init(&p, &options, &caught.diag);
	assert_int_equal(fg_reader_block(reader, &block), 1);
	perf_block(&p, block.bytes);
	assert_int_equal(perf_share(&p, reader), 0);
	assert_in_range(p.tally.samples, 21, 30);
	assert_true(perf_deferred_any(p.deferred));
	perf_release(&p);
	fg_reader_close(reader);
	fg_buf_release(&text);
	caught_release(&caught);
}

/* ---- merging */

static void read_chunk(struct perf *p, uint64_t chunk, const struct fg_buf *text)
{
	p->chunk = chunk;
	p->at.line = 0;
	perf_events_start_chunk(p->events, chunk);
	perf_deferred_put_off(p->deferred, chunk);
	perf_block(p, fg_buf_str(text));
	perf_sample_before_start(p);
}

/* One of everything that is counted, different in each chunk. */
static void make_chunk(struct fg_buf *text, unsigned chunk)
{
	static const char *const events[] = { "cycles", "sched:b", "sched:a",
					      "faults" };

	for (unsigned i = 0; i < 4; i++)
		add_sample(text, 10 * chunk + i, events[(chunk + i) % 4]);
	for (unsigned i = 0; i <= chunk; i++) {
		fg_buf_addf(text, "\t%16x orphan%u (/usr/bin/app)\n", 16 + i, i);
		fg_buf_addf(text, "\t%16x _start (/usr/bin/app)\n\n", 16 + i);
	}
	fg_buf_addf(text, "app 1/2 [001] 1.%06u: 3 cycles: x=%u\n", chunk, chunk);
	add_frames(text, chunk + 5);
	fg_buf_addf(text, "this is odd in %u\n\n", chunk);
	fg_buf_addf(text, "app 1/2 1.000003: PERF_RECORD_LOST lost %u\n", chunk + 3);
	fg_buf_addf(text, "app 1/2 [001] 1.%06u: 2 cycles: \n", chunk);
	fg_buf_addf(text, "\t%16x _start (/bin/c)\n\t%16x f%u (/bin/c)\n\n", 1, 2,
		    chunk);
	fg_buf_addf(text, "app 1/2 [001] 1.%06u: 2 cycles: \n\n", chunk);
	for (unsigned i = 0; i < 3; i++) {
		fg_buf_addf(text, "app 1/2 [001] 1.%06u: 2 cycles: \n", chunk);
		fg_buf_addf(text, "\tffffffff81000000 schedule (d)\n");
		fg_buf_addf(text, "\t%16x (cookie) ([unknown])\n\n",
			    7 + (chunk + i) % 2);
	}
	fg_buf_addf(text, "app 1/2 1.000004: DEFERRED CALLCHAIN [cookie: %x]\n",
		    7 + chunk % 2);
	fg_buf_addf(text, "\t%16x user%u (d)\n\n", 4, chunk);
}

static void check_tallies(const struct perf_tally *got, const struct perf_tally *want)
{
	assert_int_equal(got->samples, want->samples);
	assert_int_equal(got->kept, want->kept);
	assert_int_equal(got->ignored, want->ignored);
	assert_int_equal(got->deselected, want->deselected);
	assert_int_equal(got->dropped, want->dropped);
	assert_int_equal(got->nameless, want->nameless);
	assert_int_equal(got->unweighted, want->unweighted);
	assert_int_equal(got->chains, want->chains);
	assert_int_equal(got->lost, want->lost);
	assert_int_equal(got->odd_lines, want->odd_lines);
	assert_int_equal(got->odd_chunk, want->odd_chunk);
	assert_int_equal(got->odd_place.line, want->odd_place.line);
	assert_str_is(fg_buf_str(&got->odd_text), fg_buf_str(&want->odd_text));
}

/* The output, and which events were kept and ignored. */
static void write(struct perf *p, struct fg_buf *text)
{
	const struct fg_counts_format format = { .style = FG_COUNTS_EXACT };
	struct fg_out out;

	perf_deferred_take_place(p);
	fg_out_init_memory(&out);
	perf_fold_write(p, &format, &out);
	fg_buf_add_str(text, fg_buf_str(&out.buf));
	fg_out_close(&out);
	for (uint32_t id = 0; id < 2; id++)
		perf_events_list(p->events, id, text);
}

static void check_merged(struct perf *merged, struct perf *whole)
{
	struct fg_buf got = FG_BUF_INIT, want = FG_BUF_INIT;

	write(merged, &got);
	write(whole, &want);
	assert_str_is(fg_buf_str(&got), fg_buf_str(&want));
	check_tallies(&merged->tally, &whole->tally);
	assert_int_equal(merged->orphan_samples, whole->orphan_samples);
	assert_int_equal(merged->orphans.count, whole->orphans.count);
	assert_int_equal(merged->any_header, whole->any_header);
	assert_int_equal(merged->any_blank, whole->any_blank);
	assert_int_equal(merged->votes[0], whole->votes[0]);
	assert_int_equal(merged->votes[1], whole->votes[1]);
	if (whole->selection)
		assert_int_equal(perf_selection_lacks_pids(merged->selection),
				 perf_selection_lacks_pids(whole->selection));
	fg_buf_release(&got);
	fg_buf_release(&want);
}

/* After a block come bytes that may be read but must not be used. */
static void pad(struct fg_buf *text)
{
	fg_buf_reserve(text, FG_READER_PADDING);
	memset(text->ptr + text->len, 0, FG_READER_PADDING);
}

/* Two threads read two chunks each; the later ones are merged first. */
static void check_merging(const struct perf_options *o)
{
	struct perf whole, merged, parts[2];
	struct caught caught;

	caught_init(&caught);
	perf_init(&whole, o, &caught.diag);
	perf_init(&merged, o, &caught.diag);
	for (size_t i = 0; i < 2; i++)
		perf_init(&parts[i], o, &caught.diag);
	for (unsigned chunk = 0; chunk < 4; chunk++) {
		struct fg_buf text = FG_BUF_INIT;

		make_chunk(&text, chunk);
		pad(&text);
		read_chunk(&whole, chunk, &text);
		if (chunk == 1)
			perf_events_share_first(parts[1].events, parts[0].events);
		read_chunk(&parts[chunk % 2], chunk, &text);
		fg_buf_release(&text);
	}
	perf_absorb(&merged, &parts[1]);
	perf_absorb(&merged, &parts[0]);
	check_merged(&merged, &whole);
	perf_release(&whole);
	perf_release(&merged);
	for (size_t i = 0; i < 2; i++)
		perf_release(&parts[i]);
	caught_release(&caught);
}

#define LIST(text)                               \
	{                                        \
		(const char *[]){ (text) }, 1, 1 \
	}

static void test_merging(void **state)
{
	struct perf_options options[] = {
		{ .raw_names = false },
		{ .skip_after = LIST("f10") },
		{ .order = PERF_ORDER_CALLER },
		{ .trace_field = LIST("x"), .max_depth = 1 },
		{ .pid_filter = LIST("1-12") },
		{ .event_filter = LIST("sched:?"), .weight = "x" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(options); i++) {
		check_merging(&options[i]);
		options[i].roots[0] = PERF_ROOT_COMM;
		options[i].root_count = 1;
		check_merging(&options[i]);
	}
}

/* ---- the number of threads changes nothing */

static void test_plain(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	add_samples(&text, 0, 300);
	check_all_options(&text);
}

/* Their order in the closing line is that of the input. */
static void test_events(void **state)
{
	static const char *const events[] = { "faults", "cycles",  "cpu_core/cycles/",
					      "misses", "sched:x", "cycles" };
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	add_samples(&text, 0, 90);
	for (unsigned i = 0; i < 200; i++)
		add_sample(&text, i, events[(i / 9 + i % 3) % COUNT_OF(events)]);
	for (unsigned i = 0; i < 26; i++) {
		char event[] = { (char)('z' - i), '\0' };

		add_sample(&text, i, event);
	}
	check_all_options(&text);
}

/* The first line that is not understood is in a late chunk, and others follow. */
static void test_odd_lines(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	add_samples(&text, 0, 200);
	for (unsigned i = 0; i < 60; i++) {
		add_header(&text, i, "cycles");
		fg_buf_addf(&text, "this is no frame %u\n", i);
		add_frames(&text, i);
		fg_buf_add_char(&text, '\n');
		add_samples(&text, i, 2);
	}
	check_all_options(&text);
}

/* User frames of samples in one chunk come in another, in the order of the cookies. */
static void test_deferred_chains(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	add_samples(&text, 0, 100);
	for (unsigned i = 0; i < 200; i++) {
		add_header(&text, i, "cycles");
		fg_buf_addf(&text,
			    "\tffffffff81000000 schedule+0x%x ([kernel.kallsyms])\n"
			    "\t%16x (cookie) ([unknown])\n\n",
			    i, i % 23);
		if (i % 5)
			continue;
		fg_buf_addf(&text,
			    "app-0 %u/%u [000] 1.%06u: DEFERRED CALLCHAIN [cookie: "
			    "%x]\n",
			    i, i + 1, i, i % 19);
		add_frames(&text, i);
		fg_buf_add_char(&text, '\n');
	}
	check_all_options(&text);
}

/* In open quotes, blank lines are part of the payload. */
static void test_open_quotes(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	add_samples(&text, 0, 100);
	for (unsigned i = 0; i < 150; i++) {
		fg_buf_addf(&text,
			    "app %u/%u [001] 1.%06u: sched:x: x=%u z=%u y=\"\n\n", i, i,
			    i, i % 4, i % 3);
		add_frames(&text, i);
		if (i % 2)
			fg_buf_add_str(&text, FG_STR("end\"\n\n"));
		fg_buf_add_str(&text, FG_STR("\n"));
	}
	check_all_options(&text);
}

/* Lines between samples: comments, records, metrics, orphans; carriage returns. */
static void test_other_lines(void **state)
{
	static const char *const lines[] = {
		"# comment\n",
		"app 1/1 1.2: PERF_RECORD_LOST lost 3\n",
		"app 1/1 PERF_RECORD_EXIT(1:1):(1:1)\n",
		"\n\t      12 orphan+0x1 (/usr/bin/app)\n\n",
		"\r\n",
		"  lone 12 cycles: \n",
		"\t        12 f3 (/usr/bin/app)\n  file.c:12\n",
	};
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	add_samples(&text, 0, 60);
	for (unsigned i = 0; i < 240; i++) {
		const char *line = lines[(i / 2) % COUNT_OF(lines)];

		add_header(&text, i, i % 5 ? "cycles" : "faults");
		if (i % 2)
			fg_buf_add_str(&text, fg_str_from(line));
		add_frames(&text, i);
		if (i % 3)
			fg_buf_add_char(&text, '\n');
		if (i % 4 == 0)
			fg_buf_add_str(&text, fg_str_from(line));
	}
	check_all_options(&text);
}

/* At a sample of many blocks the threads stop; they start again after it. */
static void test_large_samples(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	for (unsigned round = 0; round < 4; round++) {
		add_samples(&text, 0, 100);
		add_header(&text, round, "cycles");
		for (unsigned i = 0; i < 200; i++)
			add_frames(&text, i);
		fg_buf_add_char(&text, '\n');
	}
	check_all_options(&text);
}

/* The input ends in the middle of a sample, a line, or a one-line sample. */
static void test_cut_input(void **state)
{
	(void)state;
	for (size_t cut = 1; cut < 120; cut += 7) {
		struct fg_buf text = FG_BUF_INIT;

		add_samples(&text, 0, 250);
		text.len -= cut;
		check(&text, "");
		check(&text, "--compat=perl");
		fg_buf_release(&text);
	}
}

/* That chains are printed caller first is decided by the votes of all threads. */
static void test_caller_first(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	add_samples(&text, 0, 130);
	for (unsigned i = 0; i < 300; i++) {
		add_header(&text, i, "cycles");
		fg_buf_addf(&text,
			    "\t%16x _start (/bin/app)\n\t%16x f%u (/bin/app)\n\n",
			    0x2000, i, i % 9);
	}
	check_all_options(&text);
}

/* Input without events and times, and input without times. */
static void test_few_fields(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		fg_buf_addf(&text, i < 150 ? "app %u 1.%06u: \n" : "app %u %u \n", i,
			    i);
		add_frames(&text, i);
		fg_buf_add_char(&text, '\n');
	}
	add_samples(&text, 0, 20);
	check_all_options(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boundaries),
		cmocka_unit_test(test_sharing),
		cmocka_unit_test(test_sharing_ends_at_a_cookie),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_odd_lines),
		cmocka_unit_test(test_deferred_chains),
		cmocka_unit_test(test_open_quotes),
		cmocka_unit_test(test_other_lines),
		cmocka_unit_test(test_large_samples),
		cmocka_unit_test(test_cut_input),
		cmocka_unit_test(test_caller_first),
		cmocka_unit_test(test_few_fields),
	};

	return cmocka_run_group_tests_name("perf_threads", tests, NULL, NULL);
}
