/* Reads ELF files with libelf (elf(5)). */
#define _GNU_SOURCE /* for SEEK_DATA */
#include "collapse/symbols/elf.h"

#ifdef FG_HAVE_LIBELF
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/symbols/elffile.h"
#include "lib/base/buf.h"
#include "lib/base/io.h"
#include "lib/base/xalloc.h"

bool fg_elf_is_here(void)
{
	return true;
}

static Elf_Data *data_by(Elf_Data *(*get)(Elf_Scn *, Elf_Data *),
			 const struct fg_elf_section *s)
{
	Elf_Data *data;

	errno = 0;
	data = s->scn ? get(s->scn, NULL) : NULL;
	fg_elf_check_memory(data);
	return data && data->d_buf ? data : NULL;
}

Elf_Data *fg_elf_raw(const struct fg_elf_section *s)
{
	return data_by(elf_rawdata, s);
}

Elf_Data *fg_elf_data(const struct fg_elf_section *s)
{
	return data_by(elf_getdata, s);
}

const char *fg_elf_string(const struct fg_elf *e, size_t section, size_t offset)
{
	const char *string;

	errno = 0;
	string = elf_strptr(e->elf, section, offset);
	fg_elf_check_memory(string);
	return string;
}

const char *fg_elf_section_name(const struct fg_elf *e, const GElf_Shdr *header)
{
	const char *name = fg_elf_string(e, e->names, header->sh_name);

	return name ? name : "";
}

struct fg_elf_section fg_elf_section(const struct fg_elf *e, const char *name)
{
	struct fg_elf_section s = { NULL, { 0 } };

	while ((s.scn = elf_nextscn(e->elf, s.scn)))
		if (gelf_getshdr(s.scn, &s.header) &&
		    !strcmp(fg_elf_section_name(e, &s.header), name))
			break;
	return s;
}

/* Returns the contents of a section, or an empty string if it has none. */
static struct fg_str contents(const struct fg_elf_section *s)
{
	const Elf_Data *data = fg_elf_data(s);

	return data ? fg_str_of(data->d_buf, data->d_size) : FG_STR("");
}

struct fg_build_id fg_elf_build_id(const struct fg_elf *e)
{
	static const char *const places[] = { ".note.gnu.build-id", ".notes", ".note" };
	struct fg_build_id id = { { 0 }, 0 };

	for (size_t i = 0; i < FG_COUNT_OF(places); i++) {
		struct fg_elf_section s = fg_elf_section(e, places[i]);

		if (s.scn && s.header.sh_type == SHT_NOTE &&
		    fg_build_id_from_notes(&id, contents(&s)))
			break;
	}
	return id;
}

bool fg_elf_has_symtab(const struct fg_elf *e)
{
	return e->symtab.scn;
}

bool fg_elf_has_dynsym(const struct fg_elf *e)
{
	return e->dynsym.scn;
}

bool fg_elf_has_debug(const struct fg_elf *e)
{
	static const char *const names[] = { ".debug_info", ".zdebug_info" };
	bool has = false;

	for (size_t i = 0; i < FG_COUNT_OF(names); i++) {
		struct fg_elf_section s = fg_elf_section(e, names[i]);

		has |= s.scn && s.header.sh_type != SHT_NOBITS;
	}
	return has;
}

/* The section has the name of the file, a NUL, and the id. */
struct fg_build_id fg_elf_shared_id(const struct fg_elf *e)
{
	struct fg_elf_section s = fg_elf_section(e, ".gnu_debugaltlink");
	struct fg_str link = contents(&s);
	size_t len = fg_str_find_char(link, '\0');
	struct fg_build_id id = { { 0 }, 0 };

	if (len < link.len)
		fg_build_id_set(&id, fg_str_from_pos(link, len + 1));
	return id;
}

static bool get_loaded(const struct fg_elf *e, size_t i, GElf_Phdr *p)
{
	return gelf_getphdr(e->elf, (int)i, p) && p->p_type == PT_LOAD;
}

bool fg_elf_address(const struct fg_elf *e, uint64_t offset, uint64_t *address)
{
	GElf_Phdr p;

	for (size_t i = 0; i < e->segments && i < INT32_MAX; i++) {
		if (!get_loaded(e, i, &p) || offset < p.p_offset ||
		    offset - p.p_offset >= p.p_filesz)
			continue;
		*address = offset - p.p_offset + p.p_vaddr;
		return true;
	}
	return false;
}

