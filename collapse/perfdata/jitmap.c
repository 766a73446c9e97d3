/* The maps that Java, Node.js and others write of the code they make. */
#include "collapse/perfdata/jitmap.h"

/* Java writes "0x" in front. */
static int read_number(struct fg_str *line, uint64_t *number)
{
	struct fg_str digits = fg_str_cut(line, ' ');

	if (fg_str_starts(digits, FG_STR("0x")))
		digits = fg_str_from_pos(digits, 2);
	return fg_str_hex(digits, number);
}

static void add_line(struct fg_str line, struct fg_pd_symtab *t)
{
	uint64_t start, size;

	if (!read_number(&line, &start) && !read_number(&line, &size) && line.len)
		fg_pd_symtab_add(t, start, size, line.ptr,
				 FG_PD_SYMBOL_SIZED | FG_PD_SYMBOL_GLOBAL);
}

void fg_pd_jitmap_parse(struct fg_buf *text, struct fg_pd_symtab *t)
{
	struct fg_str rest;

	fg_buf_add_char(text, '\n');
	for (size_t i = 0; i < text->len; i++)
		if (text->ptr[i] == '\n' ||
		    (text->ptr[i] == '\r' && text->ptr[i + 1] == '\n'))
			text->ptr[i] = '\0';
	rest = fg_buf_str(text);
	while (rest.len)
		add_line(fg_str_cut(&rest, '\0'), t);
}
