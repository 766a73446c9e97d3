/*
 * perfdata-text [-in] [-c CACHE] FILE : prints what collapse/formats/perf/data reads,
 * like perf script; see tests/unit/support/perftext.h.
 *
 * Tests compare it with perf's own text. "-" is standard input. CACHE is perf's cache
 * of binaries. With -i, inlined functions are frames; with -n, it prints only the
 * numbers of samples and frames.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "collapse/formats/perf/data/perfdata.h"
#include "lib/base/out.h"
#include "tests/unit/support/perftext.h"

struct counts {
	uint64_t samples, frames;
};

static bool count_sample(void *data, const struct fg_perfdata_sample *s)
{
	struct counts *c = data;

	(void)s;
	c->samples++;
	return true;
}

static void count_frame(void *data, const struct fg_perfdata_frame *f)
{
	struct counts *c = data;

	(void)f;
	c->frames++;
}

static void count_end(void *data)
{
	(void)data;
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
	struct perf_text text = { .has_chain = false };
	struct counts counts = { 0, 0 };
	struct fg_perfdata pd = {
		.fd = fd,
		.name = name,
		.debug_folder = o->cache,
		.debug = o->inlines ? FG_PERFDATA_INLINES : 0,
		.diag = &diag,
		.sink = perf_text_sink(&text),
	};
	int status;

	fg_diag_init(&diag, "perfdata-text");
	fg_out_init(&text.out, STDOUT_FILENO, "(standard output)", &diag);
	if (o->count)
		pd.sink = (struct fg_perfdata_sink){ .sample = count_sample,
						     .frame = count_frame,
						     .end = count_end,
						     .data = &counts };
	status = fg_perfdata_read(&pd);
	if (o->count)
		fg_out_addf(&text.out, "%" PRIu64 " samples, %" PRIu64 " frames\n",
			    counts.samples, counts.frames);
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
