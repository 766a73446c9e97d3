/* Finds the callers that a thread's chain shares with its last one. */
#include "collapse/formats/perf/data/callers.h"

#include <stdlib.h>

#include "collapse/symbols/cursor.h"
#include "lib/base/hash.h"
#include "lib/base/xalloc.h"

void fg_pd_callers_release(struct fg_pd_callers *c)
{
	for (size_t i = 0; i < FG_COUNT_OF(c->chains); i++) {
		free(c->chains[i].words);
		free(c->chains[i].frames);
	}
	memset(c, 0, sizeof(*c));
}

struct fg_pd_chain *fg_pd_callers_of(struct fg_pd_callers *c, int32_t tid)
{
	uint64_t hash = (uint32_t)tid * FG_HASH_K0;

	return &c->chains[(hash >> 32) % FG_COUNT_OF(c->chains)];
}

static bool same_lane(const struct fg_pd_lane *a, const struct fg_pd_lane *b)
{
	return a->tid == b->tid && a->kernel == b->kernel && a->user == b->user &&
	       a->comm == b->comm;
}

/* Returns the word with `behind` words after it; the last word has none. */
static uint64_t word_before(struct fg_str words, size_t behind)
{
	return fg_load64(words.ptr + words.len - 8 * (behind + 1));
}

size_t fg_pd_chain_shares(const struct fg_pd_chain *chain, struct fg_pd_coming *coming)
{
	const struct fg_pd_coming *from = &chain->from;
	size_t count = coming->words.len / 8, i = 0, shared;
	uint64_t word = 0;

	coming->callers = 0;
	coming->context = 0;
	if (same_lane(&from->lane, &coming->lane))
		while (i < count && i < from->callers &&
		       word_before(coming->words, i) == word_before(from->words, i))
			i++;
	shared = i;
	while (i < count &&
	       (word = word_before(coming->words, i)) < FG_PD_CONTEXT_FIRST)
		i++;
	if (i < 2 || i == count)
		return 0;
	coming->callers = i - 1;
	coming->context = word;
	if (word != from->context)
		return 0;
	return shared < coming->callers ? shared : coming->callers;
}

uint32_t *fg_pd_chain_set(struct fg_pd_chain *chain, const struct fg_pd_coming *coming,
			  size_t shared)
{
	size_t had = chain->from.words.len / 8, count = coming->words.len / 8;
	bool troubled = chain->troubled && shared;

	chain->from = *coming;
	if (!count)
		return NULL;
	FG_GROW(chain->words, chain->words_alloc, coming->words.len);
	FG_GROW(chain->frames, chain->frames_alloc, count);
	memcpy(chain->words, coming->words.ptr, coming->words.len);
	memmove(chain->frames + count - shared, chain->frames + had - shared,
		shared * sizeof(*chain->frames));
	chain->from.words.ptr = chain->words;
	chain->troubled = troubled;
	return chain->frames;
}

void fg_pd_chain_forget(struct fg_pd_chain *chain)
{
	chain->from.callers = 0;
}
