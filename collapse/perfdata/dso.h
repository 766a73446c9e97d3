/*
 * The DSOs of a recording: what was mapped, and the symbols in it.
 *
 * Which files are looked at, and in which order, is as in tools/perf/util/dso.c and
 * symbol.c. A binary whose build id is not the recorded one is not used.
 */
#ifndef FG_COLLAPSE_PERFDATA_DSO_H
#define FG_COLLAPSE_PERFDATA_DSO_H

#include "collapse/perfdata/elf.h"
#include "collapse/perfdata/kallsyms.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/intern.h"

enum fg_pd_dso_kind {
	FG_PD_DSO_FILE,
	FG_PD_DSO_VDSO,
	/* memory without a file: symbols come from perf-PID.map, if there is one */
	FG_PD_DSO_JIT,
	FG_PD_DSO_KERNEL,
	FG_PD_DSO_MODULE,
	FG_PD_DSO_BPF, /* a program in the kernel, which is its own symbol */
	FG_PD_DSO_NAMED, /* a name and nothing else, such as "[heap]" */
};

/* Why a DSO has no symbols. */
enum fg_pd_trouble {
	FG_PD_NO_TROUBLE,
	FG_PD_CHANGED, /* its build id is not the recorded one */
	FG_PD_MISSING,
	FG_PD_UNREADABLE,
	FG_PD_NO_MAP, /* no perf-PID.map, or one of somebody else */
	FG_PD_NO_KERNEL, /* the kernel's symbols are hidden, or of another kernel */
	FG_PD_TROUBLES
};

struct fg_pd_dso {
	struct fg_str name; /* as perf script prints it */
	struct fg_str path; /* the file; empty where there is none */
	enum fg_pd_dso_kind kind;
	int32_t pid; /* of FG_PD_DSO_JIT */
	uint64_t start; /* of FG_PD_DSO_BPF */
	struct fg_pd_build_id build_id; /* as recorded */
	bool loaded;
	enum fg_pd_trouble trouble;
	uint64_t last_sample; /* the last one that the trouble touched */
	uint64_t touched; /* samples that it touched */
	uint32_t unknown; /* for the user: the frame without a symbol, and 1 */
	struct fg_pd_symtab symtab;
	struct fg_pd_elf *elf, *runtime; /* which own the names */
	struct fg_buf text; /* which owns those of a map */
};

struct fg_pd_dsos {
	struct fg_pd_dso *list;
	size_t count, alloc;
	struct fg_intern keys; /* name, NUL and build id; the id is the index */
	struct fg_intern recorded; /* names with build ids of the table */
	struct fg_pd_build_id *recorded_ids;
	size_t recorded_alloc;
	struct fg_arena text;
	struct fg_buf cache; /* perf's folder of binaries; empty: there is none */
	struct fg_pd_kallsyms kallsyms;
	bool no_symbols; /* as if every DSO had none */
};

/* `debug_folder` is perf's cache; NULL: ~/.debug. */
void fg_pd_dsos_init(struct fg_pd_dsos *d, const char *debug_folder);
void fg_pd_dsos_release(struct fg_pd_dsos *d);

/* The build id that was recorded for a file; to be called before it is mapped. */
void fg_pd_dsos_record_id(struct fg_pd_dsos *d, struct fg_str path,
			  const struct fg_pd_build_id *id);

/* What is known of a mapping when it is made. */
struct fg_pd_mapped {
	struct fg_str name;
	struct fg_pd_build_id build_id;
	int32_t pid;
	bool executable;
	bool is_kernel;
};

/* The index of the DSO that a mapping is of. */
uint32_t fg_pd_dsos_of(struct fg_pd_dsos *d, const struct fg_pd_mapped *mapped);

/* A program in the kernel, which begins at that address. */
uint32_t fg_pd_dsos_bpf(struct fg_pd_dsos *d, struct fg_str name, uint64_t start);

/* Whether addresses in the DSO are those in memory, rather than offsets in a file. */
static inline bool fg_pd_dso_is_absolute(const struct fg_pd_dso *dso)
{
	return dso->kind != FG_PD_DSO_FILE && dso->kind != FG_PD_DSO_VDSO;
}

/* Looks for the files of a DSO and reads its symbols, once. */
void fg_pd_dso_load(struct fg_pd_dsos *d, struct fg_pd_dso *dso);

/*
 * The symbol at an address of a DSO, which is loaded when it is asked for the first
 * time; NULL where none is known.
 */
struct fg_pd_symbol *fg_pd_dso_find(struct fg_pd_dsos *d, struct fg_pd_dso *dso,
				    uint64_t address);

/*
 * Whether an address that has no symbol is in the DSO all the same. The kernel's own
 * mapping is known from its start only: it ends where its symbols do.
 */
bool fg_pd_dso_covers(const struct fg_pd_dsos *d, const struct fg_pd_dso *dso,
		      uint64_t address);

/* Says which DSOs had no symbols, in a warning for each kind of trouble. */
void fg_pd_dsos_report(const struct fg_pd_dsos *d, struct fg_diag *diag,
		       const struct fg_place *at);

#endif
