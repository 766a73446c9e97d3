/* Allocates memory for calls of the library. If there is none, only the call ends. */
#include "library/memory.h"

#include <locale.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#undef free /* here, and for blocks of libdw, we need the C library's free() */
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "lib/base/xalloc.h"

struct link {
	struct link *next, *before;
};

/* The header of a block, before the bytes that the caller sees. */
struct block {
	alignas(max_align_t) struct link in;
	/*
	 * size of the block and this header while the call owns it; 0 once it is kept
	 */
	size_t size;
};

/* An object of fg_hold(), like a descriptor, which free() cannot release. */
struct held {
	struct held *older;
	void (*release)(void *what);
	void *what;
};

struct call {
	struct call *outer;
	struct link blocks; /* the newest first */
	size_t size; /* sum of the sizes of all blocks */
	struct held *held;
	/*
	 * locale of the caller; a call runs in locale "C", which sets the form of
	 * numbers
	 */
	locale_t locale;
	jmp_buf no_memory;
};

/*
 * With the model initial-exec, glibc has reserved memory for the variable in each
 * thread, so the first use in a thread cannot fail for lack of memory. Other C
 * libraries reserve no memory for libraries that are loaded late.
 */
#ifdef __GLIBC__
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local struct call *current;

/* ---- blocks */

static void unlink_block(struct link *in)
{
	in->before->next = in->next;
	in->next->before = in->before;
	in->next = in->before = in;
}

static void link_block(struct link *in)
{
	struct link *list = &current->blocks;

	in->before = list;
	in->next = list->next;
	in->next->before = in;
	list->next = in;
}

static struct block *block_of(void *bytes)
{
	return (struct block *)bytes - 1;
}

/* Takes a block out of the list of the call. */
static struct block *take_out(void *bytes)
{
	struct block *block = block_of(bytes);

	unlink_block(&block->in);
	if (block->size)
		current->size -= block->size;
	block->size = 0;
	return block;
}

void fg_free(void *bytes)
{
	if (bytes)
		free(take_out(bytes));
}

void *fg_call_keep(void *bytes)
{
	if (bytes)
		take_out(bytes);
	return bytes;
}

void *fg_kept_grow(void *bytes, size_t *have, size_t need)
{
	size_t size = *have < SIZE_MAX / 4 ? *have * 2 : *have;
	struct block *block;

	if (bytes && *have >= need)
		return bytes;
	if (size < need)
		size = need;
	if (size < 64)
		size = 64;
	if (size > SIZE_MAX / 2)
		return NULL;
	block = realloc(bytes ? block_of(bytes) : NULL, sizeof(*block) + size);
	if (!block)
		return NULL;
	block->in.next = block->in.before = &block->in;
	block->size = 0;
	*have = size;
	return block + 1;
}

/* ---- calls */

/* Releases held objects first, because their release functions may use the blocks. */
static void release_all(struct call *c)
{
	struct link *next;

	while (c->held) {
		struct held *h = c->held;

		c->held = h->older;
		h->release(h->what);
		free(h);
	}
	for (struct link *at = c->blocks.next; at != &c->blocks; at = next) {
		next = at->next;
		free(at);
	}
}

int fg_call(int (*work)(void *data), void *data, int no_memory)
{
	struct call call = { .outer = current };
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	int status;

	if (!plain)
		return no_memory;
	call.blocks.next = call.blocks.before = &call.blocks;
	call.locale = uselocale(plain);
	current = &call;
	if (setjmp(call.no_memory))
		status = no_memory;
	else
		status = work(data);
	release_all(&call);
	current = call.outer;
	uselocale(call.locale);
	freelocale(plain);
	return status;
}

void fg_call_user(void (*f)(void *data), void *data)
{
	locale_t plain = uselocale(current->locale);

	f(data);
	uselocale(plain);
}

_Noreturn void fg_out_of_memory(void)
{
	longjmp(current->no_memory, 1);
}

_Noreturn void fg_size_overflow(void)
{
	fg_out_of_memory();
}

void fg_hold(void (*release)(void *what), void *what)
{
	struct held *h = malloc(sizeof(*h));

	if (!h) {
		release(what);
		fg_out_of_memory();
	}
	*h = (struct held){ current->held, release, what };
	current->held = h;
}

void fg_let_go(const void *what)
{
	struct held **at = &current->held, *h;

	while (*at && (*at)->what != what)
		at = &(*at)->older;
	h = *at;
	if (!h)
		return;
	*at = h->older;
	free(h);
}

/* ---- the functions of lib/base/xalloc.h */

void fg_xalloc_start(void)
{
}

size_t fg_xalloc_held(void)
{
	return current->size;
}

void fg_xalloc_spare(size_t size)
{
	void *volatile block = malloc(size);

	if (!block)
		fg_out_of_memory();
	free(block);
}

static void set_size(struct block *block, size_t size)
{
	current->size += size - block->size;
	block->size = size;
}

static void *add_block(struct block *block, size_t size)
{
	if (!block)
		fg_out_of_memory();
	link_block(&block->in);
	block->size = 0;
	set_size(block, size);
	return block + 1;
}

void *fg_xmalloc(size_t size)
{
	size_t total = fg_size_add(size, sizeof(struct block));

	return add_block(malloc(total), total);
}

void *fg_xcalloc(size_t count, size_t size)
{
	size_t total = fg_size_add(fg_size_mul(count, size), sizeof(struct block));

	return add_block(calloc(1, total), total);
}

/* A block that cannot grow stays in the list, so the end of the call frees it. */
void *fg_xrealloc(void *bytes, size_t count, size_t size)
{
	size_t total = fg_size_add(fg_size_mul(count, size), sizeof(struct block));
	struct block *grown;

	if (!bytes)
		return add_block(malloc(total), total);
	grown = realloc(block_of(bytes), total);
	if (!grown)
		fg_out_of_memory();
	grown->in.before->next = &grown->in;
	grown->in.next->before = &grown->in;
	set_size(grown, total);
	return grown + 1;
}
