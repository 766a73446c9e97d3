/* collapse-chrome: what its parts share. */
#ifndef FG_COLLAPSE_FORMATS_CHROME_STATE_H
#define FG_COLLAPSE_FORMATS_CHROME_STATE_H

#include "collapse/json.h"
#include "collapse/sums.h"
#include "collapse/v8.h"
#include "lib/base/intern.h"
#include "lib/base/map.h"
#include "lib/base/opts.h"

enum chrome_source {
	CHROME_AUTO,
	CHROME_EVENTS,
	CHROME_PROFILE,
	CHROME_SAMPLES,
};

struct chrome_options {
	int source; /* enum chrome_source */
	int is_ns;
	struct fg_opt_list cat;
	struct fg_opt_list detail;
	bool idle;
};

/* Of a name that is not known. */
#define CHROME_NO_NAME UINT32_MAX

enum chrome_kind {
	CHROME_WHOLE, /* from start to end */
	CHROME_BEGIN, /* `end` is the name as the trace has it */
	CHROME_END, /* `name` is that; `end` is 1 if it may be of one left out */
};

/* An interval, or one end of it, in nanoseconds. */
struct chrome_span {
	int64_t start, end;
	uint32_t name; /* of the frame; CHROME_NO_NAME: it is left out */
	uint32_t kind;
};

/* A thread. */
struct chrome_lane {
	uint32_t process; /* id in chrome.pids */
	uint32_t tid; /* id in chrome.tids */
	uint32_t name; /* id in chrome.names, or CHROME_NO_NAME */
	bool has_ends; /* not all spans are whole */
	struct chrome_span *spans;
	size_t count, alloc;
	int64_t last; /* the last moment anything happened */
};

/* A part of a profile of V8, as an event has it. */
struct chrome_chunk {
	struct fg_v8 *v8;
	uint32_t profile;
	int64_t at;
	struct fg_sum start, end; /* of the profile, in picoseconds */
	bool has_start, has_end;
};

struct chrome_profile {
	uint32_t lane;
	struct fg_sum start; /* in picoseconds */
	bool has_start;
	bool has_lane;
};

/* A row of "samples". */
struct chrome_sample {
	uint32_t tid, row;
	struct fg_sum weight;
	bool has_time;
	uint64_t time; /* in nanoseconds */
};

struct chrome_time {
	int64_t ns;
	int64_t ps; /* where `is_fine` */
	bool known;
	bool is_fine; /* there is less than a nanosecond */
};

/* The event that is read. */
struct chrome_event {
	char phase;
	bool is_sum; /* of clang, over many events */
	bool is_out; /* of no category that is asked for */
	uint32_t name, process, tid;
	struct chrome_time at, duration;
	uint32_t args_name;
	uint64_t line; /* in chrome.file; 0: not known */
	struct fg_v8 *v8;
	struct fg_sum start, end;
	bool has_start, has_end;
};

struct chrome {
	struct fg_sink *sink;
	const struct chrome_options *options;
	struct fg_sums sums;

	/* of a file */
	struct fg_intern names, pids, tids, lane_keys;
	uint32_t *shown; /* ids of frames, by names; CHROME_NO_NAME until needed */
	size_t shown_count, shown_alloc;
	uint32_t *process_names;
	size_t process_count, process_alloc;
	struct fg_map id_names; /* ids in `names`, by those of pids and tids without */
	struct fg_map long_texts; /* of all owners */
	struct chrome_lane *lanes;
	size_t lane_count, lane_alloc;
	bool has_frames; /* it has stackFrames */
	bool has_samples, has_spans; /* samples that are no events; spans */
	bool has_profile; /* so that spans are not kept, if the source is auto */

	bool any_asynchronous, any_span; /* event, in all files; kept or not */

	struct chrome_event event;
	struct fg_buf id, frame; /* of the event; its stack frame, "sf" */
	struct fg_buf file; /* of its function, as py-spy says it */
	struct fg_buf *details; /* of --detail */
	struct fg_buf text;

	struct fg_intern profile_keys;
	struct chrome_profile *profiles;
	size_t profile_count, profile_alloc;
	struct chrome_chunk *chunks;
	size_t chunk_count, chunk_alloc;

	struct fg_intern frame_ids;
	struct fg_rows rows; /* of stackFrames, by frame_ids */
	struct chrome_sample *samples;
	size_t sample_count, sample_alloc;
};

/* lanes.c: the id of a thread, which is made when it is new. */
uint32_t chrome_lane_of(struct chrome *c, uint32_t process, uint32_t tid);

/* Forgets the spans of all threads. */
void chrome_drop_spans(struct chrome *c);

/* Whose stacks those of a thread are. */
struct fg_owner chrome_owner(struct chrome *c, const struct chrome_lane *lane);

/* The text of a number that is no less than 0, in units of 10^-shift. */
bool chrome_read_sum(struct fg_json *j, int shift, struct fg_sum *sum);

/* event.c: an event, behind its '{'; whether all of it was there. */
bool chrome_read_event(struct chrome *c, struct fg_json *j);

/* spans.c: adds the own times of all threads' events, which are then forgotten. */
void chrome_write_spans(struct chrome *c);

/* samples.c: the values of "samples" and "stackFrames", and an event that is one. */
void chrome_read_samples(struct chrome *c, struct fg_json *j);
void chrome_read_frames(struct chrome *c, struct fg_json *j);
void chrome_take_sample(struct chrome *c);
void chrome_write_samples(struct chrome *c);

/* profile.c: the value of "data", of the arguments of an event. */
void chrome_read_data(struct chrome *c, struct fg_json *j);
void chrome_take_data(struct chrome *c);
void chrome_write_profiles(struct chrome *c, enum fg_v8_weight weight);
void chrome_release_profiles(struct chrome *c);

#endif