bool fg_elf_offset(const struct fg_elf *e, uint64_t address, uint64_t *offset)
{
	GElf_Phdr p;

	for (size_t i = 0; i < e->segments && i < INT32_MAX; i++) {
		if (!get_loaded(e, i, &p) || address < p.p_vaddr ||
		    address - p.p_vaddr >= p.p_memsz)
			continue;
		*offset = address - p.p_vaddr + p.p_offset;
		return true;
	}
	return false;
}

uint64_t fg_elf_base(const struct fg_elf *e)
{
	GElf_Phdr p;

	for (size_t i = 0; i < e->segments && i < INT32_MAX; i++)
		if (get_loaded(e, i, &p))
			return p.p_vaddr;
	return 0;
}

struct fg_str fg_elf_debug_link(const struct fg_elf *e)
{
	struct fg_elf_section s = fg_elf_section(e, ".gnu_debuglink");
	struct fg_str link = contents(&s);
	size_t len = fg_str_find_char(link, '\0');

	return len < link.len ? fg_str_before(link, len) : FG_STR("");
}

bool fg_elf_failed(const struct fg_elf *e)
{
	return e && e->window && e->window->failed;
}

bool fg_elf_inflates(const struct fg_elf *e)
{
	return e && e->inflates;
}

uint64_t fg_elf_size(const struct fg_elf *e)
{
	return e->size;
}

static bool read_bytes(const struct fg_elf *e, uint64_t offset, char *to, size_t len)
{
	size_t done = 0;
	ssize_t n = 1;

	while (done < len && n > 0) {
		n = fg_io_read_at(e->fd, to + done, len - done, (off_t)(offset + done));
		done += n > 0 ? (size_t)n : 0;
	}
	e->window->failed |= n <= 0;
	return n > 0;
}

/*
 * The most bytes of a read that goes through the window. Short reads are followed by
 * others nearby: symbols of relocations, words of code.
 */
#define WINDOW_USER 8

/*
 * Reads through the window, which has the bytes that were read last and some around
 * them.
 */
static bool read_few(const struct fg_elf *e, uint64_t offset, char *to, size_t len)
{
	struct fg_elf_window *w = e->window;

	if (offset < w->at || offset - w->at + len > w->len) {
		w->at = offset - offset % 256;
		w->len = e->size - w->at < sizeof(w->bytes) ?
				 (size_t)(e->size - w->at) :
				 sizeof(w->bytes);
		if (!read_bytes(e, w->at, w->bytes, w->len)) {
			w->len = 0;
			return false;
		}
	}
	memcpy(to, w->bytes + (offset - w->at), len);
	return true;
}

bool fg_elf_read(const struct fg_elf *e, uint64_t offset, void *to, size_t len)
{
	if (offset > e->size || e->size - offset < len)
		return false;
	if (e->image && len)
		memcpy(to, e->image + offset, len);
	if (e->image || !len)
		return true;
	return len <= WINDOW_USER ? read_few(e, offset, to, len) :
				    read_bytes(e, offset, to, len);
}

const char *fg_elf_text(struct fg_elf *e, uint64_t offset)
{
	struct fg_buf text = FG_BUF_INIT;
	const char *copy = NULL;
	char bytes[128];

	while (!copy && offset < e->size) {
		size_t len = e->size - offset < sizeof(bytes) ?
				     (size_t)(e->size - offset) :
				     sizeof(bytes);
		const char *end;

		if (!fg_elf_read(e, offset, bytes, len))
			break;
		end = memchr(bytes, '\0', len);
		len = end ? (size_t)(end - bytes) + 1 : len;
		e->inflates |= len > e->texts_left;
		if (len > e->texts_left)
			break;
		e->texts_left -= len;
		fg_buf_add(&text, bytes, len);
		if (end)
			copy = fg_arena_copy(&e->texts, fg_buf_str(&text)).ptr;
		offset += len;
	}
	fg_buf_release(&text);
	return copy;
}

struct fg_elf_strings fg_elf_strings(const struct fg_elf *e, size_t section)
{
	struct fg_elf_strings strings = { 0, 0 };
	Elf_Scn *scn = elf_getscn(e->elf, section);
	GElf_Shdr header;
	char last = 1;

	if (!scn || !gelf_getshdr(scn, &header) || header.sh_type != SHT_STRTAB ||
	    header.sh_flags & SHF_COMPRESSED || header.sh_offset > e->size ||
	    e->size - header.sh_offset < header.sh_size)
		return strings;
	strings.at = header.sh_offset;
	strings.len = header.sh_size;
	while (strings.len && fg_elf_read(e, strings.at + strings.len - 1, &last, 1) &&
	       last)
		strings.len--;
	return last ? (struct fg_elf_strings){ 0, 0 } : strings;
}

