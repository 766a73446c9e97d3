/* One run of a collapser: the input, by way of a format's grammar, to folded stacks. */
#include "collapse/collapse.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/sink.h"
#include "lib/progress.h"
#include "lib/utf8.h"
#include "lib/xalloc.h"

/* The first bytes that are kept to guess what the input is if it is no profile. */
#define FIRST_BYTES 1024

#define FORMAT(name, older) &fg_format_##name,
const struct fg_format *const fg_formats[] = {
#include "collapse/formats.def"
	NULL,
};
#undef FORMAT

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

int fg_collapse_check(struct fg_collapse *c, struct fg_diag *diag)
{
	diag->verbosity = c->common.verbosity;
	if (fg_samples_options_check(&c->samples, diag) ||
	    (c->format->check && c->format->check(c, diag)))
		return -1;
	c->sink = fg_sink_new(c->format, &c->common, &c->samples, diag);
	return c->sink ? 0 : -1;
}

/* ---- reading */

/* A grammar at work. */
struct reading {
	const struct fg_format *format;
	struct fg_sink *sink;
	void *state;
};

static void end_input(struct reading *r)
{
	if (r->format->end_input)
		r->format->end_input(r->state);
}

/* Another input starts. */
static void start_input(struct reading *r, const char *input)
{
	if (r->sink->at.input)
		end_input(r);
	r->sink->at.input = input;
	r->sink->at.line = 0;
}

static int read_raw(void *data, struct fg_str head, int fd, const char *input)
{
	struct reading *r = data;
	struct fg_sink *s = r->sink;

	start_input(r, input);
	fg_buf_add_str(&s->first_bytes,
		       fg_str_before(head, FIRST_BYTES - s->first_bytes.len));
	return r->format->read_raw(r->state, head, fd, input);
}

static void read_lines(struct reading *r, struct fg_str bytes)
{
	while (bytes.len) {
		size_t end = fg_str_find_char(bytes, '\n');
		struct fg_str line = fg_str_before(bytes, end);

		bytes = fg_str_from_pos(bytes, end + 1);
		fg_str_cut_end(&line, FG_STR("\r"));
		r->sink->at.line++;
		r->format->line(r->state, line);
	}
}

/* Reads a block, or all of its input: 0, or -1 after reporting. */
static int read_block(struct reading *r, struct fg_reader *reader,
		      const struct fg_block *block)
{
	struct fg_sink *s = r->sink;
	uint64_t samples = s->tally.samples;
	int status = 0;

	if (block->first)
		start_input(r, block->input);
	fg_buf_add_str(&s->first_bytes,
		       fg_str_before(block->bytes, FIRST_BYTES - s->first_bytes.len));
	if (r->format->read)
		status = r->format->read(r->state, reader, block);
	else if (r->format->block)
		r->format->block(r->state, block);
	else if (block->first)
		read_lines(r, fg_utf8_skip_mark(block->bytes));
	else
		read_lines(r, block->bytes);
	fg_progress_add_samples(s->diag->progress, s->tally.samples - samples);
	return status;
}

/* --time with percentages: of the time from the first sample to the last. */
static int find_span(struct fg_sink *s, const struct fg_opt_list *files)
{
	uint64_t first, last;

	if (!s->selection || !fg_selection_needs_span(s->selection))
		return 0;
	if (!s->format->span || s->format->span(files, &first, &last))
		return fg_error(s->diag, NULL,
				"--time with %% needs regular files that "
				"have samples with times");
	fg_selection_set_span(s->selection, first, last);
	return 0;
}

static int read_all(struct reading *r, struct fg_reader *reader)
{
	const struct fg_reader_raw raw = { r->format->raw_starts, read_raw, r };
	struct fg_block block;
	int status;

	if (r->format->reads_json)
		fg_reader_accept_json(reader);
	if (raw.starts)
		fg_reader_accept_raw(reader, &raw);
	if (r->format->read)
		fg_reader_accept_parts(reader);
	while ((status = fg_reader_block(reader, &block)) > 0)
		if (read_block(r, reader, &block))
			return -1;
	if (status < 0)
		return -1;
	if (r->sink->at.input)
		end_input(r);
	if (r->format->finish)
		r->format->finish(r->state);
	return 0;
}

int fg_collapse_run(struct fg_collapse *c, const struct fg_collapse_io *io)
{
	struct fg_sink *sink = c->sink;
	struct reading r = { c->format, sink, c->format->open(sink, c) };
	int status = find_span(sink, io->files);
	size_t lines;

	if (!status)
		status = read_all(&r, io->reader);
	c->format->close(r.state);
	if (status)
		return -1;
	lines = fg_sink_write(sink, io->out);
	if (fg_filter_failed(sink->filter))
		return -1;
	fg_filter_report(sink->filter);
	return fg_sink_report(sink, lines);
}
