/*
 * Tests of collapse/formats/perf/data: unwinding stacks. We make them here, mostly of
 * arm64, so that all machines can run the tests.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collapse/symbols/elf.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "collapse/formats/perf/data/unwind.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define LOFT "tests/data/perfdata/loft-arm64"
#define GEARS "tests/data/perfdata/gears-lld.so"

#define KERNEL UINT64_C(0xffffffffffffff80)

/* Addresses in LOFT: one in leaf(), and the return addresses in its callers. */
#define IN_LEAF UINT64_C(0x400150)
#define IN_MID UINT64_C(0x400180)
#define IN_TOP UINT64_C(0x400194)
#define IN_START UINT64_C(0x4001ac)

#define STACK UINT64_C(0x7ff0000000)
#define SIGNED (UINT64_C(0x2a) << 48)

enum { NARROW = 1, WIDE = 2 };

/* The stack of a thread of arm64: _start() called top(), that mid(), that leaf(). */
static const uint64_t stack[] = { 0, 0, IN_TOP, 0, IN_START, 0, 0, 0 };
static const uint64_t signed_stack[] = { 0, 0, IN_TOP | SIGNED, 0, IN_START, 0, 0, 0 };

struct state {
	struct recording r;
	struct fg_buf text;
	bool kernel; /* the sample was taken in the kernel */
	uint64_t abi, pc;
	const uint64_t *stack;
	size_t copied, used; /* bytes of the stack */
	char program[PATH_MAX + sizeof("/" GEARS)];
};

static int set_up(void **data)
{
	static struct state state;
	char folder[PATH_MAX];

	recording_init(&state.r);
	fg_buf_init(&state.text);
	state.kernel = false;
	state.abi = WIDE;
	state.pc = IN_LEAF;
	state.stack = stack;
	state.copied = state.used = sizeof(stack);
	assert_non_null(getcwd(folder, sizeof(folder)));
	snprintf(state.program, sizeof(state.program), "%s/%s", folder, LOFT);
	state.r.events[0].sample_type = RECORDED_FIELDS | 1 << 12 | 1 << 13;
	state.r.events[0].registers = UINT64_C(0x1ffffffff);
	*data = &state;
	return 0;
}

static int tear_down(void **data)
{
	struct state *s = *data;

	recording_release(&s->r);
	fg_buf_release(&s->text);
	return 0;
}

static void put_machine(struct state *s, const char *name)
{
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, 6);
	put32(&body, (uint32_t)strlen(name) + 1);
	fg_buf_add(&body, name, strlen(name) + 1);
	while (body.len % 8)
		fg_buf_add_char(&body, 0);
	recording_put(&s->r, 80, 0, fg_buf_str(&body));
	fg_buf_release(&body);
}

static void put_sample(struct state *s)
{
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, s->r.id);
	put64(&body, IN_LEAF);
	put32(&body, 5);
	put32(&body, 5);
	put64(&body, s->r.time);
	put64(&body, 3);
	put64(&body, 100);
	put64(&body, s->kernel ? 2 : 0);
	if (s->kernel) {
		put64(&body, KERNEL);
		put64(&body, KERNEL - 1000000);
	}
	put64(&body, s->abi);
	for (uint64_t i = 0; i < 33; i++)
		put64(&body, i == 30 ? IN_MID :
			     i == 31 ? STACK :
			     i == 32 ? s->pc :
				       7 + i);
	put64(&body, s->copied);
	for (size_t i = 0; i < s->copied / sizeof(*stack); i++)
		put64(&body, s->stack[i]);
	put64(&body, s->used);
	recording_put(&s->r, 9, s->kernel ? 1 : 2, fg_buf_str(&body));
	s->r.time += 1000;
	fg_buf_release(&body);
}

