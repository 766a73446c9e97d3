/*
 * Tests of collapse/symbols/jitdump.c and collapse/formats/perf/data/jits.c: we make a
 * jitdump, and recordings of the process that wrote it.
 */
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collapse/symbols/elf.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define PID 5
#define CODE 0x400000
#define JIT_LOAD 0
#define JIT_MOVE 1
#define JIT_DEBUG_INFO 2

struct jits {
	struct recording r;
	struct folder folder;
	struct fg_buf dump, text;
	bool swapped; /* write numbers in the other byte order */
	uint64_t number; /* number of the next function */
};

/* ---- writing a dump */

static void dump32(struct jits *j, uint32_t n)
{
	put32(&j->dump, j->swapped ? __builtin_bswap32(n) : n);
}

static void dump64(struct jits *j, uint64_t n)
{
	put64(&j->dump, j->swapped ? __builtin_bswap64(n) : n);
}

static void dump_text(struct jits *j, const char *text)
{
	fg_buf_add(&j->dump, text, strlen(text) + 1);
}

static void dump_header(struct jits *j, uint64_t time, uint64_t flags)
{
	fg_buf_clear(&j->dump);
	dump32(j, 0x4a695444);
	dump32(j, 1);
	dump32(j, 40);
	dump32(j, 62);
	dump32(j, 0);
	dump32(j, PID);
	dump64(j, time);
	dump64(j, flags);
}

static void dump_head(struct jits *j, uint32_t type, size_t size, uint64_t time)
{
	dump32(j, type);
	dump32(j, (uint32_t)size);
	dump64(j, time);
}

/* Adds a function of 0x100 bytes. */
static void dump_load(struct jits *j, uint64_t time, uint64_t start, const char *name)
{
	static const char code[0x100];

	dump_head(j, JIT_LOAD, 56 + strlen(name) + 1 + sizeof(code), time);
	dump32(j, PID);
	dump32(j, PID);
	dump64(j, start);
	dump64(j, start);
	dump64(j, sizeof(code));
	dump64(j, j->number++);
	dump_text(j, name);
	fg_buf_add(&j->dump, code, sizeof(code));
}

static void dump_move(struct jits *j, uint64_t time, uint64_t number, uint64_t start)
{
	dump_head(j, JIT_MOVE, 64, time);
	dump32(j, PID);
	dump32(j, PID);
	dump64(j, 0);
	dump64(j, 0);
	dump64(j, start);
	dump64(j, 0x100);
	dump64(j, number);
}

static void dump_line(struct jits *j, uint64_t address, uint32_t line, const char *file)
{
	dump64(j, address);
	dump32(j, line);
	dump32(j, 0);
	dump_text(j, file);
}

/* Adds three lines of the code at CODE. Their addresses are larger by `shift`. */
static void dump_lines(struct jits *j, uint64_t shift, const char *file)
{
	size_t size = 32 + 16 * 3 + strlen(file) + 1 + 2 + strlen("b.js") + 1;

	dump_head(j, JIT_DEBUG_INFO, size, 0);
	dump64(j, CODE);
	dump64(j, 3);
	dump_line(j, CODE + shift, 7, file);
	dump_line(j, CODE + shift + 8, 8, "\xff");
	dump_line(j, CODE + shift + 0x80, 9, "b.js");
}

static const char *dump_path(struct jits *j)
{
	return folder_path(&j->folder, "jit-5.dump");
}

static void dump_write(struct jits *j)
{
	folder_write(&j->folder, "jit-5.dump", fg_buf_str(&j->dump));
}

/* ---- the recording */

static void map_name(struct jits *j, uint32_t pid, uint64_t start, const char *name)
{
	recording_map(&j->r, &(struct recorded_map){ .pid = pid,
						     .start = start,
						     .len = 0x10000,
						     .name = name,
						     .misc = 2,
						     .prot = 5 });
}

static int set_up(void **data)
{
	static struct jits jits;

	if (!fg_elf_is_here())
		skip();
	memset(&jits, 0, sizeof(jits));
	recording_init(&jits.r);
	jits.r.events[0].monotonic = true;
	folder_init(&jits.folder);
	map_name(&jits, PID, CODE, "//anon");
	map_name(&jits, PID, 0x10000, dump_path(&jits));
	dump_header(&jits, 1500, 0);
	*data = &jits;
	return 0;
}

