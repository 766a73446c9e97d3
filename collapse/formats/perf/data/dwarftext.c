/* Texts of debug information that end where their section does, or before. */
#include "collapse/formats/perf/data/dwarftext.h"

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "lib/base/str.h"

/* The next section of debug information, as libdw has it; false: there is none. */
static bool next_section(Elf *elf, Elf_Scn **scn, const char **name,
			 struct fg_str *text)
{
	GElf_Shdr header;
	size_t names;

	while ((*scn = elf_nextscn(elf, *scn))) {
		const Elf_Data *data;

		if (elf_getshdrstrndx(elf, &names) || !gelf_getshdr(*scn, &header))
			continue;
		*name = elf_strptr(elf, names, header.sh_name);
		if (!*name || !strstr(*name, "debug_"))
			continue;
		data = elf_rawdata(*scn, NULL);
		if (data && data->d_buf) {
			*text = fg_str_of(data->d_buf, data->d_size);
			return true;
		}
	}
	return false;
}

bool fg_pd_dwarf_texts_are_whole(Dwarf *dwarf)
{
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *scn = NULL;
	const char *name;
	struct fg_str text;

	while (next_section(elf, &scn, &name, &text))
		if (strstr(name, "str") && !strstr(name, "str_offsets") && text.len &&
		    text.ptr[text.len - 1])
			return false;
	return true;
}

/* Whether a text that is in a tree itself ends there. */
static bool has_end(Dwarf *dwarf, const char *at)
{
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *scn = NULL;
	const char *name;
	struct fg_str text;

	while (next_section(elf, &scn, &name, &text)) {
		uintptr_t from = (uintptr_t)at - (uintptr_t)text.ptr;

		if ((uintptr_t)at >= (uintptr_t)text.ptr && from < text.len)
			return memchr(at, 0, text.len - from);
	}
	return false;
}

const char *fg_pd_dwarf_text(Dwarf_Attribute *attribute)
{
	const char *text = dwarf_formstring(attribute);

	if (text && dwarf_whatform(attribute) == DW_FORM_string &&
	    !has_end(dwarf_cu_getdwarf(attribute->cu), text))
		return NULL;
	return text;
}

#endif
