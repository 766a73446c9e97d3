/*
 * A program to record, given to flamegraph: cargo-flamegraph's program of the same name
 * takes one.
 */
#ifndef FG_FLAMEGRAPH_WORKLOAD_H
#define FG_FLAMEGRAPH_WORKLOAD_H

#include "lib/base/diag.h"

/*
 * After a run that failed: says which program records, where the command line has an
 * option that only a recorder has, or a command after "--" that is no file here.
 */
void fg_workload_hint(int argc, char **argv, struct fg_diag *diag);

#endif
