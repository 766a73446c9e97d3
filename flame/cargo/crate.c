/* Reads the targets of a crate from cargo's JSON, and chooses one. */
#include "flame/cargo/crate.h"

#include <stdlib.h>

#include "lib/base/json.h"
#include "lib/base/xalloc.h"

const char *const fg_run_kind_names[FG_RUN_KINDS] = {
	[FG_RUN_UNIT_TEST] = "unit-test",
	[FG_RUN_UNIT_BENCH] = "unit-bench",
	[FG_RUN_BIN] = "bin",
	[FG_RUN_EXAMPLE] = "example",
	[FG_RUN_TEST] = "test",
	[FG_RUN_BENCH] = "bench",
};

/* A target as JSON describes it. */
struct described {
	struct fg_target target;
	size_t package; /* index in struct metadata */
	bool has_tests; /* its unit tests can be built */
	bool needs_features;
};

struct package {
	struct fg_str name, id, default_run;
	bool is_chosen;
};

struct metadata {
	struct package *packages;
	size_t package_count, packages_alloc;
	struct described *targets;
	size_t target_count, targets_alloc;
};

void fg_crate_release(struct fg_crate *c)
{
	free(c->targets);
	fg_arena_release(&c->text);
	*c = (struct fg_crate){ .targets = NULL };
}

static void add_target(struct fg_crate *c, struct fg_target target)
{
	FG_GROW(c->targets, c->alloc, c->count + 1);
	c->targets[c->count++] = target;
}

/* ---- JSON */

/* Reads a value, and returns a copy if it is a string, else an empty string. */
static struct fg_str read_text(struct fg_crate *c, struct fg_json *j)
{
	struct fg_str text = fg_json_value(j);

	return text.len ? fg_arena_copy(&c->text, text) : FG_STR("");
}

/* Reads a value, and returns true if it is `true`. */
static bool read_flag(struct fg_json *j)
{
	enum fg_json_kind kind = fg_json_next(j);

	fg_json_skip(j, kind);
	return kind == FG_JSON_TRUE;
}

/* Reads an array, and returns its first string. */
static struct fg_str read_first(struct fg_crate *c, struct fg_json *j)
{
	struct fg_str first = FG_STR("");
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return first;
	while (fg_json_more(j, &kind)) {
		if (kind == FG_JSON_STRING && !first.len)
			first = fg_arena_copy(&c->text, j->text);
		fg_json_skip(j, kind);
	}
	return first;
}

/* Reads a target, whose "{" has been read. */
static struct described read_target(struct fg_crate *c, struct fg_json *j)
{
	struct described d = { .has_tests = false };
	enum fg_json_kind kind;

	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("kind")))
			d.target.kind = read_first(c, j);
		else if (fg_str_eq(j->text, FG_STR("name")))
			d.target.name = read_text(c, j);
		else if (fg_str_eq(j->text, FG_STR("test")))
			d.has_tests = read_flag(j);
		else if (fg_str_eq(j->text, FG_STR("required-features")))
			d.needs_features = read_first(c, j).len > 0;
		else
			fg_json_skip(j, fg_json_next(j));
	return d;
}

/* ---- metadata */

static void read_targets(struct fg_crate *c, struct metadata *m, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		struct described d = { .has_tests = false };

		if (kind == FG_JSON_OBJECT)
			d = read_target(c, j);
		else
			fg_json_skip(j, kind);
		d.package = m->package_count;
		FG_GROW(m->targets, m->targets_alloc, m->target_count + 1);
		m->targets[m->target_count++] = d;
	}
}

static void read_package(struct fg_crate *c, struct metadata *m, struct fg_json *j)
{
	struct package p = { .is_chosen = false };
	enum fg_json_kind kind;

	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("name")))
			p.name = read_text(c, j);
		else if (fg_str_eq(j->text, FG_STR("id")))
			p.id = read_text(c, j);
		else if (fg_str_eq(j->text, FG_STR("default_run")))
			p.default_run = read_text(c, j);
		else if (fg_str_eq(j->text, FG_STR("targets")))
			read_targets(c, m, j);
		else
			fg_json_skip(j, fg_json_next(j));
	FG_GROW(m->packages, m->packages_alloc, m->package_count + 1);
	m->packages[m->package_count++] = p;
}

