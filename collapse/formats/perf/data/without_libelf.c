/* Without libelf: no file has symbols. */
#include "collapse/formats/perf/data/elfsymbols.h"

#ifndef FG_HAVE_LIBELF

bool fg_pd_elf_is_here(void)
{
	return false;
}

struct fg_pd_elf *fg_pd_elf_open(int fd)
{
	(void)fd;
	return NULL;
}

struct fg_pd_elf *fg_pd_elf_open_image(struct fg_str image)
{
	(void)image;
	return NULL;
}

void fg_pd_elf_close(struct fg_pd_elf *e)
{
	(void)e;
}

struct fg_pd_build_id fg_pd_elf_build_id(const struct fg_pd_elf *e)
{
	(void)e;
	return (struct fg_pd_build_id){ { 0 }, 0 };
}

bool fg_pd_elf_has_symtab(const struct fg_pd_elf *e)
{
	(void)e;
	return false;
}

bool fg_pd_elf_has_dynsym(const struct fg_pd_elf *e)
{
	(void)e;
	return false;
}

bool fg_pd_elf_has_debug(const struct fg_pd_elf *e)
{
	(void)e;
	return false;
}

struct fg_pd_build_id fg_pd_elf_shared_id(const struct fg_pd_elf *e)
{
	(void)e;
	return (struct fg_pd_build_id){ { 0 }, 0 };
}

bool fg_pd_elf_address(const struct fg_pd_elf *e, uint64_t offset, uint64_t *address)
{
	(void)e;
	(void)offset;
	(void)address;
	return false;
}

struct fg_str fg_pd_elf_debug_link(const struct fg_pd_elf *e)
{
	(void)e;
	return FG_STR("");
}

uint64_t fg_pd_elf_size(const struct fg_pd_elf *e)
{
	(void)e;
	return 0;
}

bool fg_pd_elf_read(const struct fg_pd_elf *e, uint64_t offset, void *to, size_t len)
{
	(void)e;
	(void)offset;
	(void)to;
	(void)len;
	return false;
}

bool fg_pd_elf_inflates(const struct fg_pd_elf *e)
{
	(void)e;
	return false;
}

bool fg_pd_elf_failed(const struct fg_pd_elf *e)
{
	(void)e;
	return false;
}

const char *fg_pd_elf_text(struct fg_pd_elf *e, uint64_t offset)
{
	(void)e;
	(void)offset;
	return NULL;
}

void fg_pd_elf_symbols(struct fg_pd_elf *e, struct fg_pd_elf *runtime,
		       struct fg_pd_symtab *t)
{
	(void)e;
	(void)runtime;
	(void)t;
}

#endif
