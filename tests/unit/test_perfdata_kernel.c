/* Tests of collapse/formats/perf/data: mappings of the kernel, and of BPF programs. */
#include "collapse/symbols/elf.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define KERNEL UINT64_C(0xffffffffffffff80)

/* Adds a sample in the kernel. */
static void kernel_at(struct recording *r, uint64_t address)
{
	const uint64_t chain[] = { KERNEL, address };

	recording_sample(r, 5, 5, chain, COUNT_OF(chain));
}

static void map_kernel_at(struct recording *r, uint64_t start, uint64_t len,
			  const char *name)
{
	recording_map(r, &(struct recorded_map){ .pid = UINT32_MAX,
						 .start = start,
						 .len = len,
						 .name = name,
						 .misc = 1 });
}

/* Checks the samples, read without symbols: they would be those of this machine. */
static void check(struct recorded *s, const char *want)
{
	struct fg_perfdata pd = { .fd = -1,
				  .head = recording_file(&s->r),
				  .no_symbols = true };

	fg_buf_clear(&s->text);
	assert_int_equal(recording_read_from(&pd, &s->text), 0);
	check_str(fg_buf_str(&s->text), fg_str_from(want), __FILE__, __LINE__);
}

#define TEXT UINT64_C(0xffffffff81000000)
#define MODULE UINT64_C(0xffffffffc0001000)

/* Like in perf, a range that is empty or does not fit into memory replaces nothing. */
static void test_empty_mappings_replace_nothing(void **data)
{
	static const uint64_t user[] = { RECORDED_USER, 0x1010 };
	struct recorded *s = *data;

	map_kernel_at(&s->r, TEXT, 0x1000000, "[kernel.kallsyms]_text");
	map_kernel_at(&s->r, MODULE, 0x1000, "[loop]");
	map_kernel_at(&s->r, 0, 0, "[no_code]");
	map_kernel_at(&s->r, TEXT, 0, "[no_code]");
	map_kernel_at(&s->r, TEXT, UINT64_MAX, "[wraps]");
	recording_map(&s->r, &(struct recorded_map){ .pid = 5,
						     .start = 0x1000,
						     .len = 0x1000,
						     .name = "a",
						     .misc = 2,
						     .prot = 5 });
	recording_map(&s->r, &(struct recorded_map){ .pid = 5,
						     .start = 0x800,
						     .len = UINT64_MAX - 0x700,
						     .name = "wraps",
						     .misc = 2,
						     .prot = 5 });
	kernel_at(&s->r, TEXT + 16);
	kernel_at(&s->r, MODULE + 16);
	recording_sample(&s->r, 5, 5, user, COUNT_OF(user));
	check(s, ":5 5/5 8000 cpu-clock 100 "
		 "[unknown]+0([kernel.kallsyms])\n"
		 ":5 5/5 9000 cpu-clock 100 [unknown]+0([loop])\n"
		 ":5 5/5 10000 cpu-clock 100 [unknown]+0(a)\n");
}

/*
 * The mapping of the kernel itself reaches to the end of memory. Mappings of modules
 * inside it take precedence.
 */
static void test_other_mappings_hide_the_kernels_own_code(void **data)
{
	struct recorded *s = *data;

	kernel_at(&s->r, TEXT);
	map_kernel_at(&s->r, MODULE, 0x1000, "[loop]");
	map_kernel_at(&s->r, TEXT, 0x1000, "[kernel.kallsyms]_text");
	kernel_at(&s->r, TEXT);
	kernel_at(&s->r, MODULE - 1);
	kernel_at(&s->r, MODULE);
	kernel_at(&s->r, MODULE + 0x1000);
	map_kernel_at(&s->r, MODULE + 0x1000, 0x1000, "[dm_mod]");
	kernel_at(&s->r, MODULE + 0x1000);
	check(s, ":5 5/5 1000 cpu-clock 100 [unknown]+0([unknown])\n"
		 ":5 5/5 4000 cpu-clock 100 [unknown]+0([kernel.kallsyms])\n"
		 ":5 5/5 5000 cpu-clock 100 [unknown]+0([kernel.kallsyms])\n"
		 ":5 5/5 6000 cpu-clock 100 [unknown]+0([loop])\n"
		 ":5 5/5 7000 cpu-clock 100 [unknown]+0([kernel.kallsyms])\n"
		 ":5 5/5 9000 cpu-clock 100 [unknown]+0([dm_mod])\n");
}

