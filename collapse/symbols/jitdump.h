/*
 * The code that a runtime has compiled, from its jitdump, jit-PID.dump.
 *
 * A jitdump is a log (tools/perf/Documentation/jitdump-specification.txt): at a time, a
 * function was put at an address, or was moved to another. So it also tells which of
 * several functions was at an address when a sample was taken. The file has the bytes
 * of each function. Their offset in the file is the function's address in the DSO.
 */
#ifndef FG_COLLAPSE_SYMBOLS_JITDUMP_H
#define FG_COLLAPSE_SYMBOLS_JITDUMP_H

#include "collapse/symbols/symtab.h"
#include "lib/base/arena.h"
#include "lib/base/buf.h"
#include "lib/base/map.h"

/* Code that is at an address from a time on. */
struct fg_jitdump_code {
	uint64_t time; /* by the clock of the dump */
	uint64_t start, size; /* its address and size in memory */
	uint64_t at; /* offset of its bytes in the file */
	size_t number; /* its place in the order of the file */
};

struct fg_jitdump {
	int fd;
	/* in the order of the file; the caller may sort the code */
	struct fg_jitdump_code *codes;
	size_t count, alloc;
	uint64_t began; /* when the dump began, by its clock; 0: unknown */
	bool counts_cycles; /* its clock is the counter of the processor */
	bool swapped; /* its numbers are in the other byte order */
	bool damaged; /* some records are malformed */
	uint64_t at; /* offset of the next record */
	uint64_t size; /* size of the file when it was last read */
	uint64_t debug_at; /* offset of the lines for the next code; 0: none */
	/* from the number of a function to the offset of its bytes */
	struct fg_map by_index;
	struct fg_map lines; /* from the offset of the bytes to that of the lines */
	struct fg_arena names;
	struct fg_buf window; /* a part of the file */
	uint64_t window_at;
};

/* Opens a dump. Takes over `fd`. Never fails: a file that is no dump has no code. */
struct fg_jitdump *fg_jitdump_open(int fd);

/* Accepts NULL. */
void fg_jitdump_close(struct fg_jitdump *j);

/*
 * Reads the records that were added since the last call and are whole. Appends the code
 * to `codes`, and adds its symbols to the table.
 */
void fg_jitdump_read(struct fg_jitdump *j, struct fg_symtab *t);

/* Returns true if the file ends within a record, or has malformed ones. */
bool fg_jitdump_is_cut(const struct fg_jitdump *j);

struct fg_jitdump_line {
	const char *file; /* valid until the next call that reads the dump */
	int line;
};

/*
 * Finds the source line of an address in the DSO, which is in the function `symbol` of
 * the dump. Returns false if it is not known.
 */
bool fg_jitdump_line(struct fg_jitdump *j, const struct fg_symbol *symbol,
		     uint64_t address, struct fg_jitdump_line *found);

#endif
