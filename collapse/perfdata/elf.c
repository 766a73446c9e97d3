/* ELF files, by libelf (elf(5)), which maps them. */
#include "collapse/perfdata/elf.h"

#ifdef FG_HAVE_LIBELF
#include "collapse/perfdata/elffile.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/xalloc.h"

bool fg_pd_elf_is_here(void)
{
	return true;
}

const char *fg_pd_elf_section_name(const struct fg_pd_elf *e, const GElf_Shdr *header)
{
	const char *name = elf_strptr(e->elf, e->names, header->sh_name);

	return name ? name : "";
}

struct fg_pd_section fg_pd_elf_section(const struct fg_pd_elf *e, const char *name)
{
	struct fg_pd_section s = { NULL, { 0 } };

	while ((s.scn = elf_nextscn(e->elf, s.scn)))
		if (gelf_getshdr(s.scn, &s.header) &&
		    !strcmp(fg_pd_elf_section_name(e, &s.header), name))
			break;
	return s;
}

/* A table of symbols; in a file of debug information .dynsym has no contents. */
static struct fg_pd_section find_table(const struct fg_pd_elf *e, const char *name,
				       uint32_t type)
{
	struct fg_pd_section s = fg_pd_elf_section(e, name);

	if (s.scn && s.header.sh_type != type)
		s.scn = NULL;
	return s;
}

static struct fg_pd_elf *start(Elf *elf, int fd, char *image)
{
	struct fg_pd_elf *e = fg_xcalloc(1, sizeof(*e));

	e->elf = elf;
	e->fd = fd;
	e->image = image;
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &e->header) ||
	    elf_getshdrstrndx(elf, &e->names) || elf_getphdrnum(elf, &e->segments)) {
		fg_pd_elf_close(e);
		return NULL;
	}
	e->symtab = find_table(e, ".symtab", SHT_SYMTAB);
	e->dynsym = find_table(e, ".dynsym", SHT_DYNSYM);
	return e;
}

struct fg_pd_elf *fg_pd_elf_open(int fd)
{
	elf_version(EV_CURRENT);
	return start(elf_begin(fd, ELF_C_READ_MMAP, NULL), fd, NULL);
}

struct fg_pd_elf *fg_pd_elf_open_image(struct fg_str image)
{
	char *copy = fg_xmalloc(image.len);

	elf_version(EV_CURRENT);
	if (image.len)
		memcpy(copy, image.ptr, image.len);
	return start(elf_memory(copy, image.len), -1, copy);
}

void fg_pd_elf_close(struct fg_pd_elf *e)
{
	if (!e)
		return;
	elf_end(e->elf);
	if (e->fd >= 0)
		close(e->fd);
	free(e->image);
	free(e);
}

/* The contents of a section, borrowed. */
static struct fg_str contents(const struct fg_pd_section *s)
{
	const Elf_Data *data = s->scn ? elf_getdata(s->scn, NULL) : NULL;

	return data && data->d_buf ? fg_str_of(data->d_buf, data->d_size) :
				     fg_str_of("", 0);
}

struct fg_pd_build_id fg_pd_elf_build_id(const struct fg_pd_elf *e)
{
	static const char *const places[] = { ".note.gnu.build-id", ".notes", ".note" };
	struct fg_pd_build_id id = { { 0 }, 0 };

	for (size_t i = 0; i < FG_COUNT_OF(places); i++) {
		struct fg_pd_section s = fg_pd_elf_section(e, places[i]);

		if (s.scn && s.header.sh_type == SHT_NOTE &&
		    fg_pd_build_id_from_notes(&id, contents(&s)))
			break;
	}
	return id;
}

bool fg_pd_elf_has_symtab(const struct fg_pd_elf *e)
{
	return e->symtab.scn;
}

bool fg_pd_elf_has_dynsym(const struct fg_pd_elf *e)
{
	return e->dynsym.scn;
}

bool fg_pd_elf_has_debug(const struct fg_pd_elf *e)
{
	struct fg_pd_section s = fg_pd_elf_section(e, ".debug_info");

	return s.scn && s.header.sh_type != SHT_NOBITS;
}

/* The section has the name of the file, too. */
struct fg_pd_build_id fg_pd_elf_shared_id(const struct fg_pd_elf *e)
{
	struct fg_pd_section s = fg_pd_elf_section(e, ".gnu_debugaltlink");
	struct fg_str link = contents(&s);
	size_t len = fg_str_find_char(link, '\0');
	struct fg_pd_build_id id = { { 0 }, 0 };

	if (len < link.len)
		fg_pd_build_id_set(&id, fg_str_from_pos(link, len + 1));
	return id;
}

bool fg_pd_elf_address(const struct fg_pd_elf *e, uint64_t offset, uint64_t *address)
{
	GElf_Phdr p;

	for (size_t i = 0; i < e->segments && i < INT32_MAX; i++) {
		if (!gelf_getphdr(e->elf, (int)i, &p) || p.p_type != PT_LOAD ||
		    offset < p.p_offset || offset - p.p_offset >= p.p_filesz)
			continue;
		*address = offset - p.p_offset + p.p_vaddr;
		return true;
	}
	return false;
}

struct fg_str fg_pd_elf_debug_link(const struct fg_pd_elf *e)
{
	struct fg_pd_section s = fg_pd_elf_section(e, ".gnu_debuglink");
	struct fg_str link = contents(&s);
	size_t len = fg_str_find_char(link, '\0');

	return len < link.len ? fg_str_before(link, len) : FG_STR("");
}

struct fg_str fg_pd_elf_bytes(const struct fg_pd_elf *e)
{
	size_t size = 0;
	const char *bytes = elf_rawfile(e->elf, &size);

	return fg_str_of(bytes ? bytes : "", bytes ? size : 0);
}

int fg_pd_elf_descriptor(const struct fg_pd_elf *e)
{
	return e->fd;
}

#else

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

struct fg_str fg_pd_elf_bytes(const struct fg_pd_elf *e)
{
	(void)e;
	return FG_STR("");
}

int fg_pd_elf_descriptor(const struct fg_pd_elf *e)
{
	(void)e;
	return -1;
}

#endif
