/*
 * Runs a collapser: checks options, feeds input to the grammar, writes folded stacks.
 */
#include "collapse/collapse.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/report.h"
#include "collapse/sink_internal.h"
#include "lib/base/progress.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"

/*
 * We keep this many bytes from the start of the input. If it is not a profile, they
 * help to guess what it is.
 */
#define FIRST_BYTES 8192

/* ---- options */

void fg_collapse_init(struct fg_collapse *c, const struct fg_format *format,
		      const char *called_as)
{
	memset(c, 0, sizeof(*c));
	c->format = format;
	c->own = fg_xcalloc(1, format->options_size);
	if (format->called_as)
		format->called_as(c, called_as);
}

size_t fg_collapse_tables(struct fg_collapse *c,
			  struct fg_opt_table tables[FG_COLLAPSE_TABLES])
{
	size_t count = 0;

	if (c->format->has_samples)
		tables[count++] = (struct fg_opt_table){ fg_samples_rows, &c->samples };
	if (c->format->has_values)
		tables[count++] = (struct fg_opt_table){ fg_values_rows, &c->samples };
	if (c->format->has_order)
		tables[count++] = (struct fg_opt_table){ fg_order_rows, &c->samples };
	if (!c->format->has_samples)
		tables[count++] =
			(struct fg_opt_table){ c->format->has_times ? fg_slice_rows :
								      fg_no_slice_rows,
					       &c->samples };
	if (c->format->rows)
		tables[count++] = (struct fg_opt_table){ c->format->rows, c->own };
	tables[count++] = (struct fg_opt_table){ fg_filter_rows, &c->common.filter };
	tables[count++] = (struct fg_opt_table){ fg_common_rows, &c->common };
	return count;
}

void fg_collapse_release(struct fg_collapse *c)
{
	struct fg_opt_table tables[FG_COLLAPSE_TABLES];
	size_t count = fg_collapse_tables(c, tables);

	for (size_t i = 0; i < count; i++)
		fg_opts_release(tables[i].rows, tables[i].base);
	fg_sink_free(c->sink);
	free(c->own);
}

/* Refuses --slice. Returns -1. */
static int refuse_slice(const struct fg_kind *kind, struct fg_diag *diag)
{
	struct fg_buf program = FG_BUF_INIT;

	fg_kind_add_program(kind, &program);
	fg_error(diag, NULL,
		 "--slice needs the times of samples, which %s does not read from %s",
		 fg_buf_cstr(&program), kind->input);
	fg_buf_release(&program);
	return -1;
}

int fg_collapse_check(struct fg_collapse *c, struct fg_diag *diag)
{
	int status;

	diag->verbosity = c->common.verbosity;
	if (c->samples.slice && !c->format->has_samples && !c->format->has_times)
		return refuse_slice(c->format->kind, diag);
	status = c->format->has_values ?
			 fg_values_options_check(&c->samples, c->format->root, diag) :
			 fg_samples_options_check(&c->samples, diag);
	if (status || (c->format->check && c->format->check(c, diag)))
		return -1;
	c->sink = fg_sink_new(c->format, &c->common, &c->samples, diag);
	return c->sink ? 0 : -1;
}

/* ---- reading */

/*
 * A snapshot of two counts. The difference of two snapshots shows what became of a
 * line.
 */
struct score {
	uint64_t kept;
	uint64_t reported; /* dropped and malformed things, and cut inputs */
};

/* The state of a run that reads its inputs one after another. */
struct reading {
	const struct fg_format *format;
	struct fg_sink *sink;
	void *state;
	/* the counts before the last line, if that has no line feed */
	struct score before_last;
	/*
	 * the message if the input is of another kind; empty once a block was
	 * recognised
	 */
	struct fg_buf wrong;
	size_t read; /* the number of bytes read from the input */
};

static struct score score_of(const struct fg_tally *t)
{
	return (struct score){ t->kept, t->dropped + t->malformed + t->cut };
}

/*
 * Warns if the last line has no line feed, unless the line was reported already. The
 * input may be cut there: a number may have had more digits, the stack may have had
 * more callers, and the line may be the start of another stack.
 */
static void check_end(struct reading *r)
{
	struct fg_sink *s = r->sink;
	const struct score now = score_of(&s->tally);

	if (s->input.unended && now.kept && now.reported == r->before_last.reported)
		fg_sink_warn_cut(s, "the last line has no newline");
	s->input.unended = false;
}

static int report_wrong(struct reading *r, const char *what)
{
	const struct fg_place at = { fg_sink_at(r->sink)->input, 0 };

	return fg_error(fg_sink_diag(r->sink), &at, "%s", what);
}

/*
 * Ends an input. Returns -1 if the run is over (--weight list, or a failure that is
 * reported), or after reporting that the input is of another kind or faulty.
 */
static int end_input(struct reading *r)
{
	if (!fg_sink_at(r->sink)->input)
		return 0;
	if (r->wrong.len) /* the input is of another kind, so do not report a cut end */
		return report_wrong(r, fg_buf_cstr(&r->wrong));
	if (r->format->end_input)
		r->format->end_input(r->state);
	if (r->sink->value.listed || r->sink->failed)
		return -1;
	if (r->sink->fault)
		return report_wrong(r, r->sink->fault);
	check_end(r);
	fg_sink_end_length(r->sink);
	return 0;
}

/* Ends the last input and starts another one. Returns -1 after reporting. */
static int start_input(struct reading *r, const char *input)
{
	if (end_input(r))
		return -1;
	fg_sink_at(r->sink)->input = input;
	fg_sink_at(r->sink)->line = 0;
	fg_buf_clear(&r->wrong);
	r->read = 0;
	return 0;
}

