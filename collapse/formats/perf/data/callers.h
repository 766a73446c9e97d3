/*
 * The callers at the root that a thread's chain shares with its last one.
 *
 * More than half of the frames of a recording were looked up a moment before, in the
 * same order. We keep the last chains of a few threads, as few as stay in the cache.
 *
 *     last chain    leaf2 <- parse <- main <- _start
 *     coming chain  leaf7 <- leaf3 <- parse <- main <- _start    3 callers are shared
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_CALLERS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_CALLERS_H

#include "lib/base/str.h"

/* Entries from here on are not addresses (enum perf_callchain_context). */
#define FG_PD_CONTEXT_FIRST ((uint64_t)-4095)

/* The thread of a chain, and its address spaces. */
struct fg_pd_lane {
	int32_t tid;
	uint32_t kernel, user; /* ids of mappings; 0: nothing is mapped */
	const char *comm; /* compared by address */
};

/* A chain that has just been read. */
struct fg_pd_coming {
	struct fg_pd_lane lane;
	struct fg_str words; /* as recorded, the leaf first */
	/* callers in the last context: words at the end, without its first frame */
	size_t callers;
	uint64_t context; /* 0: it has no context */
};

/* A chain that was looked up. A zeroed struct is empty. */
struct fg_pd_chain {
	struct fg_pd_coming from; /* its words are copied */
	char *words;
	size_t words_alloc;
	uint32_t *frames; /* for each word that is an address, the id of its frame */
	size_t frames_alloc;
	bool troubled; /* it has frames without a name, which each sample counts */
};

struct fg_pd_callers {
	struct fg_pd_chain chains[64];
};

void fg_pd_callers_release(struct fg_pd_callers *c);

/* Returns the entry of a thread's last chain. Another thread's may have replaced it. */
struct fg_pd_chain *fg_pd_callers_of(struct fg_pd_callers *c, int32_t tid);

/*
 * Returns how many callers a chain shares with `coming`. Sets `callers` and `context`
 * of that.
 */
size_t fg_pd_chain_shares(const struct fg_pd_chain *chain, struct fg_pd_coming *coming);

/*
 * Replaces the chain by `coming`. Returns the ids of its frames: the last `shared` are
 * kept, the caller fills in the others and sets `troubled`. NULL if it has no words.
 */
uint32_t *fg_pd_chain_set(struct fg_pd_chain *chain, const struct fg_pd_coming *coming,
			  size_t shared);

/* Empties a chain, so that it is not used again. */
void fg_pd_chain_forget(struct fg_pd_chain *chain);

#endif
