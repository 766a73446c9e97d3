/*
 * Frames of the open sample: from raw text, by way of the memo, to ids.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_STACK_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_STACK_H

#include "collapse/memo.h"
#include "lib/base/intern.h"

struct perf;
struct perf_frame;

/* A copy of a stack, root first. A zeroed struct is empty; the owner frees `ids`. */
struct perf_chain {
	uint32_t *ids;
	size_t depth, alloc;
};

/* Makes the chain a copy of these ids. */
void perf_chain_set(struct perf_chain *c, const uint32_t *ids, size_t depth);

/* Returns how many frames at the root both chains share. */
size_t perf_chain_common(const struct perf_chain *a, const struct perf_chain *b);

/* Interns `name`, cut at each ';', and adds the ids to p->run. */
void perf_run_add(struct perf *p, struct fg_str name);

/* Adds the frames that `value` stands for to p->run. */
void perf_run_add_value(struct perf *p, struct fg_memo_value value);

/* Turns p->run round, for a stack that will be. */
void perf_run_reverse(struct perf *p);

/* Marks the frames in p->run that --skip-after names, as shown or as `symbol`. */
void perf_note_skipped_after(struct perf *p, struct fg_str symbol);

/* The ids in p->run as a memo value; p->run is empty afterwards. */
struct fg_memo_value perf_run_end(struct perf *p);

/* Adds frames, given root first, on the root side of the open stack. */
void perf_push_ids(struct perf *p, const uint32_t *ids, size_t count);

/* Adds the frames of `value` on the root side of the open stack. */
void perf_push(struct perf *p, struct fg_memo_value value);

/*
 * Whether the stacks may have so many inlined functions more; if not, they are lost.
 * What stands for hundreds of them has a few bytes of a recording.
 */
bool perf_has_room(struct perf *p, uint64_t inlined);

/* perf_push() where all but the first are inlined; without room they are left out. */
void perf_push_inlined(struct perf *p, struct fg_memo_value value);

/* The same of the ids in p->run, which is empty afterwards. */
void perf_run_push(struct perf *p);

/*
 * Forgets what frames were made of which text, if that is so much that no more is kept:
 * what comes for days has other functions in the end. No memo value is valid then.
 */
void perf_forget_frames(struct perf *p);

/*
 * The frames of a frame line that has been taken apart, by way of the memo;
 * `variant` is PERF_VARIANT_JAVA or 0. Flags of the value are those of the symbol.
 */
struct fg_memo_value perf_frames_of(struct perf *p, const struct perf_frame *f,
				    unsigned variant);

/* The same where `entry` is what the memo has for `key`, symbol and variant. */
struct fg_memo_value perf_frames_of_key(struct perf *p, const struct perf_frame *f,
					const struct fg_memo_key *key,
					const struct fg_memo_entry *entry);

#endif
