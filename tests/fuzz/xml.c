/* Fuzzes writing any bytes as text, attribute and comment of an XML document. */
#include "lib/svg/xml.h"

#include "lib/base/utf8.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/support/xml.h"

/* Returns true if XML can hold all of `s` unchanged. */
static bool is_plain(struct fg_str s)
{
	while (s.len) {
		struct fg_utf8_char c = fg_utf8_first(s);

		if (!c.valid || c.code == 0xfffe || c.code == 0xffff ||
		    (c.code < ' ' && c.code != '\t' && c.code != '\n'))
			return false;
		s = fg_str_from_pos(s, c.len);
	}
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct xml_seen seen;
	struct fg_out out;

	fg_out_init_memory(&out);
	fg_out_add_str(&out, FG_STR("<x"));
	fg_xml_attr(&out, "a", input);
	fg_out_add_str(&out, FG_STR("><!--"));
	fg_xml_comment(&out, input);
	fg_out_add_str(&out, FG_STR("--><t>"));
	fg_xml_text(&out, input);
	fg_out_add_str(&out, FG_STR("</t></x>"));
	fuzz_check(!xml_read(fg_buf_str(&out.buf), &seen), "it is well-formed XML");
	if (is_plain(input))
		fuzz_check_equal(fg_buf_str(&seen.text), input, "text stays the same");
	xml_seen_release(&seen);
	fg_out_close(&out);
	return 0;
}
