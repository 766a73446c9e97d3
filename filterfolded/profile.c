/* Reads folded profiles as one and changes each stack as the options say. */
#include "filterfolded/profile.h"

#include <stdlib.h>
#include <string.h>

#include "lib/profile/treelines.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/recognize.h"

/* Checks that the lines of a section agree in their number of counts. */
static int check_columns(struct fg_profile *p, const char *input)
{
	const struct fg_place at = { input, 0 };
	unsigned columns = p->lines.columns;
	unsigned *known = &p->columns[p->sections.current];
	const char **first = &p->first[p->sections.current];

	if (!*known) {
		*known = columns;
		*first = input;
	}
	if (columns == *known)
		return 0;
	return fg_error(p->diag, &at,
			"this line has %s, but the lines of %s have %s: a differential "
			"profile cannot be merged with others",
			columns == 1 ? "one count" : "two counts", *first,
			columns == 1 ? "two" : "one");
}

/* Puts the key into the first frame, so that stacks of two keys share no frame. */
static struct fg_str join_key(struct fg_profile *p, struct fg_str key,
			      struct fg_str stack)
{
	fg_buf_clear(&p->with_key);
	fg_buf_add_str(&p->with_key, key);
	fg_buf_add_char(&p->with_key, '\t');
	fg_buf_add_str(&p->with_key, stack);
	return fg_buf_str(&p->with_key);
}

static int add_stack(void *data, struct fg_folded *folded, const struct fg_place *at)
{
	struct fg_profile *p = data;
	struct fg_str key = { NULL, 0 };

	if (check_columns(p, at->input))
		return -1;
	p->any_stack = true;
	p->with_stacks |= UINT64_C(1) << p->sections.current;
	if (p->keyed)
		key = fg_str_cut(&folded->stack, '\t');
	fg_slicing_cut(p->slicing, &folded->stack);
	if (p->filter && !fg_filter_text(p->filter, &folded->stack))
		return fg_filter_failed(p->filter) ? -1 : 0;
	if (p->reverse)
		folded->stack = fg_folded_reverse(&p->reversed, folded->stack);
	folded->stack = fg_slicing_join(p->slicing, folded->stack);
	if (p->keyed)
		folded->stack = join_key(p, key, folded->stack);
	return fg_folded_input_merge(&p->trees[p->sections.current], folded, at,
				     p->diag);
}

static void add_tree(struct fg_profile *p)
{
	FG_GROW(p->trees, p->alloc, p->count + 1);
	fg_tree_init(&p->trees[p->count], FG_TREE_SORTED);
	p->trees[p->count++].keep_leaf = true;
}

void fg_profile_init(struct fg_profile *p, struct fg_filter *filter,
		     struct fg_slicing *slicing, struct fg_diag *diag)
{
	memset(p, 0, sizeof(*p));
	p->diag = diag;
	p->filter = filter;
	p->slicing = slicing;
	fg_sections_init(&p->sections);
	add_tree(p);
	fg_folded_input_init(&p->lines, diag, NULL, add_stack, p);
	p->lines.guess = fg_recognize_guess;
	p->lines.keep_slices = true;
}

void fg_profile_release(struct fg_profile *p)
{
	for (size_t i = 0; i < p->count; i++)
		fg_tree_release(&p->trees[i]);
	free(p->trees);
	fg_sections_release(&p->sections);
	fg_folded_input_release(&p->lines);
	fg_buf_release(&p->reversed);
	fg_buf_release(&p->with_key);
}

/*
 * Notes if the header lines that this input has for a section state the weight of a
 * sample, the command or the quality.
 */
static void note_said(struct fg_profile *p, int section)
{
	const struct fg_unit *said = &p->sections.header;

	p->with_weight |= (uint64_t)(said->sample_weight.len > 0) << section;
	p->with_command |= (uint64_t)(said->command.len > 0) << section;
	p->with_quality |= (uint64_t)said->quality.known[FG_AFTER] << section;
}

/* Drops a value and marks it as mixed, unless `with` has the bit of the section. */
static void keep_if(uint64_t with, size_t section, struct fg_buf *value, bool *mixed)
{
	if (with >> section & 1)
		return;
	*mixed = true;
	fg_buf_clear(value);
}

/*
 * Ends the sections of an input. The weight of a sample and the command are kept only
 * if each input states them, because they may not be true for the stacks of other
 * inputs. Totals are kept only if a single input has stacks in the section.
 */
static void end_sections(struct fg_profile *p)
{
	if (p->sections.has_header)
		note_said(p, (int)p->sections.current);
	fg_sections_end(&p->sections);
	for (size_t i = 0; i < p->sections.count; i++) {
		struct fg_unit *unit = &p->sections.items[i];

		if (!(p->with_stacks >> i & 1))
			continue;
		keep_if(p->with_weight, i, &unit->sample_weight, &unit->mixed_weights);
		keep_if(~p->had, i, &unit->totals, &unit->mixed_totals);
		keep_if(p->with_command, i, &unit->command, &unit->mixed_commands);
		if (!(p->with_quality >> i & 1))
			unit->quality = (struct fg_quality){ .partial = true };
	}
	p->had |= p->with_stacks;
	p->with_stacks = p->with_weight = p->with_command = p->with_quality = 0;
}

