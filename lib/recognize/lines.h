/*
 * Tests of lines that both the probe and the grammar of a format need. Each is defined
 * in the file of its format, for example stap_address_length() in stap.c. Tests that
 * only a probe needs are static in that file.
 */
#ifndef FG_LIB_RECOGNIZE_LINES_H
#define FG_LIB_RECOGNIZE_LINES_H

#include "lib/base/str.h"

/* ---- bpftrace */

/* Returns the length of "@NAME" at the start of a line, or 0. */
size_t bpftrace_map_length(struct fg_str line);

/*
 * Returns true for "@NAME[", but false for the program's own text, "@[kstack] =
 * count();".
 */
bool bpftrace_starts_key(struct fg_str line);

/* Returns the length of a quote before a key, like a mail's "> ", or 0. */
size_t bpftrace_quote_length(struct fg_str line);

/*
 * Splits the last line of a key, "curl]: 5": leaves the key's text in *line and sets
 * *value. Returns false for other lines.
 */
bool bpftrace_cut_value(struct fg_str *line, struct fg_str *value);

/*
 * Returns true if `text` starts with the first member of a JSON record: "type" or, if
 * jq -S sorted the members, "data".
 */
bool bpftrace_is_first_member(struct fg_str text);

/* ---- elfutils */

/* Skips the blanks and '>' that quote the line. */
struct fg_str elfutils_skip_quote(struct fg_str line);

/*
 * Returns the length of "#0  0x0000558d74b25522" at the start, or 0. *is_leaf is true
 * for frame 0.
 */
size_t elfutils_read_start(struct fg_str line, bool *is_leaf);

/* Returns the name in "NAME at FILE:LINE" or "NAME from LIB", and the library. */
struct fg_str elfutils_cut_place(struct fg_str text, struct fg_str *module);

/* ---- faulthandler */

/*
 * Returns true for "Thread 0x00007f12 [worker] (most recent call first):" and the like.
 */
bool faulthandler_is_header(struct fg_str line);

/* Returns the offset of such a header that comes after other text, or line.len. */
size_t faulthandler_find_header(struct fg_str line);

/* Cuts `  File "` off the start; the blanks may be lost in a paste. */
bool faulthandler_cut_start(struct fg_str *line);

/*
 * Splits `FILE", line LINE in NAME` at the last `", line `. *file gets the part before
 * it, *rest the part after it. Returns false for other text.
 */
bool faulthandler_cut_file(struct fg_str *rest, struct fg_str *file);

/* ---- ghcprof */

/* Returns the number of columns after "entries" in the header of the tree, or 0. */
size_t ghcprof_header_columns(struct fg_str line);

/* ---- instruments */

/*
 * Sets `columns` to the first, the second and the last column. Returns false if there
 * are fewer than three.
 */
bool instruments_cut_columns(struct fg_str line, struct fg_str columns[3]);

/* Returns true if the columns are names, like "Weight" and "Symbol Name". */
bool instruments_is_head(struct fg_str columns[3]);

/* ---- javacore */

/* Skips the blanks and '>' that quote a line. */
struct fg_str javacore_skip_quote(struct fg_str line);

/* ---- jfr */

/* Returns true for the output of jfr print --json. */
bool jfr_is_json(struct fg_str first_bytes);

/* ---- memray */

bool memray_is_header(struct fg_str line);

/* ---- otlp */

/* Returns true for JSON, by its first byte. No binary message starts with that. */
bool otlp_is_json(struct fg_str first_bytes);

/* Returns true for a message with its length before it: 4 bytes, the highest first. */
bool otlp_is_framed(struct fg_str first_bytes);

/* ---- perf */

/* Returns true for perf.data, of either byte order. */
bool perf_data_starts(struct fg_str first_bytes);

/*
 * Returns true for the start of a frame of perf script: a tab, and an address in 16
 * columns. "\t be it" in a text is not one.
 */
bool perf_is_indented_frame(struct fg_str line);

/*
 * Returns true if perf script printed only addresses, without symbols and headers, like
 * with -F comm,ip. Such an address may look like the count of a folded stack.
 */
bool perf_is_bare(struct fg_str first_bytes);

/* ---- pmc */

struct pmc_row {
	size_t indent;
	uint64_t count;
	struct fg_str name;
};

/* Reads " 100.0%  [7447]      zio_compress_data"; returns false for other lines. */
bool pmc_read_row(struct fg_str line, struct pmc_row *row);

/* ---- phpspy */

struct phpspy_frame {
	uint64_t depth;
	struct fg_str function, file; /* `file` is empty for "<internal>" */
	uint64_t line; /* 0 if unknown */
};

/* Reads "1 <main> /app/index.php:3". Returns false for other text. */
bool phpspy_read_frame(struct fg_str text, struct phpspy_frame *frame);

/* ---- rprof */

/* Reads the first line, which has the microseconds between samples. */
bool rprof_header(struct fg_str line, uint64_t *interval);

/* ---- sample */

/* Returns true for "Call graph:", which may be quoted. */
bool sample_starts_graph(struct fg_str line);

/* ---- stap */

/* Returns the length of "0xffffffff8103ce3b : " at the start, or 0. */
size_t stap_address_length(struct fg_str text);

/* ---- vsprof */

bool vsprof_is_header(struct fg_str line);

/* ---- vtune */

/* Returns the delimiter after "Function Stack" at the start of a line, or 0. */
char vtune_delimiter(struct fg_str line);

#endif
