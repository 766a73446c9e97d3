/*
 * Recordings of perf that a test makes, and the text that is read from them. Example:
 * recording_init(&r); recording_comm(&r, 7, "app"); recording_at(&r, 7, 0x1000);
 * recording_read(recording_file(&r), NULL, &text, NULL);
 */
#ifndef FG_TESTS_UNIT_RECORDING_H
#define FG_TESTS_UNIT_RECORDING_H

#include "collapse/formats/perf/data/perfdata.h"
#include "lib/base/buf.h"

/* The fields of most samples: identifier, ip, tid, time, cpu, period and call chain. */
#define RECORDED_FIELDS UINT64_C(0x101a7)

struct recorded_event {
	uint32_t type;
	uint64_t config, sample_period, sample_type, read_format, branch_type;
	uint64_t registers; /* mask of the user's registers that are copied */
	uint32_t copies; /* bytes of the user's stack in each sample */
	uint16_t max_stack; /* the longest chain; 0: the kernel's own limit */
	uint64_t id; /* 0: no id */
	bool switches; /* perf records context switches */
	bool inherited; /* threads that start while the event counts inherit it */
	bool enable_on_exec;
	bool monotonic; /* times are those of CLOCK_MONOTONIC, like with -k mono */
	const char *name; /* NULL: the name is not recorded */
};

#define RECORDED_EVENTS_MAX 4

struct recording {
	struct recorded_event events[RECORDED_EVENTS_MAX];
	size_t event_count;
	struct fg_buf records;
	struct fg_buf build_ids; /* the feature section */
	struct fg_buf files[2]; /* simpleperf's sections 128 and 132 */
	struct fg_buf whole; /* the file or stream that was made last */
	uint64_t time; /* time of the next record; 0: no time */
	uint64_t id; /* id of the next record's event */
};

/* Makes a recording with one event, "cpu-clock" of id 7. Times begin at 1000. */
void recording_init(struct recording *r);
void recording_release(struct recording *r);

void recording_add_event(struct recording *r, const struct recorded_event *event);

/* Adds numbers at the end of a buffer, in this machine's byte order. */
void put16(struct fg_buf *b, uint16_t n);
void put32(struct fg_buf *b, uint32_t n);
void put64(struct fg_buf *b, uint64_t n);

/* Adds a record of any type unchanged. */
void recording_put(struct recording *r, uint32_t type, uint16_t misc,
		   struct fg_str body);

/* Add records of the kernel. Each has the time r->time, which then grows by 1000. */
void recording_comm(struct recording *r, uint32_t tid, const char *name);
void recording_exec(struct recording *r, uint32_t tid, const char *name);
void recording_fork(struct recording *r, uint32_t ppid, uint32_t pid, uint32_t tid);

void recording_exit(struct recording *r, uint32_t pid);

struct recorded_map {
	uint32_t pid;
	uint64_t start, len, pgoff;
	const char *name;
	uint16_t misc; /* 1 kernel, 2 user */
	uint32_t prot; /* 4: executable */
	struct fg_str build_id; /* in the record; empty: no build id */
	uint64_t generation; /* generation of the inode, after the build id */
};
void recording_map(struct recording *r, const struct recorded_map *map);

/*
 * Adds a sample of thread `pid`/`tid` with a period of 100 and a chain of `count`
 * entries.
 */
void recording_sample(struct recording *r, uint32_t pid, uint32_t tid,
		      const uint64_t *chain, size_t count);

/* An entry of a chain after which the entries are addresses of the program. */
#define RECORDED_USER UINT64_C(0xfffffffffffffe00)

/* Adds a sample of thread `pid`/`pid` with one address of the program. */
void recording_at(struct recording *r, uint32_t pid, uint64_t address);

/* Adds the record that ends a round of events. */
void recording_round(struct recording *r);

/*
 * Adds a build id to the table of the file. `misc` is 1 for the kernel's files, else 2.
 */
void recording_build_id(struct recording *r, uint16_t misc, const char *name,
			struct fg_str id);

/*
 * Return the recording as a file, or like perf record writes it to a pipe; r owns it. A
 * pipe ends with the end of a round, a record of ROUND_SIZE bytes.
 */
#define ROUND_SIZE 8
struct fg_str recording_file(struct recording *r);
struct fg_str recording_stream(struct recording *r);

/*
 * Reads a recording. Appends a line for each sample, "COMM PID/TID TIME EVENT PERIOD",
 * and for each frame " SYMBOL+OFFSET(DSO)", with " FILE:LINE" before the DSO if it is
 * known, then the messages. `cache` is perf's folder of binaries. Returns the status of
 * reading; tally may be NULL.
 */
int recording_read(struct fg_str bytes, const char *cache, struct fg_buf *text,
		   struct fg_perfdata_tally *tally);

/* Like recording_read(), but for any input. Sets name, diag and sink. */
int recording_read_from(struct fg_perfdata *pd, struct fg_buf *text);

/* For cmocka: an empty recording for each test, and a buffer for its text. */
struct recorded {
	struct recording r;
	struct fg_buf text;
};

int recorded_set_up(void **data);
int recorded_tear_down(void **data);

#endif
