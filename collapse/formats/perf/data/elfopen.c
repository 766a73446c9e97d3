/*
 * Opens ELF files whose compressed sections do not become too large, by what they say
 * themselves: libelf and libdw make room for that much, and no more.
 */
#define _GNU_SOURCE /* for SEEK_DATA */
#include "collapse/formats/perf/data/elf.h"

#ifdef FG_HAVE_LIBELF
#include "collapse/formats/perf/data/elffile.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Symbols may share a name, or its end, but not so that what is read of all names is
 * much more than the file. A small file has as much.
 */
#define TEXTS_SPARE (UINT64_C(1) << 20)

/* Each address is looked for in all segments, of which a program has a dozen. */
#define SEGMENTS_MAX 1024

/*
 * Each section is looked for by its name among all of them, again and again. A program
 * has some dozens, or hundreds where the linker was told not to join them.
 */
#define SECTIONS_MAX 4096

/*
 * Whether a file is mostly holes, which take no place on a disk: by its size, which all
 * that is kept of it is measured by, it could have more than any machine.
 */
static bool is_hollow(int fd, uint64_t size)
{
#ifdef SEEK_DATA
	uint64_t spare = size < FG_PD_INFLATED_MAX ? size : FG_PD_INFLATED_MAX;
	uint64_t least = (size - spare) / FG_PD_INFLATED_TIMES, held = 0;
	off_t at = 0;

	while (held < least) {
		off_t start = lseek(fd, at, SEEK_DATA);

		at = start < 0 ? -1 : lseek(fd, start, SEEK_HOLE);
		if (at < 0)
			return errno == ENXIO; /* else it is not to be known */
		held += (uint64_t)(at - start);
	}
#else
	(void)fd;
	(void)size;
#endif
	return false;
}

/* How large a section becomes that is marked as compressed. */
static uint64_t marked(const struct fg_pd_elf *e, const GElf_Shdr *header)
{
	bool is_64 = e->header.e_ident[EI_CLASS] == ELFCLASS64;
	bool high_first = e->header.e_ident[EI_DATA] == ELFDATA2MSB;
	char start[16]; /* of Elf64_Chdr, or of Elf32_Chdr and more */

	if (!(header->sh_flags & SHF_COMPRESSED) ||
	    !fg_pd_elf_read(e, header->sh_offset, start, sizeof(start)))
		return 0;
	return fg_pd_elf_number(
		is_64 ? fg_str_of(start + 8, 8) : fg_str_of(start + 4, 4), high_first);
}

/* Like marked(), for a section whose name says so: .zdebug_info, .zgnu_debugaltlink. */
static uint64_t named(const struct fg_pd_elf *e, const GElf_Shdr *header)
{
	char start[12];

	if (strncmp(fg_pd_elf_section_name(e, header), ".z", 2) != 0 ||
	    !fg_pd_elf_read(e, header->sh_offset, start, sizeof(start)) ||
	    memcmp(start, "ZLIB", 4) != 0)
		return 0;
	return fg_pd_elf_number(fg_str_of(start + 4, 8), true);
}

static bool exceed(const struct fg_pd_elf *e, uint64_t *left,
		   uint64_t (*size_of)(const struct fg_pd_elf *e, const GElf_Shdr *))
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(e->elf, scn))) {
		const GElf_Shdr *header;
		GElf_Shdr room;
		uint64_t size;

		errno = 0;
		header = gelf_getshdr(scn, &room);
		fg_pd_check_memory(header);
		size = header && header->sh_type != SHT_NOBITS ? size_of(e, header) : 0;
		if (size > *left)
			return true;
		*left -= size;
	}
	return false;
}

static bool inflates(const struct fg_pd_elf *e)
{
	uint64_t left = FG_PD_INFLATED_MAX;

	if (e->size < UINT64_MAX / FG_PD_INFLATED_TIMES - FG_PD_INFLATED_MAX)
		left += e->size * FG_PD_INFLATED_TIMES;
	return exceed(e, &left, marked) || exceed(e, &left, named);
}

