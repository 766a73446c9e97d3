/* Starts the recorded command and waits for it. */
#define _GNU_SOURCE /* for setresuid */
#include "record/command.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/child.h"
#include "lib/base/cli.h"
#include "lib/base/io.h"

#define STATUS_NOT_FOUND 127
#define STATUS_CANNOT_RUN 126

/* Restores what we have changed for ourselves. */
static int restore(const struct fg_inherited *inherited)
{
	/* a program that runs with the rights of its file must not pass them on */
	if ((geteuid() != getuid() && setresuid(getuid(), getuid(), getuid())) ||
	    (getegid() != getgid() && setresgid(getgid(), getgid(), getgid())))
		return errno;
	sigaction(SIGCHLD, &inherited->on_child, NULL);
	sigaction(SIGPIPE, &inherited->on_pipe, NULL);
	setrlimit(RLIMIT_NOFILE, &inherited->files);
	sigprocmask(SIG_SETMASK, &inherited->mask, NULL);
	return 0;
}

/*
 * Becomes the command when `go` says so. Its standard output is our standard error if
 * `aside` is true. Writes an errno to `failed` if that fails.
 */
static _Noreturn void become(char *const *words, const struct fg_inherited *inherited,
			     bool aside, int go, int failed)
{
	char byte;
	ssize_t got = fg_io_read(go, &byte, 1);
	int error = errno;

	if (!got)
		_exit(STATUS_CANNOT_RUN); /* the recording has failed */
	if (got > 0)
		error = aside && dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ?
				errno :
				restore(inherited);
	if (!error) {
		execvp(words[0], words);
		error = errno;
	}
	fg_io_write_all(failed, (const char *)&error, sizeof(error));
	_exit(STATUS_NOT_FOUND);
}

static int no_process(struct fg_diag *diag)
{
	return fg_error(diag, NULL, "cannot start a process: %s", strerror(errno));
}

int fg_command_prepare(struct fg_command *c, char *const *words,
		       const struct fg_inherited *inherited, bool aside,
		       struct fg_diag *diag)
{
	int go[2], failed[2];

	if (fg_io_pipe(go) < 0)
		return no_process(diag);
	if (fg_io_pipe(failed) < 0) {
		no_process(diag);
		close(go[0]);
		close(go[1]);
		return -1;
	}
	c->pid = fork();
	if (c->pid == 0) {
		close(go[1]);
		become(words, inherited, aside, go[0], failed[1]);
	}
	if (c->pid < 0)
		no_process(diag);
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	if (c->pid > 0)
		return 0;
	close(c->go);
	close(c->failed);
	c->pid = 0;
	return -1;
}

/* Reports that the command could not be run. Returns the exit status of shells. */
static int report(const char *name, int error, struct fg_diag *diag)
{
	if (error == ENOENT || error == ENOTDIR) {
		fg_error(diag, NULL, "%s: there is no such command", name);
		return STATUS_NOT_FOUND;
	}
	fg_error(diag, NULL, "%s: cannot run: %s", name, strerror(error));
	return STATUS_CANNOT_RUN;
}

int fg_command_start(struct fg_command *c, const char *name, struct fg_diag *diag)
{
	int error = fg_io_write_all(c->go, "", 1);
	int status = 0;

	close(c->go);
	/* a successful exec closes the pipe */
	if (error) {
		fg_error(diag, NULL, "%s: cannot start: %s", name, strerror(error));
		status = FG_EXIT_FAILED;
	} else if (fg_io_read(c->failed, &error, sizeof(error)) > 0) {
		status = report(name, error, diag);
	}
	close(c->failed);
	if (status)
		fg_command_wait(c);
	return status;
}

/* Waits with these options of waitpid(). */
static void wait_with(struct fg_command *c, int options)
{
	pid_t got;

	if (!c->pid)
		return;
	do
		got = waitpid(c->pid, &c->status, options);
	while (got < 0 && errno == EINTR);
	if (!got)
		return;
	c->error = got < 0 ? errno : 0;
	c->has_ended = true;
	c->pid = 0;
}

void fg_command_check(struct fg_command *c)
{
	wait_with(c, WNOHANG);
}

void fg_command_wait(struct fg_command *c)
{
	wait_with(c, 0);
}

void fg_command_signal(const struct fg_command *c, int number)
{
	if (c->pid)
		kill(c->pid, number);
}

int fg_command_status(const struct fg_command *c, struct fg_diag *diag)
{
	if (!c->error)
		return fg_exit_status(c->status);
	fg_error(diag, NULL, "cannot wait for the command: %s", strerror(c->error));
	return FG_EXIT_FAILED;
}

void fg_command_abandon(struct fg_command *c)
{
	if (!c->pid)
		return;
	close(c->go);
	close(c->failed);
	fg_command_wait(c);
}
