/* Tests of lib/base/confine: actions that fail, each in a process of its own. */
#define _GNU_SOURCE /* for syscall, CLONE_NEWUSER, F_SETSIG */
#include "lib/base/confine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/diag.h"
#include "lib/base/replace.h"
#include "tests/unit/support/support.h"

#if defined(__linux__) && !defined(FG_NO_CONFINE)
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static char folder[] = "/tmp/flamepipe-confine-XXXXXX";

static const struct fg_confinement nothing = { .helper = 0 };
static const struct fg_confinement leaks = { .finds_leaks = true };

/* ---- features of the system, without help of the tested code */

static long landlock_version(void)
{
#ifdef SYS_landlock_create_ruleset
	return syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
#else
	return -1;
#endif
}

static bool has_seccomp(void)
{
#if defined(__x86_64__) || defined(__aarch64__) || defined(__s390x__) || \
	(defined(__riscv) && __riscv_xlen == 64)
	return prctl(PR_GET_SECCOMP) >= 0;
#else
	return false;
#endif
}

static void need_landlock(void)
{
	if (landlock_version() >= 1)
		return;
	print_message("this system has no landlock\n");
	skip();
}

static void need_seccomp(void)
{
	if (has_seccomp())
		return;
	print_message("this system, or the list for this machine, has no seccomp\n");
	skip();
}

/* ---- actions of a confined process; they return 0 or an errno */

typedef int action(void);

static int result(long got)
{
	return got < 0 ? errno : 0;
}

static int read_files(void)
{
	char bytes[16];
	int fd = open("there", O_RDONLY | O_CLOEXEC);
	DIR *here = opendir(".");
	struct stat st;

	return fd < 0 || read(fd, bytes, sizeof(bytes)) < 0 || fstat(fd, &st) ||
			       stat("there", &st) || lseek(fd, 0, SEEK_SET) || !here ||
			       !readdir(here) ?
		       errno :
		       0;
}

static void *work(void *done)
{
	*(bool *)done = true;
	return malloc(1 << 20);
}

static int start_thread(void)
{
	bool done = false;
	void *block = NULL;
	pthread_t thread;
	int error = pthread_create(&thread, NULL, work, &done);

	if (!error)
		error = pthread_join(thread, &block);
	free(block);
	return error ? error : !done;
}

static int signal_self(void)
{
	return result(kill(getpid(), 0));
}

static int make_file(void)
{
	return result(open("made", O_WRONLY | O_CREAT, 0600));
}

static int change_file(void)
{
	return result(open("there", O_WRONLY));
}

static int cut_file(void)
{
	return result(open("there", O_RDONLY | O_TRUNC));
}

static int throw_away(void)
{
	return result(open("/dev/null", O_WRONLY));
}

/* Reads which program another process runs; only landlock refuses that. */
static int look_into_parent(void)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%ld/exe", (long)getppid());
	return result(open(name, O_RDONLY));
}

static int run_program(void)
{
	const char *const args[] = { "/bin/sh", "-c", "exit 5", NULL };
	int status = 0;
	pid_t child;
	int error = posix_spawn(&child, args[0], NULL, NULL, (char *const *)args, NULL);

	if (error || waitpid(child, &status, 0) != child)
		return error ? error : errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 5 ? 0 : ECANCELED;
}

static int signal_parent(void)
{
	return result(kill(getppid(), 0));
}

/* Returns the result of an action in a new process, confined unless `c` is NULL. */
static int end_of(action *act, const struct fg_confinement *c)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		if (c)
			fg_confine(c);
		_exit(act());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int begin(void **state)
{
	int fd;

	(void)state;
	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	fd = open("there", O_WRONLY | O_CREAT, 0600);
	return fd < 0 || write(fd, "old", 3) != 3 ? -1 : close(fd);
}

static int end(void **state)
{
	(void)state;
	unlink("there");
	unlink("made");
	return chdir("/") || rmdir(folder);
}

/* ---- files and processes */

static void reading_goes_on(void **state)
{
	static action *const actions[] = { read_files, start_thread, signal_self };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(actions); i++)
		assert_int_equal(end_of(actions[i], &nothing), 0);
}

