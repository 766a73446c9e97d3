/*
 * Tests of collapse/formats/perf/text/elfname.c: functions of ELF files get one name
 * from declarations, mangled names, and C functions that were printed as types.
 */
#include "collapse/formats/perf/text/elfname.h"
#include "collapse/names.h"
#include "tests/unit/support/support.h"

struct name {
	const char *printed, *want;
};

static void check_declarations(const struct name *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_str(fg_name_of_declaration(fg_str_from(names[i].printed)),
			  fg_str_from(names[i].want), names[i].printed, (int)i);
}

static void test_return_types_are_left_out(void **data)
{
	static const struct name names[] = {
		{ "void f<int>(int)", "f<int>" },
		{ "std::vector<int> (anonymous namespace)::f<int>(char const*)",
		  "(anonymous namespace)::f<int>" },
		{ "auto f<int>(int)", "f<int>" },
		{ "decltype(auto) f<int>()", "f<int>" },
		{ "decltype ({parm#1}+(1)) f<int>(int)", "f<int>" },
		{ "decltype (*{parm#1}) f<int*>(int*)", "f<int*>" },
		{ "double (*f<int>(int))(int)", "f<int>" },
		{ "double (*(*f<int>(int))(char))(int)", "f<int>" },
		{ "int (&f<int>(int)) [5]", "f<int>" },
		{ "int (A<int, B>::*f<int>(A*))(int)", "f<int>" },
		{ "char const* (* const f<int>())(int)", "f<int>" },
		{ "std::enable_if<((1)>(2)), int>::type f<int>(int)", "f<int>" },
		{ "bool A::operator< <double>(double)", "A::operator< <double>" },
		{ "A A::operator><double>(double)", "A::operator><double>" },
		{ "std::ostream& std::operator<< <std::X >(std::ostream&)",
		  "std::operator<< <std::X >" },
		{ "auto main::{lambda(auto:1)#1}::operator()<int>(int) const",
		  "main::{lambda(auto:1)#1}::operator()<int>" },
		{ "auto X::f(int) const::$_0::operator()<$_0>($_0) const",
		  "X::f(int) const::$_0::operator()<$_0>" },
		{ "int f<int>(int) requires C<int>", "f<int>" },
		{ "void f<int>(int) [clone .constprop.0] [clone .isra.0]", "f<int>" },
		{ "f(int) [clone .cold]", "f" },
		{ "f [clone .cold]", "f" },
	};

	(void)data;
	check_declarations(names, FG_COUNT_OF(names));
}

static void test_names_without_return_type_stay(void **data)
{
	static const struct name names[] = {
		{ "main", "main" },
		{ "A::f(int) const", "A::f" },
		{ "A<int>::f(int)", "A<int>::f" },
		{ "A::operator std::vector<int>() const",
		  "A::operator std::vector<int>" },
		{ "A::operator std::map<int, int><int>()",
		  "A::operator std::map<int, int><int>" },
		{ "A::operator void (*)(int)()", "A::operator void (*)" },
		{ "vtable for A<int>", "vtable for A<int>" },
		{ "virtual thunk to A::f<int>()", "virtual thunk to A::f<int>" },
		{ "<A as B<C>>::f", "<A as B<C>>::f" },
		{ "<A as B>::f::<C, D>", "<A as B>::f::<C, D>" },
		{ "core::ptr::drop_in_place::<dyn A + B>",
		  "core::ptr::drop_in_place::<dyn A + B>" },
		{ "type:.eq.struct { A int }", "type:.eq.struct { A int }" },
		{ "closure #1 <A> in f<A>", "closure #1 <A> in f<A>" },
		{ "a b", "a b" },
		{ "", "" },
		{ "(", "(" },
	};

	(void)data;
	check_declarations(names, FG_COUNT_OF(names));
}

static void check_elf_names(const struct name *names, size_t count, bool operators)
{
	for (size_t i = 0; i < count; i++) {
		struct fg_buf made = FG_BUF_INIT;
		struct fg_str printed = fg_str_from(names[i].printed);

		check_str(perf_elf_name(printed, operators, &made),
			  fg_str_from(names[i].want), names[i].printed, (int)i);
		fg_buf_release(&made);
	}
}

static void test_mangled_names_are_demangled(void **data)
{
	static const struct name names[] = {
		{ "camlList__map_12", "List.map_12" },
		{ "Ljava/lang/Object;hash(I)V", "java.lang.Object.hash" },
		{ "Ljava/lang/Object;", "Ljava/lang/Object;" },
		{ "Load;x(I)V", "Load;x" },
#ifdef FG_HAVE_LIBIBERTY
		{ "_ZN4mill5Wheel4turnEij", "mill::Wheel::turn" },
		{ "_ZN4mill5Wheel4turnEij@@MILL_1.2", "mill::Wheel::turn" },
		{ "_ZN4mill5Wheel4turnEij@plt", "mill::Wheel::turn@plt" },
		{ "_ZThn8_N4mill5Wheel4turnEij",
		  "non-virtual thunk to mill::Wheel::turn" },
		{ "_RNvNtCs1234_7mycrate3foo3bar.llvm.12", "mycrate::foo::bar" },
		{ "_ZN4mill5$udc$benE", "_ZN4mill5$udc$benE" },
#endif
	};

	(void)data;
	check_elf_names(names, FG_COUNT_OF(names), true);
}

static void test_c_functions_are_not_types(void **data)
{
	static const struct name names[] = {
		{ "float", "f" },
		{ "unsigned long long", "y" },
		{ "...", "z" },
		{ "decltype(nullptr)", "Dn" },
		{ "std::string", "Ss" },
		{ "char const*", "PKc" },
		{ "_FreeSymKey const*", "PK11_FreeSymKey" },
		{ "LGetInfo* volatile", "VP8LGetInfo" },
		{ "long&&", "Ol" },
		{ "operator->", "pt" },
		{ "operator+", "ps" },
	};
	static const struct name others[] = {
		{ "operator+", "operator+" },
		{ "operator->*", "operator->*" },
		{ "operator&&", "operator&&" },
		{ "A::operator int*", "A::operator int*" },
		{ "floats", "floats" },
		{ "*", "*" },
		{ "a b*", "a b*" },
		{ "9*", "9*" },
	};

	(void)data;
	check_elf_names(names, FG_COUNT_OF(names), true);
	check_elf_names(others, FG_COUNT_OF(others), false);
}

static void test_names_that_differ_are_known(void **data)
{
	(void)data;
	assert_true(perf_elf_name_differs(FG_STR("float")));
	assert_true(perf_elf_name_differs(FG_STR("int f<int>(int)")));
	assert_false(perf_elf_name_differs(FG_STR("A::f(int)")));
	assert_false(perf_elf_name_differs(FG_STR("main")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_return_types_are_left_out),
		cmocka_unit_test(test_names_without_return_type_stay),
		cmocka_unit_test(test_mangled_names_are_demangled),
		cmocka_unit_test(test_c_functions_are_not_types),
		cmocka_unit_test(test_names_that_differ_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
