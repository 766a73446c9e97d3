/* Runs plans: starts the programs, passes signals on, waits. */
#include "flame/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flame/files.h"
#include "flame/own.h"
#include "flame/ticker.h"
#include "lib/base/child.h"
#include "lib/base/cli.h"
#include "lib/base/io.h"
#include "lib/base/xalloc.h"

/* ---- signals */

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int others[] = { SIGCHLD, SIGPIPE };

/*
 * The pipe into which the handler writes the number of a signal, and from which the
 * run reads it. A handler has no other way to get at it.
 */
static int wake[2] = { -1, -1 };

static void on_signal(int number)
{
	char byte = (char)number;
	int error = errno;
	ssize_t written = write(wake[1], &byte, 1);

	(void)written; /* the pipe is full of other signals */
	errno = error;
}

/*
 * Catches a signal: when it comes, its number is written into the pipe. A signal that
 * was ignored when flame started stays ignored, like under nohup. While one signal is
 * handled, others wait. So a Ctrl-C, which the recorder gets, too, is written before
 * the SIGCHLD that tells us of the recorder's end.
 */
static int catch_signal(int number)
{
	struct sigaction action = { .sa_handler = on_signal }, before;

	sigfillset(&action.sa_mask);
	action.sa_flags = SA_RESTART;
	if (sigaction(number, NULL, &before))
		return -1;
	if (before.sa_handler == SIG_IGN && number != SIGCHLD)
		return 0;
	return sigaction(number, &action, NULL);
}

/*
 * Opens the pipe and catches all signals that we handle. Returns 0, or -1 with errno;
 * signals then act as they did before.
 */
static int catch_signals(void)
{
	int fds[2];
	int status = 0;

	if (fg_io_pipe(fds))
		return -1;
	for (size_t i = 0; i < 2; i++)
		if (fcntl(fds[i], F_SETFL, O_NONBLOCK) < 0)
			return -1;
	memcpy(wake, fds, sizeof(wake));
	for (size_t i = 0; i < FG_COUNT_OF(ending) && !status; i++)
		status = catch_signal(ending[i]);
	for (size_t i = 0; i < FG_COUNT_OF(others) && !status; i++)
		status = catch_signal(others[i]);
	return status;
}

/*
 * Resets the signals in a child to what they were when flame started. A filter has to
 * read its input to the end, so in it the signals that end a recording are ignored.
 */
