/*
 * Looks up names of addresses for --symbols. samply leaves this to the viewer, so its
 * profiles have only addresses. We look into the recorded files, if they still exist.
 */
#ifndef FG_COLLAPSE_FORMATS_FIREFOX_SYMBOLS_H
#define FG_COLLAPSE_FORMATS_FIREFOX_SYMBOLS_H

#include "collapse/sink.h"
#include "collapse/symbols/inlines.h"

struct firefox_symbols;

/* The profile's description of a library. Unknown strings are empty. */
struct firefox_file {
	struct fg_buf path, debug_path;
	struct fg_buf code_id; /* the build id, in hexadecimal */
};

void firefox_file_release(struct firefox_file *file);

/*
 * Starts looking up symbols; does not open a file yet. `detail` says if frames have
 * files and lines.
 */
struct firefox_symbols *firefox_symbols_new(struct fg_sink *sink,
					    enum fg_inlines_detail detail);

/* Accepts NULL. */
void firefox_symbols_free(struct firefox_symbols *s);

/* Warns of files that are missing or have changed. Call it at the end. */
void firefox_symbols_report(const struct firefox_symbols *s);

/*
 * Returns the number of a file. Equal files get the same number, because a profile may
 * list a file many times.
 */
uint32_t firefox_symbols_file(struct firefox_symbols *s,
			      const struct firefox_file *file);

/*
 * Finds the functions at an address, which is relative to the start of the file in
 * memory. Returns their number, 0 if none is known, and sets *names to their frame ids,
 * root first: the last was inlined into those before it. They are valid until the next
 * call.
 */
size_t firefox_symbols_find(struct firefox_symbols *s, uint32_t file, uint64_t address,
			    const uint32_t **names);

#endif
