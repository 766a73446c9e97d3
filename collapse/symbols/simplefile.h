/*
 * Symbols that simpleperf puts into a recording.
 *
 * After the records, a recording lists for each file the functions that samples were
 * in, with their names, because the binaries of a phone are not on the machine that
 * reads the recording. The format is in simpleperf/record_file_format.h,
 * record_file.proto and dso.cpp of Android's system/extras.
 */
#ifndef FG_COLLAPSE_SYMBOLS_SIMPLEFILE_H
#define FG_COLLAPSE_SYMBOLS_SIMPLEFILE_H

#include "collapse/symbols/dso.h"
#include "lib/base/arena.h"
#include "lib/base/intern.h"

/* The formats of a section: FIELDS in older versions, MESSAGES since 2022. */
enum fg_simple_form { FG_SIMPLE_FIELDS, FG_SIMPLE_MESSAGES, FG_SIMPLE_FORMS };

struct fg_simplefiles {
	struct fg_buf sections[FG_SIMPLE_FORMS]; /* their bytes, as recorded */
	struct fg_intern
		/*
		 * the id is the index in `list`; larger ids are paths that were only
		 * looked up
		 */
		paths;
	struct fg_simplefile *list; /* files with symbols */
	size_t count, alloc;
	struct fg_arena names;
};

/* Call it first: a zeroed struct is not valid. */
void fg_simplefiles_init(struct fg_simplefiles *f);
void fg_simplefiles_release(struct fg_simplefiles *f);

/*
 * Takes over the bytes of a section; `bytes` is empty afterwards. Call it at most once
 * for each format, before fg_simplefiles_of(). Returns the number of malformed files in
 * the section.
 */
size_t fg_simplefiles_take(struct fg_simplefiles *f, enum fg_simple_form form,
			   struct fg_buf *bytes);

/* Returns the number of the file with that path, from 1 on, or 0 if there is none. */
uint32_t fg_simplefiles_of(struct fg_simplefiles *f, struct fg_str path);

/*
 * Finds the symbol at an address of a DSO. `number` is from fg_simplefiles_of(); there
 * is no symbol if it is 0. The first call for a file makes its table, which takes about
 * ten times the recorded bytes. DSOs with the same path share a table.
 */
struct fg_symtab_found fg_simplefiles_find(struct fg_simplefiles *f, uint32_t number,
					   const struct fg_dso *dso, uint64_t address);

#endif
