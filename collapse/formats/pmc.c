/*
 * Reads what pmcstat -G of FreeBSD prints: functions, and below each its callers.
 *
 *     @ inst_retired.any [35705 samples]
 *
 *     20.86%  [7447]     zfs_lz4_compress @ /boot/kernel/zfs.ko
 *      100.0%  [7447]      zio_compress_data
 *
 * The callers of a function are indented more than it. See pmcpl_cg_node_printf() in
 * usr.sbin/pmcstat/pmcpl_callgraph.c of FreeBSD.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/memo.h"
#include "collapse/sink.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

/* A row that may still get callers. */
struct node {
	uint32_t id; /* id of its frame */
	size_t indent;
	uint64_t count;
	struct fg_sum of_callers;
};

struct pmc {
	struct fg_sink *sink;
	struct fg_memo memo; /* frame ids, by the text after the count */
	struct node *nodes; /* the open path, the leaf first */
	size_t depth;
	size_t alloc;
};

/*
 * Ends the last node. If its count is larger than the sum of its callers, counts the
 * rest for the stack that has this node as root.
 */
static void end_node(struct pmc *p)
{
	const struct node *last = &p->nodes[--p->depth];

	if (last->of_callers.high || last->of_callers.low >= last->count)
		return;
	for (size_t i = 0; i <= p->depth; i++)
		fg_stack_add_root(fg_sink_stack(p->sink), p->nodes[i].id);
	fg_sink_add(p->sink, last->count - last->of_callers.low);
}

/* Returns the frame for "zfs_lz4_compress @ /boot/kernel/zfs.ko". */
static uint32_t id_of(struct pmc *p, struct fg_str text)
{
	const struct fg_memo_key key = fg_memo_key(&p->memo, text, 0);
	const struct fg_memo_entry *entry = fg_memo_find(&p->memo, &key);
	struct fg_memo_value value = { .flags = 0 };

	if (entry)
		return entry->id;
	value.id = fg_sink_name(p->sink,
				fg_str_before(text, fg_str_find(text, FG_STR(" @ "))));
	fg_memo_add(&p->memo, &key, value);
	return value.id;
}

static void add_node(struct pmc *p, const struct pmc_row *row)
{
	while (p->depth && p->nodes[p->depth - 1].indent >= row->indent)
		end_node(p);
	if (p->depth)
		fg_sum_add(&p->nodes[p->depth - 1].of_callers, row->count);
	FG_GROW(p->nodes, p->alloc, p->depth + 1);
	p->nodes[p->depth++] =
		(struct node){ id_of(p, row->name), row->indent, row->count, { 0, 0 } };
}

static void read_line(void *state, struct fg_str line)
{
	struct pmc *p = state;
	struct fg_str text = fg_str_trim(line);
	struct pmc_row row;

	if (pmc_read_row(line, &row))
		add_node(p, &row);
	else if (text.len && text.ptr[0] != '@' && text.ptr[0] != '#')
		fg_sink_malformed(p->sink, line);
}

static void end_input(void *state)
{
	struct pmc *p = state;

	while (p->depth)
		end_node(p);
}

/* ---- the format */

static void *open_pmc(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct pmc *p = fg_xcalloc(1, sizeof(*p));

	(void)run;
	p->sink = sink;
	fg_memo_init(&p->memo);
	return p;
}

static void close_pmc(void *state)
{
	struct pmc *p = state;

	fg_memo_release(&p->memo);
	free(p->nodes);
	free(p);
}

const struct fg_format fg_format_pmc = {
	.kind = &fg_kind_pmc,
	.summary = "Reads the callgraphs that pmcstat -G prints, writes folded stacks.",
	.footer = "Example: collapse-pmc out.graph | flamegraph > flame.svg",
	.hints = { .empty = "did pmcstat fail?",
		   .not_found = "no function was found: is this the output of "
				"pmcstat -G?" },
	.open = open_pmc,
	.line = read_line,
	.end_input = end_input,
	.close = close_pmc,
};
