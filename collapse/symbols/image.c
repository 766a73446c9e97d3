/*
 * The build id and the first segment of an ELF file, asked of readelf.
 *
 * https://sourceware.org/binutils/docs/binutils/readelf.html
 */
#include "collapse/symbols/image.h"

#include "lib/base/child.h"

/* Headers and notes are short; of a file that has more, this is enough. */
#define TEXT_MAX ((size_t)16 << 20)

void fg_image_release(struct fg_image *image)
{
	fg_buf_release(&image->build_id);
}

/* The next word of a line, which blanks are around. */
static struct fg_str word(struct fg_str *line)
{
	*line = fg_str_trim_left(*line);
	return fg_str_cut(line, ' ');
}

/*
 *   LOAD           0x000000 0x0000000000400000 0x0000000000400000 0x0004c8 ...
 *   GNU            0x000014 NT_GNU_BUILD_ID (...)     Build ID: 8a3f0c...
 */
static void read_line(struct fg_image *image, struct fg_str line, bool *has_base)
{
	static const struct fg_str mark = FG_STR_INIT("Build ID: ");
	size_t at = fg_str_find(line, mark);
	uint64_t base;

	if (at < line.len && !image->build_id.len) {
		fg_buf_add_str(&image->build_id,
			       fg_str_trim(fg_str_from_pos(line, at + mark.len)));
	} else if (fg_str_eq(word(&line), FG_STR("LOAD")) && !*has_base) {
		word(&line);
		if (!fg_str_0x(word(&line), &base)) {
			image->base = base;
			*has_base = true;
		}
	}
}

int fg_image_read(struct fg_image *image, const char *path)
{
	const char *args[] = { "readelf", "-nlW", path, NULL };
	struct fg_child child = { .pid = 0 };
	bool has_base = false;
	struct fg_str line;
	int error = fg_child_start(&child, args);

	if (error)
		return error;
	child.left = TEXT_MAX;
	while (fg_child_line(&child, &line) == READ_LINE)
		read_line(image, line, &has_base);
	fg_child_end(&child, CHILD_KILL);
	return 0;
}
