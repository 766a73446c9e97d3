/*
 * A profile of the Firefox Profiler while it is read: threads with tables of stacks, of
 * frames and of functions, which may be shared by all; libraries.
 *
 * Tables come in any order, so that threads are held until all that they need was read.
 */
#ifndef FG_COLLAPSE_FORMATS_FIREFOX_PROFILE_H
#define FG_COLLAPSE_FORMATS_FIREFOX_PROFILE_H

#include "collapse/formats/firefox/symbols.h"
#include "collapse/formats/firefox/table.h"
#include "collapse/rows.h"
#include "lib/base/map.h"

/* Weights, which are 1 or ms, have so many decimals; times are in picoseconds. */
#define FIREFOX_WEIGHT_DECIMALS 6
#define FIREFOX_TIME_DECIMALS 9

/* What --weight asks for: columns that it does not need are not held. */
enum firefox_weight { FIREFOX_SAMPLES, FIREFOX_TIME, FIREFOX_CPU };

struct firefox_lib {
	uint64_t start, end; /* of raw profiles */
	uint32_t name; /* of a frame in it without a symbol */
	uint32_t file; /* of firefox_symbols_file */
};

struct firefox_libs {
	struct firefox_lib *items;
	size_t count, alloc;
	bool by_address; /* they are in that order */
};

/* Those of a thread, or of a profile, for all of its threads. */
struct firefox_tables {
	struct firefox_column frame, prefix, prefix_offset; /* of stackTable */
	struct firefox_column func, lib, line, location; /* of frameTable */
	struct firefox_column address; /* held where symbols are asked for */
	struct firefox_column frame_flags, func_flags; /* of versions 71 and 75 on */
	struct firefox_column name, resource, file_name, source; /* of funcTable */
	struct firefox_column resource_lib;
	struct firefox_strings strings;
	struct firefox_strings sources; /* when they are strings */
	struct firefox_column source_names; /* when they are numbers of strings */
	bool raw; /* frames are texts */
	bool has_stacks;
	bool has_strings;
};

struct firefox_thread {
	struct fg_buf name, process, process_type;
	struct firefox_tables tables;
	struct firefox_libs libs;
	bool has_libs;
	struct firefox_column stack, weight, time, deltas, cpu;
	struct fg_buf weight_type; /* "tracing-ms", "bytes", ... */
};

/* A process. */
struct firefox_profile {
	struct firefox_thread *threads; /* that could not be written yet */
	size_t count, alloc;
	struct firefox_tables shared;
	struct fg_rows rows; /* of the shared stacks, once a thread needed them */
	bool has_rows;
	struct fg_map known; /* the names of the shared strings, see write.c */
	struct firefox_libs libs;
	bool has_libs, has_meta, chosen;
	int64_t interval; /* in picoseconds, or FIREFOX_NO_NUMBER */
	bool has_start;
	struct fg_sum start; /* from which times are counted, in ns since 1970 */
	uint64_t cpu_factor; /* what makes ns of threadCPUDelta; 0: they are cycles */
};

struct firefox {
	struct fg_sink *sink;
	enum firefox_weight weight;
	struct firefox_symbols *symbols; /* NULL without --symbols */
	const uint32_t *found; /* the functions that were inlined at an address */
	size_t found_count;
	bool failed; /* which was reported */
	bool is_newer; /* of a version that is not known, which was said */
	uint64_t frames, nameless; /* how many there are, and without a symbol */
	int64_t interval; /* of the first profile that says it */

	struct firefox_profile *open; /* those around what is read */
	size_t depth, open_alloc;
	struct fg_buf *texts; /* profiles of other processes, as strings */
	size_t text_count, texts_alloc;
	struct fg_buf text; /* room for a name */
};

#endif
