/* Runs a program to its end and keeps its answer. */
#include "flame/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/io.h"

#define READ_SIZE ((size_t)16 * 1024)

int fg_exit_status(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return 128 + WTERMSIG(wait_status);
	return WEXITSTATUS(wait_status);
}

/* Sets an environment variable, "NAME=VALUE". */
static void set_variable(const char *assignment)
{
	struct fg_str text = fg_str_from(assignment);
	struct fg_buf name = FG_BUF_INIT;

	fg_buf_add_str(&name, fg_str_cut(&text, '='));
	setenv(fg_buf_cstr(&name), text.ptr, 1);
	fg_buf_release(&name);
}

/* Runs the program in the child. */
static void run_child(const struct fg_ask *ask, int to)
{
	int null = open("/dev/null", O_RDWR);
	int output = ask->stream == FG_ASK_ERRORS ? null : to;
	int errors = ask->stream == FG_ASK_ERRORS ? to : null;

	if (ask->shows_errors)
		errors = STDERR_FILENO;
	if (null < 0 || dup2(ask->input ? ask->input : null, STDIN_FILENO) < 0 ||
	    dup2(output, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
		_exit(127);
	for (char **variable = ask->variables; variable && *variable; variable++)
		set_variable(*variable);
	if (null > STDERR_FILENO)
		close(null);
	execvp(ask->args[0], (char *const *)(uintptr_t)ask->args);
	_exit(127);
}

static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return fg_exit_status(status);
}

int fg_ask(const struct fg_ask *ask, struct fg_buf *answer)
{
	int fds[2];
	ssize_t got;
	pid_t child;

	if (fg_io_pipe(fds))
		return 127;
	child = fork();
	if (!child)
		run_child(ask, fds[1]);
	close(fds[1]);
	while (child > 0) {
		fg_buf_reserve(answer, READ_SIZE);
		got = fg_io_read(fds[0], answer->ptr + answer->len, READ_SIZE);
		if (got <= 0)
			break;
		answer->len += (size_t)got;
	}
	close(fds[0]);
	return child > 0 ? wait_for(child) : 127;
}
