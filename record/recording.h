/*
 * A recording from start to end: copies records from the rings to the output until the
 * command or the recorded processes end, the time is over, or a signal comes.
 */
#ifndef FG_RECORD_RECORDING_H
#define FG_RECORD_RECORDING_H

#include "record/command.h"
#include "record/output.h"
#include "record/stream.h"

struct fg_recording {
	const struct fg_record_options *options;
	struct fg_diag *diag;
	struct fg_counters counters;
	struct fg_stream stream;
	struct fg_command command;
	int signals; /* a signalfd: the signals that end a recording */
	int ended_by; /* the signal that has ended it, or 0 */
	bool time_is_over; /* the recording has ended because of --duration */
	struct fg_ring_counts counts;
};

/* Blocks the signals that end a recording, and opens r->signals. Returns 0 or -1. */
int fg_recording_catch(struct fg_recording *r, struct fg_inherited *inherited);

/*
 * Copies records until the recording ends. All counters are started before it, except
 * if there is a delay. Returns 0; or -1 after reporting, or if writing has failed,
 * which fg_stream_close() reports.
 */
int fg_recording_run(struct fg_recording *r);

/* Starts the counters of samples. Returns 0, or -1 after reporting. */
int fg_recording_start(const struct fg_recording *r);

/* Stops the counters, copies the last records, and reports lost ones. */
void fg_recording_finish(struct fg_recording *r);

#endif
