/*
 * perfdata-text [-in] [-c CACHE] FILE : what collapse/formats/perf/data reads, as the
 * text that perf script prints.
 *
 * Tests compare both. Blanks are fewer than in perf's columns, and tracepoints have no
 * payload. "-" is standard input. CACHE is where perf keeps binaries. With -i
 * inlined functions are frames; with -n only the numbers of samples and frames are
 * printed.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "collapse/formats/perf/data/perfdata.h"
#include "lib/base/out.h"

struct text {
	struct fg_out out;
	bool has_chain;
	uint64_t samples, frames;
};

static bool count_sample(void *data, const struct fg_perfdata_sample *s)
{
	struct text *t = data;

	(void)s;
	t->samples++;
	return true;
}

static void count_frame(void *data, const struct fg_perfdata_frame *f)
{
	struct text *t = data;

	(void)f;
	t->frames++;
}

static void count_end(void *data)
{
	(void)data;
}

static bool print_sample(void *data, const struct fg_perfdata_sample *s)
{
	struct text *t = data;
	struct fg_out *o = &t->out;

	t->has_chain = s->has & FG_PERFDATA_HAS_CHAIN;
	fg_out_add_str(o, s->comm);
	fg_out_addf(o, " %5d ", (int)s->tid);
	if (s->has & FG_PERFDATA_HAS_CPU)
		fg_out_addf(o, "[%03u] ", s->cpu);
	if (s->has & FG_PERFDATA_HAS_TIME)
		fg_out_addf(o, "%5" PRIu64 ".%06" PRIu64 ": ", s->time / 1000000000,
			    s->time / 1000 % 1000000);
	if (!(s->has & FG_PERFDATA_IS_TRACEPOINT))
		fg_out_addf(o, "%10" PRIu64 " ", s->period);
	fg_out_add_str(o, s->event);
	fg_out_add_str(o, t->has_chain ? FG_STR(": \n") : FG_STR(": "));
	return true;
}

static void print_frame(void *data, const struct fg_perfdata_frame *f)
{
	struct text *t = data;
	struct fg_out *o = &t->out;

	fg_out_addf(o, t->has_chain ? "\t%16" PRIx64 " " : " %16" PRIx64 " ",
		    t->has_chain ? f->address : f->pc);
	fg_out_add_str(o, f->symbol);
	if (!fg_str_eq(f->symbol, FG_STR("[unknown]")))
		fg_out_addf(o, "+0x%" PRIx64, f->offset);
	fg_out_add_str(o, FG_STR(" ("));
	fg_out_add_str(o, f->inlined ? FG_STR("inlined") : f->dso);
	fg_out_add_str(o, t->has_chain ? FG_STR(")\n") : FG_STR(")"));
}

static void print_end(void *data)
{
	struct text *t = data;

	fg_out_add_char(&t->out, '\n');
}

struct options {
	bool count, inlines;
	const char *cache; /* NULL: ~/.debug */
	const char *name;
};

static int read_options(int argc, char **argv, struct options *o)
{
	int c;

	while ((c = getopt(argc, argv, "inc:")) != -1) {
		if (c == '?')
			return -1;
		if (c == 'n')
			o->count = true;
		else if (c == 'i')
			o->inlines = true;
		else
			o->cache = optarg;
	}
	o->name = optind < argc ? argv[optind] : "-";
	return 0;
}

static int print(const struct options *o, int fd, const char *name)
{
	struct fg_diag diag;
	struct text text = { .has_chain = false };
	struct fg_perfdata pd = {
		.fd = fd,
		.name = name,
		.debug_folder = o->cache,
		.inlines = o->inlines ? FG_PERFDATA_INLINES : FG_PERFDATA_NO_INLINES,
		.diag = &diag,
		.sink = { .sample = print_sample,
			  .frame = print_frame,
			  .end = print_end,
			  .data = &text },
	};
	int status;

	fg_diag_init(&diag, "perfdata-text");
	fg_out_init(&text.out, STDOUT_FILENO, "(standard output)", &diag);
	if (o->count)
		pd.sink = (struct fg_perfdata_sink){ .sample = count_sample,
						     .frame = count_frame,
						     .end = count_end,
						     .data = &text };
	status = fg_perfdata_read(&pd);
	if (o->count)
		fg_out_addf(&text.out, "%" PRIu64 " samples, %" PRIu64 " frames\n",
			    text.samples, text.frames);
	return status | fg_out_close(&text.out);
}

int main(int argc, char **argv)
{
	struct options o = { .count = false };
	int fd = STDIN_FILENO, status;

	if (read_options(argc, argv, &o))
		return 2;
	if (!fg_str_eq(fg_str_from(o.name), FG_STR("-"))) {
		fd = open(o.name, O_RDONLY | O_CLOEXEC);
		if (fd < 0) {
			perror(o.name);
			return 1;
		}
	}
	status = print(&o, fd, fd ? o.name : "(standard input)");
	if (fd)
		close(fd);
	return status ? 1 : 0;
}