/* Reports an input without stacks as an error, unless it is empty. */
static int end_input(struct fg_profile *p, const char *input)
{
	struct fg_place at = { input, 0 };

	if (fg_folded_input_end(&p->lines))
		return -1;
	if (!input)
		return 0;
	fg_slicing_end_input(p->slicing, input);
	if (p->lines.tally.stacks || p->had_stacks)
		return 0;
	if (p->lines.lines)
		return fg_error(p->diag, &at, "no folded stacks: %s",
				fg_folded_input_fault(&p->lines));
	if (!p->keyed) /* some of many machines may have recorded nothing */
		fg_warn(p->diag, &at, "the input is empty");
	return 0;
}

/* Counts the stacks that are held back. They belong to the section before this line. */
static int give_held(struct fg_profile *p)
{
	if (fg_folded_input_end(&p->lines))
		return -1;
	p->had_stacks |= p->lines.tally.stacks > 0;
	fg_folded_input_restart(&p->lines);
	return 0;
}

/*
 * Handles the first stack after header lines: switches to the section that these lines
 * name.
 */
static int turn(struct fg_profile *p, const struct fg_place *at)
{
	struct fg_sections *s = &p->sections;
	size_t before = s->current;
	int section = (int)before;
	bool said = s->has_header;

	if (said)
		section = fg_sections_turn(s, at, p->diag);
	if (section < 0)
		return -1;
	if (said)
		note_said(p, section);
	if (s->count > p->count)
		add_tree(p);
	s->current = before;
	if (((size_t)section != before ||
	     (p->slicing->has_pending && p->lines.held_count)) &&
	    give_held(p))
		return -1;
	s->current = (size_t)section;
	fg_slicing_turn(p->slicing, s->current);
	return 0;
}

/*
 * Returns true for "KEY<tab># unit: ns". Such lines are skipped, because the header
 * lines of one key do not apply to the other keys.
 */
static bool is_header_of_key(struct fg_str line)
{
	size_t tab = fg_str_find_char(line, '\t');

	return fg_str_starts(line, FG_STR("#")) ||
	       fg_str_starts(fg_str_from_pos(line, tab + 1), FG_STR("#"));
}

static int read_line(struct fg_profile *p, struct fg_str line,
		     const struct fg_place *at)
{
	struct fg_folded folded;
	enum fg_folded_kind kind = fg_folded_parse(line, &folded);
	bool is_stack = kind == FG_FOLDED_STACK && !folded.is_message;

	if (p->keyed && is_header_of_key(line))
		return 0;
	if (p->keyed && is_stack && !fg_str_has_char(folded.stack, '\t'))
		return fg_error(p->diag, at,
				"--key-prefix needs a key and a tab before each stack");
	fg_folded_input_keep(&p->lines, line);
	if (kind == FG_FOLDED_EMPTY && line.len) {
		fg_sections_line(&p->sections, line);
		fg_slicing_header(p->slicing, line, at);
	} else if (is_stack && (p->sections.has_header || p->slicing->has_pending) &&
		   turn(p, at)) {
		return -1;
	}
	return fg_folded_input_parsed(&p->lines, kind, &folded, line, at);
}

static int read_lines(struct fg_profile *p, struct fg_str bytes, struct fg_place *at)
{
	while (bytes.len) {
		struct fg_str line = fg_utf8_skip_mark(fg_str_cut(&bytes, '\n'));

		at->line++;
		if (read_line(p, line, at))
			return -1;
	}
	return 0;
}

static int read_all(struct fg_profile *p, struct fg_reader *r)
{
	struct fg_place at = { NULL, 0 };
	struct fg_block block;
	int status;

	while ((status = fg_reader_block(r, &block)) > 0) {
		if (block.first) {
			if (end_input(p, at.input))
				return -1;
			if (p->lines.tally.stacks || p->had_stacks)
				end_sections(p);
			fg_folded_input_restart(&p->lines);
			fg_slicing_start_input(p->slicing);
			p->had_stacks = false;
			at = (struct fg_place){ block.input, 0 };
		}
		if (read_lines(p, block.bytes, &at))
			return -1;
	}
	return status < 0 ? -1 : end_input(p, at.input);
}

/* ---- choosing one of several sections */