static int tear_down(void **data)
{
	struct jits *j = *data;

	recording_release(&j->r);
	remove(dump_path(j));
	folder_release(&j->folder);
	fg_buf_release(&j->dump);
	fg_buf_release(&j->text);
	return 0;
}

static void read_with(struct jits *j, unsigned debug)
{
	struct fg_perfdata pd = { .fd = -1,
				  .head = recording_file(&j->r),
				  .debug_folder = "/nonexistent",
				  .debug = debug };

	fg_buf_clear(&j->text);
	assert_int_equal(recording_read_from(&pd, &j->text), 0);
}

/* Writes the dump, reads the recording, and checks if the text has `want`. */
static void check(struct jits *j, const char *want)
{
	dump_write(j);
	read_with(j, 0);
	assert_has(fg_buf_str(&j->text), want);
}

/* Samples an address at a time, and checks the only name that it then has. */
static void check_name(struct jits *j, uint64_t time, uint64_t address,
		       const char *name)
{
	struct fg_buf want = FG_BUF_INIT;
	size_t before = j->r.records.len;

	j->r.time = time;
	recording_at(&j->r, PID, address);
	fg_buf_addf(&want, " cpu-clock 100 %s(", name);
	check(j, fg_buf_cstr(&want));
	j->r.records.len = before;
	fg_buf_release(&want);
}

/* ---- names at a time */

static void check_times(struct jits *j, bool swapped)
{
	j->swapped = swapped;
	j->number = 7;
	dump_header(j, 1500, 0);
	dump_load(j, 3000, CODE, "first");
	dump_load(j, 5000, CODE + 0x80, "second");
	dump_move(j, 6000, 7, CODE + 0x1000);
	check_name(j, 2999, CODE + 4, "[unknown]+0");
	check_name(j, 3000, CODE + 4, "first+4");
	check_name(j, 4000, CODE + 0xff, "first+ff");
	check_name(j, 4000, CODE + 0x100, "[unknown]+0");
	check_name(j, 5000, CODE + 0x90, "second+10");
	check_name(j, 5000, CODE + 0x10, "first+10");
	check_name(j, 5999, CODE + 0x1004, "[unknown]+0");
	check_name(j, 6000, CODE + 0x1004, "first+4");
	assert_false(fg_str_has(fg_buf_str(&j->text), FG_STR("prog:")));
}

static void test_code_has_the_name_that_it_had_then(void **data)
{
	check_times(*data, false);
	check_times(*data, true);
}

/* Threads of a runtime write to the dump in any order. */
static void test_records_of_the_dump_are_sorted(void **data)
{
	struct jits *j = *data;

	dump_load(j, 5000, CODE, "later");
	dump_load(j, 3000, CODE, "earlier");
	check_name(j, 4000, CODE, "earlier+0");
	check_name(j, 5000, CODE, "later+0");
}

/* mprotect() records memory again, and does not change the code in it. */
static void test_only_files_replace_code(void **data)
{
	struct jits *j = *data;

	dump_load(j, 3000, CODE, "code");
	j->r.time = 4000;
	recording_at(&j->r, PID, CODE);
	map_name(j, PID, CODE, "//anon");
	map_name(j, PID, CODE, "/memfd:doublemapper (deleted)");
	check_name(j, 7000, CODE + 1, "code+1");
	map_name(j, PID, CODE, "/nonexistent/lib.so");
	check_name(j, 9000, CODE + 1, "[unknown]+0");
}

static void test_a_child_has_the_code_of_its_parent(void **data)
{
	struct jits *j = *data;

	dump_load(j, 3000, CODE, "before");
	dump_load(j, 5000, CODE, "after");
	j->r.time = 4000;
	recording_fork(&j->r, PID, 6, 6);
	j->r.time = 6000;
	recording_at(&j->r, 6, CODE);
	recording_at(&j->r, PID, CODE);
	check(j, "6000 cpu-clock 100 before+0(");
	check(j, "7000 cpu-clock 100 after+0(");
}

/* A process that has got the pid of another one has none of its code. */
static void test_another_process_with_the_pid_has_no_code(void **data)
{
	struct jits *j = *data;

	dump_load(j, 3000, CODE, "code");
	j->r.time = 4000;
	recording_exit(&j->r, PID);
	recording_fork(&j->r, 1, PID, PID);
	check_name(j, 7000, CODE, "[unknown]+0");
}

/* ---- clocks */

