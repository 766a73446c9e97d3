/*
 * The bytes of records, in blocks that live until each of their records is delivered.
 *
 * Records wait for those of other processors before they are delivered in order, so
 * bytes cannot be dropped as they are read. We copy only the start of a record that the
 * end of a block cuts off. One set of blocks has the bytes that we read. If records are
 * compressed, another set has the decompressed bytes.
 *
 *     char *to = fg_pd_blocks_space(&blocks, &space);
 *     fg_pd_blocks_filled(&blocks, read(fd, to, space));
 *     while (fg_pd_blocks_record(&blocks, &record) > 0)
 *             fg_pd_record_keep(&record) or deliver it now
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_BLOCKS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_BLOCKS_H

#include "lib/base/str.h"

struct fg_pd_block {
	struct fg_pd_blocks *owner;
	struct fg_pd_block *next; /* the next one in the list of spare blocks */
	/* records not yet delivered, plus 1 while the block is being filled */
	size_t pending;
	size_t len;
	size_t alloc;
	char bytes[];
};

struct fg_pd_blocks {
	/* the block that is being filled; NULL: none has been filled yet */
	struct fg_pd_block *current;
	size_t at; /* bytes of `current` that were already taken as records */
	struct fg_pd_block *spare; /* blocks that are not in use */
	size_t spare_count;
	size_t held; /* bytes of all blocks that are not spare */
};

/* One record. Its bytes are in its block. */
struct fg_pd_record {
	struct fg_pd_block *block;
	struct fg_str body; /* the bytes after the header */
	uint32_t type;
	uint16_t misc;
};

void fg_pd_blocks_init(struct fg_pd_blocks *b);

/* Frees the blocks. All records must have been delivered. */
void fg_pd_blocks_release(struct fg_pd_blocks *b);

/*
 * Returns memory for more bytes, at the end of the current block or in a new one. Sets
 * *space to its size, which is enough for any record. The caller writes to it and then
 * tells fg_pd_blocks_filled() how many bytes it wrote.
 */
char *fg_pd_blocks_space(struct fg_pd_blocks *b, size_t *space);
void fg_pd_blocks_filled(struct fg_pd_blocks *b, size_t len);

/* Returns the bytes that were not taken as records yet. */
static inline struct fg_str fg_pd_blocks_rest(const struct fg_pd_blocks *b)
{
	if (!b->current)
		return fg_str_of("", 0);
	return fg_str_of(b->current->bytes + b->at, b->current->len - b->at);
}

/*
 * Skips `len` bytes that are not a record. fg_pd_blocks_rest() must have at least as
 * many.
 */
void fg_pd_blocks_skip(struct fg_pd_blocks *b, size_t len);

/*
 * Takes the next record. Returns 1, or 0 if more bytes are needed, or -1, without a
 * message, if the next bytes are not a record. The caller uses the record at once, or
 * keeps it for later.
 */
int fg_pd_blocks_record(struct fg_pd_blocks *b, struct fg_pd_record *record);

/* Keeps the bytes of a record that is delivered later. */
static inline void fg_pd_record_keep(const struct fg_pd_record *record)
{
	record->block->pending++;
}

/* Releases a record that was kept. Call it after the record was delivered. */
void fg_pd_block_drop(struct fg_pd_block *block);

/* Returns a record that was kept, from its block and the place of its header there. */
struct fg_pd_record fg_pd_record_at(struct fg_pd_block *block, const char *header);

#endif