static void reset_signals(bool is_filter)
{
	struct sigaction action = { .sa_handler = SIG_DFL }, now;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < FG_COUNT_OF(others); i++)
		if (!sigaction(others[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaction(others[i], &action, NULL);
	if (is_filter)
		action.sa_handler = SIG_IGN;
	for (size_t i = 0; i < FG_COUNT_OF(ending); i++)
		if (!sigaction(ending[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
}

/* ---- temporary files */

/*
 * The folder of temporary files, open so that it can be emptied without memory, and the
 * process that made it. If memory runs out, we have no other way to get at them.
 */
static DIR *folder;
static const char *folder_name;
static pid_t owner;

/* Removes all that is in a folder. The recording of xctrace has folders in it. */
static void empty(DIR *dir)
{
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *name = entry->d_name;
		int at = dirfd(dir);

		if (!strcmp(name, ".") || !strcmp(name, "..") || !unlinkat(at, name, 0))
			continue;
		empty(fdopendir(openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
		unlinkat(at, name, AT_REMOVEDIR);
	}
	if (dir)
		closedir(dir);
}

static void remove_folder(void)
{
	if (!folder || getpid() != owner)
		return;
	rewinddir(folder);
	empty(folder);
	rmdir(folder_name);
	folder = NULL;
}

int fg_run_end(int status)
{
	char number;

	while (read(wake[0], &number, 1) == 1)
		if (number != SIGCHLD)
			status = 128 + number;
	remove_folder();
	return status;
}

int fg_run_start(struct fg_flame *f)
{
	const char *name = fg_buf_cstr(&f->tmp);

	if (catch_signals())
		return fg_flame_fail(f, FG_EXIT_FAILED, "cannot catch signals: %s",
				     strerror(errno));
	if (!mkdir(name, 0700) && !(folder = opendir(name)))
		rmdir(name);
	if (!folder)
		return fg_flame_fail(f, FG_EXIT_FAILED,
				     "no folder can be made in %.*s: set TMPDIR to "
				     "another folder",
				     (int)(strrchr(name, '/') - name), name);
	folder_name = name;
	owner = getpid();
	fg_xalloc_at_end(remove_folder);
	return 0;
}

/* ---- processes */

/* A program to start. Descriptors of -1 are inherited. */
struct job {
	char *const *args;
	const char *script; /* for sh -c, instead of `args`; may be NULL */
	int in, out, err, third;
	bool is_filter;
	struct fg_diag *diag;
};

/* Adds our folder to PATH, because commands of the user may name our programs. */
static void extend_path(void)
{
	struct fg_buf path = FG_BUF_INIT;
	const char *before = getenv("PATH");

	fg_buf_addf(&path, "%s:", before ? before : "");
	if (fg_child_own_folder(&path))
		setenv("PATH", fg_buf_cstr(&path), 1);
	fg_buf_release(&path);
}

/* Runs the program, in the child. */
static void run_job(const struct job *job)
{
	const char *const shell[] = { "sh", "-c", job->script, NULL };
	char *const *args = job->script ? (char *const *)(uintptr_t)shell : job->args;
	int error;

	if ((job->in >= 0 && dup2(job->in, STDIN_FILENO) < 0) ||
	    (job->out >= 0 && dup2(job->out, STDOUT_FILENO) < 0) ||
	    (job->err >= 0 && dup2(job->err, STDERR_FILENO) < 0) ||
	    (job->third >= 0 &&
	     (job->third == 3 ? fcntl(3, F_SETFD, 0) : dup2(job->third, 3)) < 0))
		_exit(FG_EXIT_FAILED);
	if (job->script)
		extend_path();
	execvp(args[0], args);
	error = errno;
	fg_error(job->diag, NULL, "%s cannot be started: %s", args[0], strerror(error));
	_exit(error == ENOENT ? 127 : 126);
}

/* Starts a program. Returns its process, or -1 after reporting. */
static pid_t start(const struct job *job)
{
	sigset_t all, before;
	pid_t child;

	/* or the child could still handle a signal like we do */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	child = fork();
	if (!child) {
		reset_signals(job->is_filter);
		sigprocmask(SIG_SETMASK, &before, NULL);
		run_job(job);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (child < 0)
		fg_error(job->diag, NULL, "%s cannot be started: %s",
			 job->script ? "sh" : job->args[0], strerror(errno));
	return child;
}

/* The recorder or a filter. */
struct process {
	pid_t pid; /* 0: it does not run */
	int status; /* its exit status, after it ran */
};

/* Starts a program. If that fails, the program counts as failed. */
static void start_process(struct process *p, const struct job *job)
{
	*p = (struct process){ .pid = start(job) };
	if (p->pid < 0)
		*p = (struct process){ 0, FG_EXIT_FAILED };
}

/* A plan while it runs. */
struct running {
	struct fg_run *r;
	struct fg_flame *f;
	const struct fg_plan *plan;
	struct process recorder;
	struct process filters[FG_STAGES_MAX];
	int pipe; /* the read end of the recorder's pipe, or -1 */
	int fatal; /* the exit status if a signal has to end the run, or 0 */
	struct fg_ticker ticker;
};

static bool is_running(const struct running *run)
{
	if (run->recorder.pid)
		return true;
	for (size_t i = 0; i < FG_STAGES_MAX; i++)
		if (run->filters[i].pid)
			return true;
	return false;
}

static bool reap(struct process *p, struct fg_diag *diag)
{
	int status;
	pid_t got = p->pid ? waitpid(p->pid, &status, WNOHANG) : 0;

	if (!got || (got < 0 && errno == EINTR))
		return false;
	p->pid = 0;
	p->status = FG_EXIT_FAILED;
	if (got > 0)
		p->status = fg_exit_status(status);
	else
		fg_error(diag, NULL, "cannot wait for a program: %s", strerror(errno));
	return true;
}

static void reap_all(struct running *run)
{
	if (reap(&run->recorder, run->f->diag))
		fg_ticker_stop(&run->ticker);
	for (size_t i = 0; i < FG_STAGES_MAX; i++)
		reap(&run->filters[i], run->f->diag);
}

static void kill_filters(const struct running *run)
{
	for (size_t i = 0; i < FG_STAGES_MAX; i++)
		if (run->filters[i].pid)
			kill(run->filters[i].pid, SIGKILL);
}

/* Sends a signal to the recorder. sudo accepts signals from root only. */
static void end_recorder(const struct running *run, int number)
{
	struct fg_args args = FG_ARGS_INIT;
	struct fg_ask ask = { .stream = FG_ASK_ERRORS };
	struct fg_buf answer = FG_BUF_INIT;

	if (!kill(run->recorder.pid, number) || !run->f->sudo.count)
		return;
	fg_args_join(&args, &run->f->sudo);
	fg_args_addf(&args, "kill");
	fg_args_addf(&args, "-%d", number);
	fg_args_addf(&args, "%ld", (long)run->recorder.pid);
	ask.args = (const char *const *)args.items;
	fg_ask(&ask, &answer);
	fg_args_release(&args);
	fg_buf_release(&answer);
}

/* Handles a signal that has come. */
static void take_signal(struct running *run, int number)
{
	if (number == SIGCHLD) {
		reap_all(run);
	} else if (run->recorder.pid && number != SIGPIPE) {
		run->r->signal = number;
		end_recorder(run, number == SIGINT ? SIGINT : SIGTERM);
	} else {
		/* nothing is recorded, or the reader of our messages is gone */
		run->fatal = 128 + number;
		if (run->recorder.pid)
			end_recorder(run, SIGTERM);
		kill_filters(run);
	}
}

static void take_signals(struct running *run)
{
	char bytes[64];
	ssize_t got;

	while ((got = read(wake[0], bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < got; i++)
			take_signal(run, bytes[i]);
}

/*
 * Reads some of the recording, and throws it away. Is called if the collapser has
 * failed, because otherwise the recorder would die of SIGPIPE, and the command would go
 * on alone.
 */
static void drain(struct running *run)
{
	char bytes[65536];

	if (read(run->pipe, bytes, sizeof(bytes)) > 0)
		return;
	close(run->pipe);
	run->pipe = -1;
}

/* Waits until all processes have ended. */
static void wait_all(struct running *run)
{
	while (is_running(run)) {
		struct pollfd ready[] = { { wake[0], POLLIN, 0 }, { -1, POLLIN, 0 } };

		if (run->recorder.pid && !run->filters[0].pid)
			ready[1].fd = run->pipe;
		if (poll(ready, 2, fg_ticker_wait(&run->ticker)) > 0 &&
		    ready[1].revents)
			drain(run);
		take_signals(run);
		reap_all(run); /* the pipe of signals may have been full */
		fg_ticker_show(&run->ticker);
	}
}

/* ---- the parts of a plan */

/* Notes the part that failed, unless an earlier one is noted. */
static void note_failure(struct running *run, const struct fg_buf *text)
{
	if (!run->r->failed.len)
		fg_buf_add_str(&run->r->failed, fg_buf_str(text));
}

static void note_stage(struct running *run, const struct fg_stage *stage)
{
	struct fg_buf text = FG_BUF_INIT;

	if (stage->script)
		fg_buf_addf(&text, "%s", stage->script);
	else
		fg_plan_add_stage(&text, stage, fg_buf_cstr(&run->f->tmp));
	note_failure(run, &text);
	fg_buf_release(&text);
}

/*
 * Notes the first stage that failed by itself, or else the first that failed because
 * the next one did not read its output.
 */
static void note_stages(struct running *run)
{
	const int unread = 128 + SIGPIPE;

	for (size_t i = 0; i < run->plan->stage_count; i++)
		if (run->filters[i].status && run->filters[i].status != unread)
			note_stage(run, &run->plan->stages[i]);
	for (size_t i = 0; i < run->plan->stage_count; i++)
		if (run->filters[i].status)
			note_stage(run, &run->plan->stages[i]);
}

/* Opens a file for what a program writes. Returns -1 after reporting. */
static int create(struct running *run, const char *name, int flags)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);

	if (fd < 0)
		fg_error(run->f->diag, NULL, "%s cannot be written: %s", name,
			 strerror(errno));
	return fg_io_move_up(fd);
}

static void close_all(const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* Starts a filter that reads `in` and writes `out`. */
static void start_filter(struct running *run, size_t i, int in, int out, int err)
{
	const struct fg_stage *stage = &run->plan->stages[i];
	const struct job job = {
		.args = stage->args.items,
		.script = stage->script,
		.in = in,
		.out = out,
		.err = stage->is_collapser ? err : -1,
		.third = -1,
		.is_filter = true,
		.diag = run->f->diag,
	};

	start_process(&run->filters[i], &job);
}

/* Starts the filters between `in` and `out`. Returns 0, or -1 after reporting. */
static int start_pipeline(struct running *run, int in, int out, int err)
{
	size_t last = run->plan->stage_count - 1;
	int from = in;

	for (size_t i = 0; i <= last; i++) {
		int next[2] = { -1, out };

		if (i < last && fg_io_pipe(next))
			return fg_error(run->f->diag, NULL, "cannot make a pipe: %s",
					strerror(errno));
		start_filter(run, i, from, next[1], err);
		if (i)
			close(from);
		if (i < last)
			close(next[1]);
		from = next[0];
	}
	return 0;
}

/*
 * Starts the filters. The first one reads `in`, the last one writes the file of stacks.
 * Returns 0, or the exit status after reporting.
 */
static int start_filters(struct running *run, int in)
{
	const struct fg_plan *plan = run->plan;
	int err = create(run, fg_flame_temporary(run->f, "said"), O_TRUNC);
	int out = plan->append_to ? create(run, plan->append_to, O_APPEND) :
				    create(run, run->r->folded, O_TRUNC);
	int status = -1;

	if (err >= 0 && out >= 0)
		status = start_pipeline(run, in, out, err);
	close_all(&err, 1);
	close_all(&out, 1);
	return status ? FG_EXIT_FAILED : 0;
}

static void start_recorder(struct running *run, int to)
{
	const struct fg_plan *plan = run->plan;
	const struct job job = {
		.args = plan->record.items,
		.in = -1,
		.out = plan->way == FG_WAY_PIPE ? to : -1,
		.err = -1,
		.third = plan->way == FG_WAY_DESCRIPTOR ? to : -1,
		.diag = run->f->diag,
	};

	start_process(&run->recorder, &job);
	if (run->recorder.pid)
		fg_ticker_start(&run->ticker, run->recorder.pid);
}

/* Returns true if the recording is there and is not the same file as before. */
static bool is_new(const char *data, const struct stat *before)
{
	struct stat now;

	return !stat(data, &now) &&
	       (now.st_ino != before->st_ino || now.st_size != before->st_size ||
		now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
		now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

static int no_recording(struct running *run)
{
	return fg_flame_fail(run->f, FG_EXIT_FAILED,
			     "nothing was recorded: %s failed, with exit status %d",
			     run->plan->recorder, run->r->recorded);
}

/* Runs a recorder that writes a file. */
static int record_file(struct running *run)
{
	struct stat before = { .st_size = 0 };

	if (stat(run->plan->data, &before))
		memset(&before, 0, sizeof(before));
	start_recorder(run, -1);
	wait_all(run);
	run->r->recorded = run->recorder.status;
	if (run->fatal)
		return run->fatal;
	return is_new(run->plan->data, &before) ? 0 : no_recording(run);
}

/* Runs the recorder and the filters, with a pipe between them. */
static int record_pipe(struct running *run)
{
	int fds[2], status;

	if (fg_io_pipe(fds))
		return fg_flame_fail(run->f, FG_EXIT_FAILED, "cannot make a pipe: %s",
				     strerror(errno));
	fg_io_widen_pipe(fds[1]);
	run->pipe = fds[0];
	status = start_filters(run, fds[0]);
	if (!status)
		start_recorder(run, fds[1]);
	close(fds[1]);
	wait_all(run);
	run->r->recorded = run->recorder.status;
	return run->fatal ? run->fatal : status;
}

/* Runs the filters alone. */
static int run_filters(struct running *run)
{
	int null = run->plan->way == FG_WAY_INPUT ? -1 : fg_io_open("/dev/null");
	int status = start_filters(run, null);

	close_all(&null, 1);
	wait_all(run);
	return run->fatal ? run->fatal : status;
}

/* Runs the command that comes first. */
static int run_before(struct running *run)
{
	const struct job job = {
		.args = run->plan->before.items,
		.in = -1,
		.out = create(run, run->plan->before_to, O_TRUNC),
		.err = -1,
		.third = -1,
		.is_filter = true,
		.diag = run->f->diag,
	};

	start_process(&run->filters[0], &job);
	close_all(&job.out, 1);
	wait_all(run);
	return run->fatal ? run->fatal : run->filters[0].status ? FG_EXIT_FAILED : 0;
}

static void running_init(struct running *run, struct fg_run *r, struct fg_flame *f,
			 const struct fg_plan *plan)
{
	memset(run, 0, sizeof(*run));
	run->r = r;
	run->f = f;
	run->plan = plan;
	run->pipe = -1;
	fg_ticker_init(&run->ticker, f);
}

int fg_run_record(struct fg_run *r, struct fg_flame *f, const struct fg_plan *plan)
{
	struct running run;
	int status = 0;

	running_init(&run, r, f, plan);
	r->folded = fg_flame_temporary(f, "folded");
	if (plan->before.count)
		status = run_before(&run);
	if (!status && plan->record.count)
		status = plan->way == FG_WAY_FILE ? record_file(&run) :
						    record_pipe(&run);
	if (!status && (!plan->record.count || plan->way == FG_WAY_FILE))
		status = run_filters(&run);
	close_all(&run.pipe, 1);
	if (status)
		return status;
	fg_file_start(fg_flame_temporary(f, "said"), SIZE_MAX, &r->said);
	note_stages(&run);
	if (plan->record.count &&
	    fg_str_has(fg_buf_str(&r->said), FG_STR("the input is empty")))
		return no_recording(&run);
	return 0;
}

int fg_run_draw(struct fg_run *r, struct fg_flame *f, const struct fg_plan *plan)
{
	struct running run;
	struct fg_buf text = FG_BUF_INIT;
	struct job job = {
		.args = plan->draw.items,
		.in = fg_io_open(r->folded),
		.out = -1,
		.err = -1,
		.third = -1,
		.is_filter = true,
		.diag = f->diag,
	};

	running_init(&run, r, f, plan);
	start_process(&run.filters[0], &job);
	close_all(&job.in, 1);
	wait_all(&run);
	if (run.filters[0].status) {
		fg_plan_add_command(&text, &plan->draw, fg_buf_cstr(&f->tmp));
		note_failure(&run, &text);
		fg_buf_release(&text);
	}
	return run.fatal;
}

void fg_run_release(struct fg_run *r)
{
	fg_buf_release(&r->failed);
	fg_buf_release(&r->said);
	memset(r, 0, sizeof(*r));
}

void fg_run_quietly(struct fg_flame *f, const struct fg_plan *plan,
		    struct fg_buf *messages)
{
	int null = fg_io_open("/dev/null");
	struct job job = { .args = plan->record.items,
			   .in = null,
			   .err = -1,
			   .third = -1,
			   .diag = f->diag };
	struct fg_ask ask = { .args = (const char *const *)plan->stages[0].args.items,
			      .stream = FG_ASK_ERRORS };
	int fds[2], hidden;
	pid_t recorder;

	if (fg_io_pipe(fds)) {
		close_all(&null, 1);
		return;
	}
	/* the recording proper will complain, too */
	hidden = open("/dev/null", O_WRONLY | O_CLOEXEC);
	job.err = hidden;
	job.out = fds[1];
	recorder = start(&job);
	close(fds[1]);
	ask.input = fds[0];
	if (recorder > 0)
		fg_ask(&ask, messages);
	close(fds[0]);
	close_all(&null, 1);
	close_all(&hidden, 1);
	while (recorder > 0 && waitpid(recorder, NULL, 0) < 0 && errno == EINTR)
		;
}

bool fg_run_samples(struct fg_str messages, uint64_t *samples)
{
	while (messages.len) {
		struct fg_str line = fg_str_cut(&messages, '\n');
		struct fg_str number;

		/* its count would be the number of lines */
		if (fg_str_ends(line, FG_STR(": this is folded stacks")))
			return false;
		if (!fg_str_cut_start(&line, FG_STR("collapse-")))
			continue;
		fg_str_cut(&line, ' ');
		number = fg_str_cut(&line, ' ');
		if ((fg_str_starts(line, FG_STR("samples kept")) ||
		     fg_str_starts(line, FG_STR("sample kept"))) &&
		    !fg_str_u64(number, samples))
			return true;
	}
	return false;
}
