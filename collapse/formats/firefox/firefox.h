/*
 * The state of collapse-firefox, and the functions that its files call in each other.
 *
 * A profile has threads, and a thread has tables of stacks, of frames and of functions.
 * Later versions share these tables among all threads. Tables come in any order, so a
 * thread that lacks some of them is held until the end of the profile.
 */
#ifndef FG_COLLAPSE_FORMATS_FIREFOX_FIREFOX_H
#define FG_COLLAPSE_FORMATS_FIREFOX_FIREFOX_H

#include "collapse/formats/firefox/symbols.h"
#include "collapse/formats/firefox/table.h"
#include "collapse/rows.h"
#include "lib/base/map.h"

/*
 * We keep this many decimals of a weight. Most weights are 1, or a number of
 * milliseconds.
 */
#define FIREFOX_WEIGHT_DECIMALS 6

/* Times are in milliseconds; we keep picoseconds. */
#define FIREFOX_TIME_DECIMALS 9

/* The value to count, from --weight. Columns that it does not need are not kept. */
enum firefox_weight { FIREFOX_SAMPLES, FIREFOX_TIME, FIREFOX_CPU };

struct firefox_lib {
	uint64_t start, end; /* addresses, in raw profiles only */
	uint32_t name; /* frame id of "[LIB]", for frames without a symbol */
	uint32_t file; /* from firefox_symbols_file() */
};

struct firefox_libs {
	struct firefox_lib *items;
	size_t count, alloc;
	bool by_address; /* `items` are sorted by address */
};

/* The tables of a thread, or those that all threads of a profile share. */
struct firefox_tables {
	/* ---- stackTable */
	struct firefox_column frame, prefix, prefix_offset;

	/* ---- frameTable */
	struct firefox_column func, lib, line, location;
	struct firefox_column address; /* kept with --symbols only */
	struct firefox_column frame_flags; /* in the format since version 71 */

	/* ---- funcTable */
	struct firefox_column name, resource, file_name, source;
	struct firefox_column func_flags; /* in the format since version 75 */

	/* ---- resourceTable, sources, stringArray */
	struct firefox_column resource_lib;
	/* names of the sources, as indices of strings */
	struct firefox_column source_names;
	struct firefox_strings strings;

	bool raw; /* a frame is a string, "f (in app)", and not a row of numbers */
	bool has_stacks;
	bool has_strings;
};

struct firefox_thread {
	struct fg_buf name, process, process_type;
	struct firefox_tables tables;
	struct firefox_libs libs;
	bool has_libs;
	struct firefox_column stack, weight, time, deltas, cpu;
	struct fg_buf weight_type; /* like "tracing-ms" and "bytes" */
};

/* The profile of one process. */
struct firefox_profile {
	struct firefox_thread *threads; /* held until tables are complete */
	size_t count, alloc;
	struct firefox_tables shared;
	struct fg_rows rows; /* the shared stacks, made once a thread needs them */
	bool has_rows;
	struct fg_map known; /* frames of shared strings, see struct view in write.c */
	struct firefox_libs libs;
	bool has_libs, has_meta, chosen;
	/* report-folded wrote the profile, so its stacks have a root already */
	bool is_ours;
	/* time between samples, in picoseconds, or FIREFOX_NO_NUMBER */
	int64_t interval;
	bool has_start;
	struct fg_sum start; /* time 0 of the samples, in nanoseconds since 1970 */
	uint64_t cpu_factor; /* converts threadCPUDelta to ns; 0 if it is cycles */
};

struct firefox {
	struct fg_sink *sink;
	enum firefox_weight weight;
	struct firefox_symbols *symbols; /* NULL without --symbols */
	/* the callers into which the last frame was inlined, root first */
	const uint32_t *found;
	size_t found_count;
	bool lines; /* --lines */
	bool failed; /* an error was reported */
	bool is_newer; /* we warned of an unknown version */
	uint64_t frames; /* number of frames so far */
	uint64_t nameless; /* number of frames without a symbol so far */
	/* interval of the first profile that has one, for profiles without it */
	int64_t interval;

	/* The profile that is being read, and those around it, outermost first. */
	struct firefox_profile *open;
	size_t depth, open_alloc;
	struct fg_buf *texts; /* profiles of other processes that came as strings */
	size_t text_count, texts_alloc;
	struct fg_buf text; /* scratch */
};

/* ---- thread.c */

/* Makes empty tables, and names their columns. */
void firefox_tables_init(struct firefox_tables *t);
void firefox_tables_release(struct firefox_tables *t);

/*
 * Reads a member of a thread, or of "shared", if it is a table. Returns false if not;
 * then the caller skips it.
 */
bool firefox_read_tables(const struct firefox *f, struct fg_json *j,
			 struct firefox_tables *t);

/* Reads the libraries: a list, or a string that holds the JSON of one. */
void firefox_read_libs(struct firefox *f, struct fg_json *j, struct firefox_libs *libs);

/* Reads a thread after its '{', to its '}'. */
void firefox_read_thread(struct firefox *f, struct fg_json *j,
			 struct firefox_thread *t);
void firefox_thread_release(struct firefox_thread *t);

/* ---- location.c */

/* Returns the frame id of a text like "f (in app)", in raw profiles. */
uint32_t firefox_location(struct firefox *f, struct fg_str text,
			  struct firefox_libs *libs);

/*
 * Returns the frame id for an address in a library. With --symbols it is the function
 * at the address, and f->found is set. Without --symbols, or if no function is found,
 * it is "[LIB]", or "[unknown]" if `lib` is NULL.
 */
uint32_t firefox_address(struct firefox *f, const struct firefox_lib *lib,
			 uint64_t address);

/* Returns true and sets *address if the name is just an address, like "0x1a2b". */
bool firefox_is_address(struct fg_str name, uint64_t *address);

/* ---- write.c */

/* Counts the stacks of a thread. The tables that it refers to must be complete. */
void firefox_write_thread(struct firefox *f, struct firefox_profile *p,
			  struct firefox_thread *t);

#endif
