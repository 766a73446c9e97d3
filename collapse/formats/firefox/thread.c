/* Reads a thread: its tables, its libraries and its samples. */
#include "collapse/formats/firefox/firefox.h"

#include <stdlib.h>

#include "collapse/decimal.h"
#include "lib/base/xalloc.h"

/* ---- tables */

void firefox_tables_init(struct firefox_tables *t)
{
	memset(t, 0, sizeof(*t));
	t->frame.name = "frame";
	t->prefix.name = "prefix";
	t->prefix_offset.name = "prefixOffset";
	t->func.name = "func";
	t->lib.name = t->resource_lib.name = "lib";
	t->line.name = "line";
	t->address.name = "address";
	t->address.is_number = true;
	t->location.name = "location";
	t->name.name = "name";
	t->resource.name = "resource";
	t->file_name.name = "fileName";
	t->source.name = "source";
	t->source_names.name = "filename";
	t->frame_flags.name = t->func_flags.name = "flags";
}

void firefox_tables_release(struct firefox_tables *t)
{
	struct firefox_column *columns[] = {
		&t->frame,	  &t->prefix,	 &t->prefix_offset, &t->func,
		&t->lib,	  &t->line,	 &t->location,	    &t->name,
		&t->resource,	  &t->file_name, &t->source,	    &t->resource_lib,
		&t->source_names, &t->address,	 &t->frame_flags,   &t->func_flags,
	};

	for (size_t i = 0; i < FG_COUNT_OF(columns); i++)
		firefox_column_release(columns[i]);
	firefox_strings_release(&t->strings);
}

bool firefox_read_tables(const struct firefox *f, struct fg_json *j,
			 struct firefox_tables *t)
{
	struct fg_str name = j->text;
	struct firefox_column *stacks[] = { &t->frame, &t->prefix, &t->prefix_offset,
					    NULL };
	struct firefox_column *frames[] = {
		&t->func,     &t->lib,	       &t->line,
		&t->location, &t->frame_flags, f->symbols ? &t->address : NULL,
		NULL
	};
	struct firefox_column *funcs[] = { &t->name,   &t->resource,   &t->file_name,
					   &t->source, &t->func_flags, NULL };
	struct firefox_column *resources[] = { &t->resource_lib, NULL };
	struct firefox_column *sources[] = { &t->source_names, NULL };

	if (fg_str_eq(name, FG_STR("stackTable"))) {
		t->has_stacks = true;
		firefox_read_table(j, stacks);
	} else if (fg_str_eq(name, FG_STR("frameTable"))) {
		t->raw = firefox_read_table(j, frames);
	} else if (fg_str_eq(name, FG_STR("funcTable"))) {
		firefox_read_table(j, funcs);
	} else if (fg_str_eq(name, FG_STR("resourceTable"))) {
		firefox_read_table(j, resources);
	} else if (fg_str_eq(name, FG_STR("sources"))) {
		firefox_read_table(j, sources);
	} else if (fg_str_eq(name, FG_STR("stringArray")) ||
		   fg_str_eq(name, FG_STR("stringTable"))) {
		t->has_strings = true;
		firefox_read_strings(j, &t->strings);
	} else {
		return false;
	}
	return true;
}

/* ---- libraries */

/* Stores the next value, a string. */
static void keep(struct fg_buf *b, struct fg_json *j)
{
	struct fg_str text = fg_json_value(j);

	fg_buf_clear(b);
	fg_buf_add_str(b, text);
}

/* Returns the frame id of "[libx.so]". */
static uint32_t lib_name(struct firefox *f, struct fg_str path)
{
	fg_buf_clear(&f->text);
	fg_buf_add_char(&f->text, '[');
	fg_buf_add_str(&f->text, fg_str_basename(path));
	fg_buf_add_char(&f->text, ']');
	return fg_sink_name(f->sink, fg_buf_str(&f->text));
}

/*
 * Reads {"name": "libx.so", "path": "/lib/libx.so", "codeId": "1a2b"}. Anything but an
 * object becomes an unknown library.
 */
static void read_lib(struct firefox *f, struct fg_json *j, enum fg_json_kind kind,
		     struct firefox_lib *lib)
{
	bool is_object = kind == FG_JSON_OBJECT;
	struct firefox_file file = { FG_BUF_INIT, FG_BUF_INIT, FG_BUF_INIT };

