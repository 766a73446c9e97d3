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
#include "collapse/symbols/locate.h"
#include "collapse/symbols/simplefile.h"
#include "lib/base/arena.h"
#include "lib/base/diag.h"
#include "lib/base/intern.h"

/* The entry of a file in the table of build ids. */
struct fg_dsos_recorded_id {
	struct fg_build_id id;
	bool is_kernel;
	/* the table has other files with this name, too, for example of containers */
	bool several;
};

struct fg_dsos {
	struct fg_dso *list;
	size_t count, alloc;
	size_t dumps; /* number of DSOs of kind FG_DSO_DUMP */
	/*
	 * keys of DSOs: name, NUL, kind, build id and more; the id is the index in
	 * `list`
	 */
	struct fg_intern keys;
	/* names in the table of build ids; the id is the index in `recorded_ids` */
	struct fg_intern recorded;
	struct fg_dsos_recorded_id *recorded_ids;
	size_t recorded_alloc;
	struct fg_arena text;
	struct fg_locate_places places;
	struct fg_kallsyms kallsyms;
	struct fg_simplefiles files; /* symbols that are in the recording itself */
	bool no_symbols; /* look for no symbols */
	/* incremented when more of a stream has come; 0: the input is a file */
	uint64_t turn;
	uint32_t *loaded; /* indices of the loaded DSOs */
	size_t loaded_count, loaded_alloc;
	size_t size; /* sum of fg_dso_size() of the loaded DSOs */
	enum fg_inlines_detail
		detail; /* for inlined functions: names only, or lines, too */
	/* debug information was searched for, and found, for some DSO */
	bool debug_tried, debug_found;
	/* number of frames without their line because their names are too long */
	uint64_t without_line;
	/*
	 * number of names that stay mangled or are not shown because they are too long
	 */
	uint64_t too_long;
};

/* `debug_folder` is perf's cache of binaries; NULL: ~/.debug. */
void fg_dsos_init(struct fg_dsos *d, const char *debug_folder);
void fg_dsos_release(struct fg_dsos *d);

/* Notes the recorded build id of a file. Call it before the file is mapped. */
void fg_dsos_record_id(struct fg_dsos *d, struct fg_str path,
		       const struct fg_dsos_recorded_id *id);

/* A mapping, with the facts that are known when it is made. */
struct fg_dso_mapped {
	struct fg_str name;
	struct fg_build_id build_id;
	struct fg_dso_identity identity;
	int32_t pid;
	uint64_t birth; /* birth of the process, like fg_pd_tasks_birth() */
	/*
	 * offset in the file at which the mapping starts; for the kernel, its address
	 */
	uint64_t base;
	bool executable;
	bool is_kernel;
	bool is_compiled; /* a runtime compiled the code, and simpleperf saved it */
};

/* Returns the index of the DSO of a mapping. */
uint32_t fg_dsos_of(struct fg_dsos *d, const struct fg_dso_mapped *mapped);

/* Returns the index of the DSO of a BPF program, which begins at address `start`. */
uint32_t fg_dsos_bpf(struct fg_dsos *d, struct fg_str name, uint64_t start);

/* Finds the files of a DSO and reads its symbols, unless it is loaded already. */
void fg_dso_load(struct fg_dsos *d, struct fg_dso *dso);

/* Reads what was added to a FG_DSO_DUMP. The first call finds the file. */
void fg_dso_load_dump(struct fg_dsos *d, struct fg_dso *dso);

/*
 * Finds the symbol at an address of a DSO. The first call loads the DSO. If there is no
 * symbol, the result's `symbol` is NULL.
 */
struct fg_symtab_found fg_dso_find(struct fg_dsos *d, struct fg_dso *dso,
				   uint64_t address);

/*
 * Returns true if an address without a symbol may get one later. While a stream comes,
 * a runtime can make new code. Its map has the code when samples of the code come, but
 * not before.
 */
bool fg_dso_grows(const struct fg_dsos *d, const struct fg_dso *dso);

/*
 * Finds the functions at an address of a DSO, like fg_inlines_at(). The first call for
 * a DSO looks for its debug information.
 */
size_t fg_dso_inlines(struct fg_dsos *d, struct fg_dso *dso, uint64_t address,
		      struct fg_inlined *list);

/*
 * Returns true if an address without a symbol is in the DSO. Returns false only for
 * addresses after the kernel's last symbol: we know only the start of the kernel's own
 * mapping, so we treat its last symbol as its end.
 */
bool fg_dso_covers(struct fg_dsos *d, const struct fg_dso *dso, uint64_t address);

/* The time of a recording. */
struct fg_dsos_period {
	/* times of the first and last sample; 0: samples have no time */
	uint64_t first, last;
	/* when the recording ended, or later, in nanoseconds since 1970; 0: unknown */
	int64_t end;
};

/* Warns of DSOs that were replaced or written to while they ran, if we can tell. */
void fg_dsos_report_replaced(const struct fg_dsos *d, struct fg_diag *diag,
			     const struct fg_place *at,
			     const struct fg_dsos_period *period);

/*
 * Warns of DSOs without symbols, once for each kind of trouble. Also warns of inlined
 * functions that were not found, of files that are too large to read, and of names that
 * stay mangled.
 */
void fg_dsos_report(const struct fg_dsos *d, struct fg_diag *diag,
		    const struct fg_place *at);

/*
 * Warns if more than a tenth of the samples are in functions of one stripped file.
 * `samples` is the number of all samples.
 */
void fg_dsos_report_nameless(const struct fg_dsos *d, uint64_t samples,
			     struct fg_diag *diag, const struct fg_place *at);

#endif
