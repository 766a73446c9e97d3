/* Takes the addresses out of names, because they differ from one run to the next. */
#include "lib/base/address.h"

/* Returns the number of hexadecimal digits at the start. */
static size_t hex_span(struct fg_str s)
{
	size_t n = 0;

	while (n < s.len && fg_hex_digit(s.ptr[n]) < 16)
		n++;
	return n;
}

void fg_add_without_hex(struct fg_buf *b, struct fg_str text)
{
	for (;;) {
		size_t digits = fg_str_find(text, FG_STR("0x")) + 2;
		size_t span = hex_span(fg_str_from_pos(text, digits));

		fg_buf_add_str(b, fg_str_before(text, digits));
		if (span)
			fg_buf_add(b, "...", 3);
		if (digits + span >= text.len)
			return;
		text = fg_str_from_pos(text, digits + span);
	}
}

void fg_add_without_address(struct fg_buf *b, struct fg_str name)
{
	struct fg_str head = name;
	size_t open;

	if (fg_str_cut_end(&head, FG_STR(">]"))) {
		open = fg_str_rfind_char(head, '<');
		if (open && open + 1 < head.len && head.ptr[open - 1] == ' ' &&
		    hex_span(fg_str_from_pos(head, open + 1)) == head.len - open - 1) {
			fg_add_without_hex(b, fg_str_before(head, open - 1));
			fg_buf_add_char(b, ']');
			return;
		}
	}
	fg_add_without_hex(b, name);
}
