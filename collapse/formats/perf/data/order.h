/*
 * Puts records in the order of time, in which perf delivers them.
 *
 * Each processor has a buffer of its own. perf record empties one buffer after the
 * other and calls this a round. Records of a round can be older than records of the
 * last round, but not older than those of the round before the last. So after each
 * round we deliver the records up to the largest time before the last round
 * (tools/perf/util/ordered-events.c).
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_ORDER_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_ORDER_H

#include "collapse/formats/perf/data/blocks.h"

struct fg_pd_waiting {
	uint64_t time;
	const char *header; /* start of the record in its block */
	struct fg_pd_block *block;
};

struct fg_pd_order {
	struct fg_pd_waiting *waiting;
	/* scratch memory for sorting; as large as `waiting` */
	struct fg_pd_waiting *other;
	size_t count, alloc;
	uint64_t largest; /* latest time so far */
	uint64_t limit; /* `largest` at the end of the last round */
};

/*
 * The receiver of the records, in the order of time. deliver() returns 0, or -1 to
 * stop.
 */
struct fg_pd_delivery {
	int (*deliver)(void *data, const struct fg_pd_record *record);
	void *data;
};

void fg_pd_order_init(struct fg_pd_order *o);
void fg_pd_order_release(struct fg_pd_order *o);

/* Adds a record that has to wait for its turn. */
void fg_pd_order_add(struct fg_pd_order *o, const struct fg_pd_record *record,
		     uint64_t time);

/*
 * Deliver waiting records, the oldest first. Return 0, or -1 if deliver() returned -1.
 * Use _round at the end of a round, _half if too many records wait, and _all at the end
 * of the input.
 */
int fg_pd_order_round(struct fg_pd_order *o, const struct fg_pd_delivery *delivery);
int fg_pd_order_half(struct fg_pd_order *o, const struct fg_pd_delivery *delivery);
int fg_pd_order_all(struct fg_pd_order *o, const struct fg_pd_delivery *delivery);

#endif
