/*
 * Finds the callers that a thread's chain shares with the thread's last chain. They are
 * at the root end.
 *
 * More than half of the frames of a recording were looked up a moment before, in the
 * same order. We keep the last chains of a few threads, so few that they stay in the
 * processor's cache.
 *
 *     last chain    leaf2 <- parse <- main <- _start
 *     coming chain  leaf7 <- leaf3 <- parse <- main <- _start    3 callers are shared
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_CALLERS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_CALLERS_H

#include "lib/base/str.h"

/*
 * Entries of a chain from this value on are markers, not addresses (enum
 * perf_callchain_context).
 */
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
	struct fg_str words; /* the chain as recorded, the leaf first */
	/*
	 * number of callers in the last context, which are all its words except the
	 * first
	 */
	size_t callers;
	uint64_t context; /* marker of the last context; 0: the chain has none */
};

/* A chain that was looked up. A zeroed struct is empty. */
struct fg_pd_chain {
	struct fg_pd_coming from; /* its words are a copy, in `words` */
	char *words;
	size_t words_alloc;
	uint32_t *frames; /* for each word that is an address, the id of its frame */
	size_t frames_alloc;
	/* it has unnamed frames; each sample with this chain counts as unnamed */
	bool troubled;
};

struct fg_pd_callers {
	struct fg_pd_chain chains[64];
};

void fg_pd_callers_release(struct fg_pd_callers *c);

/*
 * Returns the entry in which a thread's last chain is kept. It may hold the chain of
 * another thread, because threads share entries.
 */
struct fg_pd_chain *fg_pd_callers_of(struct fg_pd_callers *c, int32_t tid);

/*
 * Returns how many callers a chain shares with `coming`. Sets `callers` and `context`
 * of `coming`.
 */
size_t fg_pd_chain_shares(const struct fg_pd_chain *chain, struct fg_pd_coming *coming);

/*
 * Replaces the chain by `coming`. Returns the array of its frames' ids, or NULL if
 * `coming` is empty. The last `shared` ids are kept; the caller fills in the others and
 * sets `troubled`.
 */
uint32_t *fg_pd_chain_set(struct fg_pd_chain *chain, const struct fg_pd_coming *coming,
			  size_t shared);

/* Empties a chain, so that it is not used again. */
void fg_pd_chain_forget(struct fg_pd_chain *chain);

#endif
