/*
 * Tests of collapse/formats/perf/data: binaries of ended processes are closed, and get
 * the same frames if they are used again.
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
/* The most programs that may be open at a time, with all other descriptors. */
#define OPEN_MAX 200

struct seen {
	uint32_t first; /* the frame of the first sample */
	uint32_t last;
	uint32_t most; /* the highest id of a frame */
	size_t samples;
	size_t others; /* from this sample on they are in mid(), not in leaf() */
	int open; /* the highest descriptor that open() returned in a sample */
	const char *gone; /* a file to remove after the first sample, or NULL */
};

static bool see_sample(void *data, const struct fg_perfdata_sample *sample)
{
	struct seen *h = data;
	int fd = open("/dev/null", O_RDONLY);

	(void)sample;
	h->open = fd > h->open ? fd : h->open;
	close(fd);
	if (h->gone && h->samples == 1)
		unlink(h->gone);
	return true;
}

static void see_frame(void *data, const struct fg_perfdata_frame *frame)
{
	struct seen *h = data;

	if (h->samples < h->others)
		assert_str(frame->symbol, "leaf");
	else
		assert_str(frame->symbol, "mid");
	if (!h->samples++)
		h->first = frame->id;
	h->last = frame->id;
	h->most = frame->id > h->most ? frame->id : h->most;
}

/* Accepts any function with a name. */
static void see_named(void *data, const struct fg_perfdata_frame *frame)
{
	struct seen *h = data;

	assert_false(fg_str_eq(frame->symbol, FG_STR("[unknown]")));
	h->samples++;
}

static void see_end(void *data)
{
	(void)data;
}

/* Starts a process that runs a program. */
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

/* Starts a process that runs a program, and ends it. */
static void run_program(struct recording *r, uint32_t pid, const char *path)
{
	start_program(r, pid, path);
	recording_exit(r, pid);
}

/* Runs many programs once each, and the first one again at the end. */
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

typedef void see(void *data, const struct fg_perfdata_frame *frame);

static void read_programs(struct recording *r, see *frame, struct seen *seen)
{
	struct caught caught;
	struct fg_perfdata pd = {
		.fd = -1,
		.name = "perf.data",
		.head = recording_file(r),
		.debug_folder = "/nonexistent",
		.diag = &caught.diag,
		.sink = { .sample = see_sample,
			  .frame = frame,
			  .end = see_end,
			  .data = seen },
	};

	caught_init(&caught);
	assert_int_equal(fg_perfdata_read(&pd), 0);
	assert_str(fg_buf_str(&caught.text), "");
	caught_release(&caught);
}

static void test_ended_programs_are_closed(void **data)
{
	struct recorded *s = *data;
	struct fg_buf bytes = FG_BUF_INIT;
	struct seen seen = { .others = SIZE_MAX };
	struct folder folder;

	folder_init(&folder);
	assert_true(file_read(PROGRAM, &bytes));
	folder_write(&folder, "0", fg_buf_str(&bytes));
	run_programs(&s->r, &folder);
	read_programs(&s->r, see_frame, &seen);
	assert_int_equal(seen.samples, PROGRAMS + 1);
	assert_true(seen.open < OPEN_MAX);
	assert_int_equal(seen.last, seen.first);
	assert_int_equal(seen.most, seen.first + PROGRAMS - 1);
	folder_release(&folder);
	fg_buf_release(&bytes);
}

/* Its file has been removed, so it cannot be opened again. */
static void test_a_program_that_runs_stays_open(void **data)
{
	struct recorded *s = *data;
	struct fg_buf bytes = FG_BUF_INIT;
	struct seen seen = { .others = PROGRAMS + 2 };
	struct folder folder;
	char lasting[1024];

	folder_init(&folder);
	assert_true(file_read(PROGRAM, &bytes));
	folder_write(&folder, "0", fg_buf_str(&bytes));
	snprintf(lasting, sizeof(lasting), "%s",
		 folder_write(&folder, "lasting", fg_buf_str(&bytes)));
	seen.gone = lasting;
	start_program(&s->r, 7, lasting);
	run_programs(&s->r, &folder);
	recording_at(&s->r, 7, 0x400180);
	read_programs(&s->r, see_frame, &seen);
	assert_int_equal(seen.samples, PROGRAMS + 3);
	assert_int_not_equal(access(lasting, F_OK), 0);
	folder_release(&folder);
	fg_buf_release(&bytes);
}

/* Like above, for one that ends and starts again. The others run once each. */
static void test_a_program_that_runs_again_stays_open(void **data)
{
	struct recorded *s = *data;
	struct fg_buf bytes = FG_BUF_INIT;
	struct seen seen = { .open = 0 };
	struct folder folder;
	char again[1024], name[16];

	folder_init(&folder);
	assert_true(file_read(PROGRAM, &bytes));
	snprintf(again, sizeof(again), "%s",
		 folder_write(&folder, "again", fg_buf_str(&bytes)));
	seen.gone = again;
	for (uint32_t i = 0; i < PROGRAMS; i++) {
		snprintf(name, sizeof(name), "%u", i);
		assert_int_equal(link(again, folder_path(&folder, name)), 0);
		start_program(&s->r, 10 + 2 * i, again);
		recording_at(&s->r, 10 + 2 * i, 0x400180);
		recording_exit(&s->r, 10 + 2 * i);
		run_program(&s->r, 11 + 2 * i, folder_path(&folder, name));
	}
	read_programs(&s->r, see_named, &seen);
	assert_int_equal(seen.samples, 3 * PROGRAMS);
	assert_true(seen.open < OPEN_MAX);
	assert_int_not_equal(access(again, F_OK), 0);
	folder_release(&folder);
	fg_buf_release(&bytes);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ended_programs_are_closed,
						recorded_set_up, recorded_tear_down),
		cmocka_unit_test_setup_teardown(test_a_program_that_runs_stays_open,
						recorded_set_up, recorded_tear_down),
		cmocka_unit_test_setup_teardown(
			test_a_program_that_runs_again_stays_open, recorded_set_up,
			recorded_tear_down),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