static void test_another_clock_is_estimated(void **data)
{
	struct jits *j = *data;

	j->r.events[0].monotonic = false;
	/* the dump was mapped at 2000 */
	dump_header(j, 9001000, 0);
	dump_load(j, 9002000, CODE, "first");
	dump_load(j, 9003000, CODE, "second");
	check_name(j, 2999, CODE, "[unknown]+0");
	check_name(j, 3000, CODE, "first+0");
	check_name(j, 4000, CODE, "second+0");
	assert_has(fg_buf_str(&j->text), "jit-5.dump: the recording has another clock, "
					 "so we estimate when");
	/* V8 writes another time into the header */
	dump_header(j, UINT64_C(1796009699883128), 0);
	dump_load(j, 9002000, CODE, "first");
	dump_load(j, 9003000, CODE, "second");
	check_name(j, 2000, CODE, "first+0");
	check_name(j, 3000, CODE, "second+0");
}

static void test_the_last_code_is_used_if_no_time_is_known(void **data)
{
	struct jits *j = *data;

	j->r.events[0].monotonic = false;
	fg_buf_clear(&j->r.records);
	j->r.time = 0;
	map_name(j, PID, CODE, "//anon");
	map_name(j, PID, 0x10000, dump_path(j));
	dump_load(j, 9002000, CODE, "first");
	dump_load(j, 9001000, CODE, "second");
	check_name(j, 3000, CODE, "second+0");
	assert_has(fg_buf_str(&j->text), "jit-5.dump: the recording has another clock, "
					 "so code that was replaced");
}

/* A time is 100 + cycles * 6 / 4. */
static void put_conversion(struct jits *j)
{
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, 2);
	put64(&body, 6);
	put64(&body, 100);
	recording_put(&j->r, 79, 0, fg_buf_str(&body));
	fg_buf_release(&body);
}

static void test_cycles_become_times(void **data)
{
	struct jits *j = *data;

	dump_header(j, 1000, 1);
	dump_load(j, 2001, CODE, "code");
	j->r.events[0].monotonic = false;
	put_conversion(j);
	check_name(j, 3100, CODE, "[unknown]+0");
	check_name(j, 3101, CODE, "code+0");
	assert_false(fg_str_has(fg_buf_str(&j->text), FG_STR("prog:")));
	/* with a clock that perf record chose, the conversion is of no use */
	j->r.events[0].monotonic = true;
	check_name(j, 3000, CODE, "code+0");
	assert_has(fg_buf_str(&j->text), "has another clock");
}

/* ---- other files */

static void test_a_map_has_what_the_dump_lacks(void **data)
{
	struct jits *j = *data;
	struct fg_buf map = FG_BUF_INIT;
	FILE *f;

	fg_buf_addf(&map, "/tmp/perf-%d.map", PID);
	if (!access(fg_buf_cstr(&map), F_OK))
		skip();
	f = fopen(fg_buf_cstr(&map), "w");
	assert_non_null(f);
	fprintf(f, "%x 400 of_map\n", CODE);
	assert_int_equal(fclose(f), 0);
	dump_load(j, 3000, CODE, "of_dump");
	check_name(j, 4000, CODE + 4, "of_dump+4");
	check_name(j, 4000, CODE + 0x104, "of_map+104");
	check_name(j, 2000, CODE + 4, "of_map+4");
	unlink(fg_buf_cstr(&map));
	fg_buf_release(&map);
}

static void test_the_dump_of_another_user_is_not_read(void **data)
{
	struct jits *j = *data;

	if (geteuid())
		skip();
	dump_load(j, 3000, CODE, "code");
	dump_write(j);
	assert_int_equal(chown(dump_path(j), 12345, (gid_t)-1), 0);
	j->r.time = 4000;
	recording_at(&j->r, PID, CODE);
	read_with(j, 0);
	assert_has(fg_buf_str(&j->text), "100 [unknown]+0(");
	assert_has(fg_buf_str(&j->text), "jit-5.dump has the names of that code, but "
					 "it is missing or belongs to another user");
	remove(dump_path(j));
}

static void map_dump(struct jits *j, int number)
{
	char name[32];

	snprintf(name, sizeof(name), "jit-%d.dump", number);
	folder_write(&j->folder, name, fg_buf_str(&j->dump));
	map_name(j, PID, 0x20000, folder_path(&j->folder, name));
}

