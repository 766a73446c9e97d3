/* Finds the kind of code, library, class or namespace of a function in its name. */
#include "lib/profile/module.h"

#include "lib/profile/library.h"
#include "lib/profile/folded.h"
#include "lib/profile/line.h"

static const struct fg_str none = FG_STR_INIT("");

enum { KERNEL, JIT, INTERPRETER, WAITING, INLINED };

static const struct fg_str kinds[FG_MODULE_KINDS] = {
	[KERNEL] = FG_STR_INIT("kernel"),	    [JIT] = FG_STR_INIT("JIT"),
	[INTERPRETER] = FG_STR_INIT("interpreter"), [WAITING] = FG_STR_INIT("waiting"),
	[INLINED] = FG_STR_INIT("inlined"),
};

size_t fg_module_kind(struct fg_str module)
{
	size_t kind = 0;

	while (kind < FG_MODULE_KINDS && !fg_str_eq(module, kinds[kind]))
		kind++;
	return kind;
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* Returns true for the functions of interpreters that run the user's code. */
static bool is_interpreter(struct fg_str name)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("_PyEval_"),    FG_STR_INIT("PyEval_"),
		FG_STR_INIT("vm_exec"),	    FG_STR_INIT("luaV_execute"),
		FG_STR_INIT("execute_ex"),  FG_STR_INIT("Perl_runops_"),
		FG_STR_INIT("Interpreter"), FG_STR_INIT("Builtins_Interpreter"),
	};

	return fg_str_starts_any(name, starts, FG_COUNT_OF(starts));
}

/* Returns true for functions of the C library, which has no namespace. */
static bool is_libc(struct fg_str name)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("__libc_"),	     FG_STR_INIT("__GI_"),
		FG_STR_INIT("_int_"),	     FG_STR_INIT("_IO_"),
		FG_STR_INIT("_dl_"),	     FG_STR_INIT("__mem"),
		FG_STR_INIT("__str"),	     FG_STR_INIT("__pthread"),
		FG_STR_INIT("pthread_"),     FG_STR_INIT("malloc"),
		FG_STR_INIT("memcpy"),	     FG_STR_INIT("memmove"),
		FG_STR_INIT("memset"),	     FG_STR_INIT("cfree"),
		FG_STR_INIT("calloc"),	     FG_STR_INIT("realloc"),
		FG_STR_INIT("unlink_chunk"), FG_STR_INIT("tcache_"),
		FG_STR_INIT("__tls_"),
	};

	return fg_str_starts_any(name, starts, FG_COUNT_OF(starts)) ||
	       fg_str_eq(name, FG_STR("_start")) || fg_str_eq(name, FG_STR("free"));
}

/* Returns the class of "-[NSArray count]" and "+[NSString(Path) join:]". */
static struct fg_str of_message(struct fg_str name)
{
	if (!fg_str_starts(name, FG_STR("-[")) && !fg_str_starts(name, FG_STR("+[")))
		return none;
	name = fg_str_from_pos(name, 2);
	return fg_str_before(name, fg_str_span(name, fg_is_word));
}

/* Returns the length of the "<...>" at the start of `s`, including both brackets. */
static size_t bracket_len(struct fg_str s)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.len; i++) {
		depth += s.ptr[i] == '<';
		if (s.ptr[i] == '>' && --depth == 0)
			return i + 1;
	}
	return s.len;
}

/*
 * Returns the path in a function's name. Drops its arguments, and a return type, "<" or
 * "&" before it.
 */
static struct fg_str path_of(struct fg_str name)
{
	static const struct fg_str nameless = FG_STR_INIT("(anonymous namespace)::");
	size_t start = 0, i = 0, depth = 0;

	fg_str_cut_start(&name, nameless);
	for (; i < name.len; i++) {
		char c = name.ptr[i];

		if (c == '(' && !depth)
			break;
		depth += c == '<';
		depth -= c == '>' && depth;
		if (c == ' ' && !depth)
			start = i + 1;
	}
	name = fg_str_of(name.ptr + start, i - start);
	while (name.len && fg_str_has_char(FG_STR("<&*~"), name.ptr[0]))
		name = fg_str_from_pos(name, 1);
	return name;
}

/*
 * Returns true if `first`, the first part of a path, is a class or a namespace. `rest`
 * is the text after it.
 */
static bool is_followed(struct fg_str first, struct fg_str rest)
{
	if (fg_str_starts(rest, FG_STR("::")))
		return true;
	if (rest.len < 2 || !(fg_is_alpha(rest.ptr[1]) || rest.ptr[1] == '_'))
		return false;
	if (rest.ptr[0] == '\\') /* not "\x00", a byte that was made visible */
		return is_upper(rest.ptr[1]);
	if (rest.ptr[0] == '#')
		return true;
	return rest.ptr[0] == '.' && is_upper(first.ptr[0]) &&
	       !fg_library_is_clone(fg_str_from_pos(rest, 1));
}

/*
 * Returns the first part of "Index::quick_sort", "List<int>::add", "Array#each" and
 * "App\Kernel::boot".
 */
static struct fg_str of_path(struct fg_str name)
{
	struct fg_str path = path_of(name);
	struct fg_str first = fg_str_before(path, fg_str_span(path, fg_is_word));
	struct fg_str rest = fg_str_from_pos(path, first.len);

	if (!first.len || fg_is_digit(first.ptr[0]))
		return none;
	if (fg_str_starts(rest, FG_STR("<")))
		rest = fg_str_from_pos(rest, bracket_len(rest));
	return is_followed(first, rest) ? first : none;
}

/*
 * Returns "app" of "app.views.index". Returns an empty string if the name has fewer
 * than two dots.
 */
static struct fg_str of_dots(struct fg_str name)
{
	struct fg_str first = fg_str_before(name, fg_str_find_char(name, '.'));
	struct fg_str rest = fg_str_from_pos(name, first.len + 1);

	if (!first.len || !fg_str_has_char(rest, '.') || fg_library_is_clone(rest) ||
	    !fg_is_alpha(first.ptr[0]) || !fg_str_all(first, fg_is_word) ||
	    !fg_is_alpha(rest.ptr[0]))
		return none;
	return first;
}

static struct fg_str of_name(struct fg_str name)
{
	static struct fg_str (*const rules[])(struct fg_str) = { of_message, of_path,
								 of_dots };
	struct fg_str found = none;

	for (size_t i = 0; i < FG_COUNT_OF(rules) && !found.len; i++)
		found = rules[i](name);
	return found;
}

struct fg_str fg_module_of(struct fg_str name)
{
	struct fg_str plain = fg_line_plain_name(name);
	struct fg_str annotation =
		fg_str_from_pos(name, fg_folded_without_annotation(name).len);
	struct fg_str library = fg_library_of_function(plain, annotation), own;

	if (fg_str_eq(annotation, FG_STR("_[w]")) ||
	    fg_str_eq(annotation, FG_STR("_[o]")))
		return kinds[WAITING];
	if (library.len && !fg_str_eq(library, kinds[JIT]))
		return library;
	if (is_interpreter(plain))
		return kinds[INTERPRETER];
	own = of_name(plain);
	if (own.len || library.len)
		return own.len ? own : library;
	if (is_libc(plain))
		return FG_STR("libc");
	return fg_str_eq(annotation, FG_STR("_[i]")) ? kinds[INLINED] : none;
}
