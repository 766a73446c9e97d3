/* Reads a profile and writes it for another viewer; helpers for the writers. */
#include "reportfolded/export.h"

#include <stdlib.h>
#include <unistd.h>

struct fg_str fg_export_frames(struct fg_export_frames *f, const struct fg_stacks *s)
{
	size_t depth = fg_stacks_depth(s);

	FG_GROW(f->ends, f->alloc, depth);
	f->text.len = s->kept ? f->ends[s->kept - 1] : 0;
	for (size_t i = s->kept; i < depth; i++) {
		if (i)
			fg_buf_add_char(&f->text, ',');
		f->add(f->data, fg_stacks_node(s, i), &f->text);
		f->ends[i] = f->text.len;
	}
	return fg_buf_str(&f->text);
}

void fg_export_frames_release(struct fg_export_frames *f)
{
	fg_buf_release(&f->text);
	free(f->ends);
}

void fg_export_add_title(const struct fg_export *e, const struct fg_value *value,
			 unsigned column, struct fg_buf *title)
{
	fg_buf_add_str(title, fg_buf_str(&value->name));
	if (e->values.columns == 2)
		fg_buf_add_str(title, column == FG_BEFORE ? FG_STR(" (before)") :
							    FG_STR(" (after)"));
}

static int write_all(struct fg_export *e)
{
	if (e->options->time_order && e->values.columns == 2)
		return fg_error(e->diag, NULL,
				"--time-order is for one count on each line");
	switch ((enum fg_report_format)e->options->format) {
	case FG_REPORT_PPROF:
		return fg_export_pprof(e);
	case FG_REPORT_SPEEDSCOPE:
		return fg_export_speedscope(e);
	case FG_REPORT_FIREFOX:
		return fg_export_firefox(e);
	default:
		return fg_export_collapsed(e);
	}
}

int fg_export_run(const struct fg_report_options *options, struct fg_reader *reader,
		  struct fg_out *out, struct fg_diag *diag)
{
	struct fg_export e = { .options = options, .diag = diag, .out = out };
	int status;

	if (options->format == FG_REPORT_PPROF && out->fd >= 0 && isatty(out->fd))
		return fg_error(diag, NULL,
				"pprof's format is binary, and this is a terminal: "
				"-o FILE");
	status = fg_values_read(&e.values, options, reader, diag);
	if (!status)
		status = write_all(&e);
	fg_values_release(&e.values);
	return status;
}
