/* Opens debug information that libdw reads without harm. */
#include "collapse/formats/perf/data/dwarfopen.h"

#include "collapse/formats/perf/data/trusted.h"

#ifdef FG_HAVE_LIBDW
#include <sys/stat.h>

#include "collapse/formats/perf/data/abbrevs.h"
#include "collapse/formats/perf/data/dwarftext.h"
#include "collapse/formats/perf/data/elffile.h"

static Dwarf *refuse(Dwarf *dwarf, int error)
{
	dwarf_end(dwarf);
	errno = error;
	return NULL;
}

Dwarf *fg_pd_dwarf_open(const struct fg_pd_elf *e)
{
	Dwarf *dwarf;

	errno = 0;
	dwarf = dwarf_begin_elf(e->elf, DWARF_C_READ, NULL);
	fg_pd_check_memory(NULL); /* it does without a section, too */
	if (!dwarf)
		return NULL;
	if (!fg_pd_dwarf_texts_are_whole(dwarf))
		return refuse(dwarf, ENOEXEC);
	if (!fg_pd_dwarf_abbrevs_are_few(dwarf))
		return refuse(dwarf, EFBIG);
	dwarf_new_oom_handler(dwarf, fg_out_of_memory); /* it ends the program itself */
	return dwarf;
}

bool fg_pd_dwarf_is_harmless(const char *path)
{
	struct fg_pd_elf *e = NULL;
	Dwarf *dwarf;
	struct stat st;
	int fd;

	if (stat(path, &st))
		return true;
	fd = fg_pd_open(path, FG_PD_ANY_OWNER);
	if (fd >= 0)
		e = fg_pd_elf_open(fd);
	dwarf = e ? fg_pd_dwarf_open(e) : NULL;
	dwarf_end(dwarf);
	fg_pd_elf_close(e);
	return dwarf;
}

#endif
