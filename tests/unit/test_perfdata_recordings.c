/*
 * Tests of collapse-perf on the recordings of tests/data/perfdata: each frame is the
 * one that perf script prints, and the text of perf script folds to the same lines.
 */
#define _XOPEN_SOURCE 700 /* for symlink */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collapse/symbols/elf.h"
#include "collapse/symbols/inlines.h"
#include "collapse/formats/perf/data/zstd.h"
#include "collapse/formats/perf/text/recording.h"
#include "tests/unit/support/collapse.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/perftext.h"
#include "tests/unit/support/support.h"

#define DATA "tests/data/perfdata"

enum needs { NOTHING, LIBDW, LIBZSTD };

static bool is_here(enum needs needs)
{
	struct fg_pd_zstd *z = fg_pd_zstd_new();

	fg_pd_zstd_free(z);
	return needs == LIBDW ? fg_inlines_are_here() : needs != LIBZSTD || z;
}

static void read_data(const char *name, const char *end, struct fg_buf *bytes)
{
	char path[64];

	snprintf(path, sizeof(path), "%s%s", name, end);
	assert_true(golden_read(DATA, path, bytes));
}

/* Replaces several spaces, which align columns, by one. */
static void squeeze(struct fg_buf *text)
{
	size_t to = 0;

	for (size_t i = 0; i < text->len; i++)
		if (text->ptr[i] != ' ' || !to || text->ptr[to - 1] != ' ')
			text->ptr[to++] = text->ptr[i];
	text->len = to;
}

static void frames_have_the_names_and_offsets_that_perf_prints(void **state)
{
	static const struct {
		const char *name;
		enum needs needs;
		const char *messages;
	} rows[] = {
		{ "frames.data", NOTHING, "" },
		{ "fork.data", NOTHING, "" },
		{ "fields.data", NOTHING, "" },
		{ "events.data", NOTHING, "" },
		{ "mmap-ids.data", NOTHING, "" },
		{ "pipe.stream", NOTHING, "" },
		{ "pipe-z.stream", LIBZSTD, "" },
		{ "stacks.data", LIBDW, "" },
		{ "zstd.data", LIBZSTD,
		  "prog: perf.data: /tmp/flamepipe-data/perfdata/mill was not found, "
		  "so its functions have no names (6 samples)\n" },
	};
	struct fg_buf bytes = FG_BUF_INIT, want = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct perf_text text = { .has_chain = false };
		struct caught caught;
		struct fg_perfdata pd = { .fd = -1, .name = "perf.data" };

		if (!is_here(rows[i].needs))
			continue;
		read_data(rows[i].name, "", &bytes);
		read_data(rows[i].name, ".txt", &want);
		caught_init(&caught);
		fg_out_init_memory(&text.out);
		pd.head = fg_buf_str(&bytes);
		pd.debug_folder = DATA "/cache";
		pd.diag = &caught.diag;
		pd.sink = perf_text_sink(&text);
		assert_int_equal(fg_perfdata_read(&pd), 0);
		squeeze(&text.out.buf);
		assert_str_is(fg_buf_str(&text.out.buf), fg_buf_str(&want));
		assert_str_is(fg_buf_str(&caught.text), fg_str_from(rows[i].messages));
		fg_out_close(&text.out);
		caught_release(&caught);
	}
	fg_buf_release(&bytes);
	fg_buf_release(&want);
}

/* Folds a recording or, if `end` is ".txt", its text. */
static void fold(const char *name, const char *end, const char *arguments,
		 struct collapsed *got)
{
	struct fg_buf bytes = FG_BUF_INIT;

	read_data(name, end, &bytes);
	collapse_format(&fg_format_perf, fg_buf_str(&bytes),
			(struct collapse_how){ arguments, 0 }, got);
	fg_buf_release(&bytes);
}

static void check_alike(const char *name, const char *arguments)
{
	struct collapsed text, recording;

	fold(name, ".txt", arguments, &text);
	fold(name, "", arguments, &recording);
	assert_int_equal(recording.status, text.status);
	assert_true(text.out.buf.len > 0);
	assert_str_is(fg_buf_str(&recording.out.buf), fg_buf_str(&text.out.buf));
	collapsed_release(&text);
	collapsed_release(&recording);
}

