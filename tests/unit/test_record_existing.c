/* Tests of record/existing and record/kernel: records made from a /proc of our own. */
#include <linux/perf_event.h>
#include <sys/mman.h>

#include "record/cgroups.h"
#include "record/existing.h"
#include "record/kernel.h"
#include "tests/unit/support/support.h"

#define MISC_DATA (1U << 13)

struct given {
	struct folder proc;
	struct fg_out out;
	struct fg_existing x;
};

static void start(struct given *g)
{
	folder_init(&g->proc);
	fg_out_init_memory(&g->out);
	g->x = (struct fg_existing){ .proc = g->proc.path,
				     .out = &g->out,
				     .trailer = 24 };
}

static void end(struct given *g)
{
	fg_existing_release(&g->x);
	fg_out_close(&g->out);
	folder_release(&g->proc);
}

/* A record in the output. */
struct found {
	struct perf_event_header header;
	struct fg_str body;
};

/* Cuts the next record off. Returns false at the end. */
static bool next(struct fg_str *rest, struct found *f)
{
	memset(f, 0, sizeof(*f));
	if (!rest->len)
		return false;
	assert_true(rest->len >= sizeof(f->header));
	memcpy(&f->header, rest->ptr, sizeof(f->header));
	assert_true(f->header.size >= sizeof(f->header) + 24);
	assert_true(f->header.size <= rest->len);
	assert_int_equal(f->header.size % 8, 0);
	f->body = fg_str_from_pos(fg_str_before(*rest, f->header.size), 8);
	for (size_t i = f->body.len - 24; i < f->body.len; i++)
		assert_int_equal(f->body.ptr[i], 0);
	*rest = fg_str_from_pos(*rest, f->header.size);
	return true;
}

static uint32_t u32(const struct found *f, size_t at)
{
	uint32_t n;

	memcpy(&n, f->body.ptr + at, sizeof(n));
	return n;
}

static uint64_t u64(const struct found *f, size_t at)
{
	uint64_t n;

	memcpy(&n, f->body.ptr + at, sizeof(n));
	return n;
}

static void expect(struct fg_str *rest, struct found *f, uint32_t type, uint32_t pid)
{
	assert_true(next(rest, f));
	assert_int_equal(f->header.type, type);
	assert_int_equal(u32(f, 0), pid);
}

static const char maps[] =
	"55d0c0000000-55d0c0001000 r--p 00000000 08:01 77 /bin/app\n"
	"55d0c0001000-55d0c0003000 r-xp 00001000 08:01 77   /bin/my app (deleted)\n"
	"55d0c0003000-55d0c0004000 ---p 00001000 08:01 77         /bin/app\n"
	"7f0000000000-7f0000001000 rwxs 00000000 00:00 0 \n"
	"malformed\n"
	"7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0                  [vdso]\n";

static void write_process(struct given *g)
{
	folder_write(&g->proc, "41/status",
		     FG_STR("Name:\tapp\nTgid:\t41\nPPid:\t7\n"));
	folder_write(&g->proc, "41/maps", fg_str_from(maps));
	folder_write(&g->proc, "41/task/41/comm", FG_STR("my app\n"));
	folder_write(&g->proc, "41/task/43/comm", FG_STR("worker\n\n"));
}

