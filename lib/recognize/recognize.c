/* Answers what an input is: asks the probes of all formats, then the foreign_ files. */
#include "lib/recognize/recognize.h"

#include "lib/base/encoding.h"
#include "lib/base/utf8.h"
#include "lib/profile/folded.h"
#include "lib/recognize/foreign.h"

#define FORMAT(name, older) &fg_kind_##name,
const struct fg_kind *const fg_kinds[] = {
#include "lib/recognize/formats.def"
	NULL,
};

static const struct fg_recognized unknown = { .kind = NULL };

static bool is_known(const struct fg_recognized *r)
{
	return r->kind || r->foreign;
}

static struct fg_recognized of_kind(const struct fg_kind *kind,
				    struct fg_str first_bytes)
{
	bool is_data = kind && kind->is_data && kind->is_data(first_bytes);

	return (struct fg_recognized){
		.kind = kind,
		.input = is_data ? kind->data :
			 kind	 ? kind->input :
				   NULL,
	};
}

static struct fg_recognized of_foreign(const char *message)
{
	return (struct fg_recognized){ .foreign = message };
}

/* ---- input that must not be read as lines of text */

/* Returns the first kind of binary data whose probe returns `probe`, or NULL. */
static const struct fg_kind *find_binary(struct fg_str first_bytes, enum fg_probe probe)
{
	for (size_t i = 0; fg_kinds[i]; i++)
		if (fg_kinds[i]->is_binary && fg_kinds[i]->probe(first_bytes) == probe)
			return fg_kinds[i];
	return NULL;
}

static const struct fg_kind *find_data(struct fg_str first_bytes)
{
	for (size_t i = 0; fg_kinds[i]; i++)
		if (fg_kinds[i]->is_data && fg_kinds[i]->is_data(first_bytes))
			return fg_kinds[i];
	return find_binary(first_bytes, FG_PROBE_YES);
}

/* Returns the first kind of JSON that is sure, or else the only one that may be it. */
static const struct fg_kind *find_json(struct fg_str json)
{
	const struct fg_kind *maybe = NULL;
	size_t count = 0;

	for (size_t i = 0; fg_kinds[i]; i++) {
		enum fg_probe probe =
			fg_kinds[i]->is_json ? fg_kinds[i]->probe(json) : FG_PROBE_NO;

		if (probe == FG_PROBE_YES)
			return fg_kinds[i];
		if (probe == FG_PROBE_MAYBE)
			maybe = fg_kinds[i];
		count += probe == FG_PROBE_MAYBE;
	}
	return count == 1 ? maybe : NULL;
}

static struct fg_recognized recognize_json(struct fg_str json)
{
	const struct fg_kind *kind = find_json(json);

	return kind ? of_kind(kind, json) : of_foreign(fg_foreign_json(json));
}

struct fg_recognized fg_recognize_unreadable(struct fg_str first_bytes, bool reads_json)
{
	const char *message = fg_encoding_utf_16(first_bytes);
	const struct fg_kind *kind;

	if (!message)
		message = fg_foreign_magic(first_bytes);
	if (message)
		return of_foreign(message);
	kind = find_data(first_bytes);
	if (kind)
		return of_kind(kind, first_bytes);
	if (fg_encoding_is_binary(first_bytes))
		return of_foreign("this is binary data that no collapser reads");
	if (!reads_json && fg_foreign_is_json(first_bytes))
		return recognize_json(first_bytes);
	return of_foreign(fg_foreign_text(first_bytes));
}

/* ---- text */

/* Returns the lines before the first folded stack of several frames. */
static struct fg_str head_of(struct fg_str first_bytes)
{
	struct fg_str head = fg_utf8_skip_mark(first_bytes), rest = head;

	while (rest.len) {
		size_t before = head.len - rest.len;
		struct fg_folded folded;

		if (fg_folded_parse(fg_str_cut(&rest, '\n'), &folded) ==
			    FG_FOLDED_STACK &&
		    !folded.is_message && fg_str_has_char(folded.stack, ';'))
			return fg_str_before(head, before);
	}
	return head;
}

/* Recognises foreign text by any of its lines before the first stack. */
static const char *find_foreign_line(struct fg_str first_bytes)
{
	struct fg_str rest = head_of(first_bytes);
	const char *message = NULL;

	while (rest.len && !message)
		message = fg_foreign_line(fg_str_cut(&rest, '\n'));
	return message;
}

