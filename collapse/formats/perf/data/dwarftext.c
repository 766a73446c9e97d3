/* Texts of debug information that end where their section does, or before. */
#include "collapse/formats/perf/data/dwarftext.h"

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "collapse/formats/perf/data/elf.h"

/* No section that libdw knows has a name as long, which many could share. */
#define NAME_MAX_BYTES 256

bool fg_pd_dwarf_next_section(struct fg_pd_dwarf_section *s)
{
	GElf_Shdr header;
	size_t names;

	while ((s->scn = elf_nextscn(s->elf, s->scn))) {
		const Elf_Data *data;

		if (elf_getshdrstrndx(s->elf, &names) || !gelf_getshdr(s->scn, &header))
			continue;
		s->name = elf_strptr(s->elf, names, header.sh_name);
		if (!s->name || strnlen(s->name, NAME_MAX_BYTES) == NAME_MAX_BYTES ||
		    !strstr(s->name, "debug_"))
			continue;
		data = elf_rawdata(s->scn, NULL);
		if (data && data->d_buf) {
			s->bytes = fg_str_of(data->d_buf, data->d_size);
			return true;
		}
	}
	return false;
}

uint64_t fg_pd_dwarf_room(Dwarf *dwarf)
{
	struct fg_pd_dwarf_section s = { .elf = dwarf_getelf(dwarf) };
	uint64_t room = FG_PD_INFLATED_MAX;

	while (fg_pd_dwarf_next_section(&s))
		room += FG_PD_INFLATED_TIMES * s.bytes.len;
	return room;
}

bool fg_pd_dwarf_texts_are_whole(Dwarf *dwarf)
{
	struct fg_pd_dwarf_section s = { .elf = dwarf_getelf(dwarf) };

	while (fg_pd_dwarf_next_section(&s))
		if (strstr(s.name, "str") && !strstr(s.name, "str_offsets") &&
		    s.bytes.len && s.bytes.ptr[s.bytes.len - 1])
			return false;
	return true;
}

#define TEXT_MAX ((size_t)65536)

static size_t least(size_t len)
{
	return len < TEXT_MAX + 1 ? len : TEXT_MAX + 1;
}

/* Whether a text that is in a tree itself ends there, within what it may have. */
static bool has_end(Dwarf *dwarf, const char *at)
{
	struct fg_pd_dwarf_section s = { .elf = dwarf_getelf(dwarf) };

	while (fg_pd_dwarf_next_section(&s)) {
		uintptr_t from = (uintptr_t)at - (uintptr_t)s.bytes.ptr;

		if ((uintptr_t)at >= (uintptr_t)s.bytes.ptr && from < s.bytes.len)
			return memchr(at, 0, least(s.bytes.len - from));
	}
	return false;
}

const char *fg_pd_dwarf_text(Dwarf_Attribute *attribute)
{
	const char *text = dwarf_formstring(attribute);

	if (text && dwarf_whatform(attribute) == DW_FORM_string &&
	    !has_end(dwarf_cu_getdwarf(attribute->cu), text))
		return NULL;
	return text && strnlen(text, TEXT_MAX + 1) <= TEXT_MAX ? text : NULL;
}

#endif