static void test_a_process_has_its_threads_and_mappings(void **data)
{
	struct fg_str rest;
	struct found f;
	struct given g;
	unsigned threads = 0;

	(void)data;
	start(&g);
	write_process(&g);
	fg_existing_process(&g.x, 41);
	rest = fg_buf_str(&g.out.buf);
	while (threads < 2) {
		uint32_t tid;

		expect(&rest, &f, PERF_RECORD_FORK, 41);
		assert_int_equal(f.header.misc, PERF_RECORD_MISC_COMM_EXEC);
		tid = u32(&f, 8);
		assert_int_equal(u32(&f, 4), tid == 41 ? 7 : 41);
		if (tid == 41)
			expect(&rest, &f, PERF_RECORD_NAMESPACES, 41);
		expect(&rest, &f, PERF_RECORD_COMM, 41);
		assert_int_equal(u32(&f, 4), tid);
		assert_string_equal(f.body.ptr + 8, tid == 41 ? "my app" : "worker\n");
		threads++;
	}
	expect(&rest, &f, PERF_RECORD_MMAP2, 41);
	assert_int_equal(u64(&f, 8), 0x55d0c0001000);
	assert_int_equal(u64(&f, 16), 0x2000);
	assert_int_equal(u64(&f, 24), 0x1000);
	assert_int_equal(u32(&f, 32), 8);
	assert_int_equal(u32(&f, 36), 1);
	assert_int_equal(u64(&f, 40), 77);
	assert_int_equal(u32(&f, 56), PROT_READ | PROT_EXEC);
	assert_int_equal(u32(&f, 60), MAP_PRIVATE);
	assert_string_equal(f.body.ptr + 64, "/bin/my app (deleted)");
	expect(&rest, &f, PERF_RECORD_MMAP2, 41);
	assert_int_equal(u32(&f, 60), MAP_SHARED);
	assert_string_equal(f.body.ptr + 64, "//anon");
	expect(&rest, &f, PERF_RECORD_MMAP2, 41);
	assert_string_equal(f.body.ptr + 64, "[vdso]");
	assert_false(next(&rest, &f));
	end(&g);
}

/* Tables for unwinding are in mappings that are only read. */
static void test_copies_of_stacks_need_mappings_of_data(void **data)
{
	struct fg_str rest;
	struct found f;
	struct given g;
	unsigned code = 0, tables = 0;

	(void)data;
	start(&g);
	g.x.data = true;
	write_process(&g);
	fg_existing_process(&g.x, 41);
	for (rest = fg_buf_str(&g.out.buf); next(&rest, &f);) {
		if (f.header.type != PERF_RECORD_MMAP2)
			continue;
		if (f.header.misc & MISC_DATA)
			tables++;
		else
			code++;
	}
	assert_int_equal(code, 3);
	assert_int_equal(tables, 1);
	end(&g);
}

static void test_all_processes(void **data)
{
	struct fg_str rest;
	struct found f;
	struct given g;
	unsigned names = 0;

	(void)data;
	start(&g);
	write_process(&g);
	folder_write(&g.proc, "7/task/7/comm", FG_STR("init\n"));
	folder_write(&g.proc, "8/maps", FG_STR("")); /* it has just ended */
	folder_write(&g.proc, "uptime", FG_STR("1\n"));
	fg_existing_processes(&g.x);
	for (rest = fg_buf_str(&g.out.buf); next(&rest, &f);)
		names += f.header.type == PERF_RECORD_COMM;
	assert_int_equal(names, 3);
	end(&g);
}

/* A record has 16 bits for its size. */
static void test_a_name_that_is_too_long_is_left_out(void **data)
{
	struct fg_buf line = FG_BUF_INIT;
	struct fg_str rest;
	struct found f;
	struct given g;

	(void)data;
	start(&g);
	fg_buf_addf(&line, "1000-2000 r-xp 00000000 08:01 77 /%070000d\n", 1);
	folder_write(&g.proc, "41/task/41/comm", FG_STR("app\n"));
	folder_write(&g.proc, "41/maps", fg_buf_str(&line));
	fg_existing_process(&g.x, 41);
	for (rest = fg_buf_str(&g.out.buf); next(&rest, &f);)
		assert_int_not_equal(f.header.type, PERF_RECORD_MMAP2);
	fg_buf_release(&line);
	end(&g);
}

