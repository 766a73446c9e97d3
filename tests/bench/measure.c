/*
 * Runs a command once and prints its cost: measure [-i FILE | -p FILE] COMMAND...
 *
 * Standard input is FILE (-i), a pipe that FILE is written to (-p), or empty. All
 * output is discarded. Prints wall milliseconds, CPU milliseconds (user and system,
 * including child processes but not the writer of the pipe) and peak RSS in KiB. A
 * command that takes two minutes fails.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef LIMIT_S
#define LIMIT_S 120
#endif

static void die(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int open_file(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		die(path);
	return fd;
}

/* Copies like cat, in blocks of 128 KiB. Ends quietly when the reader does. */
static void copy(int from, int to)
{
	static char block[128 * 1024];
	ssize_t got;

	while ((got = read(from, block, sizeof(block))) > 0)
		for (ssize_t done = 0; done < got;) {
			ssize_t put = write(to, block + done, (size_t)(got - done));

			if (put < 0)
				_exit(0);
			done += put;
		}
	_exit(0);
}

/*
 * Starts a process that writes the file to a pipe. Returns the other end of the pipe.
 */
static int start_writer(const char *path, pid_t *writer)
{
	int file = open_file(path, O_RDONLY);
	int ends[2];

	if (pipe(ends))
		die("pipe");
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	*writer = fork();
	if (*writer < 0)
		die("fork");
	if (!*writer) {
		close(ends[0]);
		copy(file, ends[1]);
	}
	close(ends[1]);
	close(file);
	return ends[0];
}

static double milliseconds(struct timeval t)
{
	return (double)t.tv_sec * 1000 + (double)t.tv_usec / 1000;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

/* Returns peak RSS in KiB. macOS has it in bytes, other systems in KiB. */
static long peak_kib(const struct rusage *used)
{
#ifdef __APPLE__
	return used->ru_maxrss / 1024;
#else
	return used->ru_maxrss;
#endif
}

static void run(char **command, int input)
{
	int null = open_file("/dev/null", O_WRONLY);

	dup2(input, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	alarm(LIMIT_S);
	execvp(command[0], command);
	_exit(127);
}

int main(int argc, char **argv)
{
	struct rusage used;
	const char *from = NULL, *through = NULL;
	pid_t writer = 0, child;
	double start, wall;
	int option, input, status;

	while ((option = getopt(argc, argv, "+i:p:")) != -1)
		if (option == 'i')
			from = optarg;
		else if (option == 'p')
			through = optarg;
		else
			return 2;
	if (optind == argc)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	start = now();
	input = through ? start_writer(through, &writer) :
			  open_file(from ? from : "/dev/null", O_RDONLY);
	signal(SIGPIPE, SIG_DFL);
	child = fork();
	if (child < 0)
		die("fork");
	if (!child)
		run(argv + optind, input);
	close(input);
	if (waitpid(child, &status, 0) != child)
		die("waitpid");
	wall = now() - start;
	getrusage(RUSAGE_CHILDREN, &used);
	if (writer)
		waitpid(writer, NULL, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "measure: failed: %s\n", argv[optind]);
		return 1;
	}
	printf("%.3f %.3f %ld\n", wall,
	       milliseconds(used.ru_utime) + milliseconds(used.ru_stime),
	       peak_kib(&used));
	return 0;
}
