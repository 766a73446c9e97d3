/* Names of Rust that were demangled as if they were of C++, and all others. */
#include "collapse/names.h"

#include "lib/base/utf8.h"

/*
 * rustc's first way to mangle (compiler/rustc_symbol_mangling/src/legacy.rs) is that of
 * C++, with a hash as the last part and "$LT$" for what C++ does not allow in names. A
 * perf that does not know Rust leaves both.
 */

#define HASH_DIGITS 16

/* Cuts ".llvm.1234" off, with which LTO tells copies apart, or " (.llvm.1234)". */
static struct fg_str cut_llvm(struct fg_str s)
{
	struct fg_str rest = s;

	fg_str_cut_end(&rest, FG_STR(")"));
	rest = fg_str_before(rest, rest.len - fg_str_end_span(rest, fg_is_hex));
	if (!fg_str_cut_end(&rest, FG_STR(".llvm.")))
		return s;
	fg_str_cut_end(&rest, FG_STR("("));
	return fg_str_trim_right(rest);
}

/* Cuts "::h0123456789abcdef" off; false where there is none behind a name. */
static bool cut_hash(struct fg_str *s)
{
	struct fg_str rest = cut_llvm(*s);

	if (rest.len <= HASH_DIGITS ||
	    fg_str_end_span(rest, fg_is_lower_hex) < HASH_DIGITS)
		return false;
	rest.len -= HASH_DIGITS;
	if (!fg_str_cut_end(&rest, FG_STR("::h")) || !rest.len)
		return false;
	*s = rest;
	return true;
}

bool fg_name_is_rust(struct fg_str symbol)
{
	return cut_hash(&symbol);
}

static const struct {
	struct fg_str code;
	char means;
} escapes[] = {
	{ FG_STR_INIT("SP"), '@' }, { FG_STR_INIT("BP"), '*' },
	{ FG_STR_INIT("RF"), '&' }, { FG_STR_INIT("LT"), '<' },
	{ FG_STR_INIT("GT"), '>' }, { FG_STR_INIT("LP"), '(' },
	{ FG_STR_INIT("RP"), ')' }, { FG_STR_INIT("C"), ',' },
};

/*
 * Appends the character of "u7b", in up to four digits; false for what can be in no
 * name.
 */
static bool add_unicode(struct fg_buf *b, struct fg_str code)
{
	uint64_t c;

	if (code.len < 2 || code.len > 5 || code.ptr[0] != 'u' ||
	    fg_str_hex(fg_str_from_pos(code, 1), &c) || c < 0x20 ||
	    (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000))
		return false;
	fg_utf8_add(b, (uint32_t)c);
	return true;
}

static bool add_escape(struct fg_buf *b, struct fg_str code)
{
	for (size_t i = 0; i < FG_COUNT_OF(escapes); i++)
		if (fg_str_eq(code, escapes[i].code)) {
			fg_buf_add_char(b, escapes[i].means);
			return true;
		}
	return add_unicode(b, code);
}

void fg_add_rust_name(struct fg_buf *b, struct fg_str symbol)
{
	cut_hash(&symbol);
	if (fg_str_starts(symbol, FG_STR("_$")))
		symbol = fg_str_from_pos(symbol, 1);
	while (symbol.len) {
		struct fg_str rest = fg_str_from_pos(symbol, 1);
		size_t end = fg_str_find_char(fg_str_before(rest, 6), '$');

		if (fg_str_starts(symbol, FG_STR(".."))) {
			fg_buf_add_str(b, FG_STR("::"));
			symbol = fg_str_from_pos(rest, 1);
		} else if (symbol.ptr[0] == '$' && end < rest.len &&
			   rest.ptr[end] == '$' &&
			   add_escape(b, fg_str_before(rest, end))) {
			symbol = fg_str_from_pos(rest, end + 1);
		} else {
			fg_buf_add_char(b, symbol.ptr[0]);
			symbol = rest;
		}
	}
}

void fg_add_name(struct fg_buf *b, struct fg_str symbol)
{
	if (fg_name_is_rust(symbol))
		fg_add_rust_name(b, symbol);
	else
		fg_buf_add_str(b, fg_str_before(symbol, fg_name_length(symbol)));
}
