/* Finds rustflags in cargo's configuration. */
#include "flame/cargo/rustflags.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flame/cargo/cfg.h"
#include "flame/cargo/toml.h"
#include "lib/base/child.h"
#include "lib/base/io.h"
#include "lib/base/xalloc.h"

extern char **environ;

#define READ_SIZE ((size_t)16 * 1024)

void fg_rustflags_release(struct fg_rustflags *r)
{
	free(r->tables);
	free(r->files);
	fg_arena_release(&r->names);
	*r = (struct fg_rustflags){ .tables = NULL };
}

static void add_table(struct fg_rustflags *r, struct fg_str target,
		      struct fg_str source)
{
	FG_GROW(r->tables, r->alloc, r->count + 1);
	r->tables[r->count++] = (struct fg_rustflags_table){
		fg_arena_copy(&r->names, target),
		fg_arena_copy(&r->names, source),
	};
}

/* Adds a file to read, unless it is in the list already. */
static void add_file(struct fg_rustflags *r, struct fg_str path)
{
	for (size_t i = 0; i < r->file_count; i++)
		if (fg_str_eq(r->files[i], path))
			return;
	FG_GROW(r->files, r->files_alloc, r->file_count + 1);
	r->files[r->file_count++] = fg_arena_copy(&r->names, path);
}

/* ---- a file */

/* Adds a file that `file` includes by a path that is relative to its own folder. */
static void add_included(struct fg_rustflags *r, struct fg_str path, struct fg_str file)
{
	struct fg_buf whole = FG_BUF_INIT;
	size_t slash = fg_str_rfind_char(file, '/');

	if (!fg_str_starts(path, FG_STR("/")) && slash < file.len)
		fg_buf_add_str(&whole, fg_str_before(file, slash + 1));
	fg_buf_add_str(&whole, path);
	add_file(r, fg_buf_str(&whole));
	fg_buf_release(&whole);
}

/* Returns true if the value has two keys, `first` and `last`. */
static bool has_keys(const struct fg_toml *t, struct fg_str first, struct fg_str last)
{
	return t->key_count == 2 && fg_str_eq(t->keys[0], first) &&
	       fg_str_eq(t->keys[1], last);
}

void fg_rustflags_add(struct fg_rustflags *r, struct fg_str document,
		      struct fg_str file)
{
	const struct fg_str build = FG_STR("build"), rustflags = FG_STR("rustflags");
	struct fg_toml t;

	fg_toml_init(&t, document);
	while (fg_toml_next(&t)) {
		struct fg_str last = t.keys[t.key_count - 1];

		if (has_keys(&t, build, rustflags))
			add_table(r, FG_STR(""), file);
		else if (t.key_count == 3 && fg_str_eq(t.keys[0], FG_STR("target")) &&
			 fg_str_eq(last, rustflags))
			add_table(r, t.keys[1], file);
		else if (has_keys(&t, build, FG_STR("target")) && !r->build_target.len)
			r->build_target = fg_arena_copy(&r->names, t.text);
		else if (fg_str_eq(t.keys[0], FG_STR("include")) && t.is_string &&
			 (t.key_count == 1 || fg_str_eq(last, FG_STR("path"))))
			add_included(r, t.text, file);
	}
	fg_toml_release(&t);
}

/* ---- the environment */

void fg_rustflags_add_variable(struct fg_rustflags *r, struct fg_str assignment)
{
	struct fg_str value = assignment;
	struct fg_str name = fg_str_cut(&value, '=');
	struct fg_str key = name;

	if (!value.len || !fg_str_cut_end(&key, FG_STR("_RUSTFLAGS")))
		return;
	if (fg_str_eq(key, FG_STR("CARGO_BUILD")))
		add_table(r, FG_STR(""), name);
	else if (fg_str_cut_start(&key, FG_STR("CARGO_TARGET_")))
		add_table(r, key, name);
}

/* ---- the judgement */

/*
 * Converts a character of a target's name to the one in the name of a variable: "a-b"
 * becomes "A_B".
 */
static char of_variable(char c)
{
	if (c >= 'a' && c <= 'z')
		return (char)(c - 'a' + 'A');
	return c == '-' || c == '.' ? '_' : c;
}

static bool same_target(struct fg_str a, struct fg_str b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (of_variable(a.ptr[i]) != of_variable(b.ptr[i]))
			return false;
	return true;
}

static bool is_for(struct fg_str key, struct fg_str target, struct fg_str facts)
{
	return !key.len || !target.len || same_target(key, target) ||
	       fg_cfg_holds(key, facts);
}

struct fg_str fg_rustflags_for(const struct fg_rustflags *r, struct fg_str target,
			       struct fg_str facts)
{
	for (size_t i = 0; i < r->count; i++)
		if (is_for(r->tables[i].target, target, facts))
			return r->tables[i].source;
	return FG_STR("");
}

/* ---- this machine */