/* ---- for collapse-guess */

const char *fg_recognize_foreign(struct fg_str first_bytes)
{
	struct fg_recognized r = fg_recognize_unreadable(first_bytes, false);

	return is_known(&r) ? r.foreign : fg_foreign_markup(first_bytes);
}

/* Returns the kind that fits best. If two fit equally well, returns both. */
static struct fg_recognized find_best(struct fg_str first_bytes)
{
	struct fg_recognized best = unknown;
	enum fg_probe best_probe = FG_PROBE_MAYBE;

	for (size_t i = 0; fg_kinds[i]; i++) {
		enum fg_probe probe = fg_kinds[i]->probe(first_bytes);

		if (probe < best_probe)
			continue;
		if (probe > best_probe || !best.kind)
			best = of_kind(fg_kinds[i], first_bytes);
		else if (!best.other)
			best.other = fg_kinds[i];
		best_probe = probe;
	}
	return best;
}

struct fg_recognized fg_recognize(struct fg_str first_bytes)
{
	struct fg_recognized r = fg_recognize_unreadable(first_bytes, true);
	const struct fg_kind *kind;

	if (r.kind)
		return r;
	if (r.foreign) {
		kind = find_binary(first_bytes, FG_PROBE_MAYBE);
		return kind ? of_kind(kind, first_bytes) : r;
	}
	r = find_best(first_bytes);
	if (!r.kind)
		r.foreign = fg_recognize_foreign(first_bytes);
	if (!is_known(&r))
		r.foreign = find_foreign_line(first_bytes);
	return r;
}

/* ---- for collapsers */

struct fg_recognized fg_recognize_other(const struct fg_kind *own,
					struct fg_str first_bytes)
{
	enum fg_probe probe = own->probe(first_bytes);

	if (probe == FG_PROBE_YES)
		return unknown;
	for (size_t i = 0; fg_kinds[i]; i++)
		if (fg_kinds[i] != own &&
		    fg_kinds[i]->probe(first_bytes) == FG_PROBE_YES)
			return of_kind(fg_kinds[i], first_bytes);
	if (probe == FG_PROBE_MAYBE)
		return unknown;
	if (fg_foreign_is_json(first_bytes))
		return of_kind(find_json(first_bytes), first_bytes);
	return of_foreign(find_foreign_line(first_bytes));
}

/* ---- for readers of folded stacks */

/*
 * Appends the lines that are folded stacks, and an empty line for every other one, so
 * that each keeps its place. Returns true if there are other lines, not counting empty
 * ones and messages of our programs.
 */
static bool keep_stacks(struct fg_str lines, struct fg_buf *stacks)
{
	bool others = false;

	while (lines.len) {
		struct fg_str line = fg_str_cut(&lines, '\n');
		struct fg_folded folded;
		enum fg_folded_kind kind = fg_folded_parse(line, &folded);

		if (kind == FG_FOLDED_STACK && !folded.is_message)
			fg_buf_add_str(stacks, line);
		else if (!folded.is_message)
			others |= fg_str_trim(line).len > 0;
		fg_buf_add_char(stacks, '\n');
	}
	return others;
}

/*
 * Returns the first kind whose probe is sure of the lines, or the only one that answers
 * MAYBE if `probe` is MAYBE. A kind does not count if the folded stacks alone get that
 * answer, too.
 */
static const struct fg_kind *find_unfolded(struct fg_str lines, struct fg_str stacks,
					   enum fg_probe probe)
{
	const struct fg_kind *found = NULL;

	for (size_t i = 0; fg_kinds[i]; i++) {
		const struct fg_kind *kind = fg_kinds[i];

		if (kind->probe(lines) != probe || kind->probe(stacks) >= probe)
			continue;
		if (probe == FG_PROBE_YES)
			return kind;
		if (found)
			return NULL;
		found = kind;
	}
	return found;
}

struct fg_recognized fg_recognize_unfolded(struct fg_str first_bytes)
{
	struct fg_recognized r = fg_recognize_unreadable(first_bytes, false);
	struct fg_str head = head_of(first_bytes);
	struct fg_buf stacks = FG_BUF_INIT;

