/* Chooses the format for collapse-guess, or reports why none fits. */
#include "collapse/guess/guess.h"
#include "lib/base/cli.h"
#include "lib/base/utf8.h"

static void list_formats(struct fg_buf *to)
{
	for (size_t i = 0; fg_kinds[i]; i++)
		fg_buf_addf(to, "%s%s", i ? ", " : "", fg_kinds[i]->name);
}

/* Reports an unknown input, and shows its first line. */
static void report_unknown(struct fg_str first_bytes, const struct fg_place *at,
			   struct fg_diag *diag)
{
	struct fg_str rest = fg_str_trim_left(first_bytes);
	struct fg_str line = fg_str_trim(fg_str_cut(&rest, '\n'));
	struct fg_buf shown = FG_BUF_INIT, formats = FG_BUF_INIT;

	if (!first_bytes.len) {
		fg_error(diag, at, "the input is empty");
		return;
	}
	list_formats(&formats);
	fg_buf_add_visible(&shown, line, FG_QUOTED_MAX);
	fg_error(diag, at,
		 "the input has none of the known formats (%s); it starts with '%s'",
		 fg_buf_cstr(&formats), fg_buf_cstr(&shown));
	fg_buf_release(&shown);
	fg_buf_release(&formats);
}

static const struct fg_format *format_of(const struct fg_kind *kind)
{
	size_t i = 0;

	while (fg_formats[i]->kind != kind)
		i++;
	return fg_formats[i];
}

int fg_guess_choose(const struct fg_format **format, struct fg_reader *reader,
		    const char *input, struct fg_diag *diag)
{
	const struct fg_place at = { input, 0 };
	struct fg_buf why = FG_BUF_INIT;
	struct fg_recognized r;
	struct fg_str first_bytes;

	if (fg_reader_peek(reader, FG_RECOGNIZE_BYTES, &first_bytes))
		return FG_EXIT_FAILED;
	first_bytes = fg_utf8_skip_mark(first_bytes);
	r = fg_recognize(first_bytes);
	if (r.kind && !r.other) {
		*format = format_of(r.kind);
		fg_note(diag, &at, "this is %s", r.input);
		return FG_EXIT_OK;
	}
	if (fg_recognized_explain(&r, FG_ADVISE_USE, &why))
		fg_error(diag, &at, "%s", fg_buf_cstr(&why));
	else
		report_unknown(first_bytes, &at, diag);
	fg_buf_release(&why);
	return r.other ? FG_EXIT_USAGE : FG_EXIT_FAILED;
}
