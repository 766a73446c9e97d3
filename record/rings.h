/*
 * Ring buffers that the kernel fills with records, one for each processor.
 *
 * The kernel moves `head` when it has added a record, and we move `tail` when we have
 * written some. Both only grow; the offset in the buffer is the number modulo its
 * size, a power of two. So the bytes between them are one or two parts of the buffer,
 * which we write without a copy.
 */
#ifndef FG_RECORD_RINGS_H
#define FG_RECORD_RINGS_H

#include "lib/base/str.h"

struct fg_ring {
	void *page; /* the kernel's page before the data; NULL: not mapped */
	char *data;
	uint64_t size; /* size of the data */
	uint64_t head; /* end of the part that fg_ring_take() has returned */
};

/* Records found in the parts of a ring. */
struct fg_ring_counts {
	uint64_t samples;
	uint64_t lost; /* records that the kernel dropped because the ring was full */
};

/*
 * Maps a ring with `size` bytes of data for the counter `fd`. Returns 0, or an errno.
 */
int fg_ring_map(struct fg_ring *r, int fd, uint64_t size);

/* Accepts a ring that is not mapped. */
void fg_ring_unmap(struct fg_ring *r);

/*
 * Sets parts[0] and parts[1] to the new records, in order; a part may be empty. Returns
 * false if there are none. They stay valid until fg_ring_done(), which gives their
 * space back to the kernel.
 */
bool fg_ring_take(struct fg_ring *r, struct fg_str parts[2]);
void fg_ring_done(struct fg_ring *r);

/* Sets `parts` to the bytes of a ring from the position `tail` to `head`. */
void fg_ring_parts(const struct fg_ring *r, uint64_t tail, uint64_t head,
		   struct fg_str parts[2]);

/* Counts the records in two parts. A record may start in the first and end in the
 * second. */
void fg_ring_count(const struct fg_str parts[2], struct fg_ring_counts *counts);

/*
 * Returns the size of the ring of each processor, a power of two of at least a page.
 * `wanted` is the size of -m, or 0: then it is what perf_event_mlock_kb allows for
 * each processor or, with `large`, up to eight times as much if RLIMIT_MEMLOCK allows
 * it, too.
 */
struct fg_ring_limits {
	uint64_t page;
	uint64_t mlock; /* perf_event_mlock_kb, in bytes */
	uint64_t memlock; /* RLIMIT_MEMLOCK, in bytes; UINT64_MAX: no limit */
	uint64_t count; /* number of rings */
};
uint64_t fg_ring_size(const struct fg_ring_limits *l, uint64_t wanted, bool large);

#endif
