/* Gives up rights that reading does not need: files by landlock, calls by seccomp. */
#define _GNU_SOURCE /* for syscall, O_PATH, CLONE_THREAD, F_GETPIPE_SZ */
#include "lib/base/confine.h"

#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

/*
 * Define FG_NO_CONFINE for tools like valgrind, which write files when the program
 * ends.
 */
#if defined(__linux__) && defined(__has_include) && !defined(FG_NO_CONFINE)
#if __has_include(<linux/landlock.h>) && defined(SYS_landlock_restrict_self)
#define HAVE_LANDLOCK
#endif
#if __has_include(<linux/seccomp.h>)
/*
 * System calls have other numbers on each machine. On a machine that is not listed
 * here, we refuse none.
 */
#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define MACHINE AUDIT_ARCH_RISCV64
#elif defined(__s390x__)
#define MACHINE AUDIT_ARCH_S390X
#endif
#endif
#endif

bool fg_is_confined_user(void)
{
#if defined(HAVE_LANDLOCK) || defined(MACHINE)
	return geteuid() == 0;
#else
	return false;
#endif
}

#ifdef HAVE_LANDLOCK
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>

#include "lib/base/str.h"

/* Rights that the first version of landlock knows. */
#define WRITING                                                          \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | \
	 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |     \
	 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |   \
	 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

/*
 * Rights of later versions. The system's header may lack them if it is older than the
 * kernel.
 */
#define REFER (UINT64_C(1) << 13)
#define TRUNCATE (UINT64_C(1) << 14)
#define IOCTL_DEV (UINT64_C(1) << 15)
#define BIND_AND_CONNECT UINT64_C(3)
#define SOCKETS_AND_SIGNALS UINT64_C(3)

struct ruleset {
	uint64_t files, net, scoped;
};

/* Returns all rights that a kernel with this version of landlock can refuse. */
static struct ruleset ruleset_for(long version)
{
	struct ruleset r = { .files = WRITING | LANDLOCK_ACCESS_FS_EXECUTE };

	if (version >= 2)
		r.files |= REFER;
	if (version >= 3)
		r.files |= TRUNCATE;
	if (version >= 4)
		r.net = BIND_AND_CONNECT;
	if (version >= 5)
		r.files |= IOCTL_DEV;
	if (version >= 6)
		r.scoped = SOCKETS_AND_SIGNALS;
	return r;
}

static void confine_files(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
			       LANDLOCK_CREATE_RULESET_VERSION);
	struct ruleset wanted = ruleset_for(version);
	long rules;

	if (version < 1)
		return;
	rules = syscall(SYS_landlock_create_ruleset, &wanted, sizeof(wanted), 0);
	if (rules < 0)
		return;
	(void)syscall(SYS_landlock_restrict_self, (int)rules, 0);
	close((int)rules);
}
#else
static void confine_files(void)
{
}
#endif

#ifdef MACHINE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include "lib/base/str.h"

/*
 * The calls that a collapser makes once its options are read, with glibc or musl. If a
 * machine has an older form of a call, a C library may use either. Any other call fails
 * as if the kernel did not have it, so that a library can do without it.
 */
static const uint32_t reading[] = {
	SYS_read,
	SYS_readv,
	SYS_pread64,
	SYS_preadv,
	SYS_lseek,
	SYS_write,
	SYS_writev,
	SYS_close,
	SYS_fstat,
	SYS_newfstatat,
	SYS_faccessat,
	SYS_readlinkat,
	SYS_getdents64,
	SYS_statfs,
	SYS_fstatfs,
	SYS_fadvise64,
	SYS_getcwd,
	SYS_ppoll,
	SYS_pselect6,
	/* memory */
	SYS_brk,
	SYS_mmap,
	SYS_munmap,
	SYS_mremap,
	SYS_mprotect,
	SYS_madvise,
	/* threads, signals, time */
	SYS_futex,
	SYS_set_robust_list,
	SYS_sched_yield,
	SYS_sched_getaffinity,
	SYS_membarrier,
	SYS_gettid,
	SYS_exit,
	SYS_exit_group,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigpending,
	SYS_rt_sigtimedwait,
	SYS_rt_sigreturn,
	SYS_sigaltstack,
	SYS_restart_syscall,
	SYS_clock_gettime,
	SYS_clock_getres,
	SYS_clock_nanosleep,
	SYS_nanosleep,
	SYS_gettimeofday,
	/* questions about this process and this machine */
	SYS_getpid,
	SYS_getppid,
	SYS_getpgid,
	SYS_getsid,
	SYS_getuid,
	SYS_geteuid,
	SYS_getgid,
	SYS_getegid,
	SYS_getrusage,
	SYS_times,
	SYS_getrandom,
	SYS_uname,
	SYS_sysinfo,
	SYS_getcpu,
	/* waiting for the process that puts the file of -o in place */
	SYS_wait4,
	SYS_waitid,
	439, /* faccessat2 */
	453, /* map_shadow_stack, for a thread with control flow protection */
#ifdef SYS_statx
	SYS_statx,
#endif
#ifdef SYS_rseq
	SYS_rseq,
#endif
#ifdef SYS_getrlimit
	SYS_getrlimit,
	SYS_setrlimit,
#endif
#ifdef SYS_stat
	SYS_stat,
	SYS_lstat,
	SYS_access,
	SYS_readlink,
	SYS_poll,
	SYS_select,
	SYS_getdents,
	SYS_getpgrp,
#endif
#ifdef SYS_time
	SYS_time,
#endif
};