static void read_packages(struct fg_crate *c, struct metadata *m, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind))
		if (kind == FG_JSON_OBJECT)
			read_package(c, m, j);
		else
			fg_json_skip(j, kind);
}

/* Chooses the packages whose ids are in the array that comes next. */
static void choose_members(struct metadata *m, struct fg_json *j)
{
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_ARRAY))
		return;
	while (fg_json_more(j, &kind)) {
		for (size_t i = 0; kind == FG_JSON_STRING && i < m->package_count; i++)
			m->packages[i].is_chosen |=
				fg_str_eq(m->packages[i].id, j->text);
		fg_json_skip(j, kind);
	}
}

/* Chooses the packages of --package. An argument may have a version, name@1.0. */
static void choose_named(struct metadata *m, const struct fg_opt_list *names)
{
	for (size_t i = 0; i < m->package_count; i++)
		for (size_t k = 0; k < names->count; k++) {
			struct fg_str spec = fg_str_from(names->items[k]);

			if (fg_str_eq(fg_str_cut(&spec, '@'), m->packages[i].name))
				m->packages[i].is_chosen = true;
		}
}

/* Adds the targets of the chosen packages that are programs or have unit tests. */
static void add_chosen(struct fg_crate *c, const struct metadata *m)
{
	size_t before = c->count;

	for (size_t i = 0; i < m->target_count; i++) {
		struct described d = m->targets[i];
		bool is_bin = fg_str_eq(d.target.kind, FG_STR("bin"));

		if (!m->packages[d.package].is_chosen || !(is_bin || d.has_tests))
			continue;
		if (d.needs_features) {
			c->count = before;
			return;
		}
		if (is_bin)
			add_target(c, d.target);
		d.target.is_test = true;
		if (d.has_tests)
			add_target(c, d.target);
	}
}

static const char *default_run(struct fg_crate *c, const struct metadata *m)
{
	struct fg_str found = FG_STR("");
	char *copy;

	for (size_t i = 0; i < m->package_count; i++) {
		const struct package *p = &m->packages[i];

		if (!p->is_chosen || !p->default_run.len)
			continue;
		if (found.len)
			return NULL;
		found = p->default_run;
	}
	if (!found.len)
		return NULL;
	copy = fg_arena_bytes(&c->text, fg_size_add(found.len, 1));
	memcpy(copy, found.ptr, found.len);
	copy[found.len] = '\0';
	return copy;
}

const char *fg_crate_read_metadata(struct fg_crate *c, struct fg_str metadata,
				   const struct fg_opt_list *packages)
{
	struct metadata m = { .packages = NULL };
	const char *name = NULL;
	enum fg_json_kind kind;
	struct fg_json j;

	fg_json_init(&j, metadata);
	if (fg_json_enter(&j, FG_JSON_OBJECT))
		while (fg_json_more(&j, &kind)) {
			if (fg_str_eq(j.text, FG_STR("packages")))
				read_packages(c, &m, &j);
			else if (!packages->count &&
				 fg_str_eq(j.text, FG_STR("workspace_default_members")))
				choose_members(&m, &j);
			else
				fg_json_skip(&j, fg_json_next(&j));
		}
	if (!j.error) {
		choose_named(&m, packages);
		add_chosen(c, &m);
		name = default_run(c, &m);
	}
	fg_json_release(&j);
	free(m.packages);
	free(m.targets);
	return name;
}

/* ---- messages of a build */

/* Reads a profile of the build. Returns true if it is the profile of unit tests. */
static bool read_profile(struct fg_json *j)
{
	bool is_test = false;
	enum fg_json_kind kind;

	if (!fg_json_enter(j, FG_JSON_OBJECT))
		return false;
	while (fg_json_more(j, &kind))
		if (fg_str_eq(j->text, FG_STR("test")))
			is_test = read_flag(j);
		else
			fg_json_skip(j, fg_json_next(j));
	return is_test;
}

