/*
 * The symbols that simpleperf puts into a recording itself.
 *
 * After the records are, file by file, the functions that samples were in, as the
 * device had them: what ran on a phone is not on the machine where it is looked at.
 * Facts: simpleperf/record_file_format.h, record_file.proto and dso.cpp of Android's
 * system/extras.
 */
#ifndef FG_COLLAPSE_SYMBOLS_SIMPLEFILE_H
#define FG_COLLAPSE_SYMBOLS_SIMPLEFILE_H

#include "collapse/symbols/dso.h"
#include "lib/base/arena.h"
#include "lib/base/intern.h"

/* How a section has them: older versions, and those since 2022. */
enum fg_simple_form { FG_SIMPLE_FIELDS, FG_SIMPLE_MESSAGES, FG_SIMPLE_FORMS };

struct fg_simplefiles {
	struct fg_buf sections[FG_SIMPLE_FORMS]; /* as they are in the recording */
	struct fg_intern
		paths; /* the id is the index; those that were asked for, too */
	struct fg_simplefile *list; /* those with symbols */
	size_t count, alloc;
	struct fg_arena names;
};

/* A zeroed struct will not do. */
void fg_simplefiles_init(struct fg_simplefiles *f);
void fg_simplefiles_release(struct fg_simplefiles *f);

/*
 * Takes over the bytes of a section, each form once, and before any file is asked for;
 * `bytes` is empty afterwards. What is whole in it is kept. Returns how many files are
 * not.
 */
size_t fg_simplefiles_take(struct fg_simplefiles *f, enum fg_simple_form form,
			   struct fg_buf *bytes);

/* The number of a file that has symbols, from 1 on; 0: there is none of that path. */
uint32_t fg_simplefiles_of(struct fg_simplefiles *f, struct fg_str path);

/*
 * The symbol at an address of a DSO, in the file of that number, which may be 0. Tables
 * are made when they are asked for the first time, and are as large as what was
 * recorded, some ten times its bytes: DSOs of one path have one in common.
 */
struct fg_symtab_found fg_simplefiles_find(struct fg_simplefiles *f, uint32_t number,
					   const struct fg_dso *dso, uint64_t address);

#endif
