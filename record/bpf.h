/*
 * Describes the BPF programs that are loaded, with KSYMBOL and BPF_EVENT records.
 *
 * The kernel records programs that are loaded later. It tells those that are there only
 * to a caller with CAP_BPF; for others nothing is written.
 */
#ifndef FG_RECORD_BPF_H
#define FG_RECORD_BPF_H

#include "record/existing.h"

void fg_bpf_describe(struct fg_existing *x);

#endif
