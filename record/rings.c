/* Maps the kernel's ring buffers and finds the new records in them. */
#define _GNU_SOURCE /* for MAP_FAILED with old headers */
#include "record/rings.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/records.h"

/* Factor by which rings for copies of stacks exceed perf_event_mlock_kb, if allowed. */
#define LARGE 8

int fg_ring_map(struct fg_ring *r, int fd, uint64_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, page + (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED,
			fd, 0);

	if (at == MAP_FAILED)
		return errno;
	r->page = at;
	r->data = (char *)at + page;
	r->size = size;
	r->head = 0;
	return 0;
}

void fg_ring_unmap(struct fg_ring *r)
{
	if (r->page)
		munmap(r->page, (size_t)(r->data - (char *)r->page) + (size_t)r->size);
	r->page = NULL;
}

void fg_ring_parts(const struct fg_ring *r, uint64_t tail, uint64_t head,
		   struct fg_str parts[2])
{
	size_t start = (size_t)(tail % r->size), len = (size_t)(head - tail);
	size_t first = (size_t)r->size - start < len ? (size_t)r->size - start : len;

	parts[0] = fg_str_of(r->data + start, first);
	parts[1] = fg_str_of(r->data, len - first);
}

bool fg_ring_take(struct fg_ring *r, struct fg_str parts[2])
{
	struct perf_event_mmap_page *page = r->page;
	uint64_t tail = page->data_tail;

	r->head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	fg_ring_parts(r, tail, r->head, parts);
	return r->head != tail;
}

void fg_ring_done(struct fg_ring *r)
{
	struct perf_event_mmap_page *page = r->page;

	__atomic_store_n(&page->data_tail, r->head, __ATOMIC_RELEASE);
}

/* Copies `len` bytes at the offset `at` of two parts. Returns false beyond the end. */
static bool copy_at(const struct fg_str parts[2], size_t at, void *to, size_t len)
{
	struct fg_str first = fg_str_before(fg_str_from_pos(parts[0], at), len);
	struct fg_str second = parts[1];

	if (at > parts[0].len)
		second = fg_str_from_pos(parts[1], at - parts[0].len);
	if (second.len < len - first.len)
		return false;
	if (first.len)
		memcpy(to, first.ptr, first.len);
	if (len > first.len)
		memcpy((char *)to + first.len, second.ptr, len - first.len);
	return true;
}

void fg_ring_count(const struct fg_str parts[2], struct fg_ring_counts *counts)
{
	struct perf_event_header header;
	uint64_t lost;

	for (size_t at = 0; copy_at(parts, at, &header, sizeof(header));
	     at += header.size) {
		if (header.size < sizeof(header))
			return;
		if (header.type == PERF_RECORD_SAMPLE)
			counts->samples++;
		else if (header.type == PERF_RECORD_LOST &&
			 copy_at(parts, at + sizeof(header) + 8, &lost, sizeof(lost)))
			counts->lost += lost;
	}
}

static uint64_t power_below(uint64_t n)
{
	while (n & (n - 1))
		n &= n - 1;
	return n;
}

uint64_t fg_ring_size(const struct fg_ring_limits *l, uint64_t wanted, bool large)
{
	/* one page of each ring is the kernel's own */
	uint64_t free = l->mlock > l->page ? l->mlock - l->page : 0;
	uint64_t size = power_below(free), more;

	if (wanted) {
		size = power_below(wanted);
		if (size < wanted)
			size *= 2;
	} else if (large) {
		more = l->memlock / (l->count ? l->count : 1);
		more = power_below(more > UINT64_MAX / 2 ? UINT64_MAX / 2 + 1 :
							   more + free);
		size = more > size * LARGE ? size * LARGE : more;
	}
	return size < l->page ? l->page : size;
}
