/*
 * The bytes of records, in blocks that live until each of their records is delivered.
 *
 * Records wait for those of other processors before they are delivered in order, so
 * bytes cannot be dropped as they are read. We copy only the start of a record that the
 * end of a block cuts. One set of blocks is for what we read. If records are
 * compressed, another is for the decompressor's output.
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
	struct fg_pd_block *next; /* in the list of spare ones */
	/* records not yet delivered, plus 1 while the block is being filled */
	size_t pending;
	size_t len;
	size_t alloc;
	char bytes[];
};

struct fg_pd_blocks {
	struct fg_pd_block *current; /* NULL before the first */
	size_t at; /* bytes before this have been handed out as records */
	struct fg_pd_block *spare; /* blocks that are not in use */
	size_t spare_count;
	size_t held; /* bytes of all blocks but the spare ones */
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
 * Returns a place for more bytes: *space of them, enough for any record. The caller
 * writes some of them and passes how many to _filled.
 */
char *fg_pd_blocks_space(struct fg_pd_blocks *b, size_t *space);
void fg_pd_blocks_filled(struct fg_pd_blocks *b, size_t len);

/* Returns the bytes that have not been handed out as records yet. */
static inline struct fg_str fg_pd_blocks_rest(const struct fg_pd_blocks *b)
{
	if (!b->current)
		return fg_str_of("", 0);
	return fg_str_of(b->current->bytes + b->at, b->current->len - b->at);
}

/* Skips bytes that are not a record, at most those that are there. */
void fg_pd_blocks_skip(struct fg_pd_blocks *b, size_t len);

/*
 * Takes the next record. Returns 1, or 0 if more bytes are needed, or -1, without a
 * message, if the next bytes are not a record. The caller keeps or drops the record.
 */
int fg_pd_blocks_record(struct fg_pd_blocks *b, struct fg_pd_record *record);

/* Keeps the bytes of a record that is delivered later. */
static inline void fg_pd_record_keep(const struct fg_pd_record *record)
{
	record->block->pending++;
}

/* Drops a record that was kept, after its delivery. */
void fg_pd_block_drop(struct fg_pd_block *block);

/* Returns the record whose header is at `header` in `block`, which was one before. */
struct fg_pd_record fg_pd_record_at(struct fg_pd_block *block, const char *header);

#endif
