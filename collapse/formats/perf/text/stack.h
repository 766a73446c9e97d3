/*
 * Turns the text of a symbol into frame ids, using the memo, and adds them to the open
 * stack.
 *
 * One symbol may stand for several frames (a Java method and the methods inlined into
 * it) or for none. So p->name adds the frames of a symbol to p->run, root first, and
 * perf_run_end() turns them into one memo value. perf_push() adds the frames of a value
 * to p->stack:
 *
 *     perf_push(p, perf_frames_of(p, &frame, p->sample.variant));
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_STACK_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_STACK_H

#include "collapse/memo.h"
#include "lib/base/intern.h"

struct perf;
struct perf_frame;

/* ---- copies of stacks */

/* A copy of a stack, root first. A zeroed struct is empty; the owner frees `ids`. */
struct perf_chain {
	uint32_t *ids;
	size_t depth, alloc;
};

/* Sets the chain to a copy of `ids`. */
void perf_chain_set(struct perf_chain *c, const uint32_t *ids, size_t depth);

/* Returns how many frames at the root both chains share. */
size_t perf_chain_common(const struct perf_chain *a, const struct perf_chain *b);

/* ---- the frames of a symbol: p->run */

/* Adds the frames of `name`, which is cut at each ';', to p->run. */
void perf_run_add(struct perf *p, struct fg_str name);

/* Adds the frames that `value` stands for to p->run. */
void perf_run_add_value(struct perf *p, struct fg_memo_value value);

/* Reverses p->run, because the whole stack will be reversed. */
void perf_run_reverse(struct perf *p);

/*
 * Marks frames in p->run for --skip-after: all of them if the option names `symbol`,
 * otherwise those whose names it has.
 */
void perf_note_skipped_after(struct perf *p, struct fg_str symbol);

/* Returns the frames in p->run as a memo value, and empties p->run. */
struct fg_memo_value perf_run_end(struct perf *p);

/* ---- the open stack: p->stack */

/* Adds frames at the root end of the stack. `ids` is root first. */
void perf_push_ids(struct perf *p, const uint32_t *ids, size_t count);

/* Adds the frames of `value` at the root end of the stack. */
void perf_push(struct perf *p, struct fg_memo_value value);

/*
 * Charges `inlined` functions to the limit of the sink: a few bytes of a recording can
 * stand for hundreds of them. If the limit is reached, counts them as lost and returns
 * false.
 */
bool perf_charge_inlined(struct perf *p, uint64_t inlined);

/*
 * Like perf_push(), for a value whose frames are all inlined except the first. If the
 * limit is reached, adds only the first.
 */
void perf_push_inlined(struct perf *p, struct fg_memo_value value);

/* Like perf_push_inlined(), for the frames in p->run. Empties p->run. */
void perf_run_push(struct perf *p);

/* ---- the memo */

/*
 * Empties the memo if it is full: in an input of several days, other functions run at
 * the end than at the start. All memo values become invalid.
 */
void perf_forget_frames(struct perf *p);

/*
 * Returns the frames of a frame line that perf_frame_split() has split, from the memo
 * if possible. `variant` is the sample's. The flags of the value are those of the
 * symbol, enum perf_memo_flag.
 */
struct fg_memo_value perf_frames_of(struct perf *p, const struct perf_frame *f,
				    unsigned variant);

/*
 * Like perf_frames_of(), if you have looked up `key` already. `entry` is what you
 * found, or NULL.
 */
struct fg_memo_value perf_frames_of_key(struct perf *p, const struct perf_frame *f,
					const struct fg_memo_key *key,
					const struct fg_memo_entry *entry);

#endif
