/*
 * Reads data of heaptrack that heaptrack_interpret has written. Each line starts with a
 * letter; numbers are hexadecimal without 0x. See KDE's heaptrack,
 * src/analyze/accumulatedtracedata.cpp.
 *
 *     v 10500 3         versions of the program and of the file
 *     s 4 main          a string, with its length from file version 3 on
 *     i 5603 1 2 3 1f   an address: module, then function, file, line, innermost first;
 *                       without debug information "i 5603 1 2", or "i 5603 1"
 *     t 5 4             a call path: address 5, called by path 4
 *     a 20 5            a kind of allocation: size 0x20, on path 5
 *     + 0               an allocation of kind 0
 *     - 0               one of these is freed
 *
 * Strings, addresses and paths are numbered from 1, kinds of allocations from 0, each
 * in the order of their lines.
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/formats/heaptrack/recording.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"

static const struct fg_value values[WEIGHTS] = {
	[PEAK] = { FG_STR_INIT("peak"), FG_STR_INIT("bytes") },
	[LEAKED] = { FG_STR_INIT("leaked"), FG_STR_INIT("bytes") },
	[ALLOCATIONS] = { FG_STR_INIT("allocations"), FG_STR_INIT("allocations") },
	[TEMPORARY] = { FG_STR_INIT("temporary"), FG_STR_INIT("allocations") },
	[TOTAL] = { FG_STR_INIT("total"), FG_STR_INIT("bytes") },
};

static void *open_heaptrack(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct heaptrack *h = fg_xcalloc(1, sizeof(*h));

	h->sink = sink;
	h->srcline = run->samples.srcline;
	h->lines = run->samples.lines;
	fg_intern_init(&h->pointers);
	fg_rows_init(&h->rows);
	heaptrack_start(h);
	return h;
}

static void close_heaptrack(void *state)
{
	struct heaptrack *h = state;

	fg_buf_release(&h->text);
	fg_arena_release(&h->arena);
	fg_intern_release(&h->pointers);
	fg_rows_release(&h->rows);
	free(h->strings);
	free(h->frames);
	free(h->addresses);
	free(h->paths);
	free(h->allocations);
	free(h);
}

/* ---- lines */

/*
 * Reads "10500 3", and chooses the value to count. Version 1.2.0 of heaptrack wrote
 * file version 1 without saying so.
 */
static bool start_version(struct heaptrack *h, struct fg_str line)
{
	uint64_t program;
	int choice;

	heaptrack_end(h);
	if (heaptrack_cut_hex(&line, &program))
		return false;
	if (heaptrack_cut_hex(&line, &h->version))
		h->version = program == 0x10200;
	if (h->chosen)
		return true;
	h->chosen = true;
	choice = fg_sink_choose_value(h->sink, values, WEIGHTS, PEAK);
	h->failed = choice < 0;
	h->weight = choice < 0 ? PEAK : (enum weight)choice;
	return true;
}

/* Forgets the live bytes when heaptrack attaches to a running program ("A"). */
static void forget_live(struct heaptrack *h)
{
	h->live = h->peak = 0;
}

/* Returns false if the line is malformed. */
static bool read_line(struct heaptrack *h, struct fg_str line)
{
	char letter = line.ptr[0];
	struct fg_str rest = fg_str_from_pos(line, line.len > 1 ? 2 : 1);

	if (line.len > 1 && line.ptr[1] != ' ' && letter != '#')
		return false;
	switch (letter) {
	case '+':
	case '-':
		return heaptrack_read_event(h, letter, rest);
	case 'a':
		return heaptrack_add_allocation(h, &rest);
	case 't':
		return heaptrack_add_path(h, rest);
	case 'i':
		return heaptrack_add_address(h, rest);
	case 's':
		heaptrack_add_string(h, rest);
		return true;
	case 'v':
		return start_version(h, rest);
	case 'A':
		forget_live(h);
		return true;
	case 'x':
	case 'm':
		fg_sink_set_fault(h->sink,
				  "this is raw data of heaptrack: convert it with "
				  "heaptrack_interpret first");
		return true;
	default:
		return letter == 'X' || letter == 'I' || letter == 'R' ||
		       letter == 'S' || letter == 'c' || letter == '#';
	}
}

