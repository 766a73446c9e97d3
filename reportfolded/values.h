/*
 * Reads a folded profile for other viewers, into a tree for each event and unit that
 * header lines name (lib/profile/sections.h). With --event-frame the first frame of a
 * stack is its event.
 */
#ifndef FG_REPORTFOLDED_VALUES_H
#define FG_REPORTFOLDED_VALUES_H

#include "lib/base/reader.h"
#include "lib/profile/tree.h"
#include "lib/profile/unit.h"
#include "reportfolded/lines.h"
#include "reportfolded/options.h"

/* The kinds of units that viewers know. */
enum fg_value_kind { FG_VALUE_OTHER, FG_VALUE_TIME, FG_VALUE_BYTES };

struct fg_value_unit {
	/* the unit in folded text, "ns", and as a word, "nanoseconds" */
	struct fg_str folded, word;
	enum fg_value_kind kind;
	unsigned exponent; /* for a time: 10^exponent ns */
};

struct fg_value {
	struct fg_unit header; /* contents of the header lines */
	/*
	 * `name` is an event such as "cycles"; `unit` is "nanoseconds", another word,
	 * or ""
	 */
	struct fg_buf name, unit;
	const struct fg_value_unit *known; /* NULL: an unknown unit, or none */
	struct fg_tree tree; /* finished */
	/* indexed by id of a name in the tree: its id in fg_values.names */
	uint32_t *names;
	uint64_t totals[2];
};

struct fg_values {
	struct fg_value *items;
	size_t count;
	size_t alloc;
	unsigned columns;
	struct fg_intern names; /* the names of all trees */
	struct fg_lines lines; /* their source lines */
	/*
	 * indexed by id of a name: the first name of the same function and file. So
	 * names that differ only in their source line have one function.
	 */
	uint32_t *functions;
};

/*
 * Reads all of `reader`. Returns 0, or -1 after reporting. Release `v` in either case.
 */
int fg_values_read(struct fg_values *v, const struct fg_report_options *options,
		   struct fg_reader *reader, struct fg_diag *diag);
void fg_values_release(struct fg_values *v);

/* The known units, the finest time first. A row without a name ends them. */
extern const struct fg_value_unit fg_value_units[];

static inline enum fg_value_kind fg_value_kind(const struct fg_value *v)
{
	return v->known ? v->known->kind : FG_VALUE_OTHER;
}

/* Returns the id in fg_values.names of a node's name. */
static inline uint32_t fg_value_name(const struct fg_value *v, uint32_t node)
{
	return v->names[v->tree.nodes[node].name];
}

/* Returns a column's inclusive counts by node. The caller frees them. */
uint64_t *fg_value_totals(const struct fg_value *v, unsigned column);

/*
 * Return the name of a frame for a viewer: all of it, and without its source line. An
 * empty name, which viewers would not show, becomes "[unknown]".
 */
static inline struct fg_str fg_values_shown(const struct fg_values *v, uint32_t name)
{
	struct fg_str text = fg_intern_name(&v->names, name);

	return text.len ? text : FG_STR("[unknown]");
}
static inline struct fg_str fg_values_function(const struct fg_values *v, uint32_t name)
{
	struct fg_str text =
		fg_intern_name(&v->lines.functions, v->lines.of[name].function);

	return text.len ? text : FG_STR("[unknown]");
}

/* Return the source file and the line of a frame, or "" and 0 if it has none. */
static inline struct fg_str fg_values_file(const struct fg_values *v, uint32_t name)
{
	const struct fg_named_line *line = &v->lines.of[name];

	return line->number ? fg_intern_name(&v->lines.files, line->file) : FG_STR("");
}
static inline uint32_t fg_values_line(const struct fg_values *v, uint32_t name)
{
	return v->lines.of[name].number;
}

#endif
