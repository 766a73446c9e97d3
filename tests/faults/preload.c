/* A library for LD_PRELOAD: system calls and allocations that fail as planned. */
#define _GNU_SOURCE /* for RTLD_NEXT */
#include "tests/faults/plan.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * State of the library. Its functions are called without any context, so it has to be
 * global.
 */
static struct fault_plan *plan;
static pid_t started; /* the process that loaded this; forks differ */

/* Sets *next, a function pointer, to the function that we replace. */
static void find(const char *name, void *next)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found)
		abort();
	memcpy(next, &found, sizeof(found));
}

/*
 * Code whose calls do not fail. libelf and libdw would leave out frames or end the
 * program, and libc's calls for them cannot be told from its calls for us.
 */
static struct range {
	uintptr_t start;
	uintptr_t end;
} strangers[3];
static unsigned strangers_count;

static int note_stranger(struct dl_phdr_info *info, size_t size, void *data)
{
	struct range *r = &strangers[strangers_count];

	(void)size;
	(void)data;
	if (strangers_count == 3 ||
	    (!(strangers_count && strstr(info->dlpi_name, "/libc.so")) &&
	     !strstr(info->dlpi_name, "/libelf") && !strstr(info->dlpi_name, "/libdw")))
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		r->start = info->dlpi_addr + p->p_vaddr;
		r->end = r->start + p->p_memsz;
	}
	strangers_count++;
	return 0;
}

static bool is_stranger(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;

	for (unsigned i = 0; i < strangers_count; i++)
		if (at >= strangers[i].start && at < strangers[i].end)
			return true;
	return false;
}

/*
 * Returns true if this process runs one of our programs. Programs that they start do
 * not fail.
 */
static bool is_ours(void)
{
	const char *folder = getenv(FAULTS_BIN);
	size_t size = folder ? strlen(folder) : 0;
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (!size || len <= (ssize_t)size)
		return false;
	return !memcmp(path, folder, size) && path[size] == '/';
}

__attribute__((constructor)) static void start(void)
{
	const char *name = getenv(FAULTS_PLAN);
	int (*open_it)(const char *, int, ...);
	void *(*map)(void *, size_t, int, int, int, off_t);
	int (*close_it)(int);
	void *at;
	int fd;

	started = getpid();
	find("close", &close_it);
	find("mmap", &map);
	find("open", &open_it);
	if (!name || !is_ours())
		return;
	fd = open_it(name, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	at = map(NULL, sizeof(*plan), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close_it(fd);
	dl_iterate_phdr(note_stranger, NULL);
	if (at != MAP_FAILED)
		plan = at;
}

static bool is_due(unsigned number)
{
	return plan->how == FAULT_FROM ? number >= plan->at : number == plan->at;
}

/* Counts a call. Returns true, with errno set, if it is to fail. */
static bool fails(enum fault_kind kind)
{
	unsigned number, all;

	if (!plan)
		return false;
	number = __atomic_add_fetch(&plan->calls[kind], 1, __ATOMIC_RELAXED);
	all = __atomic_add_fetch(&plan->calls[FAULT_KINDS], 1, __ATOMIC_RELAXED);
	if (plan->how == FAULT_NONE || plan->how == FAULT_SHORT)
		return false;
	if (plan->kind == FAULT_KINDS ? !is_due(all) :
					plan->kind != (int)kind || !is_due(number))
		return false;
	__atomic_add_fetch(&plan->hits, 1, __ATOMIC_RELAXED);
	if (plan->how == FAULT_KILL)
		kill(getpid(), SIGKILL);
	errno = plan->error;
	return true;
}

/* Like fails(), for a call by `caller`; calls of strangers never fail. */
static bool fails_for(const void *caller, enum fault_kind kind)
{
	return !is_stranger(caller) && fails(kind);
}

static size_t shortened(enum fault_kind kind, size_t size)
{
	if (!plan || plan->how != FAULT_SHORT || plan->kind != (int)kind || size < 2)
		return size;
	__atomic_add_fetch(&plan->hits, 1, __ATOMIC_RELAXED);
	return 1;
}

/* ---- memory; sanitizers replace these functions themselves */

#ifndef FAULTS_LEAVE_MEMORY
/* dlsym may itself allocate; these are glibc's own names. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
	return fails_for(__builtin_return_address(0), FAULT_ALLOC) ?
		       NULL :
		       __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails_for(__builtin_return_address(0), FAULT_ALLOC) ?
		       NULL :
		       __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails_for(__builtin_return_address(0), FAULT_ALLOC) ?
		       NULL :
		       __libc_realloc(old, size);
}
#endif

/* ---- reading and writing */

ssize_t read(int fd, void *to, size_t size)
{
	ssize_t (*next)(int, void *, size_t), got;

	find("read", &next);
	if (fails(FAULT_READ))
		return -1;
	got = next(fd, to, shortened(FAULT_READ, size));
	/* a signalfd is read by whole signals, never in parts */
	return got < 0 && errno == EINVAL ? next(fd, to, size) : got;
}

ssize_t pread(int fd, void *to, size_t size, off_t at)
{
	ssize_t (*next)(int, void *, size_t, off_t);

	find("pread64", &next);
	return fails_for(__builtin_return_address(0), FAULT_READ) ?
		       -1 :
		       next(fd, to, shortened(FAULT_READ, size), at);
}

ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
	ssize_t (*next)(int, void *, size_t, off64_t);

	find("pread64", &next);
	return fails_for(__builtin_return_address(0), FAULT_READ) ?
		       -1 :
		       next(fd, to, shortened(FAULT_READ, size), at);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	ssize_t (*next)(int, const void *, size_t);
	enum fault_kind kind = fd == STDERR_FILENO ? FAULT_MESSAGE : FAULT_WRITE;

	find("write", &next);
	return fails(kind) ? -1 : next(fd, bytes, shortened(kind, size));
}

/* ---- files */

/* The mode of a call that may make a file. */
static mode_t mode_of(int flags, va_list args)
{
	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE)
		return (mode_t)va_arg(args, int);
	return 0;
}

