/*
 * The DSOs of a recording, and the symbols in them.
 *
 * Which files are looked at, and in which order, is as in tools/perf/util/dso.c and
 * symbol.c. A binary whose build id is not the recorded one is not used.
 */
#ifndef FG_COLLAPSE_SYMBOLS_DSOS_H
#define FG_COLLAPSE_SYMBOLS_DSOS_H

#include "collapse/symbols/dso.h"
#include "collapse/symbols/kallsyms.h"
#include "collapse/symbols/simplefile.h"
#include "lib/base/arena.h"
#include "lib/base/diag.h"
#include "lib/base/intern.h"

/* What the table of build ids has of a file. */
struct fg_dsos_recorded_id {
	struct fg_build_id id;
	bool is_kernel;
	bool several; /* of other files of that name as well, as containers have */
};

struct fg_dsos {
	struct fg_dso *list;
	size_t count, alloc;
	struct fg_intern keys; /* name, NUL and build id; the id is the index */
	struct fg_intern recorded; /* names with build ids of the table */
	struct fg_dsos_recorded_id *recorded_ids;
	size_t recorded_alloc;
	struct fg_arena text;
	struct fg_buf cache; /* perf's folder of binaries; empty: there is none */
	struct fg_kallsyms kallsyms;
	struct fg_simplefiles files; /* with symbols in the recording */
	int helper; /* as in fg_elsewhere_open() */
	bool no_symbols; /* as if every DSO had none */
	uint64_t turn; /* what has come of a stream grows with each; 0: it is a file */
	uint32_t *loaded; /* indices of those that are */
	size_t loaded_count, loaded_alloc;
	size_t size; /* bytes that they take, as fg_dso_size() */
	enum fg_inlines_detail detail; /* what is wanted of inlined functions */
	bool debug_tried, debug_found; /* of any */
	uint64_t without_line; /* lines that are left out, as names are long */
	uint64_t too_long; /* names that stay mangled, or are not shown: too long */
};

/* `debug_folder` is perf's cache; NULL: ~/.debug. */
void fg_dsos_init(struct fg_dsos *d, const char *debug_folder);
void fg_dsos_release(struct fg_dsos *d);

/* The build id that was recorded for a file; to be called before it is mapped. */
void fg_dsos_record_id(struct fg_dsos *d, struct fg_str path,
		       const struct fg_dsos_recorded_id *id);

/* What is known of a mapping when it is made. */
struct fg_dso_mapped {
	struct fg_str name;
	struct fg_build_id build_id;
	struct fg_dso_identity identity;
	int32_t pid;
	uint64_t birth; /* of the process, as fg_pd_tasks_birth() */
	uint64_t base; /* where it starts in its file; in the kernel, in memory */
	bool executable;
	bool is_kernel;
	bool is_compiled; /* what a runtime compiled, as simpleperf saved it */
};

/* The index of the DSO that a mapping is of. */
uint32_t fg_dsos_of(struct fg_dsos *d, const struct fg_dso_mapped *mapped);

/* A program in the kernel, which begins at that address. */
uint32_t fg_dsos_bpf(struct fg_dsos *d, struct fg_str name, uint64_t start);

/* Looks for the files of a DSO and reads its symbols, once. */
void fg_dso_load(struct fg_dsos *d, struct fg_dso *dso);

/*
 * The symbol at an address of a DSO, which is loaded when it is asked for the first
 * time; NULL where none is known.
 */
struct fg_symtab_found fg_dso_find(struct fg_dsos *d, struct fg_dso *dso,
				   uint64_t address);

/*
 * Whether an address without a symbol can have one later: code that was made while a
 * stream comes is in the runtime's map when its samples have come, but not before.
 */
bool fg_dso_grows(const struct fg_dsos *d, const struct fg_dso *dso);

/*
 * The functions at an address of a DSO, as fg_inlines_at has them; its debug
 * information is looked for when it is asked for the first time.
 */
size_t fg_dso_inlines(struct fg_dsos *d, struct fg_dso *dso, uint64_t address,
		      struct fg_inlined *list);

/*
 * Whether an address that has no symbol is in the DSO all the same. The kernel's own
 * mapping is known from its start only: it ends where its symbols do.
 */
bool fg_dso_covers(struct fg_dsos *d, const struct fg_dso *dso, uint64_t address);

/* When a recording was made. */
struct fg_dsos_period {
	uint64_t first, last; /* times of its samples; 0: they have none */
	int64_t end; /* nanoseconds since 1970, at the last or later; 0: not known */
};

/* Says which DSOs were replaced or written to while they ran, as far as is known. */
void fg_dsos_report_replaced(const struct fg_dsos *d, struct fg_diag *diag,
			     const struct fg_place *at,
			     const struct fg_dsos_period *period);

/*
 * Says which DSOs had no symbols, in a warning for each kind of trouble, that no
 * inlined functions could be found, which files were too large to be read, and that
 * names stay mangled.
 */
void fg_dsos_report(const struct fg_dsos *d, struct fg_diag *diag,
		    const struct fg_place *at);

/*
 * Warns of the stripped file that most of the `samples` were taken in, if those are
 * more than a tenth.
 */
void fg_dsos_report_nameless(const struct fg_dsos *d, uint64_t samples,
			     struct fg_diag *diag, const struct fg_place *at);

#endif