static void a_recording_folds_like_its_text(void **state)
{
	static const char *const names[] = { "frames.data", "flat.data",
					     "fork.data",   "fields.data",
					     "events.data", "mmap-ids.data" };
	static const char *const arguments[] = {
		"-q",
		"-q --event-filter=* --event-frame",
		"-q --dso --all --weight=samples",
		"-q --root=tid --root=cpu --time-order",
		"-q --weight=period --event-filter=*",
		"-q --addrs --raw-names",
		"-q --root=tid --skip-after=start_here",
		"-q --root=comm",
		"-q --order=caller",
		"-q --max-depth 3 --slice 100ms",
		"-q --max-depth 3 --every 100ms",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		for (size_t j = 0; j < COUNT_OF(arguments); j++)
			check_alike(names[i], arguments[j]);
}

static void waits_are_like_in_the_text(void **state)
{
	static const char *const names[] = { "switch.data", "switch.stream" };
	static const char *const arguments[] = {
		"-q --off-cpu",
		"-q --off-cpu --root=state --root=tid --time-order",
		"-q --trace-field=next_comm --weight=prev_prio",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		for (size_t j = 0; j < COUNT_OF(arguments); j++)
			check_alike(names[i], arguments[j]);
}

static void running_threads_are_like_in_the_text(void **state)
{
	static const char *const arguments[] = {
		"-q --weight=latency",
		"-q --weight=latency --root=parallelism --root=tid --time-order",
		"-q --root=parallelism --root=comm --slice=100ms",
		"-q --wall --root=state --root=comm",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(arguments); i++)
		check_alike("latency.data", arguments[i]);
}

struct folded {
	const char *name, *arguments;
	enum needs needs;
	const char *want; /* the lines, then the messages */
};

static void check_folded(const struct folded *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct fg_buf all = FG_BUF_INIT;
		struct collapsed got;

		if (!is_here(rows[i].needs))
			continue;
		fold(rows[i].name, "", rows[i].arguments, &got);
		fg_buf_add_str(&all, fg_buf_str(&got.out.buf));
		fg_buf_add_str(&all, fg_buf_str(&got.caught.text));
		check_str(fg_buf_str(&all), fg_str_from(rows[i].want), __FILE__,
			  (int)i);
		fg_buf_release(&all);
		collapsed_release(&got);
	}
}

static void wall_time_of_threads_is_folded(void **state)
{
	static const struct folded rows[] = {
		{ "switch.data", "--wall --root=comm --root=state", NOTHING,
		  "sh;disk;[waiting]_[o] 920184\n"
		  "sh;running;[running] 1210967\n"
		  "sh;sleep;[waiting]_[o] 34844830\n"
		  "sh;waiting;[waiting]_[o] 65686\n"
		  "sleep;preempted;[waiting]_[o] 8492\n"
		  "sleep;running;[running] 1793047\n"
		  "sleep;sleep;[waiting]_[o] 33589726\n"
		  "sleep;waiting;[waiting]_[o] 1873\n"
		  "prog: no sample has a call chain: record with perf record -g\n" },
		{ "switch.stream", "--wall --root=comm --root=state", NOTHING,
		  "sh;disk;[waiting]_[o] 7505851\n"
		  "sh;preempted;[waiting]_[o] 273645\n"
		  "sh;running;[running] 1232159\n"
		  "sh;sleep;[waiting]_[o] 30627306\n"
		  "sh;waiting;[waiting]_[o] 2187479\n"
		  "sleep;running;[running] 2273992\n"
		  "sleep;sleep;[waiting]_[o] 33041338\n"
		  "prog: no sample has a call chain: record with perf record -g\n" },
		{ "switch.data", "--off-cpu --header --root=state", NOTHING,
		  "# event: sched:sched_switch\n"
		  "# unit: ns\n"
		  "# command: sh -c sleep .01: sleep .02\n"
		  "# quality: samples=7 ns=35981846\n"
		  "disk 920184\n"
		  "preempted 8492\n"
		  "sleep 68434556\n"
		  "prog: no sample has a call chain: record with perf record -g\n" },
	};

	(void)state;
	check_folded(rows, COUNT_OF(rows));
}

/* perf report --latency prints 18.75 % + 6.25 % for two threads and 75 % for one. */
static void latency_is_like_in_perf_report(void **state)
{
	static const struct folded rows[] = {
		{ "latency.data",
		  "--weight=latency --root=parallelism --root=comm --max-depth=1",
		  NOTHING,
		  "parallelism-001;apprentice;(anonymous namespace)::sweep 75000000\n"
		  "parallelism-001;mill;(anonymous namespace)::sweep 75000000\n"
		  "parallelism-002;apprentice;(anonymous namespace)::sweep 37500000\n"
		  "parallelism-002;mill;(anonymous namespace)::sweep 12500000\n" },
	};

	(void)state;
	check_folded(rows, COUNT_OF(rows));
}

static void inlined_functions_are_frames_of_their_own(void **state)
{
	static const struct folded rows[] = {
		{ "inlines.data", "", LIBDW,
		  "loom;_start;start_here;work;loom::Frame::weave 300000000\n" },
		{ "inlines.data", "--inline", LIBDW,
		  "loom;_start;start_here;work;operator();loom::Frame::weave;"
		  "loom::row<unsigned int>;loom::knot 300000000\n" },
		{ "inlines.data", "--inline --dso", LIBDW,
		  "loom;_start@loom;start_here@loom;work@loom;operator();"
		  "loom::Frame::weave@loom;loom::row<unsigned int>;loom::knot "
		  "300000000\n" },
		{ "inlines.data", "--inline --context", LIBDW,
		  "loom;_start;start_here:loom.cpp:48;work:loom.cpp:42;"
		  "operator():loom.cpp:38;loom::Frame::weave:loom.cpp:27;"
		  "loom::row<unsigned int>:loom.cpp:20;loom::knot:loom.cpp:13 "
		  "150000000\n"
		  "loom;_start;start_here:loom.cpp:48;work:loom.cpp:42;"
		  "operator():loom.cpp:38;loom::Frame::weave:loom.cpp:27;"
		  "loom::row<unsigned int>:loom.cpp:20;loom::knot:loom.cpp:14 "
		  "150000000\n" },
		{ "inlines.data", "--inline --skip-after operator()", LIBDW,
		  "loom;operator();loom::Frame::weave;loom::row<unsigned int>;"
		  "loom::knot 300000000\n" },
		{ "frames.data", "--inline --max-depth 1", LIBDW,
		  "mill;(anonymous namespace)::sweep 175000000\n"
		  "prog: input: no file has debug information, so no inlined "
		  "functions are shown: compile with -g\n" },
		{ "stacks.data", "", LIBDW,
		  "mill-tables;_start;start_here;work;mill::Wheel::turn;"
		  "mill::Wheel::turn;mill::Wheel::turn;mill::Wheel::turn;"
		  "mill::Stone<unsigned int>::grind 150000000\n" },
	};

	(void)state;
	check_folded(rows, COUNT_OF(rows));
}

static void options_for_text_alone_are_refused(void **state)
{
	static const struct folded rows[] = {
		{ "frames.data", "--compat=perl", NOTHING,
		  "prog: input: --compat=perl reads only text: use perf script "
		  "--no-inline -i input\n" },
	};

	(void)state;
	check_folded(rows, COUNT_OF(rows));
}

/* At END, the fifth of eight samples ends, but not the round of the last five. */
static void a_stream_is_cut_between_two_records(void **state)
{
	enum { END = 4604 };
	struct fg_buf bytes = FG_BUF_INIT;

	(void)state;
	read_data("pipe.stream", "", &bytes);
	for (size_t len = END; len <= bytes.len; len += bytes.len - END) {
		struct collapsed got;
		bool cut = len == END;

		collapse_format(&fg_format_perf, fg_str_before(fg_buf_str(&bytes), len),
				(struct collapse_how){ "--all --strict", 0 }, &got);
		assert_int_equal(got.status, cut ? -1 : 0);
		if (cut)
			assert_has(fg_buf_str(&got.caught.text),
				   "cut short: the last round of samples is "
				   "incomplete");
		collapsed_release(&got);
	}
	fg_buf_release(&bytes);
}

static bool count_sample(void *data, const struct fg_perfdata_sample *sample)
{
	(void)sample;
	++*(unsigned *)data;
	return false;
}

static void take_end(void *data)
{
	(void)data;
}

static bool are_two(void *data)
{
	return *(unsigned *)data == 2;
}

static void reading_ends_after_the_sample_that_stops_it(void **state)
{
	static const char *const names[] = { "frames.data", "pipe.stream" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct fg_buf bytes = FG_BUF_INIT;
		struct caught caught;
		unsigned count = 0;
		struct fg_perfdata pd = { .fd = -1,
					  .name = "perf.data",
					  .no_symbols = true,
					  .sink = { .sample = count_sample,
						    .end = take_end,
						    .stops = are_two,
						    .data = &count } };

		read_data(names[i], "", &bytes);
		pd.head = fg_buf_str(&bytes);
		caught_init(&caught);
		pd.diag = &caught.diag;
		assert_int_equal(fg_perfdata_read(&pd), -1);
		assert_int_equal(count, 2);
		assert_int_equal(caught.text.len, 0);
		caught_release(&caught);
		fg_buf_release(&bytes);
	}
}

/* It is from the first time to the last. A text is not a recording and has none. */
static void the_span_of_a_recording_is_the_span_of_its_samples(void **state)
{
	uint64_t first = 0, last = 0;
	int fd = open(DATA "/frames.data", O_RDONLY | O_CLOEXEC);
	struct caught caught;

	(void)state;
	assert_true(fd >= 0);
	caught_init(&caught);
	assert_int_equal(perf_recording_span(fd, "in", &first, &last, &caught.diag), 0);
	assert_int_equal(first / 1000, 4237412717);
	assert_int_equal(last / 1000, 4237839192);
	close(fd);
	fd = open(DATA "/frames.data.txt", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(caught.diag.errors, 0);
	assert_int_equal(perf_recording_span(fd, "in", &first, &last, &caught.diag),
			 -1);
	assert_int_equal(caught.diag.errors, 1);
	caught_release(&caught);
	close(fd);
}

/* perf's folder of binaries is in the user's home. */
static int set_home(void **state)
{
	static struct folder home;
	char here[4096];
	struct fg_buf cache = FG_BUF_INIT;

	folder_init(&home);
	assert_non_null(getcwd(here, sizeof(here)));
	fg_buf_addf(&cache, "%s/" DATA "/cache", here);
	assert_int_equal(symlink(fg_buf_cstr(&cache), folder_path(&home, ".debug")), 0);
	assert_int_equal(setenv("HOME", home.path, 1), 0);
	fg_buf_release(&cache);
	*state = &home;
	return 0;
}

static int remove_home(void **state)
{
	folder_release(*state);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_have_the_names_and_offsets_that_perf_prints),
		cmocka_unit_test(a_recording_folds_like_its_text),
		cmocka_unit_test(waits_are_like_in_the_text),
		cmocka_unit_test(running_threads_are_like_in_the_text),
		cmocka_unit_test(wall_time_of_threads_is_folded),
		cmocka_unit_test(latency_is_like_in_perf_report),
		cmocka_unit_test(inlined_functions_are_frames_of_their_own),
		cmocka_unit_test(options_for_text_alone_are_refused),
		cmocka_unit_test(a_stream_is_cut_between_two_records),
		cmocka_unit_test(reading_ends_after_the_sample_that_stops_it),
		cmocka_unit_test(the_span_of_a_recording_is_the_span_of_its_samples),
	};

	/* The recordings are little-endian. */
	if (!fg_elf_is_here() || !*(const unsigned char *)&(uint16_t){ 1 })
		return skip_without("libelf, or no little-endian machine");
	return cmocka_run_group_tests(tests, set_home, remove_home);
}
