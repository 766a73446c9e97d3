/*
 * drive COMMAND... : runs a command, and once more for each of its allocations and
 * system calls, with that call failing. Prints the output and messages of the run
 * without a fault, ends with its exit status, and adds a message for each wrong run. It
 * tries at most $FAULTS_MOST calls of each kind, or all without it; the number $TURN
 * chooses which. A command that writes to standard output must also work with -o FILE.
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/faults/plan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/io.h"
#include "lib/base/xalloc.h"

/* A run that takes longer counts as hanging. */
#define SECONDS 20

/* Complaints shown per command. */
#define SHOWN_MAX 20

#define OLD "what was there before\n"

enum fg_expected {
	IS_SAID, /* a message and a failure's status, or no change */
	IS_FAILURE, /* the first call must fail the run */
	IS_SAME, /* the fault changes nothing */
	IS_DEAD /* killed: the file of -o is the old or the new one */
};

/* A way to fail. */
struct way {
	const char *name;
	int kind;
	int how;
	int error;
	enum fg_expected expected;
};

static const struct way ways[] = {
	{ "allocation", FAULT_ALLOC, FAULT_ONCE, ENOMEM, IS_SAID },
	{ "allocations from", FAULT_ALLOC, FAULT_FROM, ENOMEM, IS_SAID },
	{ "read", FAULT_READ, FAULT_ONCE, EIO, IS_SAID },
	{ "interrupted read", FAULT_READ, FAULT_ONCE, EINTR, IS_SAME },
	{ "short reads", FAULT_READ, FAULT_SHORT, 0, IS_SAME },
	{ "write", FAULT_WRITE, FAULT_ONCE, ENOSPC, IS_SAID },
	{ "writes from", FAULT_WRITE, FAULT_FROM, ENOSPC, IS_SAID },
	{ "interrupted write", FAULT_WRITE, FAULT_ONCE, EINTR, IS_SAME },
	{ "short writes", FAULT_WRITE, FAULT_SHORT, 0, IS_SAME },
	{ "message", FAULT_MESSAGE, FAULT_ONCE, EIO, IS_SAME },
	{ "open", FAULT_OPEN, FAULT_ONCE, EMFILE, IS_SAID },
	{ "opens from", FAULT_OPEN, FAULT_FROM, ENFILE, IS_SAID },
	{ "close", FAULT_CLOSE, FAULT_ONCE, EIO, IS_SAID },
	{ "close of what was written", FAULT_WRITTEN, FAULT_ONCE, EIO, IS_FAILURE },
	{ "rename or link", FAULT_NAME, FAULT_ONCE, EIO, IS_SAID },
	{ "renames and links from", FAULT_NAME, FAULT_FROM, EACCES, IS_SAID },
	{ "mmap", FAULT_MAP, FAULT_ONCE, ENOMEM, IS_SAID },
	{ "wait", FAULT_WAIT, FAULT_ONCE, ECHILD, IS_SAID },
	{ "interrupted wait", FAULT_WAIT, FAULT_ONCE, EINTR, IS_SAME },
	{ "other call", FAULT_OTHER, FAULT_ONCE, ENOMEM, IS_SAID },
	{ "other calls from", FAULT_OTHER, FAULT_FROM, EMFILE, IS_SAID },
	{ "call to be killed at", FAULT_KINDS, FAULT_KILL, 0, IS_DEAD },
};

/* The result of a run. */
struct result {
	int status; /* of wait() */
	struct fg_buf out;
	struct fg_buf err;
	struct fg_buf file; /* the file of -o */
	bool litter; /* a stray file is beside it */
};

struct drive {
	char *const *command;
	const char *library; /* for LD_PRELOAD */
	bool to_file; /* the command gets -o */
	char dir[4096];
	struct fault_plan *plan;
	struct result good;
	unsigned most; /* calls tried for each way; 0: all */
	unsigned turn;
	unsigned complaints;
	bool records; /* the output is a recording */
};

/* ---- files */

static struct fg_buf path_of(const struct drive *d, const char *name)
{
	struct fg_buf path = FG_BUF_INIT;

	fg_buf_addf(&path, "%s/%s", d->dir, name);
	fg_buf_cstr(&path);
	return path;
}

static int open_in(const struct drive *d, const char *name, int flags)
{
	struct fg_buf path = path_of(d, name);
	int fd = open(fg_buf_cstr(&path), flags | O_CLOEXEC, 0600);

	if (fd < 0)
		fprintf(stderr, "faults: %s: %s\n", path.ptr, strerror(errno));
	fg_buf_release(&path);
	return fd;
}

