/* Finds the library of a function in the name of its frame. */
#include "lib/profile/library.h"

#include "lib/profile/folded.h"
#include "lib/profile/line.h"

/* We keep this many parts of a package's name, like in github.com/spf13/cobra. */
#define PACKAGE_PARTS 3

/* The most characters of a file's extension. */
#define EXTENSION_MAX 5

static const struct fg_str none = FG_STR_INIT("");

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* Returns true for the characters in names of files and packages. */
static bool is_file_char(char c)
{
	return fg_is_word(c) || c == '.' || c == '-' || c == '+' || c == '~' ||
	       c == '%';
}

static bool is_path_char(char c)
{
	return is_file_char(c) || c == '/';
}

static bool is_not_lower(char c)
{
	return !is_lower(c);
}

/* ---- code that was compiled at run time */

/*
 * Returns true for "perf-123.map" and "jitted-123-4.so", where perf found the symbol.
 */
static bool is_jit_map(struct fg_str file)
{
	return (fg_str_starts(file, FG_STR("perf-")) &&
		fg_str_ends(file, FG_STR(".map"))) ||
	       (fg_str_starts(file, FG_STR("jitted-")) &&
		fg_str_ends(file, FG_STR(".so")));
}

/* Cuts "@perf-123.map" off the end of a name. Returns false if it is not there. */
static bool cut_jit_map(struct fg_str *name)
{
	size_t at = fg_str_rfind_char(*name, '@');

	if (!is_jit_map(fg_str_from_pos(*name, at + 1)))
		return false;
	*name = fg_str_before(*name, at);
	return true;
}

/* ---- binaries that are part of the name */

/*
 * Cleans the name of a binary, such as "[kernel.kallsyms]", "[nf_tables]" or
 * "libc.so.6". Returns an empty string if it means that the binary is unknown.
 */
static struct fg_str binary(struct fg_str s)
{
	s = fg_str_basename(s);
	if (fg_str_cut_start(&s, FG_STR("[")))
		fg_str_cut_end(&s, FG_STR("]"));
	if (fg_str_starts(s, FG_STR("unknown")) || fg_str_starts(s, FG_STR("<unknown")))
		return none;
	if (fg_str_starts(s, FG_STR("kernel.")) ||
	    fg_str_starts(s, FG_STR("guest.kernel.")))
		return FG_STR("kernel");
	return is_jit_map(s) ? FG_STR("JIT") : s;
}

/*
 * Finds the library of "[libfoo.so]" or "[libfoo.so <7f12>]". Collapsers write this for
 * a function without a name.
 */
static struct fg_str of_brackets(struct fg_str name)
{
	if (!fg_str_starts(name, FG_STR("[")) || !fg_str_ends(name, FG_STR("]")) ||
	    fg_str_eq(name, FG_STR("[other]")))
		return none;
	name = fg_str_of(name.ptr + 1, name.len - 2);
	return binary(fg_str_before(name, fg_str_find(name, FG_STR(" <"))));
}

/*
 * Returns "libc" for "malloc@libc.so.6". Returns an empty string for "read@plt" and
 * "memcpy@@GLIBC_2.14", which name no library.
 */
static struct fg_str of_at(struct fg_str name)
{
	size_t at = fg_str_rfind_char(name, '@');
	struct fg_str rest = fg_str_from_pos(name, at + 1);

	rest = fg_str_before(rest, fg_str_find_char(rest, ':'));
	if (!at || !rest.len || fg_str_has_char(rest, '/') ||
	    fg_str_eq(rest, FG_STR("plt")) || fg_str_starts(rest, FG_STR("0x")))
		return none;
	if (rest.ptr[0] != '[' && fg_str_all(rest, is_not_lower))
		return none;
	return binary(rest);
}

/*
 * Finds the module of "libc.so.1`poll" and "ntdll!RtlUserThreadStart". Returns an empty
 * string for "List`1" of .NET, which has none.
 */
static struct fg_str of_module(struct fg_str name)
{
	size_t quote = fg_str_find_char(name, '`');
	size_t mark = fg_str_find_char(name, '!');

	if (quote && quote + 1 < name.len && !fg_is_digit(name.ptr[quote + 1]))
		return binary(fg_str_before(name, quote));
	if (mark && mark + 1 < name.len && fg_is_word(name.ptr[mark + 1]) &&
	    fg_str_all(fg_str_before(name, mark), is_path_char))
		return binary(fg_str_before(name, mark));
	return none;
}

/* ---- files */

/* Returns true for a basename with an extension. */
static bool is_file(struct fg_str s)
{
	size_t dot = fg_str_rfind_char(s, '.');
	struct fg_str extension = fg_str_from_pos(s, dot + 1);

	if (fg_str_starts(s, FG_STR("<frozen "))) /* Python's own library */
		return fg_str_ends(s, FG_STR(">"));
	return dot && extension.len && extension.len <= EXTENSION_MAX &&
	       fg_is_alpha(extension.ptr[0]) && fg_str_all(extension, fg_is_word);
}

