/*
 * Reads the keys and values of a TOML document, one by one:
 *
 *     fg_toml_init(&toml, bytes);
 *     while (fg_toml_next(&toml))
 *             if (toml.key_count == 2 && fg_str_eq(toml.keys[1], FG_STR("rustflags")))
 *                     ...
 *     fg_toml_release(&toml);
 *
 * All ways to write a key give the same keys: in a [table], with dots, in quotation
 * marks, in a table within braces. An array gives a value of its own, then one for
 * each element, all with the same keys. These three give the keys `build`, `rustflags`
 * and the values (array), "-g":
 *
 *     [build]                          build.rustflags = ["-g"]
 *     rustflags = ["-g"]               build = { rustflags = ["-g"] }
 *
 * We read only what cargo's configuration needs. Strings are decoded, but numbers and
 * dates are not, and we do not check for keys that are there twice: cargo reads the
 * file, too, and reports what is wrong.
 */
#ifndef FG_FLAME_CARGO_TOML_H
#define FG_FLAME_CARGO_TOML_H

#include "lib/base/arena.h"
#include "lib/base/buf.h"

struct fg_toml_open; /* a bracket or brace that is open */

struct fg_toml {
	/* the keys of the value, the outermost first; valid until fg_toml_release() */
	struct fg_str *keys;
	size_t key_count;
	bool is_string; /* the value is a string, and `text` is its content */
	struct fg_str text;
	bool malformed; /* set if reading ended because of a mistake in the document */

	/* private */
	struct fg_str rest;
	size_t keys_alloc;
	size_t header_count; /* number of keys in the last [header] */
	struct fg_toml_open *open;
	size_t open_count, open_alloc;
	struct fg_arena decoded; /* keys and strings that have escapes */
	struct fg_buf scratch;
};

/* Starts to read `document`, which is borrowed. */
void fg_toml_init(struct fg_toml *t, struct fg_str document);
void fg_toml_release(struct fg_toml *t);

/* Reads the next value. Returns false at the end of the document, or at a mistake. */
bool fg_toml_next(struct fg_toml *t);

#endif
