/*
 * A DSO: what was mapped, and the symbols in it.
 */
#ifndef FG_COLLAPSE_SYMBOLS_DSO_H
#define FG_COLLAPSE_SYMBOLS_DSO_H

#include "collapse/symbols/elf.h"
#include "collapse/symbols/inlines.h"
#include "collapse/symbols/jitmap.h"
#include "collapse/symbols/symtab.h"

enum fg_dso_kind {
	FG_DSO_FILE,
	FG_DSO_VDSO,
	/* memory without a file: symbols come from perf-PID.map, if there is one */
	FG_DSO_JIT,
	FG_DSO_KERNEL,
	FG_DSO_MODULE,
	FG_DSO_BPF, /* a program in the kernel, which is its own symbol */
	FG_DSO_NAMED, /* a name and nothing else, such as "[heap]" */
};

/* Why a DSO has no symbols. */
enum fg_dso_trouble {
	FG_DSO_NO_TROUBLE,
	FG_DSO_CHANGED, /* its build id is not the recorded one */
	FG_DSO_MISSING,
	FG_DSO_UNREADABLE,
	FG_DSO_TOO_MANY, /* more files would be open than are allowed */
	FG_DSO_NO_MAP, /* no perf-PID.map, or one of somebody else */
	FG_DSO_LATE_MAP, /* there was none yet when the first samples came */
	FG_DSO_NO_KERNEL, /* the kernel's symbols are hidden, or of another kernel */
	FG_DSO_TROUBLES
};

/* What tells whether the file of a name is the one that was mapped. */
struct fg_dso_identity {
	uint64_t device, inode; /* as recorded; 0: not known */
	uint64_t time; /* of the recording, when it was mapped; 0: before it */
	bool sure; /* the mapping has its build id */
	bool other; /* another file of that name and device was mapped as well */
};

/* Processes of a DSO whose files are looked at: the last that mapped it. */
#define FG_DSO_MAPPERS 8

struct fg_dso {
	struct fg_str name; /* as perf script prints it */
	struct fg_str path; /* the file; empty where there is none */
	enum fg_dso_kind kind;
	int32_t mappers[FG_DSO_MAPPERS]; /* of FG_DSO_FILE; in turn */
	size_t mapper_count; /* of all, also those that are no longer in the list */
	int32_t there; /* its file is the one that this process sees; 0: this one */
	int32_t pid; /* of FG_DSO_JIT, and */
	uint64_t birth; /* which process of that pid */
	uint64_t start; /* of FG_DSO_BPF */
	uint64_t base; /* as in struct fg_dso_mapped, of the first with code */
	struct fg_build_id build_id; /* as recorded */
	struct fg_dso_identity identity;
	uint64_t found_inode; /* of the file that is there now; 0: none */
	int64_t found_changed; /* nanoseconds since 1970: when it was put there */
	int64_t found_written; /* or written to */
	bool has_base;
	bool loaded;
	bool asked; /* for anything, since what can be closed was last looked for */
	bool had_symbols; /* at any time */
	bool inflates; /* a file or lines of it are not read: they become too large */
	bool keeps_frames; /* its rules are not read, so stacks end in it */
	enum fg_dso_trouble trouble;
	uint64_t last_sample; /* the last one that the trouble touched */
	uint64_t touched; /* samples that it touched */
	uint64_t nameless; /* samples taken in functions that it has no symbols of */
	uint32_t unknown; /* for the user: the frame without a symbol, and 1 */
	uint32_t recorded; /* as fg_simplefiles_of() */
	struct fg_symtab symtab;
	struct fg_elf *elf, *runtime; /* which own the names */
	struct fg_jitmap map; /* of FG_DSO_JIT, which owns the names */
	uint64_t map_turn; /* when it was read last */
	bool debug_tried; /* to find debug information */
	struct fg_elf *debug; /* where it is; may be one of the two above */
	struct fg_elf *shared; /* what it shares with other files, or NULL */
	struct fg_inlines *inlines; /* NULL: not known */
	size_t elsewhere; /* as fg_inlines_elsewhere(), of those that are closed */
};

/* Whether addresses in the DSO are those in memory, rather than offsets in a file. */
static inline bool fg_dso_is_absolute(const struct fg_dso *dso)
{
	return dso->kind != FG_DSO_FILE && dso->kind != FG_DSO_VDSO;
}

/* The bytes that it takes, about: not all of its debug information is read. */
size_t fg_dso_size(const struct fg_dso *dso);

/* Closes its files. It is loaded again when it is asked for. */
void fg_dso_unload(struct fg_dso *dso);

#endif
