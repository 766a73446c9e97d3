/* Buffered output that remembers its first error and reports it at close. */
#include "lib/base/out.h"

#include <errno.h>
#include <string.h>

#include "lib/base/io.h"

#define FLUSH_AT ((size_t)64 * 1024)

void fg_out_init(struct fg_out *o, int fd, const char *name, struct fg_diag *diag)
{
	memset(o, 0, sizeof(*o));
	o->fd = fd;
	o->name = name;
	o->diag = diag;
}

void fg_out_init_memory(struct fg_out *o)
{
	fg_out_init(o, -1, "(memory)", NULL);
}

static void flush(struct fg_out *o)
{
	if (o->fd < 0)
		return;
	if (!o->error)
		o->error = fg_io_write_all(o->fd, o->buf.ptr, o->buf.len);
	fg_buf_clear(&o->buf);
}

/*
 * Writes the buffer if it is full, except for its last byte. fg_out_close() writes that
 * one, so if the run fails later, its output does not look complete.
 */
static void flush_if_full(struct fg_out *o)
{
	char last;

	if (o->buf.len < FLUSH_AT || o->fd < 0)
		return;
	last = o->buf.ptr[--o->buf.len];
	flush(o);
	fg_buf_add_char(&o->buf, last);
}

void fg_out_add(struct fg_out *o, const char *bytes, size_t len)
{
	/* writes a large text directly, without copying it */
	if (len >= FLUSH_AT && o->fd >= 0) {
		flush(o);
		if (!o->error)
			o->error = fg_io_write_all(o->fd, bytes, len - 1);
		fg_buf_add_char(&o->buf, bytes[len - 1]);
		return;
	}
	fg_buf_add(&o->buf, bytes, len);
	flush_if_full(o);
}

void fg_out_add_str(struct fg_out *o, struct fg_str s)
{
	fg_out_add(o, s.ptr, s.len);
}

void fg_out_add_char(struct fg_out *o, char c)
{
	fg_out_add(o, &c, 1);
}

void fg_out_add_u64(struct fg_out *o, uint64_t n)
{
	fg_buf_add_u64(&o->buf, n);
	flush_if_full(o);
}

void fg_out_addf(struct fg_out *o, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fg_buf_vaddf(&o->buf, format, args);
	va_end(args);
	flush_if_full(o);
}

char *fg_out_reserve(struct fg_out *o, size_t size)
{
	fg_buf_reserve(&o->buf, size);
	return o->buf.ptr + o->buf.len;
}

void fg_out_advance(struct fg_out *o, const char *end)
{
	o->buf.len = (size_t)(end - o->buf.ptr);
	flush_if_full(o);
}

int fg_out_flush(struct fg_out *o)
{
	flush(o);
	return o->error ? -1 : 0;
}

void fg_out_drop(struct fg_out *o)
{
	fg_buf_clear(&o->buf);
}

int fg_out_close(struct fg_out *o)
{
	flush(o);
	fg_buf_release(&o->buf);
	if (!o->error)
		return 0;
	if (o->error != EPIPE) {
		struct fg_place at = { o->name, 0 };

		fg_error(o->diag, &at, "cannot write: %s", strerror(o->error));
	}
	return -1;
}