int open(const char *name, int flags, ...)
{
	int (*next)(const char *, int, ...);
	va_list args;
	mode_t mode;

	find("open", &next);
	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails(FAULT_OPEN) ? -1 : next(name, flags, mode);
}

int open64(const char *name, int flags, ...)
{
	int (*next)(const char *, int, ...);
	va_list args;
	mode_t mode;

	find("open64", &next);
	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails(FAULT_OPEN) ? -1 : next(name, flags, mode);
}

int openat(int folder, const char *name, int flags, ...)
{
	int (*next)(int, const char *, int, ...);
	va_list args;
	mode_t mode;

	find("openat", &next);
	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails(FAULT_OPEN) ? -1 : next(folder, name, flags, mode);
}

/*
 * Returns true if closing the file could lose written bytes. A fork that closes an
 * inherited file loses nothing.
 */
static bool was_written(int fd)
{
	struct stat64 st;
	int (*next)(int, struct stat64 *);
	int flags = fcntl(fd, F_GETFL);

	if (fd <= STDERR_FILENO && getpid() != started)
		return false;
	find("fstat64", &next);
	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && !next(fd, &st) &&
	       S_ISREG(st.st_mode) && st.st_size > 0;
}

/* Closes the descriptor even if the call is to fail, like Linux. */
int close(int fd)
{
	int (*next)(int);
	bool fault = fails(was_written(fd) ? FAULT_WRITTEN : FAULT_CLOSE);
	int error = errno;
	int status;

	find("close", &next);
	status = next(fd);
	if (!fault)
		return status;
	errno = error;
	return -1;
}

int rename(const char *from, const char *to)
{
	int (*next)(const char *, const char *);

	find("rename", &next);
	return fails(FAULT_NAME) ? -1 : next(from, to);
}

int link(const char *from, const char *to)
{
	int (*next)(const char *, const char *);

	find("link", &next);
	return fails(FAULT_NAME) ? -1 : next(from, to);
}

int linkat(int folder, const char *from, int other, const char *to, int flags)
{
	int (*next)(int, const char *, int, const char *, int);

	find("linkat", &next);
	return fails(FAULT_NAME) ? -1 : next(folder, from, other, to, flags);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t from)
{
	void *(*next)(void *, size_t, int, int, int, off_t);

	find("mmap64", &next);
	return fails(FAULT_MAP) ? MAP_FAILED :
				  next(at, size, protection, flags, fd, from);
}

void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t from)
{
	return mmap(at, size, protection, flags, fd, from);
}

/* ---- the rest */

int pipe(int fds[2])
{
	int (*next)(int *);

	find("pipe", &next);
	return fails(FAULT_OTHER) ? -1 : next(fds);
}

