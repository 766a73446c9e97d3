/*
 * Input that is not what a program reads, but what a collapser does, or none. Whoever
 * reads folded stacks asks here, too: this knows how each format is known, and nothing
 * of the grammars.
 */
#ifndef FG_COLLAPSE_WRONG_H
#define FG_COLLAPSE_WRONG_H

#include "lib/base/buf.h"

struct fg_kind;

/*
 * Whether some first bytes are known, but not of that kind, or less well. Then the end
 * of a message is appended, "this is the output of stap: use collapse-stap".
 */
bool fg_wrong_input(const struct fg_kind *kind, struct fg_str first_bytes,
		    struct fg_buf *message);

/*
 * The same for who reads folded stacks, "this is the output of stap: pipe it through
 * collapse-stap first"; first_bytes are whole lines. Only those before the first stack
 * of several frames are looked at, and lines that are folded stacks by themselves do
 * not decide: some lines of a folded profile may be like those of another. Output of
 * perf script is not refused, see lib/profile/folded.h.
 */
bool fg_wrong_folded(struct fg_str first_bytes, struct fg_buf *message);

/* What to say of text that no program here reads, by the same lines; or NULL. */
const char *fg_wrong_for_all(struct fg_str first_bytes);

#endif
