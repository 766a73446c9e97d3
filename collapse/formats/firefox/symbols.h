/*
 * --symbols: the functions at the addresses that samply leaves to the viewer, asked of
 * the files that were recorded, as far as they are here.
 */
#ifndef FG_COLLAPSE_FORMATS_FIREFOX_SYMBOLS_H
#define FG_COLLAPSE_FORMATS_FIREFOX_SYMBOLS_H

#include "collapse/sink.h"

struct firefox_symbols;

/* Of a library, as the profile has it; texts that are not there are empty. */
struct firefox_file {
	struct fg_buf path, debug_path;
	struct fg_buf code_id; /* the build id, hexadecimal */
};

void firefox_file_release(struct firefox_file *file);

/* Runs nothing. With `lines`, frames have file and line where --srcline asks for it. */
struct firefox_symbols *firefox_symbols_new(struct fg_sink *sink, bool lines);

/* Accepts NULL. */
void firefox_symbols_free(struct firefox_symbols *s);

/* At the end: warns of files that are not here or are others. */
void firefox_symbols_report(const struct firefox_symbols *s);

/* The number of a file, of which the profile may have many copies. */
uint32_t firefox_symbols_file(struct firefox_symbols *s,
			      const struct firefox_file *file);

/*
 * The functions at an address, relative to where the file begins in memory: as ids of
 * fg_sink_name, the root first; how many there are, valid until the next call. 0 where
 * none is known.
 */
size_t firefox_symbols_find(struct firefox_symbols *s, uint32_t file, uint64_t address,
			    const uint32_t **names);

#endif
