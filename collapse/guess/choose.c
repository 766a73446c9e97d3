/* The one format that an input is of, or why there is none. */
#include "collapse/guess/guess.h"
#include "collapse/wrong.h"
#include "lib/base/cli.h"
#include "lib/base/sniff.h"
#include "lib/base/utf8.h"

static void list_formats(struct fg_buf *to)
{
	for (size_t i = 0; fg_kinds[i]; i++)
		fg_buf_addf(to, "%s%s", i ? ", " : "", fg_kinds[i]->name);
}

/* No format fits: what the input starts with, or is. Returns -1. */
static int report_unknown(struct fg_str first_bytes, const struct fg_place *at,
			  struct fg_diag *diag)
{
	const char *known = fg_sniff(first_bytes);
	struct fg_buf shown = FG_BUF_INIT;
	struct fg_str rest = fg_str_trim_left(first_bytes);
	struct fg_str line = fg_str_trim(fg_str_cut(&rest, '\n'));
	struct fg_buf formats = FG_BUF_INIT;

	if (!known)
		known = fg_wrong_for_all(first_bytes);
	if (known)
		return fg_error(diag, at, "%s", known);
	if (!first_bytes.len)
		return fg_error(diag, at, "the input is empty");
	list_formats(&formats);
	fg_buf_add_visible(&shown, line, FG_QUOTED_MAX);
	fg_error(diag, at, "the input is none of %s; it starts with '%s'",
		 fg_buf_cstr(&formats), fg_buf_cstr(&shown));
	fg_buf_release(&shown);
	fg_buf_release(&formats);
	return -1;
}

int fg_guess_choose(const struct fg_format **format, struct fg_reader *reader,
		    const char *input, struct fg_diag *diag)
{
	const struct fg_place at = { input, 0 };
	struct fg_str first_bytes;
	struct fg_guess guess;

	if (fg_reader_peek(reader, FG_GUESS_BYTES, &first_bytes))
		return FG_EXIT_FAILED;
	first_bytes = fg_utf8_skip_mark(first_bytes);
	guess = fg_guess(first_bytes);
	*format = guess.format;
	if (guess.other) {
		fg_error(diag, &at,
			 "this may be %s or %s: use collapse-%s or collapse-%s",
			 guess.format->kind->input, guess.other->kind->input,
			 guess.format->kind->name, guess.other->kind->name);
		return FG_EXIT_USAGE;
	}
	if (!guess.format) {
		report_unknown(first_bytes, &at, diag);
		return FG_EXIT_FAILED;
	}
	fg_note(diag, &at, "this is %s", guess.format->kind->input);
	return FG_EXIT_OK;
}