/*
 * Returns the name that follows the last `folder`, such as "/site-packages/", in a
 * path. For "@babel/core", returns both parts.
 */
static struct fg_str package_in(struct fg_str path, struct fg_str folder)
{
	struct fg_str package = none;

	for (;;) {
		size_t at = fg_str_find(path, folder), end;

		if (at == path.len)
			return package;
		path = fg_str_from_pos(path, at + folder.len);
		end = fg_str_find_char(path, '/');
		if (path.len && path.ptr[0] == '@' && end < path.len)
			end += 1 +
			       fg_str_find_char(fg_str_from_pos(path, end + 1), '/');
		package = fg_str_before(path, end);
	}
}

/* Returns the package of a source file, or else the file's own name. */
static struct fg_str of_path(struct fg_str path)
{
	static const struct fg_str folders[] = { FG_STR_INIT("/site-packages/"),
						 FG_STR_INIT("/dist-packages/"),
						 FG_STR_INIT("/node_modules/") };
	size_t at = fg_str_find(path, FG_STR("/lib/python"));

	for (size_t i = 0; i < FG_COUNT_OF(folders); i++) {
		struct fg_str package = package_in(path, folders[i]);

		if (package.len)
			return package;
	}
	if (at < path.len) { /* Python's own library */
		path = fg_str_from_pos(path, at + strlen("/lib/"));
		return fg_str_before(path, fg_str_find_char(path, '/'));
	}
	path = fg_str_from_pos(path, fg_str_has_char(path, '\\') ?
					     fg_str_rfind_char(path, '\\') + 1 :
					     0);
	return is_file(path) ? fg_str_basename(path) : none;
}

/* Cuts ":12" off the end. Returns false if there is no number. */
static bool cut_line(struct fg_str *s)
{
	size_t digits = fg_str_end_span(*s, fg_is_digit);

	if (!digits || digits + 2 > s->len || s->ptr[s->len - digits - 1] != ':')
		return false;
	s->len -= digits + 1;
	return true;
}

/*
 * Finds the library in the place of "poll (libc.so.6)", "grind (in mill.dylib)", "parse
 * (app.py:12)" and "f (node:fs)".
 */
static struct fg_str of_parentheses(struct fg_str name)
{
	size_t open;
	struct fg_str inside;

	if (!fg_str_cut_end(&name, FG_STR(")")))
		return none;
	open = fg_str_rfind_char(name, '(');
	if (!open || open >= name.len || name.ptr[open - 1] != ' ')
		return none;
	inside = fg_str_from_pos(name, open + 1);
	fg_str_cut_start(&inside, FG_STR("in "));
	if (fg_str_starts(inside, FG_STR("node:")))
		return FG_STR("node");
	if (cut_line(&inside))
		return of_path(inside);
	if (!fg_str_has_char(inside, '.') || !fg_str_all(inside, is_path_char) ||
	    fg_str_has(inside, FG_STR("..")))
		return none;
	return is_file(inside) ? of_path(inside) : binary(inside);
}

/*
 * Finds the file in "main:app.c:44", "/app/main.py:run:12", "/app/main.py:12:run" and
 * "f app.js:3:14".
 */
static struct fg_str of_line(struct fg_str name)
{
	struct fg_str rest = name, last, first;
	size_t drive =
		name.len > 2 && name.ptr[1] == ':' && name.ptr[2] == '\\' ? 2 : 0;
	size_t end = drive + fg_str_find_char(fg_str_from_pos(name, drive), ':');

	first = fg_str_before(name, end);
	if (cut_line(&rest)) {
		/* if the number was a column, cut the line number, too */
		cut_line(&rest);
		last = rest;
		for (size_t i = rest.len; i; i--)
			if (rest.ptr[i - 1] == ':' || rest.ptr[i - 1] == ' ') {
				last = fg_str_from_pos(rest, i);
				break;
			}
		last = of_path(last);
		return last.len ? last : of_path(first);
	}
	rest = fg_str_from_pos(name, end + 1);
	rest = fg_str_before(rest, fg_str_find_char(rest, ':'));
	return rest.len && fg_str_all(rest, fg_is_digit) ? of_path(first) : none;
}

/* ---- packages, crates, namespaces */

/* Returns the first PACKAGE_PARTS parts of a package. `sep` separates its parts. */
static struct fg_str package(struct fg_str s, char sep)
{
	size_t parts = 0;

	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == sep && ++parts == PACKAGE_PARTS)
			return fg_str_before(s, i);
	return s;
}

/* Returns "java/util" of "java/util/HashMap.put", and "net/http" of "net/http.send". */
static struct fg_str of_slashes(struct fg_str head)
{
	size_t slash = fg_str_rfind_char(head, '/');
	struct fg_str last = fg_str_from_pos(head, slash + 1);
	size_t end = fg_str_span(last, fg_is_word);