/* ---- opening */

/*
 * libelf and libdw allocate as much memory as a compressed section claims to need, and
 * no more. So we open only files whose sections do not claim too much.
 */

/*
 * Names that we read may have FG_ELF_INFLATED_TIMES times the bytes of the file
 * together, plus this many. We need a limit because symbols may share a long name, or
 * its end.
 */
#define TEXTS_SPARE (UINT64_C(1) << 20)

/*
 * The most segments of a file. We need a limit because we search all segments for each
 * address. A program has a dozen.
 */
#define SEGMENTS_MAX 1024

/*
 * The most sections of a file. We need a limit because we often search all sections for
 * a name. A program has some dozens, or hundreds if the linker was told not to join
 * them.
 */
#define SECTIONS_MAX 4096

/*
 * Returns true if a file is mostly holes, which take no space on a disk. Our limits
 * grow with the size of the file, so a hollow file could make us use too much memory.
 */
static bool is_hollow(int fd, uint64_t size)
{
#ifdef SEEK_DATA
	uint64_t spare = size < FG_ELF_INFLATED_MAX ? size : FG_ELF_INFLATED_MAX;
	uint64_t least = (size - spare) / FG_ELF_INFLATED_TIMES, held = 0;
	off_t at = 0;

	while (held < least) {
		off_t start = lseek(fd, at, SEEK_DATA);

		at = start < 0 ? -1 : lseek(fd, start, SEEK_HOLE);
		if (at < 0)
			return errno == ENXIO; /* on other errors we cannot tell */
		held += (uint64_t)(at - start);
	}
#else
	(void)fd;
	(void)size;
#endif
	return false;
}

/*
 * Returns the unpacked size of a section that is marked as compressed, or 0 for another
 * section.
 */
static uint64_t marked(const struct fg_elf *e, const GElf_Shdr *header)
{
	bool is_64 = e->header.e_ident[EI_CLASS] == ELFCLASS64;
	bool high_first = e->header.e_ident[EI_DATA] == ELFDATA2MSB;
	/* start of an Elf64_Chdr, or an Elf32_Chdr and some bytes after it */
	char start[16];

	if (!(header->sh_flags & SHF_COMPRESSED) ||
	    !fg_elf_read(e, header->sh_offset, start, sizeof(start)))
		return 0;
	return fg_elf_number(is_64 ? fg_str_of(start + 8, 8) : fg_str_of(start + 4, 4),
			     high_first);
}

/*
 * Like marked(), for a section that is compressed by its name: .zdebug_info,
 * .zgnu_debugaltlink.
 */
static uint64_t named(const struct fg_elf *e, const GElf_Shdr *header)
{
	char start[12];

	if (strncmp(fg_elf_section_name(e, header), ".z", 2) != 0 ||
	    !fg_elf_read(e, header->sh_offset, start, sizeof(start)) ||
	    memcmp(start, "ZLIB", 4) != 0)
		return 0;
	return fg_elf_number(fg_str_of(start + 4, 8), true);
}

static bool exceed(const struct fg_elf *e, uint64_t *left,
		   uint64_t (*size_of)(const struct fg_elf *e, const GElf_Shdr *))
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(e->elf, scn))) {
		const GElf_Shdr *header;
		GElf_Shdr room;
		uint64_t size;

		errno = 0;
		header = gelf_getshdr(scn, &room);
		fg_elf_check_memory(header);
		size = header && header->sh_type != SHT_NOBITS ? size_of(e, header) : 0;
		if (size > *left)
			return true;
		*left -= size;
	}
	return false;
}

static bool inflates(const struct fg_elf *e)
{
	uint64_t left = FG_ELF_INFLATED_MAX;

	if (e->size < UINT64_MAX / FG_ELF_INFLATED_TIMES - FG_ELF_INFLATED_MAX)
		left += e->size * FG_ELF_INFLATED_TIMES;
	return exceed(e, &left, marked) || exceed(e, &left, named);
}

static struct fg_elf_section find_table(const struct fg_elf *e, const char *name,
					uint32_t type)
{
	struct fg_elf_section s = fg_elf_section(e, name);

	if (s.scn && s.header.sh_type != type)
		s.scn = NULL;
	return s;
}

static struct fg_elf *refuse(struct fg_elf *e, int error)
{
	fg_elf_close(e);
	errno = error;
	return NULL;
}

/*
 * Returns true if the table of section names ends with a NUL, or if there is none.
 * Otherwise libelf would search the table for its last NUL each time we ask for a name.
 */
