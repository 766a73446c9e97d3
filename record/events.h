/*
 * Finds the events that -e names, like perf: hardware, software and cache events by
 * name, events of a PMU through sysfs, raw events, and tracepoints through tracefs.
 *
 *     cycles:u                      a name with modifiers
 *     cpu-clock/freq=997/           a name with terms
 *     cpu_core/cycles/              an event of a PMU
 *     cpu/event=0x3c,umask=0/pp     its fields
 *     r1a8                          a raw event, in hexadecimal
 *     sched:sched_switch            a tracepoint
 */
#ifndef FG_RECORD_EVENTS_H
#define FG_RECORD_EVENTS_H

#include <linux/perf_event.h>

#include "lib/base/arena.h"
#include "lib/base/diag.h"
#include "record/options.h"

struct fg_event {
	/* type, config, modifiers, period or rate; the rest is for counters.c to set */
	struct perf_event_attr attr;
	struct fg_str name; /* like perf prints it */
	/* processors that can count it; empty: all */
	struct fg_numbers cpus;
	bool most_precise; /* use the highest precise_ip that the processor has */
	bool has_rate; /* the event itself says how often to sample */
};

struct fg_events {
	struct fg_event *list;
	size_t count;
	size_t alloc;
	struct fg_arena text;
};

/* The folders to look in. Tests have their own. */
struct fg_event_places {
	const char *devices; /* of PMUs */
	const char *tracing; /* tracefs; NULL: not mounted */
};

void fg_events_init(struct fg_events *e);
void fg_events_release(struct fg_events *e);

/*
 * Adds the events of an argument of -e, which are separated by commas. Returns 0, or -1
 * after reporting.
 */
int fg_events_parse(struct fg_events *e, const char *text,
		    const struct fg_event_places *places, struct fg_diag *diag);

/* Adds cycles, as precise as possible. */
void fg_events_add_cycles(struct fg_events *e);

/* Replaces the only event by cpu-clock, which every machine has. */
void fg_events_use_clock(struct fg_events *e);

/* Adds an event that is never sampled; it brings the records about tasks. */
void fg_events_add_tracker(struct fg_events *e);

/* Adds the modifier "u" to the name of an event. */
void fg_event_name_user(struct fg_events *e, struct fg_event *event);

/* Returns true for an event that needs the counters of the processor. */
bool fg_event_is_hardware(const struct fg_event *event);

/* Returns the folder of tracefs, or NULL if it is not mounted. */
const char *fg_tracing_folder(void);

/*
 * Reads a small file, such as one of sysfs. Returns 0, or an errno.
 */
int fg_read_file(const char *folder, const char *name, struct fg_buf *to);

#endif