static void test_a_process_has_eight_dumps(void **data)
{
	static const struct fg_str too_many = FG_STR_INIT("more than 8 jitdumps");
	struct jits *j = *data;
	char name[32];

	dump_load(j, 3000, CODE, "code");
	for (int i = 0; i < 2; i++) {
		for (int number = 6; number < 13; number++)
			map_dump(j, number);
	}
	check_name(j, 4000, CODE, "code+0");
	assert_false(fg_str_has(fg_buf_str(&j->text), too_many));
	map_dump(j, 13);
	check_name(j, 4000, CODE, "code+0");
	assert_true(fg_str_has(fg_buf_str(&j->text), too_many));
	for (int number = 6; number < 14; number++) {
		snprintf(name, sizeof(name), "jit-%d.dump", number);
		remove(folder_path(&j->folder, name));
	}
}

/* ---- malformed dumps */

static void test_a_cut_dump_has_the_code_before_the_cut(void **data)
{
	struct jits *j = *data;
	size_t whole;

	dump_load(j, 3000, CODE, "first");
	whole = j->dump.len;
	dump_load(j, 3000, CODE + 0x100, "second");
	for (size_t len = j->dump.len - 1; len > whole; len -= 37) {
		j->dump.len = len;
		check_name(j, 4000, CODE, "first+0");
		assert_has(fg_buf_str(&j->text), "jit-5.dump: damaged, or not yet "
						 "complete");
		check_name(j, 4000, CODE + 0x100, "[unknown]+0");
	}
	j->dump.len = whole;
	check_name(j, 4000, CODE, "first+0");
	assert_false(fg_str_has(fg_buf_str(&j->text), FG_STR("prog:")));
}

/* Replaces 4 bytes of the first record. */
static void change(struct jits *j, size_t at, uint32_t n)
{
	memcpy(j->dump.ptr + 40 + at, &n, sizeof(n));
}

static void test_malformed_records_are_left_out(void **data)
{
	static const struct {
		size_t at;
		uint32_t value;
	} changes[] = {
		{ 4, 15 }, /* the size of the record */
		{ 4, 40 },	    { 4, UINT32_MAX },
		{ 40, UINT32_MAX }, /* the size of the code */
		{ 40, 0x103 },	    { 44, UINT32_MAX },
	};
	struct jits *j = *data;

	for (size_t i = 0; i < COUNT_OF(changes); i++) {
		dump_header(j, 1500, 0);
		dump_load(j, 3000, CODE, "f");
		change(j, changes[i].at, changes[i].value);
		check_name(j, 4000, CODE + 4, "[unknown]+0");
		assert_has(fg_buf_str(&j->text), "jit-5.dump: damaged");
	}
	dump_header(j, 1500, 0);
	dump_load(j, 3000, UINT64_MAX - 0x80, "f");
	check_name(j, 4000, CODE, "[unknown]+0");
	assert_has(fg_buf_str(&j->text), "jit-5.dump: damaged");
}

static void test_odd_records_are_understood(void **data)
{
	struct jits *j = *data;

	/* the name has no end, a type is not known, a move has no code */
	dump_load(j, 3000, CODE, "name");
	change(j, 40, 0x101);
	dump_head(j, 77, 16, 3000);
	check_name(j, 4000, CODE, "name+0");
	assert_false(fg_str_has(fg_buf_str(&j->text), FG_STR("prog:")));
	dump_move(j, 3500, 99, CODE + 0x1000);
	check_name(j, 4000, CODE + 0x1000, "[unknown]+0");
	assert_has(fg_buf_str(&j->text), "jit-5.dump: damaged");
	fg_buf_clear(&j->dump);
	fg_buf_addf(&j->dump, "This is not a jitdump, but it is as long as a header.");
	check_name(j, 4000, CODE, "[unknown]+0");
	assert_has(fg_buf_str(&j->text), "jit-5.dump: damaged");
	fg_buf_clear(&j->dump);
	check_name(j, 4000, CODE, "[unknown]+0");
}

/* ---- lines */

static void check_line(struct jits *j, uint64_t address, unsigned debug,
		       const char *want)
{
	struct fg_buf line = FG_BUF_INIT;
	size_t before = j->r.records.len;

	dump_write(j);
	j->r.time = 4000;
	recording_at(&j->r, PID, address);
	read_with(j, debug);
	fg_buf_addf(&line, "%s(", want);
	assert_has(fg_buf_str(&j->text), fg_buf_cstr(&line));
	j->r.records.len = before;
	fg_buf_release(&line);
}

