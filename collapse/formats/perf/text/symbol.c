/* Tells what kind of function a symbol names. */
#include "collapse/formats/perf/text/symbol.h"

/* ---- functions that have no caller */

static const struct fg_str clones[] = {
	FG_STR_INIT("clone"),
	FG_STR_INIT("clone3"),
	FG_STR_INIT("__clone"),
	FG_STR_INIT("__clone3"),
};

static const struct fg_str entry_points[] = {
	FG_STR_INIT("_start"),
	FG_STR_INIT("__libc_start_main"),
	FG_STR_INIT("__libc_start_main_impl"),
	FG_STR_INIT("__libc_start_call_main"),
	FG_STR_INIT("start_thread"),
	FG_STR_INIT("ret_from_fork"),
	FG_STR_INIT("ret_from_fork_asm"),
	FG_STR_INIT("secondary_startup_64"),
	FG_STR_INIT("secondary_startup_64_no_verify"),
	FG_STR_INIT("runtime.goexit"),
	FG_STR_INIT("runtime.goexit.abi0"),
	FG_STR_INIT("_dl_start_user"),
	FG_STR_INIT("entry_SYSCALL_64"),
	FG_STR_INIT("entry_SYSCALL_64_after_hwframe"),
};

static bool is_any(struct fg_str symbol, const struct fg_str *list, size_t count)
{
	symbol = fg_str_before(symbol, fg_str_find(symbol, FG_STR("@GLIBC")));
	fg_str_cut_end(&symbol, FG_STR("@"));
	for (size_t i = 0; i < count; i++)
		if (fg_str_eq(symbol, list[i]))
			return true;
	return false;
}

bool perf_symbol_is_clone(struct fg_str symbol)
{
	return is_any(symbol, clones, FG_COUNT_OF(clones));
}

bool perf_symbol_is_entry_point(struct fg_str symbol)
{
	return is_any(symbol, entry_points, FG_COUNT_OF(entry_points));
}

/* ---- names by JIT compilers */

bool perf_symbol_keeps_parentheses(struct fg_str symbol)
{
	static const struct fg_str kinds[] = {
		FG_STR_INIT("JS:"),
		FG_STR_INIT("LazyCompile:"),
		FG_STR_INIT("Function:"),
		FG_STR_INIT("Script:"),
		FG_STR_INIT("RegExp:"),
		FG_STR_INIT("Eval:"),
		FG_STR_INIT("Builtin:"),
		FG_STR_INIT("Stub:"),
		FG_STR_INIT("BytecodeHandler:"),
		FG_STR_INIT("Callback:"),
		FG_STR_INIT("Handler:"),
		FG_STR_INIT("LoadIC:"),
		FG_STR_INIT("wasm-function:"),
		FG_STR_INIT("StoreIC:"),
		FG_STR_INIT("KeyedLoadIC:"),
		FG_STR_INIT("CallIC:"),
		FG_STR_INIT("KeyedStoreIC:"),
		FG_STR_INIT("KeyedCallIC:"),
		FG_STR_INIT("py::"),
	};

	return fg_str_starts_any(symbol, kinds, FG_COUNT_OF(kinds));
}

static bool is_quote_or_space(char c)
{
	return c == '"' || c == '\'' || fg_is_space(c);
}

/* Cuts "[+29c3f0]" off the end, which simpleperf prints if it knows no symbol. */
static bool cut_place(struct fg_str *symbol)
{
	struct fg_str rest = fg_str_trim(*symbol);
	size_t digits;

	if (!fg_str_cut_end(&rest, FG_STR("]")))
		return false;
	digits = fg_str_end_span(rest, fg_is_lower_hex);
	rest.len -= digits;
	if (!digits || !fg_str_cut_end(&rest, FG_STR("[+")))
		return false;
	*symbol = rest;
	return true;
}

/*
 * simpleperf prints "libGL.so[+29c3f0]", with the name of the DSO, if it knows no
 * symbol, or "*libGL.so[+29c3f0]" if it was told to mark such frames.
 */
bool perf_symbol_is_none(struct fg_str symbol, struct fg_str dso)
{
	struct fg_str trimmed = fg_str_trim(symbol);

	if (!trimmed.len || fg_str_eq(trimmed, FG_STR("[unknown]")))
		return true;
	if (!cut_place(&symbol))
		return false;
	if (fg_str_starts(symbol, FG_STR("*")))
		symbol = fg_str_from_pos(symbol, 1);
	return fg_str_eq(symbol, fg_str_basename(dso)) ||
	       fg_str_starts(dso, FG_STR("[JIT "));
}

bool perf_symbol_depends_on_dso(struct fg_str symbol)
{
	size_t noise = fg_str_span(symbol, is_quote_or_space);
	struct fg_str file = symbol;

	return cut_place(&file) || fg_str_has(symbol, FG_STR("[unknown]")) ||
	       noise == symbol.len || (noise && symbol.ptr[noise] == '(') ||
	       fg_str_has(symbol, FG_STR("->")) ||
	       perf_symbol_keeps_parentheses(symbol);
}
