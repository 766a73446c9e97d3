/*
 * A DSO, "dynamic shared object" in perf's words: a file that was mapped, with its
 * symbols.
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
	/* memory without a file; perf-PID.map may have its symbols */
	FG_DSO_JIT,
	FG_DSO_KERNEL,
	FG_DSO_MODULE,
	FG_DSO_BPF, /* a program in the kernel, which has one symbol */
	FG_DSO_NAMED, /* only a name, such as "[heap]" */
};

/* Why a DSO has no symbols. */
enum fg_dso_trouble {
	FG_DSO_NO_TROUBLE,
	FG_DSO_CHANGED, /* its build id is not the recorded one */
	FG_DSO_MISSING,
	FG_DSO_UNREADABLE,
	FG_DSO_TOO_MANY, /* more files would be open than are allowed */
	FG_DSO_NO_MAP, /* no perf-PID.map, or one of another user */
	FG_DSO_LATE_MAP, /* it was not there yet when the first samples came */
	/* the kernel's symbols are hidden, or those of another kernel */
	FG_DSO_NO_KERNEL,
	FG_DSO_TROUBLES
};

/* Tells if the file of a name is the one that was mapped. */
struct fg_dso_identity {
	uint64_t device, inode; /* as recorded; 0: not known */
	uint64_t time; /* when it was mapped, by the recording's clock; 0: before it */
	bool sure; /* the mapping has its build id */
	bool other; /* another file of that name and device was mapped too */
};

/* We remember so many processes of a DSO: the last ones that mapped it. */
#define FG_DSO_MAPPERS 8

struct fg_dso {
	struct fg_str name; /* like perf script prints it */
	struct fg_str path; /* the file; empty if there is none */
	enum fg_dso_kind kind;
	int32_t mappers[FG_DSO_MAPPERS]; /* a ring of pids, for FG_DSO_FILE */
	size_t mapper_count; /* all that mapped it, also those gone */
	/* the process whose view of the file system has its file; 0: ours */
	int32_t there;
	int32_t pid; /* of FG_DSO_JIT */
	uint64_t birth; /* tells the process from others that had its pid */
	uint64_t start; /* of FG_DSO_BPF */
	/* like in struct fg_dso_mapped, for the first mapping with code */
	uint64_t base;
	struct fg_build_id build_id; /* as recorded */
	struct fg_dso_identity identity;
	uint64_t found_inode; /* the file that is there now; 0: none */
	int64_t found_changed; /* when it was put there, in nanoseconds since 1970 */
	int64_t found_written; /* when it was written to */
	bool has_base;
	bool loaded;
	bool asked; /* used since we last looked for DSOs that can be closed */
	bool had_symbols; /* at any time */
	/* a file or its lines would take too much memory, and are not read */
	bool inflates;
	/* its unwinding rules would take too much memory, so stacks end in it */
	bool keeps_frames;
	enum fg_dso_trouble trouble;
	uint64_t last_sample; /* the last sample that the trouble affected */
	uint64_t touched; /* samples that it affected */
	uint64_t nameless; /* samples in functions without a symbol */
	/* for the caller: 1 plus the frame for an address without a symbol */
	uint32_t unknown;
	uint32_t recorded; /* like fg_simplefiles_of() */
	struct fg_symtab symtab;
	/* files with the symbols and with the code; they own the names */
	struct fg_elf *elf, *runtime;
	struct fg_jitmap map; /* symbols of FG_DSO_JIT; owns the names */
	uint64_t map_turn; /* when the map was read last */
	bool debug_tried; /* we looked for debug information */
	struct fg_elf *debug; /* the file with it; may be `elf` or `runtime` */
	/* debug information that it shares with other files, or NULL */
	struct fg_elf *shared;
	struct fg_inlines *inlines; /* NULL: none */
	size_t elsewhere; /* like fg_inlines_elsewhere(), for files that were closed */
};

/* Returns true if addresses in the DSO are those in memory, not offsets in a file. */
static inline bool fg_dso_is_absolute(const struct fg_dso *dso)
{
	return dso->kind != FG_DSO_FILE && dso->kind != FG_DSO_VDSO;
}

/* Returns about how many bytes it takes. Not all of its debug information is read. */
size_t fg_dso_size(const struct fg_dso *dso);

/* Closes its files. The next lookup loads it again. */
void fg_dso_unload(struct fg_dso *dso);

#endif
