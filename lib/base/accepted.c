/* Of what kind an input is, by its first bytes. */
#include "lib/base/accepted.h"

#include "lib/base/sniff.h"

const struct fg_reader_format *fg_accepted_format(const struct fg_accepted *a,
						  struct fg_str first_bytes)
{
	for (size_t i = 0; first_bytes.len && i < a->format_count; i++)
		if (a->formats[i]->starts(first_bytes))
			return a->formats[i];
	return NULL;
}

struct fg_str fg_accepted_known(const struct fg_accepted *a, struct fg_str first_bytes,
				size_t *searched)
{
	const struct fg_str none = fg_str_of(NULL, 0);
	struct fg_str start;
	size_t end;

	if (*searched == SIZE_MAX)
		return none;
	end = *searched +
	      fg_str_find(fg_str_from_pos(first_bytes, *searched), FG_STR("\n\n"));
	if (end == first_bytes.len) {
		*searched = end ? end - 1 : 0;
		return none;
	}
	*searched = SIZE_MAX;
	start = fg_str_before(first_bytes, end + 1);
	if (a->knows && !fg_sniff_refused(start, a->json) &&
	    a->knows(a->knows_data, start))
		return start;
	return none;
}

struct fg_str fg_accepted_start(const struct fg_accepted *a, struct fg_str bytes,
				bool all)
{
	return a->may_be || all ? bytes :
				  fg_str_before(bytes, fg_str_rfind_char(bytes, '\n'));
}

int fg_accepted_check(const struct fg_accepted *a, struct fg_str start,
		      const char *input, struct fg_diag *diag)
{
	const struct fg_place at = { input, 0 };
	struct fg_buf why = FG_BUF_INIT;
	const char *message;
	int status = 0;

	if (a->may_be && a->may_be(a->may_be_data, start))
		return 0;
	message = fg_sniff_refused(start, a->json);
	if (message)
		return fg_error(diag, &at, "%s", message);
	if (a->judge && a->judge(start, &why))
		status = fg_error(diag, &at, "%s", fg_buf_cstr(&why));
	fg_buf_release(&why);
	return status;
}