static bool names_end(const struct fg_elf *e)
{
	Elf_Scn *scn = elf_getscn(e->elf, e->names);
	GElf_Shdr header;
	char last;

	return !e->names ||
	       (scn && gelf_getshdr(scn, &header) && header.sh_type == SHT_STRTAB &&
		!(header.sh_flags & SHF_COMPRESSED) && header.sh_size &&
		header.sh_offset < e->size &&
		header.sh_size <= e->size - header.sh_offset &&
		fg_elf_read(e, header.sh_offset + header.sh_size - 1, &last, 1) &&
		!last);
}

/* Finishes opening, right after `e->elf` was set. */
static struct fg_elf *start(struct fg_elf *e)
{
	size_t sections;

	fg_elf_check_memory(e->elf);
	if (!e->elf || elf_kind(e->elf) != ELF_K_ELF ||
	    !gelf_getehdr(e->elf, &e->header) || elf_getshdrstrndx(e->elf, &e->names) ||
	    elf_getphdrnum(e->elf, &e->segments) || e->segments > SEGMENTS_MAX ||
	    elf_getshdrnum(e->elf, &sections) || sections > SECTIONS_MAX ||
	    !names_end(e))
		return refuse(e, ENOEXEC);
	if (inflates(e))
		return refuse(e, EFBIG);
	e->texts_left = TEXTS_SPARE;
	if (e->size < UINT64_MAX / FG_ELF_INFLATED_TIMES - TEXTS_SPARE)
		e->texts_left += e->size * FG_ELF_INFLATED_TIMES;
	e->symtab = find_table(e, ".symtab", SHT_SYMTAB);
	e->dynsym = find_table(e, ".dynsym", SHT_DYNSYM);
	return e;
}

static void release(void *data)
{
	struct fg_elf *e = data;

	elf_end(e->elf);
	if (e->fd >= 0)
		close(e->fd);
}

struct fg_elf *fg_elf_open(int fd)
{
	struct fg_elf *e = fg_xcalloc(1, sizeof(*e));
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

struct fg_elf *fg_elf_open_image(struct fg_str image)
{
	struct fg_elf *e = fg_xcalloc(1, sizeof(*e));

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

void fg_elf_close(struct fg_elf *e)
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

#else

bool fg_elf_is_here(void)
{
	return false;
}

struct fg_elf *fg_elf_open(int fd)
{
	(void)fd;
	return NULL;
}

struct fg_elf *fg_elf_open_image(struct fg_str image)
{
	(void)image;
	return NULL;
}

void fg_elf_close(struct fg_elf *e)
{
	(void)e;
}

struct fg_build_id fg_elf_build_id(const struct fg_elf *e)
{
	(void)e;
	return (struct fg_build_id){ { 0 }, 0 };
}

bool fg_elf_has_symtab(const struct fg_elf *e)
{
	(void)e;
	return false;
}

bool fg_elf_has_dynsym(const struct fg_elf *e)
{
	(void)e;
	return false;
}

bool fg_elf_has_debug(const struct fg_elf *e)
{
	(void)e;
	return false;
}

struct fg_build_id fg_elf_shared_id(const struct fg_elf *e)
{
	(void)e;
	return (struct fg_build_id){ { 0 }, 0 };
}

bool fg_elf_address(const struct fg_elf *e, uint64_t offset, uint64_t *address)
{
	(void)e;
	(void)offset;
	(void)address;
	return false;
}

struct fg_str fg_elf_debug_link(const struct fg_elf *e)
{
	(void)e;
	return FG_STR("");
}

uint64_t fg_elf_size(const struct fg_elf *e)
{
	(void)e;
	return 0;
}

bool fg_elf_read(const struct fg_elf *e, uint64_t offset, void *to, size_t len)
{
	(void)e;
	(void)offset;
	(void)to;
	(void)len;
	return false;
}

bool fg_elf_inflates(const struct fg_elf *e)
{
	(void)e;
	return false;
}

bool fg_elf_failed(const struct fg_elf *e)
{
	(void)e;
	return false;
}

const char *fg_elf_text(struct fg_elf *e, uint64_t offset)
{
	(void)e;
	(void)offset;
	return NULL;
}

bool fg_elf_offset(const struct fg_elf *e, uint64_t address, uint64_t *offset)
{
	(void)e;
	(void)address;
	(void)offset;
	return false;
}

uint64_t fg_elf_base(const struct fg_elf *e)
{
	(void)e;
	return 0;
}

#endif
