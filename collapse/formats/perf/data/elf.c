/* ELF files, by libelf (elf(5)). */
#include "collapse/formats/perf/data/elf.h"

#ifdef FG_HAVE_LIBELF
#include "collapse/formats/perf/data/elffile.h"

#include <errno.h>

#include "lib/base/buf.h"
#include "lib/base/io.h"
#include "lib/base/xalloc.h"

bool fg_pd_elf_is_here(void)
{
	return true;
}

static Elf_Data *data_by(Elf_Data *(*get)(Elf_Scn *, Elf_Data *),
			 const struct fg_pd_section *s)
{
	Elf_Data *data;

	errno = 0;
	data = s->scn ? get(s->scn, NULL) : NULL;
	fg_pd_check_memory(data);
	return data && data->d_buf ? data : NULL;
}

Elf_Data *fg_pd_elf_raw(const struct fg_pd_section *s)
{
	return data_by(elf_rawdata, s);
}

Elf_Data *fg_pd_elf_data(const struct fg_pd_section *s)
{
	return data_by(elf_getdata, s);
}

const char *fg_pd_elf_string(const struct fg_pd_elf *e, size_t section, size_t offset)
{
	const char *string;

	errno = 0;
	string = elf_strptr(e->elf, section, offset);
	fg_pd_check_memory(string);
	return string;
}

const char *fg_pd_elf_section_name(const struct fg_pd_elf *e, const GElf_Shdr *header)
{
	const char *name = fg_pd_elf_string(e, e->names, header->sh_name);

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
static struct fg_str contents(const struct fg_pd_section *s)
{
	const Elf_Data *data = fg_pd_elf_data(s);

	return data ? fg_str_of(data->d_buf, data->d_size) : FG_STR("");
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
	static const char *const names[] = { ".debug_info", ".zdebug_info" };
	bool has = false;

	for (size_t i = 0; i < FG_COUNT_OF(names); i++) {
		struct fg_pd_section s = fg_pd_elf_section(e, names[i]);

		has |= s.scn && s.header.sh_type != SHT_NOBITS;
	}
	return has;
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

bool fg_pd_elf_failed(const struct fg_pd_elf *e)
{
	return e && e->window && e->window->failed;
}

bool fg_pd_elf_inflates(const struct fg_pd_elf *e)
{
	return e && e->inflates;
}

uint64_t fg_pd_elf_size(const struct fg_pd_elf *e)
{
	return e->size;
}

static bool read_bytes(const struct fg_pd_elf *e, uint64_t offset, char *to, size_t len)
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

/* The next one wants what is near to it: symbols of relocations, words of code. */
#define WINDOW_USER 8

/* By way of what was read last, and some bytes before and after. */
static bool read_few(const struct fg_pd_elf *e, uint64_t offset, char *to, size_t len)
{
	struct fg_pd_window *w = e->window;

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

bool fg_pd_elf_read(const struct fg_pd_elf *e, uint64_t offset, void *to, size_t len)
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

const char *fg_pd_elf_text(struct fg_pd_elf *e, uint64_t offset)
{
	struct fg_buf text = FG_BUF_INIT;
	const char *copy = NULL;
	char bytes[128];

	while (!copy && offset < e->size) {
		size_t len = e->size - offset < sizeof(bytes) ?
				     (size_t)(e->size - offset) :
				     sizeof(bytes);
		const char *end;

		if (!fg_pd_elf_read(e, offset, bytes, len))
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

struct fg_pd_strings fg_pd_elf_strings(const struct fg_pd_elf *e, size_t section)
{
	struct fg_pd_strings strings = { 0, 0 };
	Elf_Scn *scn = elf_getscn(e->elf, section);
	GElf_Shdr header;
	char last = 1;

	if (!scn || !gelf_getshdr(scn, &header) || header.sh_type != SHT_STRTAB ||
	    header.sh_flags & SHF_COMPRESSED || header.sh_offset > e->size ||
	    e->size - header.sh_offset < header.sh_size)
		return strings;
	strings.at = header.sh_offset;
	strings.len = header.sh_size;
	while (strings.len &&
	       fg_pd_elf_read(e, strings.at + strings.len - 1, &last, 1) && last)
		strings.len--;
	return last ? (struct fg_pd_strings){ 0, 0 } : strings;
}

#endif
