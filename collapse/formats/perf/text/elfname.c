/* Gives functions of ELF files one name, whichever version of perf printed them. */
#include "collapse/formats/perf/text/elfname.h"

#include "collapse/names.h"
#include "collapse/symbols/demangle.h"

/* ---- C functions that were printed as types */

struct code {
	struct fg_str printed, name;
};

/* The builtin types of Itanium C++ ABI 5.1.5, and its standard abbreviations. */
static const struct code types[] = {
	{ FG_STR_INIT("void"), FG_STR_INIT("v") },
	{ FG_STR_INIT("wchar_t"), FG_STR_INIT("w") },
	{ FG_STR_INIT("bool"), FG_STR_INIT("b") },
	{ FG_STR_INIT("char"), FG_STR_INIT("c") },
	{ FG_STR_INIT("signed char"), FG_STR_INIT("a") },
	{ FG_STR_INIT("unsigned char"), FG_STR_INIT("h") },
	{ FG_STR_INIT("short"), FG_STR_INIT("s") },
	{ FG_STR_INIT("unsigned short"), FG_STR_INIT("t") },
	{ FG_STR_INIT("int"), FG_STR_INIT("i") },
	{ FG_STR_INIT("unsigned int"), FG_STR_INIT("j") },
	{ FG_STR_INIT("long"), FG_STR_INIT("l") },
	{ FG_STR_INIT("unsigned long"), FG_STR_INIT("m") },
	{ FG_STR_INIT("long long"), FG_STR_INIT("x") },
	{ FG_STR_INIT("unsigned long long"), FG_STR_INIT("y") },
	{ FG_STR_INIT("__int128"), FG_STR_INIT("n") },
	{ FG_STR_INIT("unsigned __int128"), FG_STR_INIT("o") },
	{ FG_STR_INIT("float"), FG_STR_INIT("f") },
	{ FG_STR_INIT("double"), FG_STR_INIT("d") },
	{ FG_STR_INIT("long double"), FG_STR_INIT("e") },
	{ FG_STR_INIT("__float128"), FG_STR_INIT("g") },
	{ FG_STR_INIT("..."), FG_STR_INIT("z") },
	{ FG_STR_INIT("auto"), FG_STR_INIT("Da") },
	{ FG_STR_INIT("decltype(auto)"), FG_STR_INIT("Dc") },
	{ FG_STR_INIT("decimal32"), FG_STR_INIT("Df") },
	{ FG_STR_INIT("decimal64"), FG_STR_INIT("Dd") },
	{ FG_STR_INIT("decimal128"), FG_STR_INIT("De") },
	{ FG_STR_INIT("half"), FG_STR_INIT("Dh") },
	{ FG_STR_INIT("char8_t"), FG_STR_INIT("Du") },
	{ FG_STR_INIT("char16_t"), FG_STR_INIT("Ds") },
	{ FG_STR_INIT("char32_t"), FG_STR_INIT("Di") },
	{ FG_STR_INIT("decltype(nullptr)"), FG_STR_INIT("Dn") },
	{ FG_STR_INIT("std::allocator"), FG_STR_INIT("Sa") },
	{ FG_STR_INIT("std::basic_string"), FG_STR_INIT("Sb") },
	{ FG_STR_INIT("std::string"), FG_STR_INIT("Ss") },
	{ FG_STR_INIT("std::istream"), FG_STR_INIT("Si") },
	{ FG_STR_INIT("std::ostream"), FG_STR_INIT("So") },
	{ FG_STR_INIT("std::iostream"), FG_STR_INIT("Sd") },
};

static const struct code operator_names[] = {
	{ FG_STR_INIT("operator?"), FG_STR_INIT("qu") },
	{ FG_STR_INIT("operator->"), FG_STR_INIT("pt") },
	{ FG_STR_INIT("operator+"), FG_STR_INIT("ps") }, /* or "pl" */
	{ FG_STR_INIT("operator++"), FG_STR_INIT("pp") },
	{ FG_STR_INIT("operator+="), FG_STR_INIT("pL") },
	{ FG_STR_INIT("operator->*"), FG_STR_INIT("pm") },
};