	if (is_known(&r))
		return r;
	if (keep_stacks(head, &stacks)) {
		r.kind = find_unfolded(head, fg_buf_str(&stacks), FG_PROBE_YES);
		r.foreign = r.kind ? NULL : find_foreign_line(head);
		if (!is_known(&r))
			r.kind = find_unfolded(head, fg_buf_str(&stacks),
					       FG_PROBE_MAYBE);
	}
	fg_buf_release(&stacks);
	/*
	 * fg_recognize_stackless() names perf script, if no stack is found. Folded
	 * stacks of a collapser may have a header of their own.
	 */
	if (r.kind == &fg_kind_perf ||
	    (r.kind && r.kind->is_folded && head.len < first_bytes.len))
		return unknown;
	return r.kind ? of_kind(r.kind, first_bytes) : r;
}

struct fg_recognized fg_recognize_stackless(struct fg_str first_bytes)
{
	struct fg_recognized r = fg_recognize_unreadable(first_bytes, false);
	struct fg_str rest = first_bytes;

	if (!is_known(&r))
		r.foreign = fg_foreign_markup(first_bytes);
	if (is_known(&r))
		return r;
	if (fg_kind_perf.probe(first_bytes) == FG_PROBE_YES)
		return of_kind(&fg_kind_perf, first_bytes);
	while (rest.len)
		if (fg_folded_is_report_row(fg_str_cut(&rest, '\n')))
			return of_foreign(FG_FOREIGN_PERF_REPORT);
	if (fg_str_has_char(first_bytes, '\0'))
		r.foreign = "this is binary data, not folded stacks";
	return r;
}

/* ---- messages */

void fg_kind_add_program(const struct fg_kind *kind, struct fg_buf *b)
{
	size_t start = b->len;

	fg_buf_addf(b, "collapse-%s", kind->name);
	for (size_t i = start; i < b->len; i++)
		if (b->ptr[i] == '_')
			b->ptr[i] = '-';
}

bool fg_recognized_explain(const struct fg_recognized *r, enum fg_advice advice,
			   struct fg_buf *message)
{
	if (!r->kind) {
		if (r->foreign)
			fg_buf_addf(message, "%s", r->foreign);
		return r->foreign;
	}
	if (r->other)
		fg_buf_addf(message, "this may be %s or %s: use ", r->input,
			    r->other->input);
	else
		fg_buf_addf(message, "this is %s: %s ", r->input,
			    advice == FG_ADVISE_PIPE ? "pipe it through" : "use");
	fg_kind_add_program(r->kind, message);
	if (r->other) {
		fg_buf_addf(message, " or ");
		fg_kind_add_program(r->other, message);
	} else if (advice == FG_ADVISE_PIPE) {
		fg_buf_addf(message, " first");
	}
	return true;
}

/* ---- checks of readers; struct fg_reader_checks explains them */

static bool expects_own(const void *data, struct fg_str first_bytes)
{
	const struct fg_kind *own = data;
	struct fg_recognized r = fg_recognize_unreadable(first_bytes, own->is_json);

	return !is_known(&r) && own->probe(first_bytes) == FG_PROBE_YES;
}

static bool refuses_unreadable(const void *data, struct fg_str first_bytes,
			       struct fg_buf *why)
{
	const struct fg_kind *own = data;
	struct fg_recognized r;

	if (own && own->is_binary && own->probe(first_bytes) != FG_PROBE_NO)
		return false;
	r = fg_recognize_unreadable(first_bytes, own && own->is_json);
	return fg_recognized_explain(&r, FG_ADVISE_USE, why);
}

void fg_recognize_check(struct fg_reader *reader, const struct fg_kind *own)
{
	const struct fg_reader_checks checks = { own, own ? expects_own : NULL,
						 refuses_unreadable,
						 own && own->is_binary };

	fg_reader_check(reader, &checks);
}

static bool refuses_unfolded(const void *data, struct fg_str first_bytes,
			     struct fg_buf *why)
{
	struct fg_recognized r = fg_recognize_unfolded(first_bytes);

	(void)data;
	return fg_recognized_explain(&r, FG_ADVISE_PIPE, why);
}

void fg_recognize_check_folded(struct fg_reader *reader)
{
	const struct fg_reader_checks checks = { .refuses = refuses_unfolded };

	fg_reader_check(reader, &checks);
}

bool fg_recognize_guess(struct fg_str first_bytes, struct fg_buf *message)
{
	struct fg_recognized r = fg_recognize_stackless(first_bytes);

	return fg_recognized_explain(&r, FG_ADVISE_PIPE, message);
}