	if (!fg_is_alpha(head.ptr[0]) || !last.len || !fg_is_alpha(last.ptr[0]) ||
	    end == last.len || !fg_str_all(fg_str_before(head, slash), is_path_char))
		return none;
	/* class files write types like Ljava/util/HashMap */
	if (head.ptr[0] == 'L' && is_lower(head.ptr[1])) {
		head = fg_str_from_pos(head, 1);
		slash--;
	}
	return package(
		fg_str_before(head, is_upper(last.ptr[0]) ? slash : slash + 1 + end),
		'/');
}

bool fg_library_is_clone(struct fg_str suffix)
{
	static const struct fg_str suffixes[] = {
		FG_STR_INIT("cold"),  FG_STR_INIT("part"),	FG_STR_INIT("isra"),
		FG_STR_INIT("llvm"),  FG_STR_INIT("constprop"), FG_STR_INIT("lto_priv"),
		FG_STR_INIT("clone"), FG_STR_INIT("str"),
	};

	suffix = fg_str_before(suffix, fg_str_find_char(suffix, '.'));
	for (size_t i = 0; i < FG_COUNT_OF(suffixes); i++)
		if (fg_str_eq(suffix, suffixes[i]))
			return true;
	return false;
}

/*
 * Returns "java.util" of "java.util.HashMap.put", and "runtime" of "runtime.mallocgc".
 */
static struct fg_str of_dots(struct fg_str head)
{
	struct fg_str rest = head;
	size_t parts = 0;

	while (rest.len && is_lower(rest.ptr[0])) {
		size_t dot = fg_str_find_char(rest, '.');

		if (dot == rest.len ||
		    !fg_str_all(fg_str_before(rest, dot), fg_is_word))
			break;
		rest = fg_str_from_pos(rest, dot + 1);
		parts++;
	}
	if (!parts || fg_library_is_clone(rest) ||
	    (rest.len && fg_is_digit(rest.ptr[0])))
		return none;
	if (parts > 1 && !(rest.len && is_upper(rest.ptr[0])))
		return none;
	return package(fg_str_before(head, (size_t)(rest.ptr - head.ptr) - 1), '.');
}

static bool is_open_bracket(char c)
{
	return c == '<' || c == '(' || c == '[' || c == '{';
}

/*
 * Returns the path in a name, such as "java.util.HashMap.put". Drops "<" or a return
 * type before it, and everything from the next bracket on.
 */
static struct fg_str head_of(struct fg_str name)
{
	size_t start = 0, end = 0;

	while (start < name.len && fg_str_has_char(FG_STR("<&*"), name.ptr[start]))
		start++;
	name = fg_str_from_pos(name, start);
	start = 0;
	while (end < name.len && !is_open_bracket(name.ptr[end]))
		if (name.ptr[end++] == ' ')
			start = end;
	return fg_str_of(name.ptr + start, end - start);
}

static struct fg_str of_package(struct fg_str name)
{
	struct fg_str head = head_of(name);
	size_t colons = fg_str_find(head, FG_STR("::"));
	struct fg_str first = fg_str_before(head, colons);

	if (fg_str_has_char(first, '/'))
		return of_slashes(head);
	if (fg_str_has_char(first, '.'))
		return of_dots(first);
	if (colons < head.len && first.len && is_lower(first.ptr[0]) &&
	    fg_str_all(first, fg_is_word))
		return first;
	return none;
}

struct fg_str fg_library_of_function(struct fg_str plain, struct fg_str annotation)
{
	static struct fg_str (*const binaries[])(struct fg_str) = { of_brackets, of_at,
								    of_module };
	static struct fg_str (*const others[])(struct fg_str) = { of_parentheses,
								  of_line, of_package };
	bool jit = fg_str_eq(annotation, FG_STR("_[j]")) ||
		   fg_str_eq(annotation, FG_STR("_[1]"));
	struct fg_str found = none;

	if (fg_str_eq(annotation, FG_STR("_[o]")))
		return FG_STR("waiting");
	jit = cut_jit_map(&plain) || jit;
	for (size_t i = 0; i < FG_COUNT_OF(binaries) && !found.len; i++)
		found = binaries[i](plain);
	if (!found.len && fg_str_eq(annotation, FG_STR("_[k]")))
		return FG_STR("kernel");
	for (size_t i = 0; i < FG_COUNT_OF(others) && !found.len; i++)
		found = others[i](plain);
	return found.len || !jit ? found : FG_STR("JIT");
}

struct fg_str fg_library_of(struct fg_str name)
{
	struct fg_line line;
	struct fg_str plain, found;

	if (!fg_line_split(name, &line)) {
		plain = fg_folded_without_annotation(name);
		return fg_library_of_function(plain, fg_str_from_pos(name, plain.len));
	}
	found = fg_library_of_function(line.name, line.annotation);
	return found.len ? found : of_path(line.file);
}
