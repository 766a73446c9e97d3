/*
 * What a thread's chain has in common with its last one: the callers at the root.
 *
 * More than half of the frames of a recording were looked up a moment before, in the
 * same order. Chains of a few threads are kept, as few as stay in the cache.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_CALLERS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_CALLERS_H

#include "lib/base/str.h"

/* Entries of a chain from here on are no addresses (enum perf_callchain_context). */
#define FG_PD_CONTEXT_FIRST ((uint64_t)-4095)

/* Whose a chain is, and what its addresses mean. */
struct fg_pd_lane {
	int32_t tid;
	uint32_t kernel, user; /* ids of mappings; 0: there are none */
	const char *comm; /* where its bytes are */
};

/* A chain that comes. */
struct fg_pd_coming {
	struct fg_pd_lane lane;
	struct fg_str words; /* as recorded, the leaf first */
	/* the callers in the last context: words at the end, but for its first frame */
	size_t callers;
	uint64_t context; /* 0: there is none */
};

/* A chain that was looked up. If zeroed, there is none. */
struct fg_pd_chain {
	struct fg_pd_coming from; /* its words are copied */
	char *words;
	size_t words_alloc;
	uint32_t *frames; /* of each word that is an address, the frame's number */
	size_t frames_alloc;
	bool troubled; /* by frames without a name, which each sample counts */
};

struct fg_pd_callers {
	struct fg_pd_chain chains[64];
};

void fg_pd_callers_release(struct fg_pd_callers *c);

/* Where the last chain of a thread is, unless another took its place. */
struct fg_pd_chain *fg_pd_callers_of(struct fg_pd_callers *c, int32_t tid);

/*
 * How many callers a chain shares with one that comes, of which `callers` and `context`
 * are set here.
 */
size_t fg_pd_chain_shares(const struct fg_pd_chain *chain, struct fg_pd_coming *coming);

/*
 * Makes it the one that has come. Returns where the numbers of the frames that are not
 * shared are to be put; it is the caller's to see what troubles them.
 */
uint32_t *fg_pd_chain_set(struct fg_pd_chain *chain, const struct fg_pd_coming *coming,
			  size_t shared);

/* It is not to be used again. */
void fg_pd_chain_forget(struct fg_pd_chain *chain);

#endif
