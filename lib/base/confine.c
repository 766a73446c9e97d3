/* Giving up what reading does not need: landlock for files, seccomp for the rest. */
#define _GNU_SOURCE /* for syscall, O_PATH */
#include "lib/base/confine.h"

#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

bool fg_is_confined_user(void)
{
	return geteuid() == 0;
}

/* FG_NO_CONFINE is for tools that have to write when the program ends, as valgrind. */
#if defined(__linux__) && defined(__has_include) && !defined(FG_NO_CONFINE)
#if __has_include(<linux/landlock.h>) && defined(SYS_landlock_restrict_self)
#define HAVE_LANDLOCK
#endif
#if __has_include(<linux/seccomp.h>)
/* The numbers of calls are those of one machine; of others none is refused. */
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

#ifdef HAVE_LANDLOCK
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "lib/base/buf.h"

/* What the first version of landlock knows; the second has moving between folders. */
#define WRITING                                                          \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | \
	 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |     \
	 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |   \
	 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)
#define REFER (UINT64_C(1) << 13)
#define TRUNCATE (UINT64_C(1) << 14)
#define REPLACING                                                         \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | \
	 LANDLOCK_ACCESS_FS_MAKE_REG)

/* What the running kernel knows of it. */
static uint64_t handled(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
			       LANDLOCK_CREATE_RULESET_VERSION);

	if (version < 1)
		return 0;
	return WRITING | LANDLOCK_ACCESS_FS_EXECUTE | (version >= 2 ? REFER : 0) |
	       (version >= 3 ? TRUNCATE : 0);
}

/* The folder of a file. A link in its place is where the file is replaced. */
static int open_folder(const char *file)
{
	char *target = realpath(file, NULL);
	struct fg_buf path = FG_BUF_INIT;
	const char *name = target ? target : file;
	const char *slash = strrchr(name, '/');
	int fd;

	fg_buf_add(&path, name, slash ? (size_t)(slash - name) + 1 : 0);
	if (!slash)
		fg_buf_add_char(&path, '.');
	fd = open(fg_buf_cstr(&path), O_PATH | O_CLOEXEC);
	fg_buf_release(&path);
	free(target);
	return fd;
}

/* -1 where the output could not be put in place with the rules. */
static int allow_output(int rules, const char *output, uint64_t known)
{
	struct landlock_path_beneath_attr folder = {
		.allowed_access = (REPLACING | REFER | TRUNCATE) & known,
		.parent_fd = open_folder(output),
	};
	int status = -1;

	if (folder.parent_fd < 0)
		return -1;
	if (!syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &folder,
		     0))
		status = 0;
	close(folder.parent_fd);
	return status;
}

static void confine_files(const struct fg_confinement *c)
{
	struct landlock_ruleset_attr attr = { .handled_access_fs = handled() };
	long rules;

	if (!attr.handled_access_fs)
		return;
	rules = syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (rules < 0)
		return;
	if (!c->output || !allow_output((int)rules, c->output, attr.handled_access_fs))
		(void)syscall(SYS_landlock_restrict_self, (int)rules, 0);
	close((int)rules);
}
#else
static void confine_files(const struct fg_confinement *c)
{
	(void)c;
}
#endif

#ifdef MACHINE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "lib/base/xalloc.h"

/* The first two only where no program is run. */
static const unsigned refused[] = {
	SYS_execve,
	SYS_execveat,
	SYS_socket,
	SYS_socketpair,
	SYS_bpf,
	SYS_perf_event_open,
	SYS_mount,
	SYS_umount2,
	SYS_unshare,
	SYS_setns,
	SYS_chroot,
	SYS_pivot_root,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_reboot,
	SYS_swapon,
	SYS_swapoff,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_sethostname,
	SYS_keyctl,
	SYS_add_key,
	SYS_request_key,
	SYS_process_vm_writev,
	SYS_fchmodat,
	SYS_fchownat,
	SYS_setxattr,
	SYS_lsetxattr,
	SYS_setuid,
	SYS_setgid,
	SYS_quotactl,
	SYS_acct,
	425, /* io_uring_setup, which is another way to all calls; alike everywhere */
	452, /* fchmodat2 */
#ifdef SYS_chmod
	SYS_chmod,
	SYS_chown,
	SYS_lchown,
#endif
#ifdef SYS_iopl
	SYS_iopl,
	SYS_ioperm,
#endif
};

#define PROGRAMS 2
/* x86-64 has each call once more with other sizes. */
#define OTHER_SIZES 0x40000000

static void confine_calls(const struct fg_confinement *c)
{
	struct sock_filter steps[FG_COUNT_OF(refused) * 2 + 8];
	const struct sock_filter no =
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	const struct sock_filter yes = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { 0, steps };
	unsigned short n = 0;

	steps[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						  offsetof(struct seccomp_data, arch));
	steps[n++] =
		(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
	steps[n++] = no;
	steps[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						  offsetof(struct seccomp_data, nr));
	steps[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K,
						  OTHER_SIZES, 0, 1);
	steps[n++] = no;
	for (size_t i = c->runs_programs ? PROGRAMS : 0; i < FG_COUNT_OF(refused);
	     i++) {
		steps[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							  refused[i], 0, 1);
		steps[n++] = no;
	}
	steps[n++] = yes;
	program.len = n;
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
	if (!c->runs_programs)
		confine_files(c);
	confine_calls(c);
}
