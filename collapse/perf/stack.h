/*
 * Frames of the open sample: from raw text, by way of the memo, to ids.
 */
#ifndef FG_COLLAPSE_PERF_STACK_H
#define FG_COLLAPSE_PERF_STACK_H

#include "collapse/perf/memo.h"
#include "lib/intern.h"

struct perf;
struct perf_frame;
struct perf_options;

/* A list of frame ids. A zeroed struct is empty; free `items` in the end. */
struct perf_ids {
	uint32_t *items;
	size_t count;
	size_t alloc;
};

/* The DSO that a symbol was in when it came last, and its frames there. */
struct perf_in_dso {
	uint32_t dso;
	struct fg_memo_value value;
};

/* Frames of symbols that may have other names in another DSO. */
struct perf_by_dso {
	struct fg_intern dsos;
	struct perf_in_dso *last; /* by id of the symbol's memo value */
	size_t count;
	size_t last_alloc;
	struct fg_intern pairs; /* of such an id and a DSO's */
	struct fg_memo_value *values; /* by id of the pair */
	size_t values_alloc;
};

/* Interns `name`, cut at each ';', and adds the ids to p->run. */
void perf_run_add(struct perf *p, struct fg_str name);

/* The same of the text in p->scratch, which is undefined afterwards. */
void perf_run_add_scratch(struct perf *p);

/* Marks the frames in p->run that --skip-after names, as shown or as `symbol`. */
void perf_note_skipped_after(struct perf *p, struct fg_str symbol);

/* The ids in p->run as a memo value; p->run is empty afterwards. */
struct fg_memo_value perf_run_end(struct perf *p);

/* Adds the frames of `value` on the root side of the open stack. */
void perf_push(struct perf *p, struct fg_memo_value value);

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

/* The annotation bits for a DSO, as far as --kernel and --jit ask for them. */
unsigned perf_variant_of_dso(const struct perf_options *o, struct fg_str dso);

#endif
