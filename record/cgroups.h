/*
 * Describes the cgroups that exist, with CGROUP records: the number that samples have,
 * and the path. The kernel records those that are created later.
 */
#ifndef FG_RECORD_CGROUPS_H
#define FG_RECORD_CGROUPS_H

#include "record/existing.h"

/* Describes the cgroups whose file system /proc/self/mounts names, if there is one. */
void fg_cgroups_describe(struct fg_existing *x);

/*
 * Finds where cgroups are mounted, in text like that of /proc/self/mounts. perf counts
 * by the hierarchy of perf_event, if that is apart, else by cgroup2. Returns an empty
 * string if there is none.
 */
struct fg_str fg_cgroups_mount(struct fg_str mounts);

#endif
