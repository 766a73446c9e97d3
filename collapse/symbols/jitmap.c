/*
 * Reads the maps in which Java, Node.js and other runtimes list the code that they
 * compile.
 */
#include "collapse/symbols/jitmap.h"

#include <sys/stat.h>
#include <unistd.h>

#include "collapse/symbols/trusted.h"
#include "lib/base/io.h"

void fg_jitmap_release(struct fg_jitmap *m)
{
	fg_arena_release(&m->names);
	m->size = 0;
}

/* Reads a hexadecimal number. Java writes "0x" before it. */
static int read_number(struct fg_str *line, uint64_t *number)
{
	struct fg_str digits = fg_str_cut(line, ' ');

	if (fg_str_starts(digits, FG_STR("0x")))
		digits = fg_str_from_pos(digits, 2);
	return fg_str_hex(digits, number);
}

/* Adds the symbol of a line. Ignores a malformed line. */
static void add_line(struct fg_jitmap *m, struct fg_str line, struct fg_symtab *t)
{
	uint64_t start, size;
	char *name;

	fg_str_cut_end(&line, FG_STR("\r"));
	if (read_number(&line, &start) || read_number(&line, &size) || !line.len)
		return;
	name = fg_arena_bytes(&m->names, line.len + 1);
	memcpy(name, line.ptr, line.len);
	name[line.len] = '\0';
	fg_symtab_add(t, start, size, name, FG_SYMBOL_SIZED | FG_SYMBOL_GLOBAL);
}

void fg_jitmap_parse(struct fg_jitmap *m, struct fg_str text, struct fg_symtab *t)
{
	while (text.len)
		add_line(m, fg_str_cut(&text, '\n'), t);
}

/*
 * Seeks to the end of the lines that were read before. If no line ends there, the file
 * was written anew, and we start from its beginning. Returns true if there is anything
 * to read.
 */
static bool seek_news(struct fg_jitmap *m, int fd, struct fg_symtab *t)
{
	struct stat st;
	char last;

	if (fstat(fd, &st) || (uint64_t)st.st_size == m->size)
		return false;
	if (m->size &&
	    (fg_io_read_at(fd, &last, 1, (off_t)m->size - 1) != 1 || last != '\n')) {
		fg_jitmap_release(m);
		fg_symtab_release(t);
	}
	return lseek(fd, (off_t)m->size, SEEK_SET) >= 0;
}

int fg_jitmap_read(struct fg_jitmap *m, int fd, bool grows, struct fg_symtab *t)
{
	struct fg_buf buf = FG_BUF_INIT;
	struct fg_str text;
	int status;

	if (fd < 0)
		return -1;
	if (!seek_news(m, fd, t)) {
		close(fd);
		return 0;
	}
	status = fg_trusted_read_all(fd, &buf);
	text = fg_buf_str(&buf);
	while (grows && text.len && text.ptr[text.len - 1] != '\n')
		text.len--;
	fg_jitmap_parse(m, text, t);
	m->size += text.len;
	fg_buf_release(&buf);
	return status;
}
