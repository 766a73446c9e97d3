/*
 * Symbols that simpleperf puts into a recording.
 *
 * After the records are, file by file, the functions that samples were in, with their
 * names on the device: the code of a phone is not on the machine that reads the
 * recording. Facts: simpleperf/record_file_format.h, record_file.proto and dso.cpp of
 * Android's system/extras.
 */
#ifndef FG_COLLAPSE_SYMBOLS_SIMPLEFILE_H
#define FG_COLLAPSE_SYMBOLS_SIMPLEFILE_H

#include "collapse/symbols/dso.h"
#include "lib/base/arena.h"
#include "lib/base/intern.h"

/* The forms of a section: that of older versions, and that since 2022. */
enum fg_simple_form { FG_SIMPLE_FIELDS, FG_SIMPLE_MESSAGES, FG_SIMPLE_FORMS };

struct fg_simplefiles {
	struct fg_buf sections[FG_SIMPLE_FORMS]; /* as they are in the recording */
	struct fg_intern
		/* the id is the index in `list`; ids after those were only asked for */
		paths;
	struct fg_simplefile *list; /* files with symbols */
	size_t count, alloc;
	struct fg_arena names;
};

/* Not zeroed, so call this first. */
void fg_simplefiles_init(struct fg_simplefiles *f);
void fg_simplefiles_release(struct fg_simplefiles *f);

/*
 * Takes over the bytes of a section, each form once, before any file is asked for.
 * `bytes` is empty afterwards. Keeps the files that are whole. Returns how many are
 * not.
 */
size_t fg_simplefiles_take(struct fg_simplefiles *f, enum fg_simple_form form,
			   struct fg_buf *bytes);

/* Returns the number of the file with that path, from 1 on, or 0. */
uint32_t fg_simplefiles_of(struct fg_simplefiles *f, struct fg_str path);

/*
 * Finds the symbol at an address of a DSO, in the file of that number, which may be 0.
 * The first call makes the file's table, which takes some ten times the recorded bytes.
 * DSOs of one path share a table.
 */
struct fg_symtab_found fg_simplefiles_find(struct fg_simplefiles *f, uint32_t number,
					   const struct fg_dso *dso, uint64_t address);

#endif