static const struct code qualifiers[] = {
	{ FG_STR_INIT("*"), FG_STR_INIT("P") },
	{ FG_STR_INIT("&&"), FG_STR_INIT("O") },
	{ FG_STR_INIT("&"), FG_STR_INIT("R") },
	{ FG_STR_INIT(" const"), FG_STR_INIT("K") },
	{ FG_STR_INIT(" volatile"), FG_STR_INIT("V") },
	{ FG_STR_INIT(" restrict"), FG_STR_INIT("r") },
	{ FG_STR_INIT(" _Complex"), FG_STR_INIT("C") },
	{ FG_STR_INIT(" _Imaginary"), FG_STR_INIT("G") },
};

/* Appends the mangled name of `printed`. Returns false if `codes` does not have it. */
static bool add_code(struct fg_buf *out, struct fg_str printed,
		     const struct code *codes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fg_str_eq(printed, codes[i].printed)) {
			fg_buf_add_str(out, codes[i].name);
			return true;
		}
	return false;
}

/* Cuts a qualifier off the end of a type, and appends its letter. */
static bool cut_qualifier(struct fg_str *type, struct fg_buf *out)
{
	for (size_t i = 0; i < FG_COUNT_OF(qualifiers); i++)
		if (fg_str_cut_end(type, qualifiers[i].printed)) {
			fg_buf_add_str(out, qualifiers[i].name);
			return true;
		}
	return false;
}

/*
 * Appends "f" if `symbol` is "float", "Pi" if it is "int*", "PK11_FreeSymKey" if it is
 * "_FreeSymKey const*". Returns false if it is not a type.
 */
static bool add_c_name(struct fg_buf *out, struct fg_str symbol, bool operators)
{
	struct fg_str type = symbol;
	size_t start = out->len;

	if (operators &&
	    add_code(out, symbol, operator_names, FG_COUNT_OF(operator_names)))
		return true;
	while (cut_qualifier(&type, out))
		continue;
	if (add_code(out, type, types, FG_COUNT_OF(types)))
		return true;
	if (type.len && type.len < symbol.len && fg_str_all(type, fg_is_word) &&
	    !fg_is_digit(type.ptr[0]) && !fg_str_starts(type, FG_STR("operator"))) {
		/* in a mangled name, a length is before each identifier */
		fg_buf_addf(out, "%zu", type.len);
		fg_buf_add_str(out, type);
		return true;
	}
	out->len = start;
	return false;
}

/* ---- C++, Rust and others */

/* Appends "ns::f<int>" for "_ZN2ns1fIiEEvv". Returns false if that is not mangled. */
static bool add_demangled(struct fg_buf *out, struct fg_str symbol)
{
	struct fg_buf mangled = FG_BUF_INIT;
	bool done;

	if (!fg_may_be_mangled(symbol))
		return false;
	fg_buf_add_str(&mangled, symbol);
	done = fg_demangle(fg_buf_cstr(&mangled), out) == FG_DEMANGLED;
	fg_buf_release(&mangled);
	return done;
}

struct fg_str perf_elf_name(struct fg_str symbol, bool operators, struct fg_buf *made)
{
	static const struct fg_str plt = FG_STR_INIT("@plt");
	size_t start = made->len;
	struct fg_str callee = symbol;
	bool is_plt = fg_str_cut_end(&callee, plt);

	if (add_demangled(made, callee) || add_c_name(made, callee, operators)) {
		struct fg_str name = fg_str_from_pos(fg_buf_str(made), start);

		/* cut the parameters that thunks have */
		made->len = start + fg_name_length(name);
	} else if (is_plt) {
		fg_buf_add_str(made, fg_name_of_declaration(callee));
	} else {
		return fg_name_of_declaration(symbol);
	}
	if (is_plt)
		fg_buf_add_str(made, plt);
	return fg_str_from_pos(fg_buf_str(made), start);
}

bool perf_elf_name_differs(struct fg_str symbol)
{
	struct fg_buf made = FG_BUF_INIT;
	struct fg_str name = perf_elf_name(symbol, true, &made);
	bool differs = !fg_str_eq(name, fg_str_before(symbol, fg_name_length(symbol)));

	fg_buf_release(&made);
	return differs;
}
