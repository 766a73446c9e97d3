/*
 * A recording of perf in parts, which can be taken out, added and changed. Its headers
 * and sizes are computed when it is written.
 */
#ifndef FG_TESTS_FUZZ_MUTATE_PERFDATA_H
#define FG_TESTS_FUZZ_MUTATE_PERFDATA_H

#include "lib/base/arena.h"
#include "tests/fuzz/mutate/random.h"

enum part_kind { PART_EVENT, PART_FEATURE, PART_RECORD };

struct part {
	enum part_kind kind;
	uint32_t type; /* the type of a record, or the number of a feature */
	uint16_t misc; /* the misc field of a record */
	struct fg_str body; /* a record's body, or an event's attributes */
	struct fg_str ids; /* the ids of an event */
};

/* The size of generated attributes. */
#define PART_ATTR_SIZE 128

/* The most parts that we keep of an input. */
#define PARTS_MAX 256

struct parts {
	struct part list[PARTS_MAX];
	size_t count;
	bool is_stream;
	uint64_t time; /* the time of the next generated record */
	struct random random;
	struct fg_arena arena; /* owns the bodies */
};

/* Takes a recording apart. Returns false if it is not one. Leaves damaged parts out. */
bool parts_read(struct parts *p, struct fg_str recording);
void parts_write(const struct parts *p, struct fg_buf *to);
void parts_release(struct parts *p);

/* Make parts that fit the existing events. */
struct part parts_make_event(struct parts *p);
struct part parts_make_feature(struct parts *p);
struct part parts_make_record(struct parts *p);

/* Return a name of something; and a build id, perhaps of a binary in tests/data. */
const char *parts_word(struct parts *p);
const char *parts_build_id(struct parts *p);

/* Puts the body of a record with a build id, or an entry of their section. */
void parts_put_build_id(struct parts *p, struct fg_buf *b);

/* Returns a copy of the body of a part. */
struct fg_str parts_keep(struct parts *p, struct fg_buf *body);

/* Adds a part, unless there are too many. */
void parts_add(struct parts *p, const struct part *part);

#endif