static void read_whole(const struct drive *d, const char *name, struct fg_buf *to)
{
	int fd = open_in(d, name, O_RDONLY);
	ssize_t got = fd < 0 ? 0 : 1;

	fg_buf_clear(to);
	while (got > 0) {
		fg_buf_reserve(to, 65536);
		got = fg_io_read(fd, to->ptr + to->len, 65536);
		to->len += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		close(fd);
}

/* Removes all that is in a folder, and closes it. Returns true if a stray file was. */
static bool empty(DIR *folder)
{
	const struct dirent *entry;
	bool litter = false;

	while (folder && (entry = readdir(folder))) {
		const char *name = entry->d_name;
		int at = dirfd(folder);

		if (!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		litter |= strcmp(name, "file") != 0;
		if (!unlinkat(at, name, 0))
			continue;
		empty(fdopendir(openat(at, name, O_RDONLY | O_CLOEXEC)));
		unlinkat(at, name, AT_REMOVEDIR);
	}
	if (folder)
		closedir(folder);
	return litter;
}

/*
 * Restores the folder of -o and of temporary files to one old file. Returns true if a
 * stray file was in it.
 */
static bool tidy(const struct drive *d)
{
	struct fg_buf path = path_of(d, "o");
	bool litter = empty(opendir(fg_buf_cstr(&path)));
	int fd;

	fd = open_in(d, "o/file", O_WRONLY | O_CREAT | O_TRUNC);
	if (fd >= 0) {
		fg_io_write_all(fd, OLD, strlen(OLD));
		close(fd);
	}
	fg_buf_release(&path);
	return litter;
}

/* ---- a run */

static void give(int fd, int as)
{
	if (fd < 0 || dup2(fd, as) < 0)
		_exit(126);
}

static _Noreturn void become(const struct drive *d)
{
	struct fg_buf folder = path_of(d, "o"), file = path_of(d, "o/file");
	char option[] = "-o";
	size_t count = 0;
	char **args;

	give(open_in(d, "out", O_WRONLY | O_CREAT | O_TRUNC), STDOUT_FILENO);
	give(open_in(d, "err", O_WRONLY | O_CREAT | O_TRUNC), STDERR_FILENO);
	while (d->command[count])
		count++;
	args = fg_xcalloc(count + 3, sizeof(*args));
	args[0] = d->command[0];
	if (d->to_file) {
		args[1] = option;
		args[2] = file.ptr;
	}
	memcpy(args + (d->to_file ? 3 : 1), d->command + 1,
	       (count - 1) * sizeof(*args));
	setenv("TMPDIR", folder.ptr, 1);
	setenv("LD_PRELOAD", d->library, 1);
	alarm(SECONDS);
	execv(args[0], args);
	_exit(127);
}

/*
 * Waits for the processes that the command has started. If it was killed, the one that
 * puts its output in place may still be doing that; main() made it our child.
 */
static void wait_for_helpers(void)
{
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

static void run(struct drive *d, struct result *r)
{
	pid_t pid;

	d->plan->hits = 0;
	memset(d->plan->calls, 0, sizeof(d->plan->calls));
	lseek(STDIN_FILENO, 0, SEEK_SET);
	pid = fork();
	if (!pid)
		become(d);
	if (pid < 0 || waitpid(pid, &r->status, 0) < 0) {
		perror("faults");
		exit(2);
	}
	wait_for_helpers();
	read_whole(d, "out", &r->out);
	read_whole(d, "err", &r->err);
	read_whole(d, "o/file", &r->file);
	r->litter = tidy(d);
}

static void release(struct result *r)
{
	fg_buf_release(&r->out);
	fg_buf_release(&r->err);
	fg_buf_release(&r->file);
}

/* ---- checks */

static bool same(const struct fg_buf *a, const struct fg_buf *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->ptr, b->ptr, a->len));
}

#define FINISHED_ROUND 68

/*
 * Returns true for a whole stream of perf.data: 16 bytes, then records, each with its
 * type and, at its offset 6, its size. The last one ends a round.
 */
static bool is_whole(const struct fg_buf *b)
{
	size_t at = 16;
	uint32_t type = 0;

	if (b->len < at || memcmp(b->ptr, "PERFILE2", 8))
		return false;
	while (at + 8 <= b->len) {
		uint16_t size;

		memcpy(&type, b->ptr + at, sizeof(type));
		memcpy(&size, b->ptr + at + 6, sizeof(size));
		if (size < 8)
			return false;
		at += size;
	}
	return at == b->len && type == FINISHED_ROUND;
}

/* Returns true if the output of a run is as good as that of the run without a fault. */
static bool is_good(const struct drive *d, const struct fg_buf *out)
{
	return d->records ? is_whole(out) : same(out, &d->good.out);
}

static bool is_old(const struct fg_buf *file)
{
	return file->len == strlen(OLD) && !memcmp(file->ptr, OLD, file->len);
}

/* Returns the error of a run that the fault must not change, or NULL. */
static const char *wrong_if_same(const struct drive *d, const struct result *r)
{
	if (r->status != d->good.status)
		return "another exit status";
	if (!is_good(d, &r->out) || !same(&r->file, &d->good.file))
		return "another output";
	return NULL;
}

static const char *wrong_if_dead(const struct drive *d, const struct result *r)
{
	if (!d->to_file || is_old(&r->file) || same(&r->file, &d->good.file))
		return NULL;
	return "half a file";
}

/* The manuals call a file of rules that cannot be read a wrong command line. */
static bool has_rules(const struct drive *d)
{
	for (char *const *word = d->command; *word; word++)
		if (!strncmp(*word, "--rules", 7))
			return true;
	return false;
}

/* --weight all reads its input once for each value, and one may have no stacks. */
static bool reads_again(const struct drive *d)
{
	for (char *const *word = d->command; *word; word++)
		if (!strcmp(*word, "--weight") && word[1] && !strcmp(word[1], "all"))
			return true;
	return false;
}

static bool says_more(const struct drive *d, const struct result *r)
{
	return r->err.len && !same(&r->err, &d->good.err);
}

/*
 * Returns the error of a run that failed, or NULL. A failure needs a message. Output
 * that was printed stays, but the whole output may be there only if closing it failed.
 * If we cannot wait for a program, nobody knows if it has written its output.
 */
static const char *wrong_if_failed(const struct drive *d, const struct result *r,
				   const struct way *way)
{
	/* each round of a recording ends like a whole one */
	bool had = d->good.out.len > 0 && !reads_again(d) && !d->records;
	int status = WEXITSTATUS(r->status);

	/* record-perf ends with 126 if its command cannot be run */
	if (status != 1 && !(status == 2 && has_rules(d)) && !d->records)
		return "an exit status that is not 1";
	if (!says_more(d, r))
		return "no message";
	if (way->kind == FAULT_WAIT)
		return NULL;
	if (d->to_file && !is_old(&r->file))
		return "the file was changed, with the status of a failure";
	if (had && way->kind != FAULT_WRITTEN && is_good(d, &r->out))
		return "the whole output, with the status of a failure";
	return NULL;
}

/* Returns true if the fault may only cost names of a binary, which gives a warning. */
static bool may_lack(const struct way *way)
{
	return way->kind != FAULT_WRITE && way->kind != FAULT_NAME;
}

static const char *wrong(const struct drive *d, const struct result *r,
			 const struct way *way)
{
	if (way->expected == IS_DEAD)
		return wrong_if_dead(d, r);
	if (WIFSIGNALED(r->status))
		return WTERMSIG(r->status) == SIGALRM ? "it hangs" : "a signal";
	if (r->litter)
		return "a file is left behind";
	if (way->expected == IS_SAME)
		return wrong_if_same(d, r);
	if (r->status != d->good.status)
		return wrong_if_failed(d, r, way);
	if (WEXITSTATUS(r->status) && says_more(d, r))
		return NULL;
	if (way->expected == IS_FAILURE)
		return "nobody notices";
	if (is_good(d, &r->out) && same(&r->file, &d->good.file))
		return NULL;
	return says_more(d, r) && may_lack(way) ? NULL :
						  "another output, and no failure";
}

static void complain(struct drive *d, const struct way *way, const char *what,
		     const struct result *r)
{
	if (d->complaints++ >= SHOWN_MAX)
		return;
	fprintf(stderr, "faults:%s %s %u: %s; status %#x, %zu bytes of %zu: %.*s\n",
		d->to_file ? " -o," : "", way->name, d->plan->at, what,
		(unsigned)r->status, r->out.len, d->good.out.len,
		r->err.len < 200 ? (int)r->err.len : 200, r->err.len ? r->err.ptr : "");
}

/* ---- all runs */

/* Tries a way with the Nth call. Returns false if there was no such call. */
static bool try_number(struct drive *d, const struct way *way, unsigned number)
{
	struct result r = { .out = FG_BUF_INIT, .err = FG_BUF_INIT };
	const char *what;
	bool hit;

	d->plan->kind = way->kind;
	d->plan->how = way->how;
	d->plan->error = way->error;
	d->plan->at = number;
	run(d, &r);
	hit = d->plan->hits > 0;
	what = wrong(d, &r, way);
	if (what && hit)
		complain(d, way, what, &r);
	release(&r);
	return hit;
}

/* Tries all calls, or about `most` of them, starting at one that `turn` chooses. */
static void try_way(struct drive *d, const struct way *way, unsigned calls)
{
	unsigned step = d->most && calls > d->most ? calls / d->most : 1;
	unsigned number = 1 + (step > 1 ? d->turn % step : 0);

	if (!calls)
		return;
	if (way->how == FAULT_SHORT || way->expected == IS_FAILURE)
		try_number(d, way, 1);
	else
		for (; number <= calls; number += step)
			if (!try_number(d, way, number))
				break;
}

/* Runs without a fault. Returns false if the command did not exit. */
static bool try_good(struct drive *d, struct result *good, bool to_file)
{
	d->to_file = to_file;
	d->plan->how = FAULT_NONE;
	run(d, good);
	return WIFEXITED(good->status);
}

static void try_all(struct drive *d)
{
	unsigned calls[FAULT_KINDS + 1];

	memcpy(calls, d->plan->calls, sizeof(calls));
	for (size_t i = 0; i < FG_COUNT_OF(ways); i++) {
		/* Without -o a killed run has nothing to check. */
		if (ways[i].expected != IS_DEAD || d->to_file)
			try_way(d, &ways[i], calls[ways[i].kind]);
	}
}

/* Returns true if the command has an -o of its own. */
static bool names_output(const struct drive *d)
{
	for (char *const *word = d->command + 1; *word; word++)
		if (!strncmp(*word, "-o", 2) || !strncmp(*word, "--output", 8))
			return true;
	return false;
}

/* Tries all ways again with -o, if the program wrote to standard output. */
static void try_to_file(struct drive *d)
{
	static const struct way no_way = { .name = "nothing" };
	struct result plain = d->good;
	struct result file = { .out = FG_BUF_INIT, .err = FG_BUF_INIT };

	if (WEXITSTATUS(plain.status) || !plain.out.len || names_output(d) ||
	    d->records)
		return;
	if (!try_good(d, &file, true) || WEXITSTATUS(file.status) || file.out.len ||
	    !same(&file.file, &plain.out)) {
		complain(d, &no_way, "not what standard output would be", &file);
	} else {
		d->good = file;
		try_all(d);
		d->good = plain;
	}
	release(&file);
}

static unsigned number_of(const char *name)
{
	const char *value = getenv(name);

	return value ? (unsigned)strtoul(value, NULL, 10) : 0;
}

/* Makes the work folder and the plan, and sets the environment of the library. */
static int prepare(struct drive *d, const char *program)
{
	struct fg_buf path = FG_BUF_INIT;
	const char *tmp = getenv("TMPDIR");
	const char *slash = strrchr(program, '/');
	void *at = MAP_FAILED;
	int fd;

	snprintf(d->dir, sizeof(d->dir), "%s/faults.XXXXXX", tmp ? tmp : "/tmp");
	d->library = getenv("FAULTS_LIB");
	if (!slash || !d->library || !mkdtemp(d->dir))
		return -1;
	fg_buf_add(&path, program, (size_t)(slash - program));
	setenv(FAULTS_BIN, fg_buf_cstr(&path), 1);
	fg_buf_release(&path);
	path = path_of(d, "o");
	mkdir(path.ptr, 0700);
	fg_buf_release(&path);
	fd = open_in(d, "plan", O_RDWR | O_CREAT);
	if (fd >= 0 && !ftruncate(fd, sizeof(*d->plan)))
		at = mmap(NULL, sizeof(*d->plan), PROT_READ | PROT_WRITE, MAP_SHARED,
			  fd, 0);
	path = path_of(d, "plan");
	setenv(FAULTS_PLAN, path.ptr, 1);
	fg_buf_release(&path);
	d->plan = at;
	tidy(d);
	return at == MAP_FAILED ? -1 : 0;
}

static void clean_up(const struct drive *d)
{
	static const char *const names[] = { "out", "err", "plan", "o/file", "o", "" };

	for (size_t i = 0; i < FG_COUNT_OF(names); i++) {
		struct fg_buf path = path_of(d, names[i]);

		if (remove(path.ptr))
			perror(path.ptr);
		fg_buf_release(&path);
	}
}

int main(int argc, char **argv)
{
	struct drive d = { .command = argv + 1,
			   .most = number_of("FAULTS_MOST"),
			   .turn = number_of("TURN"),
			   .records = getenv("FAULTS_RECORDS") };

	if (argc < 2 || prepare(&d, argv[1])) {
		fputs("usage: FAULTS_LIB=preload.so drive /path/of/PROGRAM [WORD...]\n",
		      stderr);
		return 2;
	}
#ifdef __linux__
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
	if (try_good(&d, &d.good, false)) {
		try_all(&d);
		try_to_file(&d);
	}
	if (d.complaints)
		fprintf(stderr, "faults: %u of them\n", d.complaints);
	if (d.records && !is_whole(&d.good.out))
		fputs("faults: the run without a fault gives no whole recording\n",
		      stderr);
	fg_io_write_all(STDOUT_FILENO, d.good.out.ptr, d.good.out.len);
	fg_io_write_all(STDERR_FILENO, d.good.err.ptr, d.good.err.len);
	clean_up(&d);
	return WIFEXITED(d.good.status) ? WEXITSTATUS(d.good.status) : 126;
}