static void swap_to_first(struct fg_profile *p, size_t chosen)
{
	struct fg_unit unit = p->sections.items[0];
	struct fg_tree tree = p->trees[0];

	p->sections.items[0] = p->sections.items[chosen];
	p->sections.items[chosen] = unit;
	p->columns[0] = p->columns[chosen];
	p->trees[0] = p->trees[chosen];
	p->trees[chosen] = tree;
	for (size_t i = 1; i < p->count; i++) {
		fg_tree_release(&p->trees[i]);
		fg_unit_release(&p->sections.items[i]);
	}
	p->count = p->sections.count = 1;
	p->sections.current = 0;
	fg_slicing_choose(p->slicing, chosen);
}

static const char *name_of(struct fg_unit *unit)
{
	return fg_buf_cstr(unit->event.len ? &unit->event : &unit->unit);
}

static int report_no_section(struct fg_profile *p, const char *name)
{
	struct fg_buf text = FG_BUF_INIT;

	for (size_t i = 0; i < p->count; i++) {
		const char *known = name_of(&p->sections.items[i]);
		const char *quote = *known ? "'" : "";

		fg_buf_addf(&text, "%s%s%s%s", i ? ", " : "", quote,
			    *known ? known : "one without a name", quote);
	}
	fg_error(p->diag, NULL, "there is no section '%s'; the sections are: %s", name,
		 fg_buf_cstr(&text));
	fg_buf_release(&text);
	return -1;
}

/* Keeps only the section that --section names by its event, or else by its unit. */
static int choose(struct fg_profile *p)
{
	struct fg_str wanted = fg_str_from(p->section);

	for (size_t i = 0; i < p->count; i++)
		if (fg_str_eq(fg_buf_str(&p->sections.items[i].event), wanted)) {
			swap_to_first(p, i);
			return 0;
		}
	for (size_t i = 0; i < p->count; i++)
		if (fg_str_eq(fg_buf_str(&p->sections.items[i].unit), wanted)) {
			swap_to_first(p, i);
			return 0;
		}
	return report_no_section(p, p->section);
}

/* ---- the whole profile */

static int check_slices(const struct fg_profile *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct fg_place at = { fg_slicing_lacking(p->slicing, i), 0 };

		if (at.input && p->count > 1)
			return fg_error(p->diag, &at,
					"the section '%s' has no slices of time: "
					"--section NAME chooses another",
					name_of(&p->sections.items[i]));
		if (at.input)
			return fg_error(p->diag, &at,
					"this profile has no slices of time: fold it "
					"again with collapse-perf --slice 20ms");
	}
	return 0;
}

int fg_profile_add(struct fg_profile *p, struct fg_reader *r)
{
	return read_all(p, r);
}

int fg_profile_finish(struct fg_profile *p)
{
	fg_folded_input_warn(&p->lines, "");
	if (!p->any_stack && !p->keyed)
		return fg_error(p->diag, NULL,
				"the input is empty: did what wrote it fail?");
	end_sections(p);
	if (p->section && choose(p))
		return -1;
	for (size_t i = 0; i < p->count; i++)
		fg_tree_finish(&p->trees[i]);
	return check_slices(p) || fg_slicing_finish(p->slicing, p->trees) ? -1 : 0;
}

int fg_profile_columns(const struct fg_profile *p)
{
	unsigned all = 0;

	for (size_t i = 0; i < p->count; i++) {
		if (all && p->columns[i] && p->columns[i] != all)
			return fg_error(p->diag, NULL,
					"some sections are differential and others are "
					"not: choose one with --section NAME");
		all = p->columns[i] ? p->columns[i] : all;
	}
	return (int)all;
}

/* ---- the output */

static bool is_empty(const struct fg_tree *t)
{
	return t->count == 1 && !t->nodes[0].self && !(t->before && t->before[0]);
}

static int write_section(const struct fg_profile *p, size_t section, struct fg_out *out)
{
	const struct fg_tree *tree = &p->trees[section];
	struct fg_treelines lines;
	struct fg_buf text = FG_BUF_INIT;
	int status = 0;

	fg_slicing_add_header(p->slicing, section, &text);
	fg_unit_add(&p->sections.items[section], &text);
	fg_out_add_str(out, fg_buf_str(&text));
	fg_buf_release(&text);
	if (is_empty(tree))
		return 0;
	if (!fg_treelines_fit(tree))
		return fg_error(p->diag, NULL,
				"the text of the stacks would exceed 64 GiB");
	fg_treelines_init(&lines, tree);
	while ((status = fg_treelines_next(&lines, &text)) > 0) {
		fg_out_add_str(out, fg_buf_str(&text));
		fg_buf_clear(&text);
	}
	fg_buf_release(&text);
	fg_treelines_release(&lines);
	return status < 0 ? fg_error(p->diag, NULL, "a stack is longer than 256 MiB") :
			    0;
}

int fg_profile_write(const struct fg_profile *p, struct fg_out *out)
{
	for (size_t i = 0; i < p->count; i++)
		if (write_section(p, i, out))
			return -1;
	return 0;
}
