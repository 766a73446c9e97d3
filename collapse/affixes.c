/* What tools append to the name of a function: offsets, versions of symbols. */
#include "collapse/names.h"

/* `s` without `start` and the hexadecimal digits behind it, if it ends in both. */
static struct fg_str cut_number(struct fg_str s, struct fg_str start)
{
	struct fg_str rest = s;

	rest.len -= fg_str_end_span(s, fg_is_hex);
	return rest.len < s.len && fg_str_cut_end(&rest, start) ? rest : s;
}

struct fg_str fg_name_cut_offset(struct fg_str symbol)
{
	struct fg_str offset_last = cut_number(symbol, FG_STR("/0x"));
	struct fg_str name = cut_number(offset_last, FG_STR("+0x"));

	return name.len < offset_last.len ? name : symbol;
}

static bool is_of_version(char c)
{
	return fg_is_digit(c) || c == '.';
}

/* "GLIBC_2.34", "OPENSSL_3.0.0", "Qt_5" */
static bool is_version(struct fg_str s)
{
	struct fg_str word = s;

	word.len -= fg_str_end_span(s, is_of_version);
	return word.len < s.len && word.len > 1 && fg_str_ends(word, FG_STR("_")) &&
	       word.ptr[0] >= 'A' && word.ptr[0] <= 'Z' && fg_str_all(word, fg_is_word);
}

struct fg_str fg_name_cut_version(struct fg_str symbol)
{
	size_t at = fg_str_rfind_char(symbol, '@');
	struct fg_str name = fg_str_before(symbol, at);

	fg_str_cut_end(&name, FG_STR("@"));
	return name.len && is_version(fg_str_from_pos(symbol, at + 1)) ? name : symbol;
}