static void read_message(struct fg_crate *c, struct fg_str line)
{
	struct described d = { .has_tests = false };
	struct fg_str file = FG_STR("");
	bool is_artifact = false, is_test = false;
	enum fg_json_kind kind;
	struct fg_json j;

	fg_json_init(&j, line);
	if (fg_json_enter(&j, FG_JSON_OBJECT))
		while (fg_json_more(&j, &kind)) {
			if (fg_str_eq(j.text, FG_STR("reason"))) {
				is_artifact = fg_str_eq(fg_json_value(&j),
							FG_STR("compiler-artifact"));
			} else if (fg_str_eq(j.text, FG_STR("target"))) {
				if (fg_json_enter(&j, FG_JSON_OBJECT))
					d = read_target(c, &j);
			} else if (fg_str_eq(j.text, FG_STR("profile"))) {
				is_test = read_profile(&j);
			} else if (fg_str_eq(j.text, FG_STR("executable"))) {
				file = read_text(c, &j);
			} else {
				fg_json_skip(&j, fg_json_next(&j));
			}
		}
	d.target.file = file;
	d.target.is_test = is_test;
	if (!j.error && is_artifact && file.len)
		add_target(c, d.target);
	fg_json_release(&j);
}

void fg_crate_read_messages(struct fg_crate *c, struct fg_str messages)
{
	while (messages.len) {
		struct fg_str line = fg_str_cut(&messages, '\n');

		if (line.len && line.ptr[0] == '{')
			read_message(c, line);
	}
}

/* ---- the choice */

bool fg_run_is_unit(enum fg_run_kind kind)
{
	return kind == FG_RUN_UNIT_TEST || kind == FG_RUN_UNIT_BENCH;
}

/* Returns true for a kind of library that may have unit tests, such as rlib. */
static bool is_library(struct fg_str kind)
{
	return fg_str_ends(kind, FG_STR("lib")) ||
	       fg_str_eq(kind, FG_STR("proc-macro"));
}

static bool has_kind(const struct fg_target *t, const struct fg_choice *choice)
{
	struct fg_str kind = fg_str_from(fg_run_kind_names[choice->kind]);

	if (!fg_run_is_unit(choice->kind))
		return fg_str_eq(t->kind, kind) &&
		       (choice->kind == FG_RUN_BENCH ||
			t->is_test == (choice->kind == FG_RUN_TEST));
	if (!t->is_test)
		return false;
	if (fg_str_eq(t->kind, FG_STR("bin")))
		return choice->unit != FG_UNIT_LIB;
	return is_library(t->kind) && choice->unit != FG_UNIT_BIN;
}

static int report_several(const struct fg_choice *choice, struct fg_buf *names,
			  struct fg_diag *diag)
{
	return fg_error(
		diag, NULL, "there are several programs: choose one of %s with --%s%s",
		fg_buf_cstr(names), fg_run_kind_names[choice->kind],
		fg_run_is_unit(choice->kind) ? "=NAME or --unit-test-kind lib or bin" :
					       "");
}

static int report_none(const struct fg_choice *choice, struct fg_diag *diag)
{
	if (!fg_run_is_unit(choice->kind))
		return fg_error(diag, NULL,
				"there is no program to run: choose one with --bin, "
				"--example, --test or --bench");
	return fg_error(diag, NULL,
			"%s has no unit tests: --%s takes the name of the library or "
			"of a program",
			choice->name ? choice->name : "the crate",
			fg_run_kind_names[choice->kind]);
}

const struct fg_target *fg_crate_choose(const struct fg_crate *c,
					const struct fg_choice *choice,
					struct fg_diag *diag)
{
	const struct fg_target *found = NULL;
	struct fg_buf names = FG_BUF_INIT;
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct fg_target *t = &c->targets[i];

		if (!has_kind(t, choice) ||
		    (choice->name && !fg_str_eq(t->name, fg_str_from(choice->name))))
			continue;
		fg_buf_add_str(&names, count++ ? FG_STR(", ") : FG_STR(""));
		fg_buf_add_str(&names, t->name);
		if (fg_run_is_unit(choice->kind))
			fg_buf_addf(&names, " (%.*s)", (int)t->kind.len, t->kind.ptr);
		found = t;
	}
	if (count != 1) {
		count ? report_several(choice, &names, diag) :
			report_none(choice, diag);
		found = NULL;
	}
	fg_buf_release(&names);
	return found;
}
