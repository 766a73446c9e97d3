/*
 * Recognises SystemTap: frames with " : " after the address, and below them a count.
 *
 *      0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]
 *      0xffffffff8101c01c : default_idle+0x1c/0xb0 [kernel]
 *     	42
 */
#include "lib/base/utf8.h"
#include "lib/recognize/lines.h"
#include "lib/recognize/recognize.h"

size_t stap_address_length(struct fg_str text)
{
	size_t blank = fg_str_find_char(text, ' ');
	uint64_t address;

	if (fg_str_0x(fg_str_before(text, blank), &address) ||
	    !fg_str_starts(fg_str_from_pos(text, blank), FG_STR(" : ")))
		return 0;
	return blank + 3;
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	bool any_frame = false, any_weight = false;

	while (fg_str_has_char(rest, '\n')) {
		struct fg_str text = fg_str_trim(fg_str_cut(&rest, '\n'));

		any_frame |= stap_address_length(text) > 0;
		any_weight |= any_frame && fg_str_all(text, fg_is_digit);
	}
	return !any_frame ? FG_PROBE_NO : any_weight ? FG_PROBE_YES : FG_PROBE_MAYBE;
}

const struct fg_kind fg_kind_stap = {
	.name = "stap",
	.input = "the output of SystemTap",
	.probe = probe,
};
