/* Writes the pipe form of perf.data. */
#include "record/stream.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "record/records.h"
#include "record/tracing.h"

#define MAGIC "PERFILE2"
#define HEADER_SIZE 16

/* Numbers of features, and the kind of update that has a name. */
#define FEATURE_HOSTNAME 3
#define FEATURE_OSRELEASE 4
#define FEATURE_VERSION 5
#define FEATURE_ARCH 6
#define FEATURE_NRCPUS 7
#define FEATURE_CMDLINE 11
#define FEATURE_COMPRESSED 27
#define UPDATE_NAME 2

/* The kind of compression that readers know. */
#define COMPRESSED_ZSTD 1

/* The number of ids that fit into one record. */
#define IDS_MAX \
	((FG_RECORD_MAX - FG_RECORD_HEADER - sizeof(struct perf_event_attr)) / 8)

void fg_stream_open(struct fg_stream *s, int fd, const char *name, int level,
		    struct fg_diag *diag)
{
	memset(s, 0, sizeof(*s));
	fg_out_init(&s->out, fd, name, diag);
	if (level)
		s->compressor = fg_compressor_new(level);
}

/* ---- the header */

/* Starts a record with a feature. */
static size_t start_feature(struct fg_buf *b, uint64_t feature)
{
	size_t start = fg_record_start(b, FG_RECORD_HEADER_FEATURE, 0);

	fg_put64(b, feature);
	return start;
}

static void add_string(struct fg_buf *b, uint64_t feature, const char *text)
{
	size_t start = start_feature(b, feature);

	fg_put_feature_string(b, fg_str_from(text));
	fg_record_end(b, start);
}

static void add_machine(struct fg_buf *b, const struct fg_stream_facts *facts)
{
	struct utsname u;
	size_t start;

	if (!uname(&u)) {
		add_string(b, FEATURE_HOSTNAME, u.nodename);
		add_string(b, FEATURE_OSRELEASE, u.release);
		add_string(b, FEATURE_ARCH, u.machine);
	}
	add_string(b, FEATURE_VERSION, "flamepipe " FG_VERSION);
	start = start_feature(b, FEATURE_NRCPUS);
	fg_put32(b, (uint32_t)sysconf(_SC_NPROCESSORS_CONF));
	fg_put32(b, (uint32_t)facts->online->count);
	fg_record_end(b, start);
}

/* Adds our command line. A very long one is left out. */
static void add_arguments(struct fg_buf *b, char *const *args)
{
	size_t start = start_feature(b, FEATURE_CMDLINE);
	uint32_t count = 0;

	while (args[count])
		count++;
	fg_put32(b, count);
	for (uint32_t i = 0; i < count; i++)
		fg_put_feature_string(b, fg_str_from(args[i]));
	fg_record_end(b, start);
}

static void add_compression(struct fg_buf *b, const struct fg_stream_facts *facts)
{
	size_t start = start_feature(b, FEATURE_COMPRESSED);
	uint64_t size = facts->counters->ring_size;

	if (size < FG_COMPRESSED_PIECE)
		size = FG_COMPRESSED_PIECE;
	fg_put32(b, 0); /* the version */
	fg_put32(b, COMPRESSED_ZSTD);
	fg_put32(b, (uint32_t)facts->level);
	fg_put32(b, 1); /* the ratio, which is not known yet */
	fg_put32(b, (uint32_t)size); /* the most that a record unpacks to */
	fg_record_end(b, start);
}

/*
 * Adds the attribute of an event with the ids of its counters. If they do not fit into
 * one record, they go into several, which readers take for events of the same name.
 */
static void add_event(struct fg_buf *b, const struct fg_counters *c, uint32_t event)
{
	const struct perf_event_attr *attr = &c->events->list[event].attr;
	struct fg_str name = c->events->list[event].name;
	size_t next = 0, start;

	do {
		uint64_t id = 0;
		size_t ids = 0;

		start = fg_record_start(b, FG_RECORD_HEADER_ATTR, 0);
		fg_buf_add(b, (const char *)attr, sizeof(*attr));
		for (; next < c->count && ids < IDS_MAX; next++) {
			if (c->list[next].event != event || !c->list[next].id)
				continue;
			id = c->list[next].id;
			fg_put64(b, id);
			ids++;
		}
		fg_record_end(b, start);
		start = fg_record_start(b, FG_RECORD_EVENT_UPDATE, 0);
		fg_put64(b, UPDATE_NAME);
		fg_put64(b, id);
		fg_put_padded(b, name);
		fg_record_end(b, start);
	} while (next < c->count);
}

void fg_stream_header(struct fg_stream *s, const struct fg_stream_facts *facts)
{
	const struct fg_counters *c = facts->counters;
	struct fg_buf b = FG_BUF_INIT;

	fg_buf_add_str(&b, FG_STR(MAGIC));
	fg_put64(&b, HEADER_SIZE);
	for (uint32_t i = 0; i < c->events->count; i++)
		add_event(&b, c, i);
	add_machine(&b, facts);
	add_arguments(&b, facts->args);
	if (s->compressor)
		add_compression(&b, facts);
	fg_tracing_add(&b, c->events);
	fg_out_add_str(&s->out, fg_buf_str(&b));
	fg_buf_release(&b);
}

/* ---- records */

void fg_stream_records(struct fg_stream *s, struct fg_str records)
{
	struct fg_str packed = records;

	if (!records.len)
		return;
	if (s->compressor) {
		fg_buf_clear(&s->packed);
		fg_compressor_add(s->compressor, records, &s->packed);
		packed = fg_buf_str(&s->packed);
	}
	s->raw += records.len;
	s->written += packed.len;
	fg_out_add_str(&s->out, packed);
}

int fg_stream_round(struct fg_stream *s)
{
	struct fg_buf b = FG_BUF_INIT;

	fg_record_end(&b, fg_record_start(&b, FG_RECORD_FINISHED_ROUND, 0));
	fg_out_add_str(&s->out, fg_buf_str(&b));
	fg_buf_release(&b);
	return fg_out_flush(&s->out);
}

int fg_stream_close(struct fg_stream *s)
{
	fg_compressor_free(s->compressor);
	fg_buf_release(&s->packed);
	return fg_out_close(&s->out);
}