static void landlock_is_on_even_where_calls_are_refused(void **state)
{
	(void)state;
	need_landlock();
	if (end_of(look_into_parent, NULL)) {
		print_message("no process looks into another here\n");
		skip();
	}
	assert_int_equal(end_of(look_into_parent, &nothing), EACCES);
}

static void seccomp_keeps_files_as_they_are(void **state)
{
	static action *const writers[] = { make_file, change_file, cut_file,
					   throw_away };

	(void)state;
	need_seccomp();
	for (size_t i = 0; i < COUNT_OF(writers); i++)
		assert_int_equal(end_of(writers[i], &nothing), EPERM);
	assert_int_equal(access("made", F_OK), -1);
}

static void no_program_is_run(void **state)
{
	(void)state;
	need_seccomp();
	assert_int_equal(end_of(run_program, NULL), 0);
	assert_int_not_equal(end_of(run_program, &nothing), 0);
}

static void other_processes_get_no_signals(void **state)
{
	(void)state;
	need_seccomp();
	assert_int_equal(end_of(signal_parent, &nothing), EPERM);
}

/* ---- calls */

struct call {
	const char *name;
	long number;
	long arguments[4]; /* harmless if the call were allowed */
};

#define CALL(name, ...)             \
	{                           \
#name, SYS_##name,  \
		{                   \
			__VA_ARGS__ \
		}                   \
	}

/* Calls that a process may not make that only reads. */
static const struct call refused[] = {
	/* files: their modes, owners, attributes, times and places */
	CALL(fchmod, -1, 0600),
	CALL(fchmodat, -1),
	{ "fchmodat2", 452, { -1 } },
	CALL(fchown, -1),
	CALL(fchownat, -1),
	CALL(setxattr, 0),
	CALL(lsetxattr, 0),
	CALL(fsetxattr, -1),
	{ "setxattrat", 463, { -1 } },
	CALL(removexattr, 0),
	CALL(lremovexattr, 0),
	CALL(fremovexattr, -1),
	CALL(utimensat, -1, 0, 0, -1),
	CALL(truncate, 0),
	CALL(ftruncate, -1),
	CALL(fallocate, -1),
	CALL(mknodat, -1),
	CALL(mkdirat, -1),
	CALL(unlinkat, -1),
	CALL(renameat2, -1, 0, -1),
	CALL(linkat, -1, 0, -1),
	CALL(symlinkat, 0, -1),
	CALL(open_by_handle_at, -1),
	{ "openat2", 437, { -1 } },
	CALL(swapon, 0),
	CALL(swapoff, 0),
	CALL(quotactl, -1),
	CALL(acct, (long)""),
	/* mounts, namespaces, the kernel itself */
	CALL(mount, 0),
	CALL(umount2, 0),
	CALL(pivot_root, 0),
	CALL(chroot, (long)""),
	{ "open_tree", 428, { -1 } },
	{ "move_mount", 429, { -1, 0, -1 } },
	{ "fsopen", 430, { 0 } },
	{ "fsmount", 432, { -1 } },
	{ "mount_setattr", 442, { -1 } },
	CALL(unshare, 0),
	CALL(setns, -1),
	CALL(init_module, 0),
	CALL(finit_module, -1),
	CALL(delete_module, 0),
	CALL(kexec_load, 0, 999),
#ifdef SYS_kexec_file_load
	CALL(kexec_file_load, -1, -1),
#endif
	CALL(reboot, 0),
	CALL(syslog, 10),
	CALL(bpf, -1),
	CALL(perf_event_open, 0),
	CALL(userfaultfd, -1),
	{ "io_uring_setup", 425, { 0 } },
	CALL(io_setup, 0),
	CALL(seccomp, -1),
	CALL(keyctl, -1),
	CALL(add_key, 0),
	CALL(request_key, 0),
	CALL(memfd_create, 0),
	/* the machine: time and names */
	CALL(settimeofday, 0),
	CALL(clock_settime, 0),
	CALL(adjtimex, 0),
	CALL(clock_adjtime, 0),
	CALL(sethostname, 0, -1),
	CALL(setdomainname, 0, -1),
	/* other processes */
	CALL(ptrace, -1),
	CALL(process_vm_readv, 0),
	CALL(process_vm_writev, 0),
	CALL(rt_sigqueueinfo, 0),
	CALL(rt_tgsigqueueinfo, 0),
	{ "pidfd_send_signal", 424, { -1 } },
	{ "pidfd_open", 434, { 0 } },
	{ "pidfd_getfd", 438, { -1 } },
	{ "process_madvise", 440, { -1 } },
	CALL(setpriority, 0),
	CALL(sched_setscheduler, 0),
	CALL(sched_setaffinity, 0),
	CALL(sched_setattr, 0),
	CALL(ioprio_set, -1),
	CALL(kcmp, 0),
	{ "clone3", 435, { 0 } },
	/* users */
	CALL(setuid, -1),
	CALL(setgid, -1),
	CALL(setreuid, -1, -1),
	CALL(setregid, -1, -1),
	CALL(setresuid, -1, -1, -1),
	CALL(setresgid, -1, -1, -1),
	CALL(setfsuid, -1),
	CALL(setgroups, -1),
	CALL(capset, 0),
	CALL(prctl, -1),
	/* networks */
	CALL(socket, -1),
	CALL(socketpair, -1),
	CALL(bind, -1),
	CALL(connect, -1),
	CALL(listen, -1),
	CALL(accept4, -1),
	CALL(sendto, -1),
	CALL(sendmsg, -1),
#ifdef SYS_chmod /* older forms, if the machine has them */
	CALL(chmod, 0),
	CALL(chown, 0),
	CALL(lchown, 0),
	CALL(creat, 0),
	CALL(mkdir, 0),
	CALL(rmdir, 0),
	CALL(unlink, 0),
	CALL(rename, 0),
	CALL(link, 0),
	CALL(symlink, 0),
	CALL(mknod, 0),
#endif
#ifdef SYS_iopl
	CALL(iopl, 99),
	CALL(ioperm, -1, -1),
	CALL(modify_ldt, 99),
#endif
	/* other programs */
	CALL(execve, 0),
	CALL(pipe2, 0),
	CALL(dup3, -1, -1),
	CALL(chdir, 0),
	CALL(setpgid, -1),
	CALL(tkill, -1),
};