/* Adds bytes to a string that is not complete, and counts its lines. */
static void take_string(struct heaptrack *h, struct fg_str *bytes)
{
	struct fg_str part = fg_str_before(
		*bytes, h->missing < bytes->len ? (size_t)h->missing : bytes->len);

	*bytes = fg_str_from_pos(*bytes, part.len);
	fg_buf_add_str(&h->text, part);
	h->missing -= part.len;
	while (part.len) {
		size_t end = fg_str_find_char(part, '\n');

		fg_sink_at(h->sink)->line += end < part.len;
		part = fg_str_from_pos(part, end + 1);
	}
	if (!h->missing)
		heaptrack_add_string(h, fg_buf_str(&h->text));
}

/*
 * Reads "s 4 main", whose string may contain line feeds. Returns false if `bytes` start
 * with something else.
 */
static bool start_string(struct heaptrack *h, struct fg_str *bytes)
{
	struct fg_str rest = *bytes;
	uint64_t len = 0;
	size_t digits;

	if (h->version < 3 || !fg_str_cut_start(&rest, FG_STR("s ")))
		return false;
	digits = fg_str_span(rest, fg_is_hex);
	if (fg_str_hex(fg_str_before(rest, digits), &len))
		return false;
	rest = fg_str_from_pos(rest, digits);
	fg_str_cut_start(&rest, FG_STR(" "));
	*bytes = rest;
	h->missing = len;
	fg_buf_clear(&h->text);
	take_string(h, bytes);
	return true;
}

/* Reads a line, or the rest of a line after its string. */
static void end_line(struct heaptrack *h, struct fg_str *bytes)
{
	size_t end = fg_str_find_char(*bytes, '\n');
	struct fg_str line = fg_str_before(*bytes, end);

	fg_sink_set_unended(h->sink, end == bytes->len);
	*bytes = fg_str_from_pos(*bytes, end + 1);
	fg_sink_at(h->sink)->line++;
	fg_str_cut_end(&line, FG_STR("\r"));
	if (line.len && (h->after_string || !read_line(h, line)))
		fg_sink_malformed(h->sink, line);
	h->after_string = false;
}

static void read_block(void *state, const struct fg_block *block)
{
	struct heaptrack *h = state;
	struct fg_str bytes = block->bytes;

	while (bytes.len && !h->failed) {
		if (h->missing) {
			take_string(h, &bytes);
		} else if (!h->after_string) {
			if (fg_str_starts(bytes, FG_STR("\xef")))
				bytes = fg_utf8_skip_mark(bytes);
			h->after_string = start_string(h, &bytes);
		}
		if (h->missing)
			return;
		if (h->after_string && !bytes.len) /* the line ends in the next block */
			fg_sink_set_unended(h->sink, true);
		else
			end_line(h, &bytes);
	}
}

static void end_input(void *state)
{
	struct heaptrack *h = state;

	if (h->missing)
		fg_sink_warn_cut(h->sink, "the last string is incomplete");
	h->missing = 0;
	h->after_string = false;
	if (!h->failed)
		heaptrack_end(h);
}

static void finish(void *state)
{
	struct heaptrack *h = state;

	if (h->unpaired)
		fg_sink_lose(h->sink, "freed blocks without an allocation",
			     h->unpaired);
}

/* ---- the format */

const struct fg_format fg_format_heaptrack = {
	.kind = &fg_kind_heaptrack,
	.summary = "Reads what heaptrack records, and writes folded stacks that weigh\n"
		   "what they allocated.",
	.footer = "Example:\n"
		  "  heaptrack ./app\n"
		  "  collapse-heaptrack heaptrack.app.*.zst | flamegraph > flame.svg",
	.hints = { .empty = "did heaptrack fail?",
		   .not_found = "nothing was found that was allocated: is this a file "
				"that heaptrack wrote?",
		   .shrunk = "they freed what was allocated before heaptrack was "
			     "attached" },
	.has_values = true,
	.open = open_heaptrack,
	.block = read_block,
	.end_input = end_input,
	.finish = finish,
	.close = close_heaptrack,
};