static const uint32_t finding_leaks[] = { SYS_ptrace, SYS_prctl, SYS_mincore };

/* A system call that is allowed if `argument` & `mask` is one of the values. */
struct condition {
	uint32_t call, argument, mask;
	uint32_t values[8];
	size_t count;
};

#define ALL_BITS UINT32_MAX

/* TCGETS2: newer C libraries use it to ask whether a file is a terminal. */
#define NEW_TCGETS 0x802c542a

static const struct condition conditions[] = {
	{ SYS_fcntl,
	  1,
	  ALL_BITS,
	  { F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ,
	    F_SETPIPE_SZ },
	  8 },
	{ SYS_ioctl,
	  1,
	  ALL_BITS,
	  { TCGETS, NEW_TCGETS, TIOCGWINSZ, TIOCGPGRP, FIONREAD },
	  5 },
	{ SYS_prlimit64, 0, ALL_BITS, { 0 }, 1 }, /* process 0 is this one */
};

/* Allows opening files only for reading. */
#define WRITING_FLAGS (O_ACCMODE | O_CREAT | O_TRUNC)
static const struct condition opening[] = {
	{ SYS_openat, 2, WRITING_FLAGS, { O_RDONLY }, 1 },
#ifdef SYS_open
	{ SYS_open, 1, WRITING_FLAGS, { O_RDONLY }, 1 },
#endif
};

#define NAMESPACES                                                                     \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | \
	 CLONE_NEWPID | CLONE_NEWNET)
#ifdef __s390x__
#define CLONE_FLAGS 1
#else
#define CLONE_FLAGS 0
#endif

/* Allow starting a thread, or a process without namespaces of its own. */
static const struct condition threads = { SYS_clone,
					  CLONE_FLAGS,
					  NAMESPACES | CLONE_THREAD,
					  { CLONE_THREAD },
					  1 };
static const struct condition processes = { SYS_clone,
					    CLONE_FLAGS,
					    NAMESPACES,
					    { 0 },
					    1 };

struct filter {
	struct sock_filter steps[512];
	unsigned short count;
};

static void add_step(struct filter *f, struct sock_filter step)
{
	if (f->count < FG_COUNT_OF(f->steps))
		f->steps[f->count++] = step;
}

static void add_load(struct filter *f, size_t offset)
{
	add_step(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						 (uint32_t)offset));
}

/* Skips `skip` steps unless the last loaded number is `value`. */
static void add_unless(struct filter *f, uint32_t value, size_t skip)
{
	add_step(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0,
						 (unsigned char)skip));
}

static void add_end(struct filter *f, uint32_t what)
{
	add_step(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

static void allow(struct filter *f, const uint32_t *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		add_unless(f, calls[i], 1);
		add_end(f, SECCOMP_RET_ALLOW);
	}
}

/*
 * Allows a call on a condition. Arguments have 64 bits, but the kernel uses only the
 * low half of those we check.
 */
static void allow_if(struct filter *f, const struct condition *c)
{
	const uint16_t one = 1;
	size_t low = *(const unsigned char *)&one ? 0 : 4;

	add_unless(f, c->call, 3 + 2 * c->count);
	add_load(f, offsetof(struct seccomp_data, args) + 8 * c->argument + low);
	add_step(f, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, c->mask));
	allow(f, c->values, c->count);
	add_end(f, SECCOMP_RET_ERRNO | EPERM);
}

/* Allows a call if its first argument, such as a process id, is `first`. */
static void allow_for(struct filter *f, uint32_t call, int first)
{
	const struct condition own = { call, 0, ALL_BITS, { (uint32_t)first }, 1 };

	allow_if(f, &own);
}

/*
 * Refuses the system calls of other machines, such as 32-bit ones on x86-64: their
 * numbers mean other calls.
 */
static void refuse_other_machines(struct filter *f)
{
	add_load(f, offsetof(struct seccomp_data, arch));
	add_step(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1,
						 0));
	add_end(f, SECCOMP_RET_ERRNO | ENOSYS);
	add_load(f, offsetof(struct seccomp_data, nr));
}

static void confine_calls(const struct fg_confinement *c)
{
	struct filter f = { .count = 0 };
	struct sock_fprog program = { .filter = f.steps };

	refuse_other_machines(&f);
	allow(&f, reading, FG_COUNT_OF(reading));
	for (size_t i = 0; i < FG_COUNT_OF(conditions); i++)
		allow_if(&f, &conditions[i]);
	if (c->finds_leaks)
		allow(&f, finding_leaks, FG_COUNT_OF(finding_leaks));
	for (size_t i = 0; i < FG_COUNT_OF(opening); i++)
		allow_if(&f, &opening[i]);
	allow_for(&f, SYS_kill, getpid());
	allow_for(&f, SYS_tgkill, getpid());
	if (c->helper)
		allow_for(&f, SYS_recvmsg, c->helper);
	allow_if(&f, c->finds_leaks ? &processes : &threads);
	add_end(&f, SECCOMP_RET_ERRNO | ENOSYS);
	program.len = f.count;
	(void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void confine_calls(const struct fg_confinement *c)
{
	(void)c;
}
#endif

void fg_confine(const struct fg_confinement *c)
{
#if defined(HAVE_LANDLOCK) || defined(MACHINE)
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return;
#endif
	confine_files();
	confine_calls(c);
}
