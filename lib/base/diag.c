/* Writes messages for the user: one line each, with program, input and line. */
#include "lib/base/diag.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/io.h"
#include "lib/base/progress.h"
#include "lib/base/visible.h"

void fg_diag_init(struct fg_diag *d, const char *program)
{
	memset(d, 0, sizeof(*d));
	d->program = program;
}

/* Makes control characters visible: a message is one line, whatever a name holds. */
static void hide_controls(struct fg_buf *message)
{
	struct fg_buf text = *message;

	fg_buf_init(message);
	fg_add_visible(message, fg_buf_str(&text));
	fg_buf_release(&text);
}

/* Writes the line in one piece, so that lines of several programs do not mix. */
static void write_line(struct fg_buf *message)
{
	fg_buf_add_char(message, '\n');
	fg_io_write_all(STDERR_FILENO, message->ptr, message->len);
}

static void give(struct fg_diag *d, struct fg_buf *message)
{
	fg_progress_lock(d->progress);
	if (d->sink)
		d->sink(d->sink_data, fg_buf_cstr(message));
	else
		write_line(message);
	fg_progress_unlock(d->progress);
}

static void emit(struct fg_diag *d, const struct fg_place *at, const char *format,
		 va_list args)
{
	struct fg_buf message = FG_BUF_INIT;
	const char *input = at ? at->input : NULL;

	if (input && !*input)
		input = "''"; /* the argument was an unset variable of a shell */
	fg_buf_addf(&message, "%s: ", d->program);
	if (input && at->line)
		fg_buf_addf(&message, "%s:%llu: ", input, (unsigned long long)at->line);
	else if (input)
		fg_buf_addf(&message, "%s: ", input);
	fg_buf_vaddf(&message, format, args);
	hide_controls(&message);
	give(d, &message);
	fg_buf_release(&message);
}

void fg_diag_pass_on(struct fg_diag *d, bool is_error, const char *message)
{
	struct fg_buf text = FG_BUF_INIT;

	if (is_error)
		d->errors++;
	else
		d->warnings++;
	if (!is_error && d->verbosity < FG_NORMAL)
		return;
	fg_buf_addf(&text, "%s", message);
	give(d, &text);
	fg_buf_release(&text);
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
