/* Reads the numbers of a picture's data, which may be damaged. */
#include "lib/svg/varint.h"

void fg_varint_fault(struct fg_varint_reader *r, const char *fault)
{
	if (!r->failed)
		fg_error(r->diag, r->at,
			 "this SVG cannot be read: its %s are damaged: %s", r->section,
			 fault);
	r->failed = true;
}

uint64_t fg_varint_read(struct fg_varint_reader *r)
{
	uint64_t n;

	if (!fg_varint_cut(&r->rest, &n))
		return n;
	fg_varint_fault(r, "they end early or have a number above 2^64-1");
	return 0;
}

size_t fg_varint_read_size(struct fg_varint_reader *r)
{
	uint64_t n = fg_varint_read(r);

	if (n <= r->rest.len)
		return (size_t)n;
	fg_varint_fault(r, "they end early");
	return 0;
}

uint64_t fg_varint_read_below(struct fg_varint_reader *r, uint64_t limit,
			      const char *fault)
{
	uint64_t n = fg_varint_read(r);

	if (n < limit)
		return n;
	fg_varint_fault(r, fault);
	return 0;
}
