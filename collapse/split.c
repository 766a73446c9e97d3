/* Writes each value into a file or a section of its own: --split and --weight all. */
#include "collapse/split.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "collapse/sink.h"
#include "collapse/sink_internal.h"
#include "lib/base/inputs.h"
#include "lib/base/intern.h"
#include "lib/base/replace.h"
#include "lib/profile/sections.h"

struct split {
	struct fg_collapse *c;
	const struct fg_opt_list *files;
	struct fg_out *out;
	struct fg_diag *diag;
	struct fg_buf path;
	struct fg_intern paths; /* the paths of the values so far */
	bool any; /* a value had stacks */
};

/* Returns -1 after reporting that an input cannot be read again for each value. */
static int check_files(const struct split *s)
{
	const char *option = s->c->samples.split ? "--split" : "--weight all";
	bool again = s->files->count > 0;

	for (size_t i = 0; i < s->files->count; i++) {
		struct stat st;

		again = again && !fg_is_standard_input(s->files->items[i]) &&
			(stat(s->files->items[i], &st) || S_ISREG(st.st_mode));
	}
	return again ? 0 :
		       fg_error(s->diag, NULL,
				"%s reads its input once for each value: "
				"name files, not a pipe",
				option);
}

/*
 * Like fg_collapse_run(), for the value `weight`. A value without stacks is left out,
 * unless it is the last value and no other value had stacks.
 */
static int read_once(struct split *s, const char *weight, bool last, struct fg_out *out)
{
	struct fg_collapse *c = s->c;
	struct fg_collapse_io io = { .files = s->files, .out = out };
	int status;

	c->samples.weight = weight;
	fg_sink_free(c->sink);
	c->sink = fg_sink_new(c->format, &c->common, &c->samples, s->diag);
	if (!c->sink)
		return -1;
	c->sink->rules.may_be_left_out = s->any || !last;
	io.reader = fg_reader_open(s->files->items, s->files->count, s->diag);
	status = fg_collapse_run(c, &io);
	fg_reader_close(io.reader);
	s->any = s->any || c->sink->output.started;
	return status;
}

/* Sets s->path to DIR/NAME.folded. If an earlier value has that path, changes it. */
static void make_path(struct split *s, struct fg_str name)
{
	size_t known = s->paths.count, number = 1, start;

	fg_buf_clear(&s->path);
	fg_buf_add_str(&s->path, fg_str_from(s->c->samples.split));
	fg_buf_add_char(&s->path, '/');
	start = s->path.len;
	if (!name.len || fg_str_starts(name, FG_STR(".")))
		fg_buf_add_char(&s->path, '_');
	fg_buf_add_str(&s->path, name);
	for (size_t i = start; i < s->path.len; i++)
		if (s->path.ptr[i] == '/' || s->path.ptr[i] == ' ')
			s->path.ptr[i] = '_';
	for (start = s->path.len; fg_intern(&s->paths, fg_buf_str(&s->path)) < known;) {
		s->path.len = start;
		fg_buf_addf(&s->path, "_%zu", ++number);
	}
	fg_buf_add_str(&s->path, FG_STR(".folded"));
}

static int write_value(struct split *s, const char *name, bool last)
{
	struct fg_replacement file;
	struct fg_out out;
	int status;

	make_path(s, fg_str_from(name));
	if (fg_replacement_open(&file, fg_buf_cstr(&s->path), s->diag))
		return -1;
	fg_out_init(&out, file.fd, file.name, s->diag);
	status = read_once(s, name, last, &out);
	if (fg_out_close(&out))
		status = -1;
	if (status || !s->c->sink->output.started) {
		fg_replacement_abandon(&file);
		return status;
	}
	if (fg_replacement_finish(&file))
		return -1;
	fg_out_addf(s->out, "%s\n", fg_buf_cstr(&s->path));
	return 0;
}

/*
 * Returns -1 after reporting that there are more values than folded(5) allows sections.
 */
static int check_names(const struct split *s, struct fg_str names)
{
	size_t count = 0;

	while (names.len && count <= FG_SECTIONS_MAX) {
		fg_str_cut(&names, '\0');
		count++;
	}
	if (count <= FG_SECTIONS_MAX)
		return 0;
	return fg_error(s->diag, NULL,
			"there are more than %d values: --weight NAME chooses one",
			FG_SECTIONS_MAX);
}

bool fg_collapse_splits(const struct fg_collapse *c)
{
	const struct fg_samples_options *o = &c->samples;

	return o->split ||
	       (c->format->has_values && o->weight && !strcmp(o->weight, "all"));
}

int fg_collapse_split(struct fg_collapse *c, const struct fg_opt_list *files,
		      struct fg_out *out, struct fg_diag *diag)
{
	struct split s = { c, files, out, diag, .path = FG_BUF_INIT };
	struct fg_buf names = FG_BUF_INIT;
	struct fg_out listed;
	bool all;
	int status;

	if (check_files(&s))
		return -1;
	all = !c->samples.split;
	fg_out_init_memory(&listed);
	status = read_once(&s, "list", true, &listed);
	fg_out_close(&listed);
	fg_buf_add_str(&names, fg_buf_str(&c->sink->value.names));
	fg_intern_init(&s.paths);
	if (!status)
		status = check_names(&s, fg_buf_str(&names));
	if (!status && !all && mkdir(c->samples.split, 0777) && errno != EEXIST)
		status = fg_error(diag, NULL, "%s: %s", c->samples.split,
				  strerror(errno));
	c->samples.header = true;
	for (size_t at = 0, next; !status && at < names.len; at = next) {
		next = at + strlen(names.ptr + at) + 1;
		status = all ? read_once(&s, names.ptr + at, next == names.len, out) :
			       write_value(&s, names.ptr + at, next == names.len);
	}
	c->samples.weight = NULL; /* it points into `names`, which we free */
	fg_buf_release(&names);
	fg_buf_release(&s.path);
	fg_intern_release(&s.paths);
	return status;
}
