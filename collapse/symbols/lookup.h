/*
 * Looks up the functions at an address of a file: the one whose code is there, and
 * those that a compiler inlined.
 *
 * This is for profiles that have files and addresses but are not recordings of perf,
 * such as the text of perf script:
 *
 *     struct fg_lookup *l = fg_lookup_new(FG_INLINES_NAMES, diag);
 *     struct fg_lookup_query q = { .pc = FG_STR("401136"),
 *                                  .symbol = FG_STR("main+0x6"),
 *                                  .dso = FG_STR("/bin/app") };
 *     if (fg_lookup_frame(l, &q, &names))
 *             ... "main;inlined"
 *
 * Each address is looked up only once: a profile of a million frames costs as many
 * lookups as it has distinct addresses. The last 64 files stay open.
 *
 * If a file is missing or cannot be read, there is one warning, with what to do about
 * it, and later lookups in it find nothing. There is also a warning if this program was
 * built without libelf or libdw.
 */
#ifndef FG_COLLAPSE_SYMBOLS_LOOKUP_H
#define FG_COLLAPSE_SYMBOLS_LOOKUP_H

#include "collapse/symbols/inlines.h"
#include "lib/base/buf.h"
#include "lib/base/diag.h"

struct fg_lookup;

/* A frame in the form of perf script. */
struct fg_lookup_query {
	struct fg_str pc; /* hexadecimal */
	/* with its +0xOFFSET, by which we find the address in a PIE */
	struct fg_str symbol;
	struct fg_str dso;
	bool returns; /* `pc` is a return address: we look up the call before it */
};

/*
 * With FG_INLINES_LINES, ":FILE:LINE" follows each name, or ":??:?" if it is not known.
 * With FG_INLINES_PATHS, FG_LOOKUP_PLACE and "FILE:LINE" follow each name whose line is
 * known; FILE may contain ':'. Opens no file yet.
 */
struct fg_lookup *fg_lookup_new(enum fg_inlines_detail detail, struct fg_diag *diag);

/* No name contains this byte. */
#define FG_LOOKUP_PLACE '\n'

/* Accepts NULL. */
void fg_lookup_free(struct fg_lookup *l);

/*
 * Returns true if the name of a DSO, in perf's form, is the name of a file, unlike
 * "[vdso]".
 */
bool fg_lookup_is_file(struct fg_str dso);

/*
 * Appends the functions at an address to `names`: the outermost first, with ';' between
 * them. A ';' in a name becomes ':'. Names are demangled and have their parameters. If
 * no function is known, returns false and appends nothing.
 */
bool fg_lookup_frame(struct fg_lookup *l, const struct fg_lookup_query *q,
		     struct fg_buf *names);

/* Like fg_lookup_frame(), but takes the address that the linker chose. */
bool fg_lookup_address(struct fg_lookup *l, struct fg_str dso, uint64_t address,
		       struct fg_buf *names);

/* Like fg_lookup_address(), but takes an offset in the file, such as of a mapping. */
bool fg_lookup_offset(struct fg_lookup *l, struct fg_str dso, uint64_t offset,
		      struct fg_buf *names);

/*
 * Cuts the place off a name that was looked up, and returns its file. Returns an empty
 * string, and leaves *line, if it is not known. `detail` is that of fg_lookup_new().
 */
struct fg_str fg_lookup_cut_place(enum fg_inlines_detail detail, struct fg_str *name,
				  uint64_t *line);

/*
 * Returns true if some inlined functions are not shown because a file could not be read
 * to its end or takes too much memory. Accepts NULL.
 */
bool fg_lookup_failed(const struct fg_lookup *l);

#endif
