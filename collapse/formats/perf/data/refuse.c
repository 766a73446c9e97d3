/* Refuses recordings that only perf script can read, rather than fold them in part. */
#include "collapse/formats/perf/data/reading.h"
#include "collapse/formats/perf/data/unwind.h"
#include "lib/base/inputs.h"

int fg_pd_refuse(const struct fg_pd_reading *r, const char *what)
{
	struct fg_buf input = FG_BUF_INIT;

	fg_add_input_argument(&input, r->pd->name);
	fg_error(r->pd->diag, fg_pd_place(r),
		 "this recording cannot be read directly (%s): run perf script "
		 "--no-inline -i %s | collapse-perf",
		 what, fg_buf_cstr(&input));
	fg_buf_release(&input);
	return -1;
}

int fg_pd_refuse_debug(const struct fg_pd_reading *r)
{
	struct fg_buf input = FG_BUF_INIT;

	fg_add_input_argument(&input, r->pd->name);
	fg_error(r->pd->diag, fg_pd_place(r),
		 "this program is built without libdw, so it cannot find %s in a "
		 "recording: run perf script --no-inline -i %s | collapse-perf",
		 r->pd->debug & FG_PERFDATA_INLINES ? "inlined functions" : "lines",
		 fg_buf_cstr(&input));
	fg_buf_release(&input);
	return -1;
}

int fg_pd_refuse_event(const struct fg_pd_reading *r, const struct fg_pd_event *event)
{
	if (event->sample_type & FG_PD_SAMPLE_AUX)
		return fg_pd_refuse(r, "its samples hold hardware traces");
	if (event->sample_type & FG_PD_SAMPLE_CALLCHAIN) {
		if (event->sample_type & FG_PD_SAMPLE_STACK_USER &&
		    !fg_pd_unwind_is_here())
			return fg_pd_refuse(r, "recorded with --call-graph dwarf, and "
					       "this program is built without libdw");
		if (event->branch_sample_type & FG_PD_BRANCH_CALL_STACK)
			return fg_pd_refuse(r, "recorded with --call-graph lbr");
	}
	return 0;
}
