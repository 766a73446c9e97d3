/* Reads profiles in any format, by the functions of the collapsers. */
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/guess/guess.h"
#include "collapse/split.h"
#include "filterfolded/options.h"
#include "lib/base/cli.h"
#include "lib/svg/svgchild.h"
#include "lib/svg/svgfile.h"
#include "library/profile.h"

#define FOLDED "folded"

struct reading {
	const char *path; /* NULL: read `bytes` */
	const struct flamepipe_bytes *bytes;
	const char *name; /* for messages */
	const char *format; /* NULL: guess it */
	const char *const *options;
};

const char *flamepipe_version(void)
{
	return FG_VERSION;
}

const char *flamepipe_format(size_t index)
{
	size_t count = 0;

	while (fg_kinds[count])
		count++;
	if (index < count)
		return fg_kinds[index]->name;
	return index == count ? FOLDED : NULL;
}

/* ---- folded stacks */

static int choose(struct fg_task *task, const struct fg_choosing_options *o,
		  struct fg_reader *reader)
{
	struct fg_choosing choosing;
	struct fg_out out;
	int status, columns;

	if (fg_choosing_init(&choosing, o, &task->diag)) {
		fg_choosing_release(&choosing);
		return FLAMEPIPE_INVALID;
	}
	fg_recognize_check_folded(reader);
	fg_reader_expect_last_newline(reader);
	fg_reader_accept(reader, &fg_svgfile_format);
	fg_out_init_memory(&out);
	columns = fg_choosing_run(&choosing, reader, &out) ?
			  -1 :
			  fg_profile_columns(&choosing.profile);
	status = columns < 0 ? FLAMEPIPE_FAILED :
			       fg_task_add(task, &out.buf, (unsigned)columns);
	fg_choosing_release(&choosing);
	fg_buf_release(&out.buf);
	return status;
}

static int read_folded(struct fg_task *task, struct fg_reader *reader)
{
	const struct reading *r = task->data;
	struct fg_choosing_options o = { .verbosity = FG_NORMAL };
	const struct fg_opt_table tables[] = {
		{ fg_filter_rows, &o.filter },
		{ fg_choosing_rows, &o },
	};
	int status = FLAMEPIPE_INVALID;

	task->diag.program = "filter-folded";
	if (!fg_task_options(task, tables, FG_COUNT_OF(tables), r->options))
		status = choose(task, &o, reader);
	fg_opts_release(fg_filter_rows, &o.filter);
	return status;
}

/* ---- other formats */

/* Passes the path too, because a collapser may read the times in a file beforehand. */
static int run(struct fg_task *task, struct fg_collapse *c, struct fg_reader *reader)
{
	const struct reading *r = task->data;
	const char *names[] = { r->path ? r->path : "" };
	const struct fg_opt_list files = { names, 1, 0 };
	struct fg_out out;
	const struct fg_collapse_io io = { reader, &files, &out };
	int status;

	fg_out_init_memory(&out);
	status = fg_collapse_run(c, &io) ? FLAMEPIPE_FAILED : 0;
	if (!status)
		status = fg_task_add(task, &out.buf, 1);
	fg_buf_release(&out.buf);
	return status;
}

static int collapse(struct fg_task *task, struct fg_collapse *c,
		    struct fg_reader *reader)
{
	const struct reading *r = task->data;
	struct fg_opt_table tables[FG_COLLAPSE_TABLES];
	size_t count = fg_collapse_tables(c, tables);

	c->samples.header = c->format->has_samples || c->format->has_values;
	if (fg_task_options(task, tables, count, r->options) ||
	    fg_collapse_check(c, &task->diag))
		return FLAMEPIPE_INVALID;
	if (fg_collapse_splits(c)) {
		fg_error(&task->diag, NULL, "--split is for the command line only");
		return FLAMEPIPE_INVALID;
	}
	return run(task, c, reader);
}

static int read_format(struct fg_task *task, const struct fg_format *format,
		       struct fg_reader *reader)
{
	struct fg_buf program = FG_BUF_INIT;
	struct fg_collapse c;
	int status;

	fg_kind_add_program(format->kind, &program);
	task->diag.program = fg_buf_cstr(&program);
	fg_collapse_init(&c, format, "");
	status = collapse(task, &c, reader);
	fg_collapse_release(&c);
	task->diag.program = "flamepipe";
	fg_buf_release(&program);
	return status;
}

/* ---- choosing the format */

static const struct fg_format *find_format(const char *name)
{
	for (size_t i = 0; fg_formats[i]; i++)
		if (!strcmp(fg_formats[i]->kind->name, name))
			return fg_formats[i];
	return NULL;
}

/* Returns true for the format of text that is read as folded stacks. */
static bool is_folded(const struct fg_format *format)
{
	return format == find_format("recursive");
}

static int read_guessed(struct fg_task *task, struct fg_reader *reader)
{
	const struct reading *r = task->data;
	const struct fg_format *format = NULL;
	struct fg_str start;

	if (fg_reader_peek(reader, FG_RECOGNIZE_BYTES, &start))
		return FLAMEPIPE_FAILED;
	if (fg_svg_starts(start))
		return read_folded(task, reader);
	switch (fg_guess_choose(&format, reader, r->name, &task->diag)) {
	case FG_EXIT_OK:
		break;
	case FG_EXIT_USAGE:
		return FLAMEPIPE_INVALID;
	default:
		return FLAMEPIPE_FAILED;
	}
	return is_folded(format) ? read_folded(task, reader) :
				   read_format(task, format, reader);
}

static int read_named(struct fg_task *task, struct fg_reader *reader)
{
	const struct reading *r = task->data;
	const struct fg_format *format;

	if (!strcmp(r->format, FOLDED))
		return read_folded(task, reader);
	format = find_format(r->format);
	if (format)
		return read_format(task, format, reader);
	fg_error(&task->diag, NULL, "no format is called '%s'", r->format);
	return FLAMEPIPE_INVALID;
}

static int read_input(struct fg_task *task)
{
	const struct reading *r = task->data;
	struct fg_reader *reader;
	int status;

	if (r->path)
		reader = fg_reader_open(&r->path, 1, &task->diag);
	else
		reader = fg_reader_open_memory(
			fg_str_of(r->bytes->bytes, r->bytes->size), r->name,
			&task->diag);
	status = r->format ? read_named(task, reader) : read_guessed(task, reader);
	fg_reader_close(reader);
	return status;
}

int flamepipe_read(struct flamepipe_profile *p, const char *path, const char *format,
		   const char *const *options)
{
	const struct reading r = { path, NULL, path, format, options };
	struct fg_task task = { .work = read_input, .data = &r };

	return fg_task_run(&task, p, "flamepipe");
}

int flamepipe_read_memory(struct flamepipe_profile *p,
			  const struct flamepipe_bytes *input, const char *format,
			  const char *const *options)
{
	const char *name = input->name ? input->name : "(memory)";
	const struct reading r = { NULL, input, name, format, options };
	struct fg_task task = { .work = read_input, .data = &r };

	return fg_task_run(&task, p, "flamepipe");
}