static void test_the_code_of_the_kernel(void **data)
{
	struct fg_kernel_code code = { .start = 0 };

	(void)data;
	assert_false(fg_kernel_find_code(FG_STR("0000000000000000 A fixed\n"
						"ffffffff80000000 T first\n"
						"ffffffff81000000 T _stext\n"),
					 &code));
	assert_false(fg_kernel_find_code(FG_STR("ffffffff81000000 T _text\n"), &code));
	assert_true(fg_kernel_find_code(FG_STR("ffffffff81000010 T more\n"
					       "ffffffff83000000 T _text\n"),
					&code));
	assert_int_equal(code.start, UINT64_C(0xffffffff81000000));
	assert_string_equal(code.symbol, "_text");
}

static void test_the_kernel_and_its_modules(void **data)
{
	struct fg_str rest;
	struct found f;
	struct given g;

	(void)data;
	start(&g);
	folder_write(&g.proc, "kallsyms",
		     FG_STR("ffffffff81000000 T _stext\n"
			    "ffffffff81000100 T _etext\n"
			    "ffffffffc0000000 t init\t[no_such_module]\n"));
	folder_write(&g.proc, "modules",
		     FG_STR("no_such_module 8192 1 - Live 0xffffffffc0000000 (E)\n"
			    "hidden 8192 0 - Live 0x0000000000000000\n"
			    "malformed\n"));
	assert_true(fg_kernel_describe(&g.x));
	rest = fg_buf_str(&g.out.buf);
	assert_true(next(&rest, &f)); /* with or without a build id */
	assert_int_equal(f.header.misc & PERF_RECORD_MISC_CPUMODE_MASK,
			 PERF_RECORD_MISC_KERNEL);
	assert_int_equal(u64(&f, 8), UINT64_C(0xffffffff81000000));
	/* it ends before the first module */
	assert_int_equal(u64(&f, 16), 0x3f000000);
	assert_int_equal(u64(&f, 24), UINT64_C(0xffffffff81000000));
	expect(&rest, &f, PERF_RECORD_MMAP, UINT32_MAX);
	assert_int_equal(u64(&f, 8), UINT64_C(0xffffffffc0000000));
	assert_int_equal(u64(&f, 16), 8192);
	assert_string_equal(f.body.ptr + 32, "[no_such_module]");
	assert_false(next(&rest, &f));
	end(&g);
}

static void test_hidden_addresses(void **data)
{
	struct given g;

	(void)data;
	start(&g);
	assert_false(fg_kernel_describe(&g.x)); /* no kallsyms */
	folder_write(&g.proc, "kallsyms",
		     FG_STR("0000000000000000 T _stext\n0000000000000000 T _text\n"));
	assert_false(fg_kernel_describe(&g.x));
	assert_int_equal(g.out.buf.len, 0);
	end(&g);
}

static void test_the_mount_of_cgroups(void **data)
{
	(void)data;
	assert_str(fg_cgroups_mount(FG_STR("proc /proc proc rw 0 0\n")), "");
	assert_str(
		fg_cgroups_mount(FG_STR("cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n"
					"cgroup2 /other cgroup2 rw 0 0\n")),
		"/sys/fs/cgroup");
	assert_str(fg_cgroups_mount(FG_STR(
			   "cgroup2 /sys/fs/cgroup/unified cgroup2 rw,nosuid 0 0\n"
			   "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n"
			   "cgroup /sys/fs/cgroup/pe cgroup rw,perf_event 0 0\n")),
		   "/sys/fs/cgroup/pe");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_process_has_its_threads_and_mappings),
		cmocka_unit_test(test_copies_of_stacks_need_mappings_of_data),
		cmocka_unit_test(test_all_processes),
		cmocka_unit_test(test_a_name_that_is_too_long_is_left_out),
		cmocka_unit_test(test_the_code_of_the_kernel),
		cmocka_unit_test(test_the_kernel_and_its_modules),
		cmocka_unit_test(test_hidden_addresses),
		cmocka_unit_test(test_the_mount_of_cgroups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
