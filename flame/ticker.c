/* Shows how long a recording takes. */
#include "flame/ticker.h"

#include <stdlib.h>
#include <unistd.h>

#include "flame/files.h"
#include "lib/base/io.h"

void fg_ticker_init(struct fg_ticker *t, const struct fg_flame *f)
{
	const char *term = getenv("TERM");

	*t = (struct fg_ticker){ .recorder = 0 };
	t->wanted = !f->o.quiet && isatty(STDERR_FILENO) && term &&
		    strcmp(term, "dumb") != 0 &&
		    (!fg_flame_has_command(f) || !isatty(STDOUT_FILENO));
}

void fg_ticker_start(struct fg_ticker *t, pid_t recorder)
{
	if (!t->wanted)
		return;
	t->recorder = recorder;
	clock_gettime(CLOCK_MONOTONIC, &t->start);
}

/* Returns the milliseconds since the start. */
static long elapsed(const struct fg_ticker *t)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long)(now.tv_sec - t->start.tv_sec) * 1000 +
	       (now.tv_nsec - t->start.tv_nsec) / 1000000;
}

int fg_ticker_wait(const struct fg_ticker *t)
{
	long left;

	if (!t->recorder)
		return 1000;
	left = (t->shown + 1) * 1000 - elapsed(t);
	return left < 0 ? 0 : (int)left;
}

/* Appends how much the recorder has written, if the system tells us. */
static void add_written(const struct fg_ticker *t, struct fg_buf *line)
{
	struct fg_buf name = FG_BUF_INIT, bytes = FG_BUF_INIT;
	struct fg_str rest;

	fg_buf_addf(&name, "/proc/%ld/io", (long)t->recorder);
	fg_file_start(fg_buf_cstr(&name), SIZE_MAX, &bytes);
	rest = fg_buf_str(&bytes);
	while (rest.len) {
		struct fg_str number = fg_str_cut(&rest, '\n');
		uint64_t written;

		if (fg_str_cut_start(&number, FG_STR("wchar: ")) &&
		    !fg_str_u64(number, &written))
			fg_buf_addf(line, ", %llu kB recorded",
				    (unsigned long long)(written / 1000));
	}
	fg_buf_release(&name);
	fg_buf_release(&bytes);
}

void fg_ticker_show(struct fg_ticker *t)
{
	struct fg_buf line = FG_BUF_INIT;
	long seconds = t->recorder ? elapsed(t) / 1000 : 0;

	if (seconds <= t->shown)
		return;
	t->shown = seconds;
	fg_buf_addf(&line, "\rflame: %ld s", seconds);
	add_written(t, &line);
	fg_buf_add_str(&line, FG_STR("\033[K"));
	fg_io_write_all(STDERR_FILENO, line.ptr, line.len);
	fg_buf_release(&line);
}

void fg_ticker_stop(struct fg_ticker *t)
{
	static const char erase[] = "\r\033[K";

	if (t->recorder && t->shown)
		fg_io_write_all(STDERR_FILENO, erase, sizeof(erase) - 1);
	t->recorder = 0;
}
