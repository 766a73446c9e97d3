/*
 * Plans recordings on systems without perf_event_open: by xctrace on macOS, and by
 * DTrace on others. The environment variables XCTRACE and DTRACE name the programs. On
 * Linux, one that is set chooses that recorder, to see or test its plan.
 */
#ifndef FG_FLAME_ELSEWHERE_H
#define FG_FLAME_ELSEWHERE_H

#include "flame/flame.h"
#include "flame/plan.h"

/* Plans the recorder, and the first stages. */
int fg_xctrace_plan(struct fg_flame *f, struct fg_plan *plan, const char *const *words,
		    size_t count);
int fg_dtrace_plan(struct fg_flame *f, struct fg_plan *plan, const char *const *words,
		   size_t count);

#endif
