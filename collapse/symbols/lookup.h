/*
 * The functions at an address of a file: the one whose code is there, and those that a
 * compiler inlined.
 *
 * For profiles that name files and addresses and are not recordings of perf, such as
 * the text of perf script:
 *
 *     struct fg_lookup *l = fg_lookup_new(false, diag);
 *     struct fg_lookup_query q = { .pc = FG_STR("401136"),
 *                                  .symbol = FG_STR("main+0x6"),
 *                                  .dso = FG_STR("/bin/app") };
 *     if (fg_lookup_frame(l, &q, &names))
 *             ... "main;inlined"
 *
 * Each address is looked up once: a profile of a million frames costs as many lookups
 * as it has distinct addresses. The files that were asked last stay open, 64 of them.
 *
 * A file that is missing, or that cannot be read, gives one warning with its cure, and
 * from then on no answer. So does a program that is built without libelf or libdw.
 */
#ifndef FG_COLLAPSE_SYMBOLS_LOOKUP_H
#define FG_COLLAPSE_SYMBOLS_LOOKUP_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

struct fg_lookup;

/* A frame like perf script prints it. */
struct fg_lookup_query {
	struct fg_str pc; /* hexadecimal */
	struct fg_str symbol; /* with its +0xOFFSET, which leads to it in a PIE */
	struct fg_str dso;
	bool returns; /* a call returns there, so the call in front of it is meant */
};

/* With `lines`, each name is followed by ":FILE:LINE". Opens nothing yet. */
struct fg_lookup *fg_lookup_new(bool lines, struct fg_diag *diag);

/* Accepts NULL. */
void fg_lookup_free(struct fg_lookup *l);

/* Returns true if perf's name of a DSO is that of a file, unlike "[vdso]". */
bool fg_lookup_is_file(struct fg_str dso);

/*
 * Appends the functions at an address to `names`: the root first, with ';' between
 * them; a ';' in a name becomes ':'. Names are demangled and have their parameters.
 * Returns false, and appends nothing, if none is known.
 */
bool fg_lookup_frame(struct fg_lookup *l, const struct fg_lookup_query *q,
		     struct fg_buf *names);

/* Like fg_lookup_frame(), but takes the address that the file is linked at. */
bool fg_lookup_address(struct fg_lookup *l, struct fg_str dso, uint64_t address,
		       struct fg_buf *names);

/*
 * Returns true if a file could not be read to its end, or takes too much memory, so
 * that some inlined functions are not shown. Accepts NULL.
 */
bool fg_lookup_failed(const struct fg_lookup *l);

#endif