static long try_call(const struct call *c)
{
	return syscall(c->number, c->arguments[0], c->arguments[1], c->arguments[2],
		       c->arguments[3]);
}

/* Returns the number of calls that do not fail with the errno `want`. */
static int count_others(const struct call *calls, size_t count, int want)
{
	int others = 0;

	for (size_t i = 0; i < count; i++) {
		long got = try_call(&calls[i]);

		if (got == -1 && errno == want)
			continue;
		fprintf(stderr, "%s: %s\n", calls[i].name,
			got == -1 ? strerror(errno) : "allowed");
		others++;
	}
	return others;
}

static int try_refused(void)
{
	return count_others(refused, COUNT_OF(refused), ENOSYS);
}

static void calls_that_are_not_on_the_list_fail(void **state)
{
	(void)state;
	need_seccomp();
	assert_int_equal(end_of(try_refused, &nothing), 0);
}

/* Some calls are allowed only with some arguments. */
static int try_arguments(void)
{
	const struct call calls[] = {
		CALL(fcntl, STDERR_FILENO, F_SETOWN, getppid()),
		CALL(fcntl, STDERR_FILENO, F_SETSIG, SIGKILL),
		CALL(fcntl, STDERR_FILENO, F_SETLEASE, F_UNLCK),
		CALL(ioctl, STDERR_FILENO, 0x5412), /* TIOCSTI */
		CALL(ioctl, STDERR_FILENO, 0x40086602), /* FS_IOC_SETFLAGS */
		CALL(prlimit64, getppid(), -1),
	};

	return count_others(calls, COUNT_OF(calls), EPERM);
}

static int try_more_arguments(void)
{
	const struct call calls[] = {
		CALL(openat, AT_FDCWD, (long)"there", O_WRONLY),
		CALL(openat, AT_FDCWD, (long)"there", O_RDWR),
		CALL(openat, AT_FDCWD, (long)"there", O_RDONLY | O_TRUNC),
		CALL(openat, AT_FDCWD, (long)"made", O_RDONLY | O_CREAT),
		CALL(kill, getppid(), 0),
		CALL(tgkill, getppid(), getppid(), 0),
	};

	return count_others(calls, COUNT_OF(calls), EPERM);
}

