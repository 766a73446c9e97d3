/*
 * Tests of collapse/symbols/jitmap.c: the map of code that a runtime makes grows while
 * a stream comes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "collapse/symbols/elf.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "tests/unit/support/collapse.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define STEP_ADDRESSES 2

/* A runtime writes to its map, then perf writes samples. */
struct step {
	const char *map; /* text to write to the map; NULL: nothing */
	uint64_t addresses[STEP_ADDRESSES]; /* addresses of samples; 0: no more */
	bool anew; /* replaces the map rather than adding to it */
	bool reborn; /* before that, another process has got the pid */
};

static const struct step steps[] = {
	{ NULL, { 0x400010 }, false, false },
	{ "400000 100 first\n", { 0x400010, 0x400110 }, false, false },
	{ "400100 100 sec", { 0x400110 }, false, false },
	{ "ond\n", { 0x400110, 0x400010 }, false, false },
	{ "400200 100 third\n", { 0x400210, 0x400010 }, true, false },
	{ "400300 100 fourth_and_longer\n", { 0x400310, 0x400220 }, true, false },
	{ "400000 100 of_another_program\n", { 0x400010, 0x400310 }, true, true },
};

/* A process that makes code, and its recording. */
struct live {
	struct recording r;
	char map[64];
	int to; /* the end of the pipe to write to; -1: closed */
	size_t step, waiting; /* samples that have not been delivered yet */
	struct fg_buf text;
};

static void write_map(const struct live *live, const struct step *step)
{
	FILE *f = step->map ? fopen(live->map, step->anew ? "w" : "a") : NULL;

	if (!f)
		return;
	fputs(step->map, f);
	assert_int_equal(fclose(f), 0);
}

static void put_code(struct live *live)
{
	const struct recorded_map code = { .pid = (uint32_t)getpid(),
					   .start = 0x400000,
					   .len = 0x1000,
					   .name = "//anon",
					   .misc = 2,
					   .prot = 7 };

	recording_map(&live->r, &code);
}

static void put_samples(struct live *live, const struct step *step)
{
	uint32_t pid = (uint32_t)getpid();

	if (step->reborn) {
		recording_exit(&live->r, pid);
		recording_fork(&live->r, 1, pid, pid);
		put_code(live);
	}
	for (size_t i = 0; i < STEP_ADDRESSES && step->addresses[i]; i++) {
		const uint64_t chain[] = { RECORDED_USER, step->addresses[i] };

		recording_sample(&live->r, pid, pid, chain, COUNT_OF(chain));
		live->waiting++;
	}
	recording_round(&live->r);
	recording_round(&live->r);
}

static void send(struct live *live, struct fg_str bytes)
{
	assert_int_equal(write(live->to, bytes.ptr, bytes.len), bytes.len);
	fg_buf_clear(&live->r.records);
}

/* Makes the next step. After the last one, closes the pipe. */
static void go_on(struct live *live)
{
	if (live->step == COUNT_OF(steps)) {
		close(live->to);
		live->to = -1;
		return;
	}
	write_map(live, &steps[live->step]);
	put_samples(live, &steps[live->step++]);
	send(live, live->step == 1 ? recording_stream(&live->r) :
				     fg_buf_str(&live->r.records));
}

static bool take_sample(void *data, const struct fg_perfdata_sample *s)
{
	(void)data;
	(void)s;
	return true;
}

static void take_frame(void *data, const struct fg_perfdata_frame *f)
{
	struct live *live = data;

	fg_buf_addf(&live->text, "%llx ", (unsigned long long)f->pc);
	fg_buf_add_str(&live->text, f->symbol);
	fg_buf_add_char(&live->text, '\n');
}

static void take_end(void *data)
{
	struct live *live = data;

	if (!--live->waiting)
		go_on(live);
}

static int set_up(void **data)
{
	static struct live live;
	memset(&live, 0, sizeof(live));
	recording_init(&live.r);
	put_code(&live);
	snprintf(live.map, sizeof(live.map), "/tmp/perf-%d.map", (int)getpid());
	unlink(live.map);
	*data = &live;
	return 0;
}

