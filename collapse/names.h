/*
 * Shortens names of functions as compilers and demanglers write them.
 *
 * "ns::f(char)+0x1f" becomes "ns::f" by fg_name_cut_offset() and fg_add_name().
 */
#ifndef FG_COLLAPSE_NAMES_H
#define FG_COLLAPSE_NAMES_H

#include "lib/base/buf.h"

/*
 * Returns the length of a C++ or Rust symbol up to its parameter list. Parentheses that
 * are part of a name stay: "(anonymous namespace)::f", "operator()",
 * "std::function<void (int)>::f". It is 0 only for an empty symbol.
 */
size_t fg_name_length(struct fg_str symbol);

/*
 * Returns the name that a symbol declares, a part of `symbol`: without return type,
 * parameters, constraints and "[clone ...]". Names that have no return type, like those
 * of Rust and Go, only lose their parameters.
 *
 *     std::vector<int> ns::f<int>(char) [clone .cold]  ->  ns::f<int>
 *     double (*f<int>(int))(char)                      ->  f<int>
 */
struct fg_str fg_name_of_declaration(struct fg_str symbol);

/*
 * Returns true for a symbol of Rust that was demangled as if it were C++: it ends in
 * "::h" and 16 hexadecimal digits, perhaps followed by ".llvm." and a number.
 */
bool fg_name_is_rust(struct fg_str symbol);

/* Appends a symbol of fg_name_is_rust() like in the source: no hash, "<" for "$LT$". */
void fg_add_rust_name(struct fg_buf *b, struct fg_str symbol);

/* Appends a symbol of C++ without its parameter list, or of Rust like in the source. */
void fg_add_name(struct fg_buf *b, struct fg_str symbol);

/*
 * Appends the path of the source file of a Java class, "java/util/HashMap.java" for
 * "java.util.HashMap$Node". `file` is the name of the file, or empty; then we guess
 * that it has the name of the outermost class.
 */
void fg_add_java_path(struct fg_buf *b, struct fg_str class, struct fg_str file);

/* Returns a symbol without "+0x1f" or "+0x1f/0x30" at its end. */
struct fg_str fg_name_cut_offset(struct fg_str symbol);

/* Returns a symbol without its version: "qsort" for "qsort@@GLIBC_2.2.5". */
struct fg_str fg_name_cut_version(struct fg_str symbol);

#endif
