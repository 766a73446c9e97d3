/*
 * Blocks of records: filled by reading or decompressing, freed once all are delivered.
 */
#include "collapse/formats/perf/data/blocks.h"

#include <stdlib.h>

#include "collapse/symbols/cursor.h"
#include "lib/base/xalloc.h"

#define BLOCK_SIZE ((size_t)256 << 10)
/*
 * The most blocks that we keep for later. A round often needs a few, and new memory
 * costs as much as reading into it.
 */
#define SPARE_MAX 16
#define RECORD_MAX ((size_t)1 << 16)
#define HEADER_SIZE 8

void fg_pd_blocks_init(struct fg_pd_blocks *b)
{
	memset(b, 0, sizeof(*b));
}

void fg_pd_blocks_release(struct fg_pd_blocks *b)
{
	free(b->current);
	while (b->spare) {
		struct fg_pd_block *next = b->spare->next;

		free(b->spare);
		b->spare = next;
	}
	fg_pd_blocks_init(b);
}

static struct fg_pd_block *new_block(struct fg_pd_blocks *b)
{
	struct fg_pd_block *block = b->spare;

	if (block) {
		b->spare = block->next;
		b->spare_count--;
	} else {
		block = fg_xmalloc(fg_size_add(sizeof(*block), BLOCK_SIZE));
	}
	block->next = NULL;
	block->owner = b;
	block->pending = 1;
	block->len = 0;
	block->alloc = BLOCK_SIZE;
	b->held += BLOCK_SIZE;
	return block;
}

void fg_pd_block_drop(struct fg_pd_block *block)
{
	struct fg_pd_blocks *b = block->owner;

	if (--block->pending)
		return;
	b->held -= block->alloc;
	if (b->spare_count == SPARE_MAX) {
		free(block);
		return;
	}
	block->next = b->spare;
	b->spare = block;
	b->spare_count++;
}

char *fg_pd_blocks_space(struct fg_pd_blocks *b, size_t *space)
{
	struct fg_pd_block *full = b->current;
	struct fg_str rest = fg_pd_blocks_rest(b);

	/* If all records of the block have been delivered, we fill it again. */
	if (full && full->pending == 1 && !rest.len) {
		full->len = 0;
		b->at = 0;
	}
	if (!full || full->alloc - full->len < RECORD_MAX) {
		b->current = new_block(b);
		memcpy(b->current->bytes, rest.ptr, rest.len);
		b->current->len = rest.len;
		b->at = 0;
		if (full)
			fg_pd_block_drop(full);
	}
	*space = b->current->alloc - b->current->len;
	return b->current->bytes + b->current->len;
}

void fg_pd_blocks_filled(struct fg_pd_blocks *b, size_t len)
{
	b->current->len += len;
}

void fg_pd_blocks_skip(struct fg_pd_blocks *b, size_t len)
{
	b->at += len;
}

struct fg_pd_record fg_pd_record_at(struct fg_pd_block *block, const char *header)
{
	struct fg_pd_record record = {
		.block = block,
		.body = fg_str_of(header + HEADER_SIZE,
				  fg_load16(header + 6) - (size_t)HEADER_SIZE),
		.type = fg_load32(header),
		.misc = fg_load16(header + 4),
	};

	return record;
}

int fg_pd_blocks_record(struct fg_pd_blocks *b, struct fg_pd_record *record)
{
	struct fg_str rest = fg_pd_blocks_rest(b);
	size_t size;

	if (rest.len < HEADER_SIZE)
		return 0;
	size = fg_load16(rest.ptr + 6);
	if (size < HEADER_SIZE)
		return -1;
	if (size > rest.len)
		return 0;
	*record = fg_pd_record_at(b->current, rest.ptr);
	b->at += size;
	return 1;
}