/* Adds a sample of x86-64 at an address of the program, with its stack. */
static void put_x86_sample(struct state *s, uint64_t pc, const uint64_t *words,
			   size_t count)
{
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, s->r.id);
	put64(&body, pc);
	put32(&body, 5);
	put32(&body, 5);
	put64(&body, s->r.time);
	put64(&body, 3);
	put64(&body, 100);
	put64(&body, 0);
	put64(&body, WIDE);
	for (uint64_t i = 0; i < 20; i++)
		put64(&body, i == 7 ? STACK : i == 8 ? pc : i);
	put64(&body, count * sizeof(*words));
	for (size_t i = 0; i < count; i++)
		put64(&body, words[i]);
	put64(&body, count * sizeof(*words));
	recording_put(&s->r, 9, 2, fg_buf_str(&body));
	s->r.time += 1000;
	fg_buf_release(&body);
}

static void map_program(struct state *s)
{
	recording_map(&s->r, &(struct recorded_map){ .pid = 5,
						     .start = 0x400000,
						     .len = 0x1000,
						     .name = s->program,
						     .misc = 2,
						     .prot = 5 });
}

/* Checks the text of the recording, without the program's name. */
static void check_text(struct state *s, const char *want)
{
	fg_buf_clear(&s->text);
	assert_int_equal(recording_read(recording_stream(&s->r), NULL, &s->text, NULL),
			 0);
	for (char *at; (at = strstr(fg_buf_cstr(&s->text), s->program));) {
		size_t start = (size_t)(at - s->text.ptr), len = strlen(s->program);

		memmove(at, at + len, s->text.len - start - len);
		s->text.len -= len;
	}
	check_str(fg_buf_str(&s->text), fg_str_from(want), __FILE__, __LINE__);
}

/* Checks the text of one sample, recorded on `machine`. */
static void check(struct state *s, const char *machine, const char *want)
{
	if (*machine)
		put_machine(s, machine);
	map_program(s);
	put_sample(s);
	check_text(s, want);
}

#define SAMPLE ":5 5/5 2000 cpu-clock 100"

static void test_a_stack_of_arm64(void **data)
{
	check(*data, "aarch64", SAMPLE " leaf+c() mid+7() top+7() _start+b()\n");
}

/* Old streams do not have the name of the machine, but the set of its registers. */
static void test_the_registers_show_the_machine(void **data)
{
	check(*data, "", SAMPLE " leaf+c() mid+7() top+7() _start+b()\n");
}

/* top() has signed its return address (pointer authentication). */
static void test_a_signed_return_address_is_followed(void **data)
{
	struct state *s = *data;

	s->stack = signed_stack;
	check(s, "aarch64", SAMPLE " leaf+c() mid+7() top+7()\n");
}

/* The caller of top() is behind the copy. */
static void test_a_copy_that_is_too_small_is_reported(void **data)
{
	struct state *s = *data;

	s->r.events[0].copies = 32;
	s->copied = s->used = 32;
	check(s, "aarch64",
	      SAMPLE " leaf+c() mid+7() top+7()\n"
		     "prog: perf.data: 1 of 1 samples (100.0 %) lack their outermost "
		     "callers, because copies of 32 bytes are too small: record with "
		     "--call-graph dwarf,8192\n");
}

static void test_the_largest_copy_may_be_too_small(void **data)
{
	struct state *s = *data;

	s->r.events[0].copies = 65528;
	s->copied = s->used = 32;
	put_machine(s, "aarch64");
	map_program(s);
	put_sample(s);
	s->copied = s->used = sizeof(stack);
	put_sample(s);
	check_text(s, SAMPLE
		   " leaf+c() mid+7() top+7()\n"
		   ":5 5/5 3000 cpu-clock 100 leaf+c() mid+7() top+7() "
		   "_start+b()\n"
		   "prog: perf.data: 1 of 2 samples (50.0 %) lack their outermost "
		   "callers, because copies of 65528 bytes are too small: record "
		   "with --call-graph fp, with frame pointers in the program\n");
}

/* perf copied all there is of the stack, so no callers are missing. */
static void test_a_stack_may_end_before_its_copy(void **data)
{
	struct state *s = *data;

	s->used = 32;
	check(*data, "aarch64", SAMPLE " leaf+c() mid+7() top+7()\n");
}

