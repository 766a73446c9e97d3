/*
 * Tests of collapse/formats/perf/data: the first bytes of a recording were read
 * already, to detect the format.
 */
#include <fcntl.h>
#include <unistd.h>

#include "collapse/symbols/elf.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "tests/unit/support/collapse.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

/* Passes the first `len` bytes as read already, and the descriptor for the rest. */
static void check_split(struct recorded *s, int fd, size_t len, const char *want)
{
	char head[400];
	struct fg_perfdata pd = { .fd = fd, .debug_folder = "/nonexistent" };

	assert_true(len <= sizeof(head));
	assert_int_equal(read(fd, head, len), len);
	pd.head = fg_str_of(head, len);
	fg_buf_clear(&s->text);
	assert_int_equal(recording_read_from(&pd, &s->text), 0);
	check_str(fg_buf_str(&s->text), fg_str_from(want), __FILE__, __LINE__);
	close(fd);
}

static int pipe_with(struct fg_str bytes)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], bytes.ptr, bytes.len), bytes.len);
	close(ends[1]);
	return ends[0];
}

static void test_bytes_that_were_read_already_are_used(void **data)
{
	static const char *const want =
		":5 5/5 1000 cpu-clock 100 [unknown]+0([unknown])\n";
	static const size_t lengths[] = { 0, 8, 16, 100, 104, 350 };
	struct recorded *s = *data;
	struct folder folder;
	const char *path;

	recording_at(&s->r, 5, 0x10);
	folder_init(&folder);
	path = folder_write(&folder, "perf.data", recording_file(&s->r));
	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		check_split(s, open(path, O_RDONLY | O_CLOEXEC), lengths[i], want);
		check_split(s, pipe_with(recording_file(&s->r)), lengths[i], want);
		if (lengths[i] <= recording_stream(&s->r).len)
			check_split(s, pipe_with(recording_stream(&s->r)), lengths[i],
				    want);
	}
	folder_release(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_bytes_that_were_read_already_are_used, recorded_set_up,
			recorded_tear_down),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