/* Adds cargo's two names of a configuration file in `folder`. */
static void add_files_of(struct fg_rustflags *r, struct fg_str folder)
{
	static const char *const names[] = { "config.toml", "config" };
	struct fg_buf path = FG_BUF_INIT;

	for (size_t i = 0; i < FG_COUNT_OF(names); i++) {
		fg_buf_clear(&path);
		fg_buf_add_str(&path, folder);
		fg_buf_addf(&path, "/%s", names[i]);
		add_file(r, fg_buf_str(&path));
	}
	fg_buf_release(&path);
}

/* Adds the names of all files that cargo reads in this folder, the nearest first. */
static void add_files(struct fg_rustflags *r)
{
	char *here = getcwd(NULL, 0);
	struct fg_str folder = fg_str_from(here);
	const char *cargo_home = getenv("CARGO_HOME");
	struct fg_buf path = FG_BUF_INIT;

	for (bool more = folder.len > 0; more;) {
		if (fg_str_eq(folder, FG_STR("/")))
			folder.len = 0;
		more = folder.len > 0;
		fg_buf_clear(&path);
		fg_buf_add_str(&path, folder);
		fg_buf_add_str(&path, FG_STR("/.cargo"));
		add_files_of(r, fg_buf_str(&path));
		folder.len = fg_str_rfind_char(folder, '/');
	}
	fg_buf_clear(&path);
	fg_buf_add_str(&path, fg_str_from(cargo_home ? cargo_home : getenv("HOME")));
	fg_buf_add_str(&path, cargo_home ? FG_STR("") : FG_STR("/.cargo"));
	add_files_of(r, fg_buf_str(&path));
	fg_buf_release(&path);
	free(here);
}

/* Replaces the content of `b` by that of a file; by nothing if it cannot be read. */
static void read_file(const char *path, struct fg_buf *b)
{
	int fd = fg_io_open(path);
	ssize_t got = fd < 0 ? 0 : 1;

	fg_buf_clear(b);
	while (got > 0) {
		fg_buf_reserve(b, READ_SIZE);
		got = fg_io_read(fd, b->ptr + b->len, READ_SIZE);
		if (got > 0)
			b->len += (size_t)got;
	}
	if (fd >= 0)
		close(fd);
}

static void read_files(struct fg_rustflags *r)
{
	struct fg_buf path = FG_BUF_INIT, document = FG_BUF_INIT;

	for (size_t i = 0; i < r->file_count; i++) {
		fg_buf_clear(&path);
		fg_buf_add_str(&path, r->files[i]);
		read_file(fg_buf_cstr(&path), &document);
		fg_rustflags_add(r, fg_buf_str(&document), r->files[i]);
	}
	fg_buf_release(&path);
	fg_buf_release(&document);
}

static const char *rustc(void)
{
	const char *name = getenv("RUSTC");

	return name && *name ? name : "rustc";
}

/* Appends the name of the target that rustc compiles for by default. */
static void add_host(struct fg_buf *target)
{
	const char *const args[] = { rustc(), "-vV", NULL };
	struct fg_buf answer = FG_BUF_INIT;
	struct fg_str rest;

	fg_ask(&(struct fg_ask){ .args = args, .stream = FG_ASK_OUTPUT }, &answer);
	for (rest = fg_buf_str(&answer); rest.len;) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		if (fg_str_cut_start(&line, FG_STR("host: ")))
			fg_buf_add_str(target, line);
	}
	fg_buf_release(&answer);
}

/* Appends what rustc knows about a target. */
static void add_facts(const char *target, struct fg_buf *facts)
{
	const char *const args[] = {
		rustc(), "--print", "cfg", "--target", target, NULL
	};

	fg_ask(&(struct fg_ask){ .args = args, .stream = FG_ASK_OUTPUT }, facts);
}

/*
 * Appends the target that the crate is built for, or nothing if rustc does not tell us.
 */
static void add_target(const struct fg_rustflags *r, const char *option,
		       struct fg_buf *target)
{
	const char *variable = getenv("CARGO_BUILD_TARGET");

	if (option)
		fg_buf_add_str(target, fg_str_from(option));
	else if (variable && *variable)
		fg_buf_add_str(target, fg_str_from(variable));
	else if (r->build_target.len)
		fg_buf_add_str(target, r->build_target);
	else
		add_host(target);
}

bool fg_rustflags_find(const char *target, struct fg_buf *source)
{
	struct fg_rustflags r = { .tables = NULL };
	struct fg_buf ours = FG_BUF_INIT, facts = FG_BUF_INIT;
	struct fg_str found = FG_STR("");

	add_files(&r);
	read_files(&r);
	for (char **variable = environ; variable && *variable; variable++)
		fg_rustflags_add_variable(&r, fg_str_from(*variable));
	if (r.count) {
		add_target(&r, target, &ours);
		if (ours.len)
			add_facts(fg_buf_cstr(&ours), &facts);
		found = fg_rustflags_for(&r, fg_buf_str(&ours), fg_buf_str(&facts));
	}
	fg_buf_add_str(source, found);
	fg_buf_release(&ours);
	fg_buf_release(&facts);
	fg_rustflags_release(&r);
	return source->len > 0;
}