static struct fg_pd_section find_table(const struct fg_pd_elf *e, const char *name,
				       uint32_t type)
{
	struct fg_pd_section s = fg_pd_elf_section(e, name);

	if (s.scn && s.header.sh_type != type)
		s.scn = NULL;
	return s;
}

static struct fg_pd_elf *refuse(struct fg_pd_elf *e, int error)
{
	fg_pd_elf_close(e);
	errno = error;
	return NULL;
}

/*
 * Whether the names of sections end where their table does, if there are any: libelf
 * looks for the last end in it each time that it is asked for a name.
 */
static bool names_end(const struct fg_pd_elf *e)
{
	Elf_Scn *scn = elf_getscn(e->elf, e->names);
	GElf_Shdr header;
	char last;

	return !e->names ||
	       (scn && gelf_getshdr(scn, &header) && header.sh_type == SHT_STRTAB &&
		!(header.sh_flags & SHF_COMPRESSED) && header.sh_size &&
		header.sh_offset < e->size &&
		header.sh_size <= e->size - header.sh_offset &&
		fg_pd_elf_read(e, header.sh_offset + header.sh_size - 1, &last, 1) &&
		!last);
}

/* What was opened as `elf`, right after that. */
static struct fg_pd_elf *start(struct fg_pd_elf *e)
{
	size_t sections;

	fg_pd_check_memory(e->elf);
	if (!e->elf || elf_kind(e->elf) != ELF_K_ELF ||
	    !gelf_getehdr(e->elf, &e->header) || elf_getshdrstrndx(e->elf, &e->names) ||
	    elf_getphdrnum(e->elf, &e->segments) || e->segments > SEGMENTS_MAX ||
	    elf_getshdrnum(e->elf, &sections) || sections > SECTIONS_MAX ||
	    !names_end(e))
		return refuse(e, ENOEXEC);
	if (inflates(e))
		return refuse(e, EFBIG);
	e->texts_left = TEXTS_SPARE;
	if (e->size < UINT64_MAX / FG_PD_INFLATED_TIMES - TEXTS_SPARE)
		e->texts_left += e->size * FG_PD_INFLATED_TIMES;
	e->symtab = find_table(e, ".symtab", SHT_SYMTAB);
	e->dynsym = find_table(e, ".dynsym", SHT_DYNSYM);
	return e;
}

static void release(void *data)
{
	struct fg_pd_elf *e = data;

	elf_end(e->elf);
	if (e->fd >= 0)
		close(e->fd);
}

struct fg_pd_elf *fg_pd_elf_open(int fd)
{
	struct fg_pd_elf *e = fg_xcalloc(1, sizeof(*e));
	struct stat st;

	elf_version(EV_CURRENT);
	e->fd = fd;
	e->window = fg_xmalloc(sizeof(*e->window));
	e->window->at = e->window->len = 0;
	e->window->failed = false;
	fg_hold(release, e);
	if (fstat(fd, &st))
		return refuse(e, errno);
	e->size = (uint64_t)st.st_size;
	if (is_hollow(fd, e->size))
		return refuse(e, EFBIG);
	errno = 0;
	e->elf = elf_begin(fd, ELF_C_READ, NULL);
	return start(e);
}

struct fg_pd_elf *fg_pd_elf_open_image(struct fg_str image)
{
	struct fg_pd_elf *e = fg_xcalloc(1, sizeof(*e));

	elf_version(EV_CURRENT);
	e->fd = -1;
	fg_hold(release, e);
	e->size = image.len;
	e->image = fg_xmalloc(image.len);
	if (image.len)
		memcpy(e->image, image.ptr, image.len);
	errno = 0;
	e->elf = elf_memory(e->image, image.len);
	return start(e);
}

void fg_pd_elf_close(struct fg_pd_elf *e)
{
	if (!e)
		return;
	fg_let_go(e);
	release(e);
	free(e->image);
	free(e->window);
	fg_arena_release(&e->texts);
	free(e);
}

#endif
