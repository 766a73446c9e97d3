/*
 * The descriptor of a profiler's output format, like that of massif.
 *
 * The core runs the program, and the descriptor tells it what differs from format to
 * format: help, hints, options, and the grammar, which turns lines into stacks and
 * hands each to the sink (see collapse/sink.h). A small one looks like this:
 *
 *     const struct fg_format fg_format_massif = {
 *             .kind = &fg_kind_massif,
 *             .summary = "Reads what valgrind --tool=massif writes, and writes ...",
 *             .footer = "Example:\n  valgrind --tool=massif ./app\n  ...",
 *             .hints = { .empty = "did valgrind fail?",
 *                        .not_found = "no snapshot was found: is this ...?" },
 *             .has_values = true,
 *             .open = open_massif,
 *             .line = read_line,
 *             .end_input = end_input,
 *             .close = close_massif,
 *     };
 *
 * To add a format, add a row to lib/recognize/formats.def, lib/recognize/NAME.c, which
 * defines fg_kind_NAME and recognises the input, and collapse/formats/NAME.c, or a
 * folder of that name, which defines fg_format_NAME. The core does the rest: options
 * that all formats share, filters, counting, warnings and writing.
 */
#ifndef FG_COLLAPSE_FORMAT_H
#define FG_COLLAPSE_FORMAT_H

#include "collapse/options.h"
#include "lib/base/reader.h"
#include "lib/recognize/recognize.h"

struct fg_collapse;
struct fg_sink;

/*
 * The ends of messages: what may have gone wrong, or what the user can do. All are
 * optional unless their comment says when they are needed.
 */
struct fg_hints {
	/* The input is empty: "did perf script fail?" */
	const char *empty;

	/* No stack was found; a whole message: "no stack was found: is ...?" */
	const char *not_found;

	/* A structured profile has no stacks; by default, "nothing was recorded". */
	const char *no_stacks;

	/* The samples have no frames: "record with perf record -g". */
	const char *no_chain;

	/* --pid-filter is given, but the input has no pids; a whole message. */
	const char *no_pids;

	/* --slice is given, but no sample has a time: how to record times. */
	const char *no_time;

	/*
	 * Idle samples were not counted: "they wait in the kernel; --idle keeps them".
	 * Needed if the grammar skips samples as idle.
	 */
	const char *idle;

	/* One of the format's own options left out all samples; a whole message. */
	const char *left_out;

	/*
	 * Events were lost: how to lose fewer. Needed if the grammar counts lost
	 * events.
	 */
	const char *lost;

	/* Counts ended up below 0, and not because the profile is a difference. */
	const char *shrunk;
};

/* Returned by `span` if the times are not known before all input is read. */
#define FG_SPAN_UNKNOWN 1

/*
 * A format. Set `kind`, `summary`, `footer`, `open`, `close` and one of `line`, `block`
 * and `read`. All other members are optional.
 */
struct fg_format {
	/* Recognises the format's input, and has the format's name for messages. */
	const struct fg_kind *kind;

	/* For --help: what the program reads and writes, and an example. */
	const char *summary;
	const char *footer;

	/*
	 * A message with advice, shown on a terminal while no input comes through the
	 * pipe.
	 */
	const char *waiting;

	struct fg_hints hints;

	/* Set if the grammar adds the frames of a stack root first, not leaf first. */
	bool root_first;

	/*
	 * Set if counts are written with their decimals. By default they are rounded.
	 */
	bool keeps_decimals;

	/*
	 * Set if the input has samples with an event, a comm and a CPU, which go
	 * through collapse/samples.h. Adds the options that select samples, and
	 * --slice.
	 */
	bool has_samples;

	/*
	 * Set if the stacks of the input have values, threads and labels, and go
	 * through collapse/values.h. Adds the options for these. `root` is the default
	 * of --root.
	 */
	bool has_values;
	enum fg_root root;

	/* Set if the grammar passes times to fg_sink_set_time(). Adds --slice. */
	bool has_times;

	/*
	 * Set if the stacks of the input are in the order of time. Adds --time-order.
	 */
	bool has_order;

	/*
	 * The format's own options, and the size of the struct that they set. The core
	 * allocates it as run->own.
	 */
	const struct fg_opt *rows;
	size_t options_size;

	/*
	 * If the program is called by the name of an older script, sets that script's
	 * defaults. `name` is the program's name without its folder.
	 */
	void (*called_as)(struct fg_collapse *run, const char *name);

	/* Completes and checks the options. Returns 0, or -1 after reporting. */
	int (*check)(struct fg_collapse *run, struct fg_diag *diag);

	/*
	 * Starts a helper process, for tasks that this process may not do itself after
	 * it has given up its rights. The helper ends by calling `end`. Returns the
	 * socket to the helper, which the caller closes, or 0 if there is no helper.
	 */
	int (*start_helper)(struct fg_collapse *run, void (*end)(int status));

	/* ---- the grammar */

	/* Makes the state, which `close` frees. Borrows `sink` and `run` until then. */
	void *(*open)(struct fg_sink *sink, const struct fg_collapse *run);
	void (*close)(void *state);

	/* Reads a line, without its '\n' and '\r'. This is enough for most formats. */
	void (*line)(void *state, struct fg_str line);

	/* Reads a block of whole lines, if `line` is too slow. */
	void (*block)(void *state, const struct fg_block *block);

	/*
	 * Reads a whole input that does not consist of lines, like JSON. `start` has
	 * its first bytes; fg_reader_more() returns the rest in blocks that end
	 * anywhere. Returns 0, or -1 after reporting.
	 */
	int (*read)(void *state, struct fg_reader *reader,
		    const struct fg_block *start);

	/* Called at the end of each input. Counts a sample that is still open. */
	void (*end_input)(void *state);

	/* Called after the last input. Counts everything that is still open. */
	void (*finish)(void *state);

	/*
	 * Reads an input that kind->is_data() recognises, like `read` of struct
	 * fg_reader_raw. Set it if the kind has is_data().
	 */
	int (*read_raw)(void *state, struct fg_str head, int fd, const char *input);

	/*
	 * Finds the times of the first and the last sample of regular files, in
	 * nanoseconds, before they are read; --time needs them for percentages. Returns
	 * 0, FG_SPAN_UNKNOWN, or -1 after reporting an error in a file.
	 */
	int (*span)(const struct fg_opt_list *files, uint64_t *first, uint64_t *last,
		    struct fg_diag *diag);
};

/*
 * All formats, in the order of fg_kinds; the last is NULL. A program that uses this
 * table is linked with every grammar.
 */
extern const struct fg_format *const fg_formats[];

#define FORMAT(format, older) extern const struct fg_format fg_format_##format;
#include "lib/recognize/formats.def"
#undef FORMAT

#endif
