/*
 * A DSO, "dynamic shared object" in perf's words: a file that was mapped, with its
 * symbols.
 */
#ifndef FG_COLLAPSE_SYMBOLS_DSO_H
#define FG_COLLAPSE_SYMBOLS_DSO_H

#include "collapse/symbols/elf.h"
#include "collapse/symbols/inlines.h"
#include "collapse/symbols/jitdump.h"
#include "collapse/symbols/jitmap.h"
#include "collapse/symbols/symtab.h"

enum fg_dso_kind {
	FG_DSO_FILE,
	FG_DSO_VDSO,
	/* memory without a file; perf-PID.map may have its symbols */
	FG_DSO_JIT,
	/* jit-PID.dump, which has the code of a runtime; it is not what is mapped */
	FG_DSO_DUMP,
	FG_DSO_KERNEL,
	FG_DSO_MODULE,
	FG_DSO_BPF, /* a program in the kernel, which has one symbol */
	FG_DSO_NAMED, /* only a name, such as "[heap]" */
};

/* Reasons why a DSO has no symbols. */
enum fg_dso_trouble {
	FG_DSO_NO_TROUBLE,
	FG_DSO_CHANGED, /* its build id is not the recorded one */
	FG_DSO_MISSING,
	FG_DSO_UNREADABLE,
	FG_DSO_TOO_MANY, /* too many files were open already */
	FG_DSO_NO_MAP, /* no perf-PID.map, or one of another user */
	/* perf-PID.map did not exist yet when the first samples came */
	FG_DSO_LATE_MAP,
	/* the kernel's symbols are hidden, or another kernel is running */
	FG_DSO_NO_KERNEL,
	FG_DSO_TROUBLES
};

/*
 * Facts that tell if the file that now has the DSO's name is the one that was mapped.
 */
struct fg_dso_identity {
	uint64_t device, inode; /* device and inode as recorded; 0: unknown */
	/* time of the mapping, by the recording's clock; 0: before the recording */
	uint64_t time;
	bool sure; /* the record of the mapping has a build id */
	/* another file with the same name, on the same device, was mapped, too */
	bool other;
};

/* The most processes that we remember for a DSO: the last ones that mapped it. */
#define FG_DSO_MAPPERS 8

struct fg_dso {
	struct fg_str name; /* the name that perf script prints */
	struct fg_str path; /* the file; empty if there is none */
	enum fg_dso_kind kind;
	int32_t mappers[FG_DSO_MAPPERS]; /* a ring of pids, for FG_DSO_FILE */
	/* number of pids ever added to `mappers`; the oldest are overwritten */
	size_t mapper_count;
	/*
	 * pid of the process in whose view of the file system the file was found; 0:
	 * ours
	 */
	int32_t there;
	int32_t pid; /* the process of FG_DSO_JIT or FG_DSO_DUMP */
	uint64_t birth; /* tells that process from earlier ones with the same pid */
	uint64_t start; /* the program's address, of FG_DSO_BPF */
	/* like in struct fg_dso_mapped, for the first mapping with code */
	uint64_t base;
	struct fg_build_id build_id; /* the recorded build id */
	struct fg_dso_identity identity;
	uint64_t found_inode; /* inode of the file that we found; 0: none */
	/* when its inode last changed, in nanoseconds since 1970 */
	int64_t found_changed;
	/* when its contents last changed, in nanoseconds since 1970 */
	int64_t found_written;
	bool has_base;
	bool loaded;
	bool asked; /* the DSO was used since we last looked for DSOs to close */
	bool had_symbols; /* the DSO had symbols at least once when it was loaded */
	/* some file or line table is not read because it would take too much memory */
	bool inflates;
	/* stacks end in this DSO, because its unwinding rules cannot be used */
	bool keeps_frames;
	enum fg_dso_trouble trouble;
	uint64_t last_sample; /* number of the last sample that the trouble affected */
	uint64_t touched; /* number of samples that the trouble affected */
	uint64_t nameless; /* number of samples in functions without a symbol */
	/* for the caller: frame for addresses without a symbol, plus 1; 0: none yet */
	uint32_t unknown;
	uint32_t recorded; /* number of its file in fg_simplefiles, or 0 */
	struct fg_symtab symtab;
	/* files with the symbols and with the code; symbols borrow their names */
	struct fg_elf *elf, *runtime;
	struct fg_jitmap map; /* for FG_DSO_JIT; owns the names of its symbols */
	struct fg_jitdump *dump; /* for FG_DSO_DUMP; owns the names of its symbols */
	/* value of fg_dsos.turn when `map` or `dump` was last read */
	uint64_t map_turn;
	bool debug_tried; /* we have looked for debug information */
	/* file with the debug information; may be `elf` or `runtime` */
	struct fg_elf *debug;
	/* file with debug information that `debug` shares with others, or NULL */
	struct fg_elf *shared;
	struct fg_inlines *inlines; /* NULL: none */
	size_t elsewhere; /* sum of fg_inlines_elsewhere() of files that were closed */
};

/*
 * Returns true if addresses in the DSO are addresses in memory, not offsets in a file.
 */
static inline bool fg_dso_is_absolute(const struct fg_dso *dso)
{
	return dso->kind != FG_DSO_FILE && dso->kind != FG_DSO_VDSO;
}

/*
 * Returns an estimate of the bytes that a loaded DSO takes. Debug information counts
 * with the size of its file, although we may read only a part of it.
 */
size_t fg_dso_size(const struct fg_dso *dso);

/* Closes the files of a DSO. The next lookup loads it again. */
void fg_dso_unload(struct fg_dso *dso);

#endif
