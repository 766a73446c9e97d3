/* Tests of record/refusal: each cause has its message, with its cure. */
#include <errno.h>

#include "record/refusal.h"
#include "tests/unit/support/support.h"

/* An ordinary user on a usual machine, whose call fails with EACCES. */
static struct fg_refusal usual(void)
{
	return (struct fg_refusal){
		.error = EACCES,
		.target = FG_TARGET_COMMAND,
		.event = FG_STR("cycles"),
		.is_hardware = true,
		.has_hardware = true,
		.paranoid = 2,
		.is_there = true,
		.pid = 42,
		.files = 1024,
		.memory = 8 << 20,
	};
}

static void check(const struct fg_refusal *r, const char *cause, const char *cure)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_refusal_explain(r, &text);
	assert_has(fg_buf_str(&text), cause);
	assert_has(fg_buf_str(&text), cure);
	fg_buf_release(&text);
}

static void test_the_setting_of_the_kernel(void **data)
{
	struct fg_refusal r = usual();

	(void)data;
	r.paranoid = 4;
	check(&r, "kernel.perf_event_paranoid is 4, which forbids recording: ",
	      "sudo sysctl kernel.perf_event_paranoid=1, or run it as root");
	r.paranoid = 3;
	r.in_container = true;
	r.is_root = true;
	check(&r, "is 3, which forbids recording",
	      "paranoid=1, on the host of the container");
	r = usual();
	r.target = FG_TARGET_MACHINE;
	r.paranoid = 1;
	check(&r, "is 1, which forbids recording the whole machine",
	      "sudo sysctl kernel.perf_event_paranoid=0");
	r = usual();
	r.is_tracepoint = true;
	check(&r, "is 2, which forbids recording tracepoints", "paranoid=-1");
}

static void test_filters_of_system_calls(void **data)
{
	struct fg_refusal r = usual();

	(void)data;
	r.error = EPERM;
	r.is_filtered = true;
	check(&r, "filter of system calls (seccomp)", "SystemCallFilter=");
	r.in_container = true;
	r.is_root = true;
	check(&r, "the container forbids it",
	      "--cap-add=PERFMON --security-opt seccomp=unconfined");
	r.error = ENOSYS;
	check(&r, "the container forbids it", "seccomp=unconfined");
	/* paranoid does not matter for root, whom a container has without rights */
	r.error = EACCES;
	r.paranoid = 2;
	check(&r, "the container forbids it", "seccomp=unconfined");
}

static void test_kernels(void **data)
{
	struct fg_refusal r = usual();

	(void)data;
	r.error = ENOSYS;
	r.paranoid = FG_SETTING_UNKNOWN;
	check(&r, "built without CONFIG_PERF_EVENTS", "");
	r.error = EPERM;
	r.has_right = true;
	r.is_root = true;
	r.is_locked_down = true;
	check(&r, "locked down to confidentiality", "secure boot");
	r.is_locked_down = false;
	check(&r, "security module", "dmesg");
}

static void test_events(void **data)
{
	static const int errors[] = { ENOENT, ENODEV, EOPNOTSUPP, EINVAL };
	struct fg_refusal r = usual();

	(void)data;
	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		r.error = errors[i];
		r.has_hardware = false;
		check(&r, "'cycles' cannot be sampled here: there are no hardware",
		      "-e cpu-clock");
		r.has_hardware = true;
		check(&r, "this processor does not have it", "-e cycles");
	}
	r.error = EBUSY;
	check(&r, "NMI watchdog", "sudo sysctl kernel.nmi_watchdog=0");
	r.error = EIO;
	check(&r, "'cycles' cannot be opened", "");
}

static void test_processes(void **data)
{
	struct fg_refusal r = usual();

	(void)data;
	r.target = FG_TARGET_PROCESS;
	r.is_others = true;
	check(&r, "process 42 is another user's", "run it as root");
	r.is_others = false;
	check(&r, "process 42 has rights that you do not have", "run it as root");
	r.error = ESRCH;
	check(&r, "there is no process 42: ", "take one of ps");
	r.in_container = true;
	check(&r, "there is no process 42 in this container", "take one of ps");
}

static void test_limits(void **data)
{
	struct fg_refusal r = usual();

	(void)data;
	r.error = EMFILE;
	check(&r, "more than 1024 open files", "ulimit -n 16384");
	r.error = ENFILE;
	check(&r, "the system has too many open files", "fs.file-max");
	r.refused = FG_REFUSED_RING;
	r.error = EPERM;
	check(&r, "more locked memory than is left of 8192 KB",
	      "ulimit -l unlimited, or sudo sysctl kernel.perf_event_mlock_kb");
	r.error = ENOMEM;
	check(&r, "no buffer can be mapped", "");
}

/* Looks at this machine. Its facts are not known, but they must be possible ones. */
static void test_facts(void **data)
{
	struct fg_refusal r = { .target = FG_TARGET_PROCESS, .pid = 1, .error = EPERM };

	(void)data;
	fg_refusal_look(&r);
	assert_int_equal(r.error, EPERM);
	assert_true(r.files > 0);
	assert_true(r.paranoid == FG_SETTING_UNKNOWN ||
		    (r.paranoid >= -1 && r.paranoid < 10));
	assert_int_equal(fg_kernel_setting("no_such_setting"), FG_SETTING_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_setting_of_the_kernel),
		cmocka_unit_test(test_filters_of_system_calls),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