/* Maps memory without a file at the stack's address, and returns there from top(). */
static void return_to_memory(struct state *s, uint32_t prot)
{
	static const uint64_t words[] = { 0, 0, IN_TOP, 0, STACK + 0x124, 0, 0, 0 };

	recording_map(&s->r, &(struct recorded_map){ .pid = 5,
						     .start = STACK,
						     .len = 0x1000,
						     .name = "[stack]",
						     .misc = 2,
						     .prot = prot });
	s->r.time = 1000;
	s->stack = words;
}

static void test_data_is_no_caller(void **data)
{
	return_to_memory(*data, 3);
	check(*data, "aarch64", SAMPLE " leaf+c() mid+7() top+7()\n");
}

/* Code that a runtime makes has no file, either. */
static void test_executable_memory_is_a_caller(void **data)
{
	struct state *s = *data;

	return_to_memory(s, 7);
	check(s, "aarch64",
	      SAMPLE
	      " leaf+c() mid+7() top+7() [unknown]+0(/tmp/perf-5.map)\n"
	      "prog: perf.data: /tmp/perf-5.map is missing or belongs to another user, "
	      "so code that was compiled at run time has no names: have the runtime "
	      "write it (1 samples)\n");
}

/* perf inject -j writes the mode of a file instead, here 0600. */
static void test_injected_code_has_no_protection(void **data)
{
	struct state *s = *data;

	return_to_memory(s, 0100600);
	check(s, "aarch64", SAMPLE " leaf+c() mid+7() top+7() [unknown]+0([stack])\n");
}

static void test_an_address_of_0_is_no_frame(void **data)
{
	static const uint64_t words[] = { 0, 0, IN_TOP, 0, 1, 0, 0, 0 };
	struct state *s = *data;

	s->stack = words;
	check(s, "aarch64", SAMPLE " leaf+c() mid+7() top+7()\n");
}

static void test_damaged_rules_are_reported(void **data)
{
	struct state *s = *data;
	struct fg_buf program = FG_BUF_INIT;
	struct folder folder;
	size_t augmentation;

	assert_true(file_read(LOFT, &program));
	augmentation = fg_str_find(fg_buf_str(&program), FG_STR("\1zR"));
	assert_true(augmentation < program.len);
	program.ptr[augmentation + 2] = '?';
	folder_init(&folder);
	snprintf(s->program, sizeof(s->program), "%s",
		 folder_write(&folder, "loft", fg_buf_str(&program)));
	check(s, "aarch64",
	      SAMPLE
	      " leaf+c()\n"
	      "prog: perf.data: : its unwinding rules are damaged or would take too "
	      "much memory, so stacks end there (one of 1 such files)\n");
	folder_release(&folder);
	fg_buf_release(&program);
}

#define LEAF_ONLY                                                                   \
	"prog: perf.data: stacks of other machines and of 32-bit programs are not " \
	"unwound: 1 samples show only the function that ran\n"

static void test_other_machines_have_the_leaf(void **data)
{
	check(*data, "riscv64", SAMPLE " leaf+c()\n" LEAF_ONLY);
}

static void test_other_machines_keep_the_kernels_half(void **data)
{
	struct state *s = *data;

	s->kernel = true;
	check(s, "riscv64", SAMPLE " [unknown]+0([unknown])\n" LEAF_ONLY);
}

static void test_a_program_of_32_bits_has_its_leaf(void **data)
{
	struct state *s = *data;

	s->abi = NARROW;
	s->pc = IN_MID;
	check(s, "aarch64", SAMPLE " mid+8()\n" LEAF_ONLY);
}

/* simpleperf records registers without a value. */
static void test_a_leaf_at_0_is_no_frame(void **data)
{
	struct state *s = *data;

	s->pc = 0;
	check(s, "aarch64", SAMPLE "\n");
}