static void test_code_has_lines(void **data)
{
	struct jits *j = *data;

	dump_lines(j, 0, "/src/a.js");
	dump_load(j, 3000, CODE, "code");
	dump_load(j, 3000, CODE + 0x100, "bare");
	check_line(j, CODE, FG_PERFDATA_PATHS, "code+0 /src/a.js:7");
	check_line(j, CODE + 7, FG_PERFDATA_LINES, "code+7 a.js:7");
	check_line(j, CODE + 8, FG_PERFDATA_LINES, "code+8 a.js:8");
	check_line(j, CODE + 0x90, FG_PERFDATA_PATHS, "code+90 b.js:9");
	check_line(j, CODE + 0x90, FG_PERFDATA_INLINES, "code+90");
	check_line(j, CODE + 0x108, FG_PERFDATA_PATHS, "bare+8");
}

/* V8 adds the size of an ELF header, and its names may be garbage. */
static void test_lines_of_v8(void **data)
{
	struct jits *j = *data;

	dump_lines(j, 0x40, "/src/a.js");
	dump_load(j, 3000, CODE, "JS:*f /src/a.js:1:2");
	check_line(j, CODE + 8, FG_PERFDATA_PATHS, "JS:*f /src/a.js:1:2+8 /src/a.js:8");
	dump_header(j, 1500, 0);
	dump_lines(j, 0x40, "/src/\x80\x01.js");
	dump_load(j, 3000, CODE, "JS:*f /src/a.js:1:2");
	check_line(j, CODE + 8, FG_PERFDATA_PATHS, "JS:*f /src/a.js:1:2+8");
	dump_header(j, 1500, 0);
	dump_lines(j, 0x40, "/src/a.js");
	dump_load(j, 3000, CODE, "JS:~f /src/a.js:1:2");
	check_line(j, CODE + 8, FG_PERFDATA_PATHS, "JS:~f /src/a.js:1:2+8");
}

/* ---- a stream */

static void send(int to, struct fg_str bytes)
{
	assert_int_equal(write(to, bytes.ptr, bytes.len), bytes.len);
}

/* Waits until the reader has read all bytes of the pipe. */
static void wait_for_reader(int pipe)
{
	int left = 1;

	while (!ioctl(pipe, FIONREAD, &left) && left)
		poll(NULL, 0, 1);
}

/* A runtime may write its dump only when it ends. */
static void write_stream(struct jits *j, int from, int to)
{
	struct fg_str whole;

	j->r.time = 4000;
	recording_at(&j->r, PID, CODE);
	for (int i = 0; i < 3; i++)
		recording_round(&j->r);
	send(to, recording_stream(&j->r));
	wait_for_reader(from);
	dump_load(j, 3000, CODE, "code");
	dump_write(j);
	whole = recording_stream(&j->r);
	send(to, fg_str_from_pos(whole, whole.len - ROUND_SIZE));
}

static void test_a_stream_waits_for_the_dump(void **data)
{
	struct jits *j = *data;
	struct fg_perfdata pd = { .debug_folder = "/nonexistent" };
	int ends[2];
	pid_t writer;

	dump_write(j);
	for (int i = 0; i < 3; i++)
		recording_round(&j->r);
	assert_int_equal(pipe(ends), 0);
	writer = fork();
	if (!writer) {
		write_stream(j, ends[0], ends[1]);
		_exit(0);
	}
	close(ends[1]);
	pd.fd = ends[0];
	assert_int_equal(recording_read_from(&pd, &j->text), 0);
	assert_has(fg_buf_str(&j->text), " cpu-clock 100 code+0(");
	assert_int_equal(waitpid(writer, NULL, 0), writer);
	close(ends[0]);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(test_code_has_the_name_that_it_had_then),
		EACH(test_records_of_the_dump_are_sorted),
		EACH(test_only_files_replace_code),
		EACH(test_a_child_has_the_code_of_its_parent),
		EACH(test_another_process_with_the_pid_has_no_code),
		EACH(test_another_clock_is_estimated),
		EACH(test_the_last_code_is_used_if_no_time_is_known),
		EACH(test_cycles_become_times),
		EACH(test_a_map_has_what_the_dump_lacks),
		EACH(test_the_dump_of_another_user_is_not_read),
		EACH(test_a_process_has_eight_dumps),
		EACH(test_a_cut_dump_has_the_code_before_the_cut),
		EACH(test_malformed_records_are_left_out),
		EACH(test_odd_records_are_understood),
		EACH(test_code_has_lines),
		EACH(test_lines_of_v8),
		EACH(test_a_stream_waits_for_the_dump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