	memset(lib, 0, sizeof(*lib));
	lib->name = lib_name(f, FG_STR("unknown"));
	if (!is_object)
		fg_json_skip(j, kind);
	while (is_object && fg_json_more(j, &kind)) {
		uint64_t *number = fg_str_eq(j->text, FG_STR("start")) ? &lib->start :
				   fg_str_eq(j->text, FG_STR("end"))   ? &lib->end :
									 NULL;

		struct fg_buf *text =
			fg_str_eq(j->text, FG_STR("path"))	? &file.path :
			fg_str_eq(j->text, FG_STR("debugPath")) ? &file.debug_path :
			fg_str_eq(j->text, FG_STR("codeId"))	? &file.code_id :
								  NULL;

		if (number)
			fg_str_u64(fg_json_value(j), number);
		else if (text)
			keep(text, j);
		else if (fg_str_eq(j->text, FG_STR("name")))
			lib->name = lib_name(f, fg_json_value(j));
		else
			fg_json_skip(j, fg_json_next(j));
	}
	if (f->symbols)
		lib->file = firefox_symbols_file(f->symbols, &file);
	firefox_file_release(&file);
}

/* Reads libraries after '['. */
static void read_list(struct firefox *f, struct fg_json *j, struct firefox_libs *libs)
{
	enum fg_json_kind kind;

	libs->count = 0;
	libs->by_address = false;
	while (fg_json_more(j, &kind)) {
		FG_GROW(libs->items, libs->alloc, libs->count + 1);
		read_lib(f, j, kind, &libs->items[libs->count]);
		libs->count++;
	}
}

void firefox_read_libs(struct firefox *f, struct fg_json *j, struct firefox_libs *libs)
{
	enum fg_json_kind kind = fg_json_next(j);
	struct fg_buf text = FG_BUF_INIT;
	struct fg_json inner;

	if (kind == FG_JSON_ARRAY) {
		read_list(f, j, libs);
	} else if (kind == FG_JSON_STRING) {
		fg_buf_add_str(&text, j->text);
		fg_json_init(&inner, fg_buf_str(&text));
		if (fg_json_enter(&inner, FG_JSON_ARRAY))
			read_list(f, &inner, libs);
		fg_json_release(&inner);
		fg_buf_release(&text);
	} else {
		fg_json_skip(j, kind);
	}
}

/* ---- threads */

static struct firefox_column number_column(const char *name, int decimals)
{
	return (struct firefox_column){ .name = name,
					.is_number = true,
					.decimals = decimals };
}

static void read_samples(const struct firefox *f, struct fg_json *j,
			 struct firefox_thread *t)
{
	struct firefox_column type = { .name = "weightType", .text = &t->weight_type };
	struct firefox_column *columns[6] = { &t->stack };
	size_t count = 1;

	if (f->weight == FIREFOX_SAMPLES) {
		columns[count++] = &t->weight;
		columns[count++] = &type;
	} else if (f->weight == FIREFOX_CPU) {
		columns[count++] = &t->cpu;
	}
	if (f->weight == FIREFOX_TIME || fg_sink_wants_time(f->sink)) {
		columns[count++] = &t->time;
		columns[count++] = &t->deltas;
	}
	firefox_read_table(j, columns);
}

static void init_thread(struct firefox_thread *t)
{
	memset(t, 0, sizeof(*t));
	firefox_tables_init(&t->tables);
	t->stack.name = "stack";
	t->weight = number_column("weight", FIREFOX_WEIGHT_DECIMALS);
	t->time = number_column("time", FIREFOX_TIME_DECIMALS);
	t->deltas = number_column("timeDeltas", FIREFOX_TIME_DECIMALS);
	t->cpu = number_column("threadCPUDelta", 0);
}

void firefox_read_thread(struct firefox *f, struct fg_json *j, struct firefox_thread *t)
{
	enum fg_json_kind kind;

	init_thread(t);
	while (fg_json_more(j, &kind)) {
		struct fg_str name = j->text;

		if (fg_str_eq(name, FG_STR("name"))) {
			keep(&t->name, j);
		} else if (fg_str_eq(name, FG_STR("processName"))) {
			keep(&t->process, j);
		} else if (fg_str_eq(name, FG_STR("processType"))) {
			keep(&t->process_type, j);
		} else if (fg_str_eq(name, FG_STR("samples"))) {
			read_samples(f, j, t);
		} else if (fg_str_eq(name, FG_STR("libs"))) {
			t->has_libs = true;
			firefox_read_libs(f, j, &t->libs);
		} else if (!firefox_read_tables(f, j, &t->tables)) {
			fg_json_skip(j, fg_json_next(j));
		}
	}
}

void firefox_thread_release(struct firefox_thread *t)
{
	fg_buf_release(&t->name);
	fg_buf_release(&t->process);
	fg_buf_release(&t->process_type);
	fg_buf_release(&t->weight_type);
	firefox_tables_release(&t->tables);
	free(t->libs.items);
	firefox_column_release(&t->stack);
	firefox_column_release(&t->weight);
	firefox_column_release(&t->time);
	firefox_column_release(&t->deltas);
	firefox_column_release(&t->cpu);
}
