/* Messages for the user: one line each, with program, input and line. */
#include "lib/diag.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/io.h"
#include "lib/progress.h"

void fg_diag_init(struct fg_diag *d, const char *program)
{
	memset(d, 0, sizeof(*d));
	d->program = program;
}

/* Whatever the name of an input holds, a message is one line. */
static void hide_controls(struct fg_buf *message)
{
	struct fg_buf text = *message;
	struct fg_str rest = fg_buf_str(&text);

	fg_buf_init(message);
	while (rest.len) {
		unsigned char c = (unsigned char)rest.ptr[0];

		if (c < 0x20 || c == 0x7f)
			fg_buf_add_visible(message, fg_str_before(rest, 1), 1);
		else
			fg_buf_add_char(message, rest.ptr[0]);
		rest = fg_str_from_pos(rest, 1);
	}
	fg_buf_release(&text);
}

/* In one piece, so that lines of several programs do not mix. */
static void write_line(struct fg_buf *message)
{
	fg_buf_add_char(message, '\n');
	fg_io_write_all(STDERR_FILENO, message->ptr, message->len);
}

static void emit(struct fg_diag *d, const struct fg_place *at, const char *format,
		 va_list args)
{
	struct fg_buf message = FG_BUF_INIT;
	const char *input = at ? at->input : NULL;

	if (input && !*input)
		input = "''"; /* a shell's variable was not set */
	fg_buf_addf(&message, "%s: ", d->program);
	if (input && at->line)
		fg_buf_addf(&message, "%s:%llu: ", input, (unsigned long long)at->line);
	else if (input)
		fg_buf_addf(&message, "%s: ", input);
	fg_buf_vaddf(&message, format, args);
	hide_controls(&message);
	fg_progress_lock(d->progress);
	if (d->sink)
		d->sink(d->sink_data, fg_buf_cstr(&message));
	else
		write_line(&message);
	fg_progress_unlock(d->progress);
	fg_buf_release(&message);
}

int fg_error(struct fg_diag *d, const struct fg_place *at, const char *format, ...)
{
	va_list args;

	d->errors++;
	va_start(args, format);
	emit(d, at, format, args);
	va_end(args);
	return -1;
}

void fg_warn(struct fg_diag *d, const struct fg_place *at, const char *format, ...)
{
	va_list args;

	d->warnings++;
	if (d->verbosity < FG_NORMAL)
		return;
	va_start(args, format);
	emit(d, at, format, args);
	va_end(args);
}

void fg_note(struct fg_diag *d, const struct fg_place *at, const char *format, ...)
{
	va_list args;

	if (d->verbosity < FG_VERBOSE)
		return;
	va_start(args, format);
	emit(d, at, format, args);
	va_end(args);
}
