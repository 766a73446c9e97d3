/*
 * The bytes of records, in blocks that live until each of their records is delivered.
 *
 * Records wait for those of other processors before they are delivered in order, so
 * bytes cannot be dropped as they are read. Nothing is copied but the start of a record
 * that a block cuts. There is one set of blocks for what is read and, where records are
 * compressed, one for what comes out of the decompressor.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_BLOCKS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_BLOCKS_H

#include "lib/base/str.h"

struct fg_pd_block {
	struct fg_pd_blocks *owner;
	struct fg_pd_block *next; /* of the spare ones */
	/* records that have not been delivered, and 1 while it is filled */
	size_t pending;
	size_t len;
	size_t alloc;
	char bytes[];
};

struct fg_pd_blocks {
	struct fg_pd_block *current; /* NULL before the first */
	size_t at; /* what is before it has been handed out as records */
	struct fg_pd_block *spare; /* some that are not in use */
	size_t spare_count;
	size_t held; /* bytes of all blocks but the spare ones */
};

/* One record; its bytes are those of its block. */
struct fg_pd_record {
	struct fg_pd_block *block;
	struct fg_str body; /* what follows the header */
	uint32_t type;
	uint16_t misc;
};

void fg_pd_blocks_init(struct fg_pd_blocks *b);

/* All records must have been delivered, or are forgotten by their owner. */
void fg_pd_blocks_release(struct fg_pd_blocks *b);

/* Where to put more bytes: *room of them, at least the length of a record. */
char *fg_pd_blocks_room(struct fg_pd_blocks *b, size_t *room);
void fg_pd_blocks_filled(struct fg_pd_blocks *b, size_t len);

/* What has been put there and not handed out. */
static inline struct fg_str fg_pd_blocks_rest(const struct fg_pd_blocks *b)
{
	if (!b->current)
		return fg_str_of("", 0);
	return fg_str_of(b->current->bytes + b->at, b->current->len - b->at);
}

/* Takes bytes that are no record, at most what is there. */
void fg_pd_blocks_skip(struct fg_pd_blocks *b, size_t len);

/*
 * The next record: 1, or 0 where more bytes are needed, or -1, without a message,
 * where what comes is no record. The caller is to keep or drop it.
 */
int fg_pd_blocks_record(struct fg_pd_blocks *b, struct fg_pd_record *record);

/* The record is to be delivered later: its bytes have to stay. */
static inline void fg_pd_record_keep(const struct fg_pd_record *record)
{
	record->block->pending++;
}

/* A record that was kept has been delivered. */
void fg_pd_block_drop(struct fg_pd_block *block);

/* The record whose header is at `header` in `block`, which has been one before. */
struct fg_pd_record fg_pd_record_at(struct fg_pd_block *block, const char *header);

#endif
