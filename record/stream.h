/*
 * Writes the pipe form of perf.data: 16 bytes that say so, and then only records.
 *
 * The records of the header come first: an attribute with the ids of its counters for
 * each event, the event's name, and facts about the machine. Between the records of
 * the kernel, FINISHED_ROUND marks when all rings were emptied once, so that a reader
 * can sort with little memory.
 */
#ifndef FG_RECORD_STREAM_H
#define FG_RECORD_STREAM_H

#include "lib/base/out.h"
#include "record/compress.h"
#include "record/counters.h"

struct fg_stream {
	struct fg_out out;
	struct fg_compressor *compressor; /* NULL: records are written as they are */
	struct fg_buf packed; /* scratch */
	uint64_t raw; /* bytes of the kernel's records so far */
	uint64_t written; /* bytes that they take in the output */
};

/* Facts about this machine and this run that the header tells. */
struct fg_stream_facts {
	const struct fg_counters *counters;
	const struct fg_numbers *online;
	char *const *args; /* our command line, which ends in NULL */
	int level; /* of compression */
};

/* Starts a stream to `fd`. `level` is the level of compression; 0: no compression. */
void fg_stream_open(struct fg_stream *s, int fd, const char *name, int level,
		    struct fg_diag *diag);

/* Writes the records of the header. */
void fg_stream_header(struct fg_stream *s, const struct fg_stream_facts *facts);

/* Writes records of the kernel. */
void fg_stream_records(struct fg_stream *s, struct fg_str records);

/* Ends a round, and writes what is buffered. Returns -1 if writing has failed. */
int fg_stream_round(struct fg_stream *s);

/* Writes the rest. Returns 0, or -1 after reporting the first error of writing. */
int fg_stream_close(struct fg_stream *s);

#endif
