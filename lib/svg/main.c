/*
 * flamepipe-svg: converts an SVG to folded stacks for the other programs of flamepipe,
 * which start it. Users do not. lib/svg/svgchild.h describes its input and its answers.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "lib/base/xalloc.h"
#include "lib/svg/svgchild.h"
#include "lib/svg/svgfile.h"

#define READ_SIZE ((size_t)64 * 1024)

enum { PROGRAM, VERSION, CALLER, INPUT, ARGUMENTS };

/* Writes a record. Returns -1 if the program that started us has ended. */
static int answer(enum fg_svgchild_record kind, struct fg_str bytes)
{
	char head[32];
	int len = snprintf(head, sizeof(head), "%c %zu\n", kind, bytes.len);

	return fg_io_write_all(STDOUT_FILENO, head, (size_t)len) ||
			       fg_io_write_all(STDOUT_FILENO, bytes.ptr, bytes.len) ?
		       -1 :
		       0;
}

static void answer_message(void *data, const char *message)
{
	const struct fg_diag *diag = data;

	answer(diag->errors ? FG_SVGCHILD_ERROR : FG_SVGCHILD_WARNING,
	       fg_str_from(message));
}

static int read_svg(void *svg)
{
	static char bytes[READ_SIZE];
	ssize_t got;

	while ((got = fg_io_read(STDIN_FILENO, bytes, sizeof(bytes))) > 0)
		if (fg_svgfile_format.feed(svg, fg_str_of(bytes, (size_t)got)))
			return -1;
	return got < 0 ? -1 : 0;
}

static int write_lines(void *svg)
{
	struct fg_buf lines = FG_BUF_INIT;
	int status;

	while ((status = fg_svgfile_format.lines(svg, &lines)) > 0) {
		status = answer(FG_SVGCHILD_LINES, fg_buf_str(&lines));
		if (status)
			break;
		fg_buf_clear(&lines);
	}
	fg_buf_release(&lines);
	return status;
}

int main(int argc, char **argv)
{
	struct fg_diag diag;
	void *svg;
	int status;

	fg_xalloc_start();
	if (argc != ARGUMENTS) {
		fprintf(stderr,
			"flamepipe-svg is a part of flamegraph and other programs, "
			"which start it to read an SVG\n");
		return 2;
	}
	fg_diag_init(&diag, argv[CALLER]);
	diag.sink = answer_message;
	diag.sink_data = &diag;
	if (strcmp(argv[VERSION], FG_VERSION) != 0) {
		fg_error(&diag, NULL, "flamepipe-svg is of version %s, not %s",
			 FG_VERSION, argv[VERSION]);
		return 1;
	}
	svg = fg_svgfile_format.open(argv[INPUT], &diag);
	status = read_svg(svg);
	if (!status)
		status = write_lines(svg);
	fg_svgfile_format.close(svg);
	return status ? 1 : 0;
}
