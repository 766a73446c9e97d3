/*
 * A DSO: what was mapped, and the symbols in it.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_DSO_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_DSO_H

#include "collapse/formats/perf/data/elf.h"
#include "collapse/formats/perf/data/inlines.h"
#include "collapse/formats/perf/data/jitmap.h"
#include "collapse/formats/perf/data/symtab.h"

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
	FG_PD_TOO_MANY, /* more files would be open than are allowed */
	FG_PD_NO_MAP, /* no perf-PID.map, or one of somebody else */
	FG_PD_LATE_MAP, /* there was none yet when the first samples came */
	FG_PD_NO_KERNEL, /* the kernel's symbols are hidden, or of another kernel */
	FG_PD_TROUBLES
};

/* What tells whether the file of a name is the one that was mapped. */
struct fg_pd_identity {
	uint64_t device, inode; /* as recorded; 0: not known */
	uint64_t time; /* of the recording, when it was mapped; 0: before it */
	bool sure; /* the mapping has its build id */
	bool other; /* another file of that name and device was mapped as well */
};

/* Processes of a DSO whose files are looked at: the last that mapped it. */
#define FG_PD_MAPPERS 8

struct fg_pd_dso {
	struct fg_str name; /* as perf script prints it */
	struct fg_str path; /* the file; empty where there is none */
	enum fg_pd_dso_kind kind;
	int32_t mappers[FG_PD_MAPPERS]; /* of FG_PD_DSO_FILE; in turn */
	size_t mapper_count; /* of all, also those that are no longer in the list */
	int32_t there; /* its file is the one that this process sees; 0: this one */
	int32_t pid; /* of FG_PD_DSO_JIT, and */
	uint64_t birth; /* which process of that pid */
	uint64_t start; /* of FG_PD_DSO_BPF */
	uint64_t base; /* as in struct fg_pd_mapped, of the first with code */
	struct fg_pd_build_id build_id; /* as recorded */
	struct fg_pd_identity identity;
	uint64_t found_inode; /* of the file that is there now; 0: none */
	int64_t found_changed; /* nanoseconds since 1970: when it was put there */
	int64_t found_written; /* or written to */
	bool has_base;
	bool loaded;
	bool asked; /* for anything, since what can be closed was last looked for */
	bool had_symbols; /* at any time */
	bool inflates; /* a file or lines of it are not read: they become too large */
	bool keeps_frames; /* its rules are not read, so stacks end in it */
	enum fg_pd_trouble trouble;
	uint64_t last_sample; /* the last one that the trouble touched */
	uint64_t touched; /* samples that it touched */
	uint64_t nameless; /* samples taken in functions that it has no symbols of */
	uint32_t unknown; /* for the user: the frame without a symbol, and 1 */
	uint32_t recorded; /* as fg_pd_simplefiles_of() */
	struct fg_pd_symtab symtab;
	struct fg_pd_elf *elf, *runtime; /* which own the names */
	struct fg_pd_jitmap map; /* of FG_PD_DSO_JIT, which owns the names */
	uint64_t map_turn; /* when it was read last */
	bool debug_tried; /* to find debug information */
	struct fg_pd_elf *debug; /* where it is; may be one of the two above */
	struct fg_pd_elf *shared; /* what it shares with other files, or NULL */
	struct fg_pd_inlines *inlines; /* NULL: not known */
	size_t elsewhere; /* as fg_pd_inlines_elsewhere(), of those that are closed */
};

/* Whether addresses in the DSO are those in memory, rather than offsets in a file. */
static inline bool fg_pd_dso_is_absolute(const struct fg_pd_dso *dso)
{
	return dso->kind != FG_PD_DSO_FILE && dso->kind != FG_PD_DSO_VDSO;
}

/* The bytes that it takes, about: not all of its debug information is read. */
size_t fg_pd_dso_size(const struct fg_pd_dso *dso);

/* Closes its files. It is loaded again when it is asked for. */
void fg_pd_dso_unload(struct fg_pd_dso *dso);

#endif