/*
 * Checks if the input is of our format. A log may come before the profile, so each
 * block is probed until one is recognised. Returns -1 after reporting that an input for
 * .read is of another kind; other inputs are reported at their end.
 */
static int check_block(struct reading *r, const struct fg_block *block)
{
	struct fg_recognized other;

	if (block->first) {
		other = fg_recognize_other(r->format->kind,
					   fg_utf8_skip_mark(block->start));
		fg_recognized_explain(&other, FG_ADVISE_USE, &r->wrong);
		if (r->format->read && r->wrong.len)
			return report_wrong(r, fg_buf_cstr(&r->wrong));
	} else if (r->wrong.len && r->read >= block->start.len &&
		   r->format->kind->probe(block->bytes) != FG_PROBE_NO) {
		fg_buf_clear(&r->wrong);
	}
	r->read += block->bytes.len;
	return 0;
}

static int read_raw(void *data, struct fg_str head, int fd, const char *input)
{
	struct reading *r = data;
	struct fg_sink *s = r->sink;

	if (start_input(r, input))
		return -1;
	fg_buf_add_str(&s->input.first_bytes,
		       fg_str_before(head, FIRST_BYTES - s->input.first_bytes.len));
	return r->format->read_raw(r->state, head, fd, input);
}

static void read_lines(struct reading *r, struct fg_str bytes)
{
	while (bytes.len) {
		size_t end = fg_str_find_char(bytes, '\n');
		struct fg_str line = fg_str_before(bytes, end);

		if (end == bytes.len && fg_str_trim_left(line).len) {
			r->sink->input.unended = true;
			r->before_last = score_of(fg_sink_tally(r->sink));
		}
		bytes = fg_str_from_pos(bytes, end + 1);
		fg_str_cut_end(&line, FG_STR("\r"));
		line = fg_utf8_skip_mark(line);
		fg_sink_at(r->sink)->line++;
		r->format->line(r->state, line);
	}
}

/*
 * Reads a block, or the whole input if the format has .read. Returns -1 if the run is
 * over.
 */
static int read_block(struct reading *r, struct fg_reader *reader,
		      const struct fg_block *block)
{
	struct fg_sink *s = r->sink;
	uint64_t samples = s->tally.samples;
	int status = 0;

	if ((block->first && start_input(r, block->input)) || check_block(r, block))
		return -1;
	if (block->first)
		fg_buf_add_str(&s->input.first_bytes,
			       fg_str_before(block->start,
					     FIRST_BYTES - s->input.first_bytes.len));
	if (r->format->read)
		status = r->format->read(r->state, reader, block);
	else if (r->format->block)
		r->format->block(r->state, block);
	else
		read_lines(r, block->bytes);
	fg_progress_add_samples(s->diag->progress, s->tally.samples - samples);
	return s->value.listed || s->failed ? -1 : status;
}

/*
 * For --time with percentages, finds the times of the first and the last sample.
 * Returns -1 after reporting.
 */
static int find_span(struct fg_sink *s, const struct fg_opt_list *files)
{
	int status = FG_SPAN_UNKNOWN;
	uint64_t first, last;

	if (!s->selection || !fg_selection_needs_span(s->selection))
		return 0;
	if (s->format->span)
		status = s->format->span(files, &first, &last, s->diag);
	if (status == FG_SPAN_UNKNOWN)
		return fg_error(s->diag, NULL,
				"--time with %% needs regular files that "
				"have samples with times");
	if (!status)
		fg_selection_set_span(s->selection, first, last);
	return status;
}

static int read_all(struct reading *r, struct fg_reader *reader)
{
	const struct fg_reader_raw raw = { r->format->kind->is_data, read_raw, r };
	struct fg_block block;
	int status;

	fg_recognize_check(reader, r->format->kind);
	if (r->format->has_values) {
		fg_reader_accept_cut(reader, r->sink->samples->size_max);
		fg_reader_judge_by(reader, FG_RECOGNIZE_BYTES);
	}
	if (raw.starts)
		fg_reader_accept_raw(reader, &raw);
	if (r->format->read)
		fg_reader_accept_parts(reader);
	while ((status = fg_reader_block(reader, &block)) > 0)
		if (read_block(r, reader, &block))
			return -1;
	if (status < 0)
		return -1;
	if (end_input(r))
		return -1;
	if (r->format->finish)
		r->format->finish(r->state);
	r->sink->tally.cut = r->sink->tally.cut || fg_reader_was_cut(reader);
	return 0;
}

int fg_collapse_run(struct fg_collapse *c, const struct fg_collapse_io *io)
{
	struct fg_sink *sink = c->sink;
	struct reading r = { .format = c->format, .sink = sink };
	unsigned errors = sink->diag->errors;
	int status = find_span(sink, io->files);
	size_t lines;

	if (c->samples.every)
		sink->output.out = io->out;
	r.state = c->format->open(sink, c);
	if (!status)
		status = read_all(&r, io->reader);
	c->format->close(r.state);
	fg_buf_release(&r.wrong);
	if (sink->value.listed && sink->diag->errors == errors) {
		fg_out_add_str(io->out, fg_buf_str(&sink->header));
		return 0;
	}
	if (status || fg_sink_check_times(sink) || fg_sink_check_sums(sink))
		return -1;
	lines = fg_sink_write(sink, io->out);
	if (fg_filter_failed(sink->filter))
		return -1;
	fg_filter_report(sink->filter);
	return fg_sink_report(sink, lines);
}