static int tear_down(void **data)
{
	struct live *live = *data;

	unlink(live->map);
	recording_release(&live->r);
	fg_buf_release(&live->text);
	return 0;
}

static void test_code_made_while_a_stream_comes_has_names(void **data)
{
	struct live *live = *data;
	struct caught caught;
	struct fg_perfdata pd = {
		.name = "stream",
		.debug_folder = "/nonexistent",
		.sink = { .sample = take_sample,
			  .frame = take_frame,
			  .end = take_end,
			  .data = live },
	};
	int ends[2];

	if (!fg_elf_is_here())
		skip();
	assert_int_equal(pipe(ends), 0);
	caught_init(&caught);
	pd.fd = ends[0];
	pd.diag = &caught.diag;
	live->to = ends[1];
	go_on(live);
	assert_int_equal(fg_perfdata_read(&pd), 0);
	assert_int_equal(live->to, -1);
	assert_str(fg_buf_str(&live->text), "400010 [unknown]\n"
					    "400010 first\n"
					    "400110 [unknown]\n"
					    "400110 [unknown]\n"
					    "400110 second\n"
					    "400010 first\n"
					    "400210 third\n"
					    "400010 first\n"
					    "400310 fourth_and_longer\n"
					    "400220 [unknown]\n"
					    "400010 of_another_program\n"
					    "400310 [unknown]\n");
	assert_has(fg_buf_str(&caught.text), "did not exist when the first");
	assert_has(fg_buf_str(&caught.text), "(1 samples)");
	caught_release(&caught);
	close(ends[0]);
}

/* A file is complete, so functions that are not in the map will never be there. */
static void test_the_map_of_a_file_is_read_once(void **data)
{
	static const struct step whole = {
		"400000 100 first\n400100 100 last", { 0x400110, 0x400210 }, true, false
	};
	struct live *live = *data;

	if (!fg_elf_is_here())
		skip();
	write_map(live, &whole);
	put_samples(live, &whole);
	fg_buf_addf(&live->text, "\n");
	assert_int_equal(
		recording_read(recording_file(&live->r), NULL, &live->text, NULL), 0);
	assert_has(fg_buf_str(&live->text), " last+10(/tmp/perf-");
	assert_has(fg_buf_str(&live->text), " [unknown]+0(/tmp/perf-");
}

/* A symbol of a runtime may hold any number of functions, for any number of frames. */
static void test_inlined_functions_of_a_map_have_a_limit(void **data)
{
	enum { FUNCTIONS = 10000, FRAMES = 3500 };
	struct live *live = *data;
	uint64_t chain[1 + FRAMES] = { RECORDED_USER };
	struct collapsed got;
	FILE *map;

	if (!fg_elf_is_here())
		skip();
	map = fopen(live->map, "w");
	assert_non_null(map);
	fputs("400000 1000 a::b", map);
	for (int i = 1; i < FUNCTIONS; i++)
		fputs("->a::b", map);
	assert_int_equal(fclose(map), 0);
	recording_comm(&live->r, (uint32_t)getpid(), "java");
	for (size_t i = 1; i <= FRAMES; i++)
		chain[i] = 0x400000;
	recording_sample(&live->r, (uint32_t)getpid(), (uint32_t)getpid(), chain,
			 1 + FRAMES);
	collapse_format(&fg_format_perf, recording_file(&live->r),
			(struct collapse_how){ "--max-depth 3", 0 }, &got);
	assert_int_equal(got.status, 0);
	assert_str(fg_buf_str(&got.out.buf), "java;a::b;a::b;a::b 100\n");
	assert_has(fg_buf_str(&got.caught.text),
		   "inlined functions beyond the limit (14");
	collapsed_release(&got);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_code_made_while_a_stream_comes_has_names),
		TEST(test_the_map_of_a_file_is_read_once),
		TEST(test_inlined_functions_of_a_map_have_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
