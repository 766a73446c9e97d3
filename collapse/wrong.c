/* Input that is not what a program reads: the probes of all formats are asked. */
#include "collapse/wrong.h"

#include "collapse/format.h"
#include "lib/base/sniff.h"
#include "lib/base/utf8.h"
#include "lib/profile/folded.h"

/* The lines before the first stack of several frames. */
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

const char *fg_wrong_for_all(struct fg_str first_bytes)
{
	struct fg_str rest = head_of(first_bytes);
	const char *message = NULL;

	while (rest.len && !message)
		message = fg_sniff_line(fg_str_cut(&rest, '\n'));
	return message;
}

bool fg_wrong_input(const struct fg_kind *kind, struct fg_str first_bytes,
		    struct fg_buf *message)
{
	enum fg_probe own = kind->probe(first_bytes);
	const char *unread;

	if (own == FG_PROBE_YES)
		return false;
	for (size_t i = 0; fg_kinds[i]; i++) {
		const struct fg_kind *other = fg_kinds[i];

		if (other == kind || other->probe(first_bytes) != FG_PROBE_YES)
			continue;
		fg_buf_addf(message, "this is %s: use collapse-%s", other->input,
			    other->name);
		return true;
	}
	unread = own == FG_PROBE_NO ? fg_wrong_for_all(first_bytes) : NULL;
	if (unread)
		fg_buf_addf(message, "%s", unread);
	return unread;
}

/* ---- what readers of folded stacks are given */

/*
 * Keeps the lines that are folded stacks, and empties the others, so that each has its
 * place. Returns false if there are no others; messages of our programs do not count.
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

/* The only kind of which its probe says that, or the first where it is sure. */
static const struct fg_kind *find_kind(struct fg_str lines, struct fg_str stacks,
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

bool fg_wrong_folded(struct fg_str first_bytes, struct fg_buf *message)
{
	struct fg_str head = head_of(first_bytes);
	struct fg_buf stacks = FG_BUF_INIT;
	const struct fg_kind *kind = NULL;
	const char *unread = NULL;

	if (keep_stacks(head, &stacks)) {
		kind = find_kind(head, fg_buf_str(&stacks), FG_PROBE_YES);
		unread = kind ? NULL : fg_wrong_for_all(head);
		if (!kind && !unread)
			kind = find_kind(head, fg_buf_str(&stacks), FG_PROBE_MAYBE);
	}
	fg_buf_release(&stacks);
	if (kind == &fg_kind_perf) /* known when no stack was found */
		return false;
	if (kind && kind->is_folded && head.len < first_bytes.len)
		return false; /* a stack comes next, or much else */
	if (kind)
		fg_buf_addf(message, "this is %s: pipe it through collapse-%s first",
			    kind->input, kind->name);
	else if (unread)
		fg_buf_addf(message, "%s", unread);
	return kind || unread;
}
