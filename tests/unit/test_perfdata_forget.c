/*
 * Tests of collapse/formats/perf/data: binaries of processes that have ended are
 * closed, and are the same when they come again.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "collapse/symbols/elf.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define PROGRAM "tests/data/perfdata/loft-arm64"
#define PROGRAMS 600
/* Those that may be open at a time, and what else is. */
#define OPEN_MAX 200

struct heard {
	uint32_t first; /* the frame of the first sample */
	uint32_t last;
	uint32_t most; /* the highest number of a frame */
	size_t samples;
	size_t others; /* from that on, they are of another function */
	int open; /* the highest of the lowest descriptors that were free */
	const char *gone; /* a file that is removed once there is a sample; or NULL */
};

static bool hear_sample(void *data, const struct fg_perfdata_sample *sample)
{
	struct heard *h = data;
	int fd = open("/dev/null", O_RDONLY);

	(void)sample;
	h->open = fd > h->open ? fd : h->open;
	close(fd);
	if (h->gone && h->samples == 1)
		unlink(h->gone);
	return true;
}

static void hear_frame(void *data, const struct fg_perfdata_frame *frame)
{
	struct heard *h = data;

	if (h->samples < h->others)
		assert_str(frame->symbol, "leaf");
	else
		assert_str(frame->symbol, "mid");
	if (!h->samples++)
		h->first = frame->id;
	h->last = frame->id;
	h->most = frame->id > h->most ? frame->id : h->most;
}

/* Of a function of any name. */
static void hear_named(void *data, const struct fg_perfdata_frame *frame)
{
	struct heard *h = data;

	assert_false(fg_str_eq(frame->symbol, FG_STR("[unknown]")));
	h->samples++;
}

static void hear_end(void *data)
{
	(void)data;
}

/* A process that runs a program. */
static void start_program(struct recording *r, uint32_t pid, const char *path)
{
	recording_fork(r, 5, pid, pid);
	recording_map(r, &(struct recorded_map){ .pid = pid,
						 .start = 0x400000,
						 .len = 0x1000,
						 .name = path,
						 .misc = 2,
						 .prot = 5 });
	recording_at(r, pid, 0x400150);
}

/* A process that runs a program, and ends. */
static void run_program(struct recording *r, uint32_t pid, const char *path)
{
	start_program(r, pid, path);
	recording_exit(r, pid);
}

/* Many programs, each of which runs once, but the first at the end, too. */
static void run_programs(struct recording *r, struct folder *folder)
{
	char first[1024], name[16];

	snprintf(first, sizeof(first), "%s", folder_path(folder, "0"));
	run_program(r, 10, first);
	for (uint32_t i = 1; i < PROGRAMS; i++) {
		snprintf(name, sizeof(name), "%u", i);
		assert_int_equal(link(first, folder_path(folder, name)), 0);
		run_program(r, 10 + i, folder_path(folder, name));
	}
	run_program(r, 10 + PROGRAMS, first);
}

typedef void hear(void *data, const struct fg_perfdata_frame *frame);

static void read_programs(struct recording *r, hear *frame, struct heard *heard)
{
	struct caught caught;
	struct fg_perfdata pd = {
		.fd = -1,
		.name = "perf.data",
		.head = recording_file(r),
		.debug_folder = "/nonexistent",
		.diag = &caught.diag,
		.sink = { .sample = hear_sample,
			  .frame = frame,
			  .end = hear_end,
			  .data = heard },
	};

	caught_init(&caught);
	assert_int_equal(fg_perfdata_read(&pd), 0);
	assert_str(fg_buf_str(&caught.text), "");
	caught_release(&caught);
}

static void test_programs_that_come_and_go(void **data)
{
	struct recorded *s = *data;
	struct fg_buf bytes = FG_BUF_INIT;
	struct heard heard = { .others = SIZE_MAX };
	struct folder folder;

	folder_init(&folder);
	assert_true(file_read(PROGRAM, &bytes));
	folder_write(&folder, "0", fg_buf_str(&bytes));
	run_programs(&s->r, &folder);
	read_programs(&s->r, hear_frame, &heard);
	assert_int_equal(heard.samples, PROGRAMS + 1);
	assert_true(heard.open < OPEN_MAX);
	assert_int_equal(heard.last, heard.first);
	assert_int_equal(heard.most, heard.first + PROGRAMS - 1);
	folder_release(&folder);
	fg_buf_release(&bytes);
}

/* Its file is gone, so that it cannot be opened again. */
static void test_a_program_that_runs_stays_open(void **data)
{
	struct recorded *s = *data;
	struct fg_buf bytes = FG_BUF_INIT;
	struct heard heard = { .others = PROGRAMS + 2 };
	struct folder folder;
	char lasting[1024];

	folder_init(&folder);
	assert_true(file_read(PROGRAM, &bytes));
	folder_write(&folder, "0", fg_buf_str(&bytes));
	snprintf(lasting, sizeof(lasting), "%s",
		 folder_write(&folder, "lasting", fg_buf_str(&bytes)));
	heard.gone = lasting;
	start_program(&s->r, 7, lasting);
	run_programs(&s->r, &folder);
	recording_at(&s->r, 7, 0x400180);
	read_programs(&s->r, hear_frame, &heard);
	assert_int_equal(heard.samples, PROGRAMS + 3);
	assert_int_not_equal(access(lasting, F_OK), 0);
	folder_release(&folder);
	fg_buf_release(&bytes);
}

/* The same of one that ends and starts again: others are asked for once. */
static void test_a_program_that_comes_again_stays_open(void **data)
{
	struct recorded *s = *data;
	struct fg_buf bytes = FG_BUF_INIT;
	struct heard heard = { .open = 0 };
	struct folder folder;
	char again[1024], name[16];

	folder_init(&folder);
	assert_true(file_read(PROGRAM, &bytes));
	snprintf(again, sizeof(again), "%s",
		 folder_write(&folder, "again", fg_buf_str(&bytes)));
	heard.gone = again;
	for (uint32_t i = 0; i < PROGRAMS; i++) {
		snprintf(name, sizeof(name), "%u", i);
		assert_int_equal(link(again, folder_path(&folder, name)), 0);
		start_program(&s->r, 10 + 2 * i, again);
		recording_at(&s->r, 10 + 2 * i, 0x400180);
		recording_exit(&s->r, 10 + 2 * i);
		run_program(&s->r, 11 + 2 * i, folder_path(&folder, name));
	}
	read_programs(&s->r, hear_named, &heard);
	assert_int_equal(heard.samples, 3 * PROGRAMS);
	assert_true(heard.open < OPEN_MAX);
	assert_int_not_equal(access(again, F_OK), 0);
	folder_release(&folder);
	fg_buf_release(&bytes);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_programs_that_come_and_go,
						recorded_set_up, recorded_tear_down),
		cmocka_unit_test_setup_teardown(test_a_program_that_runs_stays_open,
						recorded_set_up, recorded_tear_down),
		cmocka_unit_test_setup_teardown(
			test_a_program_that_comes_again_stays_open, recorded_set_up,
			recorded_tear_down),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