/* Our programs pass a number or no argument. */
int fcntl64(int fd, int command, ...)
{
	int (*next)(int, int, ...);
	va_list args;
	long value;

	find("fcntl64", &next);
	va_start(args, command);
	value = va_arg(args, long);
	va_end(args);
	return fails(FAULT_OTHER) ? -1 : next(fd, command, value);
}

int stat64(const char *name, struct stat64 *st)
{
	int (*next)(const char *, struct stat64 *);

	find("stat64", &next);
	return fails(FAULT_OTHER) ? -1 : next(name, st);
}

int fstat64(int fd, struct stat64 *st)
{
	int (*next)(int, struct stat64 *);

	find("fstat64", &next);
	return fails(FAULT_OTHER) ? -1 : next(fd, st);
}

off64_t lseek64(int fd, off64_t to, int from)
{
	off64_t (*next)(int, off64_t, int);

	find("lseek64", &next);
	return fails(FAULT_OTHER) ? -1 : next(fd, to, from);
}

char *realpath(const char *name, char *into)
{
	char *(*next)(const char *, char *);

	find("realpath", &next);
	return fails(FAULT_OTHER) ? NULL : next(name, into);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
		   void *data)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	find("pthread_create", &next);
	return fails(FAULT_OTHER) ? EAGAIN : next(thread, how, run, data);
}

int posix_spawnp(pid_t *pid, const char *name,
		 const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *how, char *const args[], char *const env[])
{
	int (*next)(pid_t *, const char *, const posix_spawn_file_actions_t *,
		    const posix_spawnattr_t *, char *const[], char *const[]);

	find("posix_spawnp", &next);
	return fails(FAULT_OTHER) ? errno : next(pid, name, actions, how, args, env);
}

/* ---- calls of flame and others that run programs */

int mkdir(const char *name, mode_t mode)
{
	int (*next)(const char *, mode_t);

	find("mkdir", &next);
	return fails(FAULT_OTHER) ? -1 : next(name, mode);
}

int dup2(int from, int to)
{
	int (*next)(int, int);

	find("dup2", &next);
	return fails(FAULT_OTHER) ? -1 : next(from, to);
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	int (*next)(int, const struct sigaction *, struct sigaction *);

	find("sigaction", &next);
	return fails(FAULT_OTHER) ? -1 : next(number, action, before);
}

pid_t fork(void)
{
	pid_t (*next)(void);

	find("fork", &next);
	return fails(FAULT_OTHER) ? -1 : next();
}

int execvp(const char *name, char *const args[])
{
	int (*next)(const char *, char *const[]);

	find("execvp", &next);
	return fails(FAULT_OTHER) ? -1 : next(name, args);
}

pid_t waitpid(pid_t pid, int *status, int how)
{
	pid_t (*next)(pid_t, int *, int);

	find("waitpid", &next);
	return fails(FAULT_WAIT) ? -1 : next(pid, status, how);
}

/* ---- calls of record-perf */

/* perf_event_open, bpf and others; none has more than five arguments. */
long syscall(long number, ...)
{
	long (*next)(long, ...);
	long words[5];
	va_list args;

	find("syscall", &next);
	va_start(args, number);
	for (int i = 0; i < 5; i++)
		words[i] = va_arg(args, long);
	va_end(args);
	return fails(FAULT_OTHER) ?
		       -1 :
		       next(number, words[0], words[1], words[2], words[3], words[4]);
}

int ioctl(int fd, unsigned long what, ...)
{
	int (*next)(int, unsigned long, ...);
	va_list args;
	long value;

	find("ioctl", &next);
	va_start(args, what);
	value = va_arg(args, long);
	va_end(args);
	return fails(FAULT_OTHER) ? -1 : next(fd, what, value);
}

int ppoll(struct pollfd *list, nfds_t count, const struct timespec *time,
	  const sigset_t *mask)
{
	int (*next)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);

	find("ppoll", &next);
	return fails(FAULT_OTHER) ? -1 : next(list, count, time, mask);
}

int signalfd(int fd, const sigset_t *mask, int flags)
{
	int (*next)(int, const sigset_t *, int);

	find("signalfd", &next);
	return fails(FAULT_OTHER) ? -1 : next(fd, mask, flags);
}

DIR *opendir(const char *name)
{
	DIR *(*next)(const char *);

	find("opendir", &next);
	return fails(FAULT_OPEN) ? NULL : next(name);
}
