/*
 * What a profiler's output format is to the rest of the project: a descriptor.
 *
 * A format is its grammar: it turns lines into stacks, or into samples, and hands each
 * to the sink (collapse/sink.h). It is one row of formats.def and one file whose only
 * external symbols are what it is known by, fg_kind_NAME, and its descriptor,
 * fg_format_NAME; a large one is a folder. Options
 * that all formats share, selection, counting, messages and writing are the core's.
 */
#ifndef FG_COLLAPSE_FORMAT_H
#define FG_COLLAPSE_FORMAT_H

#include "collapse/options.h"
#include "lib/base/reader.h"
#include "lib/recognize/recognize.h"

struct fg_collapse;
struct fg_sink;

/* What messages say of this format's input; each may be NULL. */
struct fg_hints {
	const char *empty; /* "did perf script fail?" */
	const char *not_found; /* no stack was found: "is this ...?" */
	const char *barren; /* why a profile has none: "nothing was recorded" */
	const char *no_chain; /* no stack has frames: "record with perf record -g" */
	const char *no_pids; /* --pid-filter was given, and there is no pid */
	const char *no_time; /* --slice, and no sample has a time: the cure */
	const char *aside; /* what is set aside: "they wait; --idle keeps them" */
	const char *left_out; /* an option of the format's own left out all */
	const char *lost; /* the profiler lost events: the cure */
	const char *shrunk; /* why values may be negative, unless it is a difference */
};

/* What `span` of struct fg_format returns besides 0 and -1. */
#define FG_SPAN_UNKNOWN 1

/* Members are set unless their comment says that they may be NULL. */
struct fg_format {
	const struct fg_kind *kind;
	const char *summary; /* for --help: what is read and written */
	const char *footer; /* for --help: an example */
	const char
		*waiting; /* for a terminal, while a pipe brings nothing; may be NULL */
	struct fg_hints hints;

	bool root_first; /* the frames of its stacks come root first */
	bool keeps_decimals; /* counts are not rounded to whole numbers */

	/* Whether it has samples, and the options that choose among them. */
	bool has_samples;

	/*
	 * Whether its stacks have values instead (collapse/values.h), and the options
	 * for these; the root frame by default; whether stacks come in the order of
	 * time.
	 */
	bool has_values;
	enum fg_root root;
	bool has_order;

	/* Whether its stacks have a time each, by fg_sink_set_time; samples may. */
	bool has_times;

	/* Its own options; rows may be NULL. */
	const struct fg_opt *rows;
	size_t options_size;

	/*
	 * Changes the defaults where the program is called by an older script's name,
	 * its folder left out. May be NULL.
	 */
	void (*called_as)(struct fg_collapse *run, const char *name);

	/* Completes and checks the options: 0, or -1 after reporting. May be NULL. */
	int (*check)(struct fg_collapse *run, struct fg_diag *diag);

	/*
	 * Starts a process that does for this one what it may not do itself once it is
	 * confined, and that calls `end` in the end. Returns the socket to ask it by,
	 * which the caller closes, or 0 if there is none. It may be NULL.
	 */
	int (*start_helper)(struct fg_collapse *run, void (*end)(int status));

	/*
	 * The grammar. `open` returns its state, which `close` frees; both sink and run
	 * are borrowed until then. It is given either lines, without '\n' and '\r', or
	 * blocks, or the start of an input, of which `read` asks for the rest with
	 * fg_reader_more, in blocks that end anywhere; it returns 0, or -1 after
	 * reporting. The other two members are NULL. `end_input` comes after the last
	 * of each input, in which a sample may be open; `finish` after the last input.
	 * Both may be NULL.
	 */
	void *(*open)(struct fg_sink *sink, const struct fg_collapse *run);
	void (*line)(void *state, struct fg_str line);
	void (*block)(void *state, const struct fg_block *block);
	int (*read)(void *state, struct fg_reader *reader,
		    const struct fg_block *start);
	void (*end_input)(void *state);
	void (*finish)(void *state);
	void (*close)(void *state);

	/*
	 * Reads input that kind->is_data() knows, like `read` of struct fg_reader_raw.
	 * NULL if there is no such input.
	 */
	int (*read_raw)(void *state, struct fg_str head, int fd, const char *input);

	/*
	 * The times of the first and the last sample of regular files, in nanoseconds:
	 * 0; FG_SPAN_UNKNOWN where they cannot be known before all is read; -1 after
	 * reporting what is wrong with a file. May be NULL.
	 */
	int (*span)(const struct fg_opt_list *files, uint64_t *first, uint64_t *last,
		    struct fg_diag *diag);
};

/*
 * All formats in the order of fg_kinds; NULL comes last. A program that uses this table
 * is linked with every grammar.
 */
extern const struct fg_format *const fg_formats[];

#define FORMAT(format, older) extern const struct fg_format fg_format_##format;
#include "lib/recognize/formats.def"
#undef FORMAT

#endif