/* One sample is at the first jump of the entry, the other after it pushed its index. */
static void test_an_entry_of_the_plt_needs_no_rule(void **data)
{
	static const uint64_t jump[] = { 0x4003fa, 0, 0, 0, 0 };
	static const uint64_t pushed[] = { 1, 0x4003fa, 0, 0, 0, 0 };
	struct state *s = *data;
	char folder[PATH_MAX];

	assert_non_null(getcwd(folder, sizeof(folder)));
	snprintf(s->program, sizeof(s->program), "%s/%s", folder, GEARS);
	s->r.events[0].registers = 0xff0fff;
	put_machine(s, "x86_64");
	map_program(s);
	put_x86_sample(s, 0x400440, jump, COUNT_OF(jump));
	put_x86_sample(s, 0x40044b, pushed, COUNT_OF(pushed));
	check_text(s, ":5 5/5 2000 cpu-clock 100 turn@plt+0() run+1d()\n"
		      ":5 5/5 3000 cpu-clock 100 turn@plt+b() run+1d()\n");
}

static void test_machines_have_names(void **data)
{
	static const struct {
		const char *name;
		uint64_t mask;
		const char *want;
	} rows[] = {
		{ "x86_64", 0, "x86" },
		{ "i386", 0, "x86" },
		{ "i686", 0, "x86" },
		{ "aarch64", 0, "arm64" },
		{ "arm64", 0, "arm64" },
		{ "armv7l", 0, "arm" },
		{ "i86", 0, "" },
		{ "x86", 0, "x86" },
		{ "s390x", 0xff0fff, "" },
		{ "", 0xff0fff, "x86" },
		{ "", 0x1ffffffff, "arm64" },
		{ "", 0xffff, "" },
		{ "", 0xffffffff, "" },
	};

	(void)data;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct fg_pd_machine *machine =
			fg_pd_machine_of(fg_str_from(rows[i].name), rows[i].mask);

		assert_string_equal(machine ? machine->name : "", rows[i].want);
	}
}

static size_t count_of(struct fg_str text, struct fg_str needle)
{
	size_t count = 0, at;

	while ((at = fg_str_find(text, needle)) < text.len) {
		text = fg_str_from_pos(text, at + needle.len);
		count++;
	}
	return count;
}

/* A process maps the program more often than a session of libdwfl takes modules. */
static void test_more_binaries_than_a_session_takes(void **data)
{
	struct state *s = *data;
	const uint64_t step = 0x400000, count = 1100;

	put_machine(s, "aarch64");
	for (uint64_t i = 1; i <= count; i++) {
		recording_map(&s->r, &(struct recorded_map){ .pid = 5,
							     .start = step * i,
							     .len = 0x1000,
							     .name = s->program,
							     .misc = 2,
							     .prot = 5 });
		s->pc = step * (i - 1) + IN_LEAF;
		put_sample(s);
	}
	assert_int_equal(recording_read(recording_stream(&s->r), NULL, &s->text, NULL),
			 0);
	assert_int_equal(count_of(fg_buf_str(&s->text), FG_STR(" leaf+c(")), count);
	assert_int_equal(count_of(fg_buf_str(&s->text), FG_STR(" _start+b(")), count);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_machines_have_names),
		TEST(test_a_stack_of_arm64),
		TEST(test_the_registers_show_the_machine),
		TEST(test_a_signed_return_address_is_followed),
		TEST(test_a_copy_that_is_too_small_is_reported),
		TEST(test_the_largest_copy_may_be_too_small),
		TEST(test_a_stack_may_end_before_its_copy),
		TEST(test_data_is_no_caller),
		TEST(test_executable_memory_is_a_caller),
		TEST(test_injected_code_has_no_protection),
		TEST(test_an_address_of_0_is_no_frame),
		TEST(test_damaged_rules_are_reported),
		TEST(test_other_machines_have_the_leaf),
		TEST(test_other_machines_keep_the_kernels_half),
		TEST(test_a_program_of_32_bits_has_its_leaf),
		TEST(test_a_leaf_at_0_is_no_frame),
		TEST(test_an_entry_of_the_plt_needs_no_rule),
		TEST(test_more_binaries_than_a_session_takes),
	};

	if (!fg_elf_is_here() || !fg_pd_unwind_is_here())
		return skip_without("libdw");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