/* Loads a program, or unloads one if `name` is NULL. */
static void put_ksymbol(struct recording *r, uint64_t start, uint32_t len,
			const char *name)
{
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, start);
	put32(&body, len);
	put16(&body, 1);
	put16(&body, !name);
	fg_buf_add_str(&body, fg_str_from(name ? name : "bpf_prog_x"));
	while (body.len < 32)
		fg_buf_add_char(&body, 0);
	put64(&body, 0); /* tid; then time, cpu and id */
	put64(&body, r->time);
	put64(&body, 0);
	put64(&body, r->id);
	recording_put(r, 17, 1, fg_buf_str(&body));
	r->time += 1000;
	fg_buf_release(&body);
}

/* Unloading removes the program at an address, and only that, whatever the length. */
static void test_unloading_a_program_removes_nothing_else(void **data)
{
	struct recorded *s = *data;

	map_kernel_at(&s->r, TEXT, 0x1000000, "[kernel.kallsyms]_text");
	map_kernel_at(&s->r, MODULE, 0x1000, "[loop]");
	put_ksymbol(&s->r, MODULE + 0x2000, 0x100, "bpf_prog_x");
	kernel_at(&s->r, MODULE + 0x2000);
	put_ksymbol(&s->r, MODULE, UINT32_MAX, NULL);
	put_ksymbol(&s->r, MODULE + 0x2000, 0x10, NULL);
	kernel_at(&s->r, MODULE + 0x2010);
	kernel_at(&s->r, MODULE + 16);
	check(s, ":5 5/5 4000 cpu-clock 100 "
		 "bpf_prog_x+0(bpf_prog_x)\n"
		 ":5 5/5 7000 cpu-clock 100 "
		 "[unknown]+0([kernel.kallsyms])\n"
		 ":5 5/5 8000 cpu-clock 100 "
		 "[unknown]+0([loop])\n");
}

static void test_a_program_without_a_name_is_unknown(void **data)
{
	struct recorded *s = *data;

	put_ksymbol(&s->r, MODULE, 0x100, "");
	kernel_at(&s->r, MODULE);
	check(s, ":5 5/5 2000 cpu-clock 100 [unknown]+0()\n");
}

/* perf uses the name, or the path if the table of build ids has that. */
static void test_modules_have_the_names_that_perf_gives_them(void **data)
{
	static const struct {
		const char *path, *want;
	} rows[] = {
		{ "[loop]", "[loop]" },
		{ "/lib/modules/6.1/snd-pcm.ko", "[snd_pcm]" },
		{ "/lib/modules/6.1/snd-pcm.ko.gz", "[snd_pcm]" },
		{ "/lib/modules/6.1/snd-pcm.ko.xz", "[snd_pcm]" },
		{ "/lib/modules/6.1/snd-pcm.ko.zst", "[snd_pcm]" },
		{ "/lib/modules/6.1/snd-pcm.ko.bz2",
		  "/lib/modules/6.1/snd-pcm.ko.bz2" },
		{ "/lib/modules/6.1/mac-80211.ko", "/lib/modules/6.1/mac-80211.ko" },
		{ "/lib/modules/6.1/ath9k.ko.gz", "/lib/modules/6.1/ath9k.ko.gz" },
		{ "/lib/modules/6.1/honey.ko", "[honey]" },
	};
	struct recorded *s = *data;
	struct fg_buf want = FG_BUF_INIT;

	recording_build_id(&s->r, 1, "/lib/modules/6.1/mac-80211.ko",
			   FG_STR("12345678"));
	recording_build_id(&s->r, 1, "/lib/modules/6.1/ath9k.ko.gz",
			   FG_STR("23456789"));
	recording_build_id(&s->r, 2, "/lib/modules/6.1/honey.ko", FG_STR("34567890"));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		map_kernel_at(&s->r, MODULE, 0x1000, rows[i].path);
		kernel_at(&s->r, MODULE);
		fg_buf_addf(&want, ":5 5/5 %zu000 cpu-clock 100 [unknown]+0(%s)\n",
			    2 * i + 2, rows[i].want);
	}
	check(s, fg_buf_cstr(&want));
	fg_buf_release(&want);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, recorded_set_up, recorded_tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_empty_mappings_replace_nothing),
		TEST(test_other_mappings_hide_the_kernels_own_code),
		TEST(test_unloading_a_program_removes_nothing_else),
		TEST(test_a_program_without_a_name_is_unknown),
		TEST(test_modules_have_the_names_that_perf_gives_them),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
