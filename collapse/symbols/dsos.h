/*
 * The DSOs of a recording, and the symbols in them.
 *
 * We look for the same files as perf, in the same order (tools/perf/util/dso.c and
 * symbol.c). A binary whose build id differs from the recorded one is not used.
 *
 *     uint32_t id = fg_dsos_of(&dsos, &mapped);
 *     struct fg_symtab_found f = fg_dso_find(&dsos, &dsos.list[id], address);
 */
#ifndef FG_COLLAPSE_SYMBOLS_DSOS_H
#define FG_COLLAPSE_SYMBOLS_DSOS_H

#include "collapse/symbols/dso.h"
#include "collapse/symbols/kallsyms.h"
#include "collapse/symbols/simplefile.h"
#include "lib/base/arena.h"
#include "lib/base/diag.h"
#include "lib/base/intern.h"

/* The entry of a file in the table of build ids. */
struct fg_dsos_recorded_id {
	struct fg_build_id id;
	bool is_kernel;
	/* other files of that name are in the table too, as in containers */
	bool several;
};

struct fg_dsos {
	struct fg_dso *list;
	size_t count, alloc;
	/* name, NUL and build id; the id is the index in `list` */
	struct fg_intern keys;
	struct fg_intern recorded; /* names in the table of build ids */
	struct fg_dsos_recorded_id *recorded_ids;
	size_t recorded_alloc;
	struct fg_arena text;
	struct fg_buf cache; /* perf's folder of binaries; empty: there is none */
	struct fg_kallsyms kallsyms;
	struct fg_simplefiles files; /* symbols in the recording */
	int helper; /* like in fg_elsewhere_open() */
	bool no_symbols; /* do as if no DSO had symbols */
	uint64_t turn; /* grows as more of a stream has come; 0: it is a file */
	uint32_t *loaded; /* indices of the loaded DSOs */
	size_t loaded_count, loaded_alloc;
	size_t size; /* bytes that the loaded DSOs take, like fg_dso_size() */
	enum fg_inlines_detail
		detail; /* detail of inlined functions: names, or names and lines */
	bool debug_tried, debug_found; /* for any DSO */
	/* frames whose line is left out because their names are long */
	uint64_t without_line;
	/* names that stay mangled, or are not shown, because they are too long */
	uint64_t too_long;
};

/* `debug_folder` is perf's cache of binaries; NULL: ~/.debug. */
void fg_dsos_init(struct fg_dsos *d, const char *debug_folder);
void fg_dsos_release(struct fg_dsos *d);

/* Notes the recorded build id of a file. Call it before the file is mapped. */
void fg_dsos_record_id(struct fg_dsos *d, struct fg_str path,
		       const struct fg_dsos_recorded_id *id);

/* A mapping, with all that is known when it is made. */
struct fg_dso_mapped {
	struct fg_str name;
	struct fg_build_id build_id;
	struct fg_dso_identity identity;
	int32_t pid;
	uint64_t birth; /* birth of the process, like fg_pd_tasks_birth() */
	uint64_t base; /* its start in the file; for the kernel, in memory */
	bool executable;
	bool is_kernel;
	bool is_compiled; /* simpleperf saved it when a runtime compiled it */
};

/* Returns the index of the DSO of a mapping. */
uint32_t fg_dsos_of(struct fg_dsos *d, const struct fg_dso_mapped *mapped);

/* Returns the index of a BPF program, which begins at `start` in the kernel. */
uint32_t fg_dsos_bpf(struct fg_dsos *d, struct fg_str name, uint64_t start);

/* Finds the files of a DSO and reads its symbols, once. */
void fg_dso_load(struct fg_dsos *d, struct fg_dso *dso);

/*
 * Finds the symbol at an address of a DSO. The first call loads the DSO. The symbol is
 * NULL if none is known.
 */
struct fg_symtab_found fg_dso_find(struct fg_dsos *d, struct fg_dso *dso,
				   uint64_t address);

/*
 * Returns true if an address without a symbol may get one later. Code that is made
 * while a stream comes is in the runtime's map when its samples have come, but not
 * before.
 */
bool fg_dso_grows(const struct fg_dsos *d, const struct fg_dso *dso);

/*
 * Finds the functions at an address of a DSO, like fg_inlines_at(). The first call
 * looks for the debug information.
 */
size_t fg_dso_inlines(struct fg_dsos *d, struct fg_dso *dso, uint64_t address,
		      struct fg_inlined *list);

/*
 * Returns true if an address without a symbol is in the DSO all the same. Of the
 * kernel's own mapping we know only the start: it ends where its symbols do.
 */
bool fg_dso_covers(struct fg_dsos *d, const struct fg_dso *dso, uint64_t address);

/* When a recording was made. */
struct fg_dsos_period {
	uint64_t first, last; /* times of its samples; 0: they have none */
	/* when it ended or later, in nanoseconds since 1970; 0: not known */
	int64_t end;
};

/* Warns of DSOs that were replaced or written to while they ran, as far as we know. */
void fg_dsos_report_replaced(const struct fg_dsos *d, struct fg_diag *diag,
			     const struct fg_place *at,
			     const struct fg_dsos_period *period);

/*
 * Warns of DSOs without symbols, once for each kind of trouble, of inlined functions
 * that could not be found, of files that are too large to read, and of names that stay
 * mangled.
 */
void fg_dsos_report(const struct fg_dsos *d, struct fg_diag *diag,
		    const struct fg_place *at);

/*
 * Warns of the stripped file in which most of the `samples` were taken, if they are
 * more than a tenth.
 */
void fg_dsos_report_nameless(const struct fg_dsos *d, uint64_t samples,
			     struct fg_diag *diag, const struct fg_place *at);

#endif
