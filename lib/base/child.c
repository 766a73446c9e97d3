/* Starts child processes, writes to them, reads their answers, and waits for them. */
#include "lib/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "lib/base/io.h"
#include "lib/base/xalloc.h"

#define READ_SIZE ((size_t)16 * 1024)

/*
 * If the path of the running program is longer than this, we look for our other
 * programs on PATH.
 */
#define PATH_SIZE 4096

/* The exit status, like in shells, of a program that cannot be run. */
#define NOT_RUN 127

extern char **environ;

static void close_pair(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

/* Returns true if one of the variables, "NAME=VALUE", has the name of `variable`. */
static bool is_replaced(const char *variable, const char *const *variables)
{
	size_t len = strcspn(variable, "=") + 1;

	for (; variables && *variables; variables++)
		if (!strncmp(*variables, variable, len))
			return true;
	return false;
}

/*
 * Returns our environment with other variables. The caller frees the array; the strings
 * are borrowed.
 */
static const char **child_environment(const char *const *variables)
{
	size_t count = 1;
	size_t kept = 0;
	const char **env;

	for (size_t i = 0; environ && environ[i]; i++)
		count++;
	for (size_t i = 0; variables && variables[i]; i++)
		count++;
	env = fg_xcalloc(count, sizeof(*env));
	for (size_t i = 0; environ && environ[i]; i++)
		if (!is_replaced(environ[i], variables))
			env[kept++] = environ[i];
	for (; variables && *variables; variables++)
		env[kept++] = *variables;
	return env;
}

/*
 * Returns true if the program can be started. We check before we start it, because some
 * systems, and valgrind, report a missing program only by the child's exit status.
 */
static bool is_in_path(const char *program)
{
	struct fg_str rest = fg_str_from(getenv("PATH"));
	bool found = !rest.len;
	struct fg_buf path = FG_BUF_INIT;

	if (strchr(program, '/'))
		return access(program, X_OK) == 0;
	while (!found && rest.len) {
		struct fg_str folder = fg_str_cut(&rest, ':');

		fg_buf_clear(&path);
		fg_buf_add_str(&path, folder.len ? folder : FG_STR("."));
		fg_buf_addf(&path, "/%s", program);
		found = access(fg_buf_cstr(&path), X_OK) == 0;
	}
	fg_buf_release(&path);
	return found;
}

/* Finds the path of the running program. Returns false if the system does not tell. */
static bool find_self(char *path, size_t size)
{
#ifdef __APPLE__
	uint32_t room = (uint32_t)size;

	return _NSGetExecutablePath(path, &room) == 0;
#else
	static const char *const links[] = { "/proc/self/exe", "/proc/curproc/file" };

	for (size_t i = 0; i < FG_COUNT_OF(links); i++) {
		ssize_t len = readlink(links[i], path, size);

		if (len <= 0 || (size_t)len >= size)
			continue;
		path[len] = '\0';
		return true;
	}
	return false;
#endif
}

bool fg_child_own_folder(struct fg_buf *folder)
{
	char self[PATH_SIZE];
	struct fg_str path;

	if (!find_self(self, sizeof(self)))
		return false;
	path = fg_str_from(self);
	fg_buf_add_str(folder, fg_str_before(path, fg_str_rfind_char(path, '/')));
	return true;
}

void fg_child_find_own(const char *name, struct fg_buf *path)
{
	size_t start = path->len;

	if (fg_child_own_folder(path)) {
		fg_buf_addf(path, "/%s", name);
		if (access(fg_buf_cstr(path) + start, X_OK) == 0)
			return;
		path->len = start;
	}
	fg_buf_addf(path, "%s", name);
}

/* Stands for /dev/null. */
#define NO_STREAM (-1)

/* A program to start. */
struct job {
	const char *const *args;
	int streams[3]; /* its first descriptors, or NO_STREAM */
	const char *const *variables; /* "NAME=VALUE", ends in NULL; may be NULL */
};

static int add_stream(posix_spawn_file_actions_t *actions, int from, int to)
{
	if (from == NO_STREAM)
		return posix_spawn_file_actions_addopen(actions, to, "/dev/null",
							O_RDWR, 0);
	return posix_spawn_file_actions_adddup2(actions, from, to);
}

static int spawn(pid_t *pid, const struct job *job)
{
	posix_spawn_file_actions_t actions;
	const char **env = child_environment(job->variables);
	int error = posix_spawn_file_actions_init(&actions);

	if (!error) {
		for (int to = 0; to < 3 && !error; to++)
			error = add_stream(&actions, job->streams[to], to);
		if (!error)
			error = posix_spawnp(pid, job->args[0], &actions, NULL,
					     (char *const *)(uintptr_t)job->args,
					     (char *const *)(uintptr_t)env);
		posix_spawn_file_actions_destroy(&actions);
	}
	free(env);
	return error;
}

static void end_early(void *child)
{
	fg_child_end(child, CHILD_KILL);
}

int fg_child_start(struct fg_child *c, const char *const *args)
{
	static const char *const english[] = { "LC_ALL=C", NULL };
	struct job job = { .args = args, .variables = english };
	int to[2];
	int from[2];
	int error;

	if (!is_in_path(args[0]))
		return ENOENT;
	if (fg_io_pipe(to) < 0)
		return errno;
	if (fg_io_pipe(from) < 0) {
		error = errno;
		close_pair(to);
		return error;
	}
	job.streams[0] = to[0];
	job.streams[1] = from[1];
	job.streams[2] = STDERR_FILENO;
	error = spawn(&c->pid, &job);
	close(to[0]);
	close(from[1]);
	c->to = to[1];
	c->from = from[0];
	if (error) {
		c->pid = 0;
		close(c->to);
		close(c->from);
	} else {
		fg_hold(end_early, c);
	}
	return error;
}

bool fg_child_is_missing(int error)
{
	return error == ENOENT || error == EACCES;
}

int fg_exit_status(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return 128 + WTERMSIG(wait_status);
	return WEXITSTATUS(wait_status);
}

/*
 * Returns the exit status of a child. If our parent ignored SIGCHLD, nobody knows it,
 * and we assume that all is well.
 */
static int wait_for(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return fg_exit_status(status);
}

int fg_child_end(struct fg_child *c, enum fg_child_end how)
{
	bool failed = c->failed;
	int status = 0;

	if (!c->pid)
		return 0;
	fg_let_go(c);
	close(c->to);
	close(c->from);
	if (how == CHILD_WAIT || waitpid(c->pid, NULL, WNOHANG) == 0) {
		if (how == CHILD_KILL)
			kill(c->pid, SIGKILL);
		status = wait_for(c->pid);
	}
	fg_buf_release(&c->text);
	memset(c, 0, sizeof(*c));
	return how == CHILD_KILL ? 0 : failed ? -1 : status;
}

/*
 * Blocks SIGPIPE while it writes. If the child has died, the signal is then pending,
 * and we discard it, unless one was pending before.
 */
int fg_child_write(struct fg_child *c, struct fg_str s)
{
	sigset_t sigpipe;
	sigset_t before;
	sigset_t pending;
	bool was_pending;
	int error;
	int taken;

	sigemptyset(&sigpipe);
	sigaddset(&sigpipe, SIGPIPE);
	sigpending(&pending);
	was_pending = sigismember(&pending, SIGPIPE) == 1;
	pthread_sigmask(SIG_BLOCK, &sigpipe, &before);
	error = fg_io_write_all(c->to, s.ptr, s.len);
	if (error == EPIPE && !was_pending) {
		sigpending(&pending);
		if (sigismember(&pending, SIGPIPE) == 1)
			sigwait(&sigpipe, &taken);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error ? -1 : 0;
}

/* Reads more output. Returns the number of bytes, or 0 at the end or on an error. */
static size_t child_fill(struct fg_child *c)
{
	ssize_t n;

	if (c->at) {
		c->text.len -= c->at;
		memmove(c->text.ptr, c->text.ptr + c->at, c->text.len);
		c->at = 0;
	}
	fg_buf_reserve(&c->text, READ_SIZE);
	n = fg_io_read(c->from, c->text.ptr + c->text.len, READ_SIZE);
	c->failed |= n < 0;
	if (n <= 0)
		return 0;
	c->text.len += (size_t)n;
	return (size_t)n;
}

enum fg_reading fg_child_line(struct fg_child *c, struct fg_str *line)
{
	size_t searched = 0;

	for (;;) {
		struct fg_str rest = fg_str_from_pos(fg_buf_str(&c->text), c->at);
		size_t len = searched +
			     fg_str_find_char(fg_str_from_pos(rest, searched), '\n');

		if (len >= FG_CHILD_LINE_MAX)
			return READ_TOO_MUCH;
		if (len < rest.len) {
			*line = fg_str_before(rest, len);
			c->at += len + 1;
			return READ_LINE;
		}
		searched = len;
		if (!child_fill(c))
			return READ_END;
	}
}

enum fg_reading fg_child_part(struct fg_child *c, size_t max, struct fg_str *part)
{
	if (c->at == c->text.len && !child_fill(c))
		return READ_END;
	*part = fg_str_before(fg_str_from_pos(fg_buf_str(&c->text), c->at), max);
	c->at += part->len;
	return READ_LINE;
}

int fg_run_program(const char *const *args)
{
	const struct job job = {
		.args = args,
		.streams = { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO },
	};
	pid_t child;
	int status = -1;

	if (is_in_path(args[0]) && !spawn(&child, &job))
		status = wait_for(child);
	return status < 0 ? NOT_RUN : status;
}

int fg_ask(const struct fg_ask *ask, struct fg_buf *answer)
{
	struct job job = { .args = ask->args, .variables = ask->variables };
	int fds[2];
	int status = -1;
	ssize_t got = -1;
	pid_t child;

	if (!is_in_path(ask->args[0]) || fg_io_pipe(fds) < 0)
		return NOT_RUN;
	job.streams[0] = ask->input ? ask->input : NO_STREAM;
	job.streams[1] = ask->stream == FG_ASK_ERRORS ? NO_STREAM : fds[1];
	job.streams[2] = ask->stream == FG_ASK_ERRORS ? fds[1] :
			 ask->shows_errors	      ? STDERR_FILENO :
							NO_STREAM;
	if (spawn(&child, &job))
		child = 0;
	close(fds[1]);
	while (child) {
		fg_buf_reserve(answer, READ_SIZE);
		got = fg_io_read(fds[0], answer->ptr + answer->len, READ_SIZE);
		if (got <= 0)
			break;
		answer->len += (size_t)got;
	}
	close(fds[0]);
	if (child)
		status = wait_for(child);
	return status < 0 || got < 0 ? NOT_RUN : status;
}