static int make_namespace(void)
{
#ifdef __s390x__
	long child = syscall(SYS_clone, 0, CLONE_NEWUSER | SIGCHLD, 0, 0, 0);
#else
	long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
#endif
	if (!child)
		_exit(0);
	return result(child);
}

static int make_process(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	return result(child);
}

/* A helper process may send descriptors through one socket, and no other. */
#define HELPER STDERR_FILENO
static const struct fg_confinement helped = { .helper = HELPER };

static int receive_from_another(void)
{
	return result((int)syscall(SYS_recvmsg, STDIN_FILENO, NULL, 0));
}

static int receive_from_helper(void)
{
	return result((int)syscall(SYS_recvmsg, HELPER, NULL, 0));
}

static void only_the_helper_can_send_descriptors(void **state)
{
	(void)state;
	need_seccomp();
	assert_int_equal(end_of(receive_from_helper, &nothing), ENOSYS);
	assert_int_equal(end_of(receive_from_another, &helped), EPERM);
	assert_int_equal(end_of(receive_from_helper, &helped), ENOTSOCK);
}

static void arguments_are_checked(void **state)
{
	(void)state;
	need_seccomp();
	assert_int_equal(end_of(try_arguments, &nothing), 0);
	assert_int_equal(end_of(try_more_arguments, &nothing), 0);
	assert_int_equal(end_of(make_namespace, &nothing), EPERM);
	assert_int_equal(end_of(make_namespace, &leaks), EPERM);
	assert_int_equal(end_of(make_process, &nothing), EPERM);
	assert_int_equal(end_of(make_process, &leaks), 0);
}

/* ---- the file of --output */

static struct fg_replacement replacement;

static int open_replacement(void)
{
	static struct fg_diag diag;

	fg_diag_init(&diag, "test");
	return fg_replacement_open(&replacement, "there", &diag) ||
	       fg_replacement_delegate(&replacement) ||
	       write(replacement.fd, "new one", 7) != 7;
}

static int replace_file(void)
{
	if (open_replacement())
		return 1;
	fg_confine(&nothing);
	if (has_seccomp() && (!make_file() || !change_file()))
		return 2;
	return fg_replacement_finish(&replacement) ? 3 : 0;
}

/* In `perf record | collapse-perf -o FILE`, Ctrl-C ends the recording and not us. */
static int replace_after_interrupt(void)
{
	if (setpgid(0, 0) || signal(SIGINT, SIG_IGN) == SIG_ERR || open_replacement())
		return 1;
	kill(0, SIGINT);
	return fg_replacement_finish(&replacement) ? 2 : 0;
}

static int give_up(void)
{
	return open_replacement();
}

static void check_file(off_t size)
{
	size_t names = 0;
	struct stat st;
	DIR *here = opendir(".");

	assert_int_equal(stat("there", &st), 0);
	assert_int_equal(st.st_size, size);
	assert_non_null(here);
	while (readdir(here))
		names++;
	closedir(here);
	assert_int_equal(names, 3); /* with . and .. */
}

static void the_output_is_replaced_by_another_process(void **state)
{
	(void)state;
	assert_int_equal(end_of(give_up, NULL), 0);
	check_file(3);
	assert_int_equal(end_of(replace_file, NULL), 0);
	check_file(7);
	assert_int_equal(end_of(replace_after_interrupt, NULL), 0);
	check_file(7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_goes_on),
		cmocka_unit_test(landlock_is_on_even_where_calls_are_refused),
		cmocka_unit_test(seccomp_keeps_files_as_they_are),
		cmocka_unit_test(no_program_is_run),
		cmocka_unit_test(other_processes_get_no_signals),
		cmocka_unit_test(calls_that_are_not_on_the_list_fail),
		cmocka_unit_test(arguments_are_checked),
		cmocka_unit_test(only_the_helper_can_send_descriptors),
		cmocka_unit_test(the_output_is_replaced_by_another_process),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
#else
static void no_process_is_confined(void **state)
{
	(void)state;
	print_message("not on this system, or built with FG_NO_CONFINE\n");
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(no_process_is_confined) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
