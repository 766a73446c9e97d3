/*
 * Recordings of perf that a test makes up, and what is read from them.
 */
#ifndef FG_TESTS_UNIT_RECORDING_H
#define FG_TESTS_UNIT_RECORDING_H

#include "collapse/formats/perf/data/perfdata.h"
#include "lib/base/buf.h"

/* What most samples have: identifier, ip, tid, time, cpu, period and call chain. */
#define RECORDED_FIELDS UINT64_C(0x101a7)

struct recorded_event {
	uint32_t type;
	uint64_t config, sample_period, sample_type, read_format, branch_type;
	uint64_t registers; /* of the user, as perf numbers them */
	uint32_t copies; /* bytes of the user's stack */
	uint16_t max_stack; /* 0: the kernel's own limit of a chain */
	uint64_t id; /* 0: it has none */
	bool switches; /* perf was told to record them */
	bool inherited; /* by threads that start while it counts */
	bool enable_on_exec;
	const char *name; /* NULL: none was recorded */
};

#define RECORDED_EVENTS_MAX 4

struct recording {
	struct recorded_event events[RECORDED_EVENTS_MAX];
	size_t event_count;
	struct fg_buf records;
	struct fg_buf build_ids; /* of the feature section */
	struct fg_buf files[2]; /* the same of simpleperf's, 128 and 132 */
	struct fg_buf whole; /* what was made last */
	uint64_t time; /* of the next record; 0: it has none */
	uint64_t id; /* of its event */
};

/* With one event, "cpu-clock" of id 7; times begin at 1000. */
void recording_init(struct recording *r);
void recording_release(struct recording *r);

void recording_add_event(struct recording *r, const struct recorded_event *event);

/* Numbers at the end of a buffer, in this machine's order. */
void put16(struct fg_buf *b, uint16_t n);
void put32(struct fg_buf *b, uint32_t n);
void put64(struct fg_buf *b, uint64_t n);

/* A record of any type, as it is. */
void recording_put(struct recording *r, uint32_t type, uint16_t misc,
		   struct fg_str body);

/* Records of the kernel; each has the time r->time, which then grows by 1000. */
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
	struct fg_str build_id; /* in the record; empty: none */
	uint64_t generation; /* of the file's inode, behind the build id */
};
void recording_map(struct recording *r, const struct recorded_map *map);

/*
 * A sample of thread `pid`/`tid` with a period of 100 and a chain of `count` entries.
 */
void recording_sample(struct recording *r, uint32_t pid, uint32_t tid,
		      const uint64_t *chain, size_t count);

/* What the entries of a chain that follow are: addresses of the program. */
#define RECORDED_USER UINT64_C(0xfffffffffffffe00)

/* The same of a thread `pid`/`pid`, with one address of the program. */
void recording_at(struct recording *r, uint32_t pid, uint64_t address);

/* The end of a round. */
void recording_round(struct recording *r);

/* A build id in the table of the file; `misc` is 1 for the kernel's files, else 2. */
void recording_build_id(struct recording *r, uint16_t misc, const char *name,
			struct fg_str id);

/*
 * The recording as a file, or as perf record writes it to a pipe; borrowed. A pipe ends
 * with the end of a round, a record of ROUND_SIZE bytes.
 */
#define ROUND_SIZE 8
struct fg_str recording_file(struct recording *r);
struct fg_str recording_stream(struct recording *r);

/*
 * Reads a recording and appends, a line a sample, "COMM PID/TID TIME EVENT PERIOD" and
 * for each frame " SYMBOL+OFFSET(DSO)", then the messages. `cache` is perf's folder of
 * binaries. Returns what reading it did; *tally may be NULL.
 */
int recording_read(struct fg_str bytes, const char *cache, struct fg_buf *text,
		   struct fg_perfdata_tally *tally);

/* The same of any input; name, diag and sink are set here. */
int recording_hear(struct fg_perfdata *pd, struct fg_buf *text);

/* For cmocka: each test has an empty recording, and room for what is read of it. */
struct recorded {
	struct recording r;
	struct fg_buf text;
};

int recorded_set_up(void **data);
int recorded_tear_down(void **data);

#endif
