/*
 * perfdata-text FILE : what collapse/perfdata reads, as the text that perf script
 * prints.
 *
 * Tests compare both. Blanks are fewer than in perf's columns, and tracepoints have no
 * payload. "-" is standard input.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "collapse/perfdata/perfdata.h"
#include "lib/out.h"

struct text {
	struct fg_out out;
	bool has_chain;
};

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
	fg_out_add_str(o, f->dso);
	fg_out_add_str(o, t->has_chain ? FG_STR(")\n") : FG_STR(")"));
}

static void print_end(void *data)
{
	struct text *t = data;

	fg_out_add_char(&t->out, '\n');
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "-";
	bool is_input = fg_str_eq(fg_str_from(name), FG_STR("-"));
	struct fg_diag diag;
	struct text text = { .has_chain = false };
	struct fg_perfdata pd = {
		.fd = is_input ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC),
		.name = is_input ? "(standard input)" : name,
		.diag = &diag,
		.sink = { print_sample, print_frame, print_end, &text },
	};
	int status;

	fg_diag_init(&diag, "perfdata-text");
	if (pd.fd < 0) {
		perror(name);
		return 1;
	}
	fg_out_init(&text.out, STDOUT_FILENO, "(standard output)", &diag);
	status = fg_perfdata_read(&pd);
	status |= fg_out_close(&text.out);
	return status ? 1 : 0;
}
