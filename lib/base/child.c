/* Starts a child process, writes to it and reads its answers through two pipes. */
#include "lib/base/child.h"

#include <errno.h>
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

extern char **environ;

static void close_pair(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

/*
 * Returns our environment with LC_ALL=C, so that messages are in English. The caller
 * frees the array; the strings are borrowed.
 */
static const char **child_environment(void)
{
	const char **env;
	size_t count = 0;
	size_t kept = 0;

	while (environ && environ[count])
		count++;
	env = fg_xcalloc(fg_size_add(count, 2), sizeof(*env));
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "LC_ALL=", 7) != 0)
			env[kept++] = environ[i];
	env[kept] = "LC_ALL=C";
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

static int spawn(struct fg_child *c, const char *const *args, int in, int out)
{
	posix_spawn_file_actions_t actions;
	const char **env = child_environment();
	int error = posix_spawn_file_actions_init(&actions);

	if (!error) {
		error = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
		if (!error)
			error = posix_spawn_file_actions_adddup2(&actions, out,
								 STDOUT_FILENO);
		if (!error)
			error = posix_spawnp(&c->pid, args[0], &actions, NULL,
					     (char *const *)args, (char *const *)env);
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
	error = spawn(c, args, to[0], from[1]);
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

int fg_child_end(struct fg_child *c, enum fg_child_end how)
{
	bool failed = c->failed;
	int status = 0;

	if (!c->pid)
		return 0;
	fg_let_go(c);
	close(c->to);
	close(c->from);
	if (how == CHILD_WAIT || waitpid(c->pid, &status, WNOHANG) == 0) {
		if (how == CHILD_KILL)
			kill(c->pid, SIGKILL);
		while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	fg_buf_release(&c->text);
	memset(c, 0, sizeof(*c));
	return how == CHILD_WAIT && (status || failed) ? -1 : 0;
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
