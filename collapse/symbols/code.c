/*
 * Finds out if the functions of a binary have names and frame pointers, and if it can
 * run other programs.
 */
#include "collapse/symbols/code.h"

#ifdef FG_HAVE_LIBELF
#include <unistd.h>

#include "collapse/symbols/cfi.h"
#include "collapse/symbols/elffile.h"
#include "lib/base/io.h"

/* A few hundred functions are enough to tell, and these are not counted. */
#define FUNCTIONS_MAX 400
#define OF_THE_LIBRARY 4

#ifdef FG_HAVE_LIBDW
/* DWARF's number of rbp. */
#define RBP 6

static void count_frames(const struct fg_elf *e, const char *name,
			 struct fg_cfi_frames *frames)
{
	struct fg_elf_section s = fg_elf_section(e, name);
	const Elf_Data *data;
	struct fg_cfi cfi = { .ident = e->header.e_ident, .base = FG_CFI_NO_BASE };

	if (!s.scn || s.header.sh_flags & SHF_COMPRESSED)
		return;
	data = fg_elf_data(&s);
	if (!data)
		return;
	cfi.data = *data;
	cfi.is_eh = !strcmp(name, ".eh_frame");
	cfi.left = data->d_size > UINT64_MAX / FG_CFI_TIMES ?
			   UINT64_MAX :
			   data->d_size * FG_CFI_TIMES;
	fg_cfi_count_frames(&cfi, RBP, FUNCTIONS_MAX, frames);
}

static void read_frames(const struct fg_elf *e, struct fg_code *code)
{
	struct fg_cfi_frames frames = { 0, 0 };

	if (!code->is_x86_64)
		return;
	count_frames(e, ".eh_frame", &frames);
	count_frames(e, ".debug_frame", &frames);
	if (frames.functions <= OF_THE_LIBRARY)
		return;
	code->functions = frames.functions - OF_THE_LIBRARY;
	code->framed = frames.framed;
}
#else
static void read_frames(const struct fg_elf *e, struct fg_code *code)
{
	(void)e;
	(void)code;
}
#endif

static bool has_section(const struct fg_elf *e, const char *name)
{
	return fg_elf_section(e, name).scn;
}

/* Returns true if a file of debug symbols for this build is installed. */
static bool has_debug_file(const struct fg_elf *e)
{
	struct fg_build_id id = fg_elf_build_id(e);
	struct fg_buf path = FG_BUF_INIT;
	bool has;

	if (!id.len)
		return false;
	fg_buf_add_str(&path, FG_STR("/usr/lib/debug/.build-id/"));
	fg_build_id_add(&path, &id, '/');
	fg_buf_add_str(&path, FG_STR(".debug"));
	has = !access(fg_buf_cstr(&path), F_OK);
	fg_buf_release(&path);
	return has;
}

/* Returns true for a function like execvp() or system(). */
static bool is_of_running(struct fg_str name)
{
	static const struct fg_str starts[] = { FG_STR_INIT("execl"),
						FG_STR_INIT("execv"),
						FG_STR_INIT("fexecve"),
						FG_STR_INIT("posix_spawn") };

	return fg_str_starts_any(name, starts, FG_COUNT_OF(starts)) ||
	       fg_str_eq(name, FG_STR("system")) || fg_str_eq(name, FG_STR("popen"));
}

static bool imports_running(const struct fg_elf *e)
{
	Elf_Data *data = e->dynsym.scn ? fg_elf_data(&e->dynsym) : NULL;
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name;

		if (symbol.st_shndx != SHN_UNDEF)
			continue;
		name = fg_elf_string(e, e->dynsym.header.sh_link, symbol.st_name);
		if (name && is_of_running(fg_str_from(name)))
			return true;
	}
	return false;
}

static bool read_facts(const struct fg_elf *e, struct fg_code *code)
{
	static const char *const go[] = { ".gopclntab", ".go.buildinfo",
					  ".note.go.buildid" };

	if (!has_section(e, ".text") && !fg_elf_has_symtab(e))
		return false;
	code->has_names = fg_elf_has_symtab(e) || has_debug_file(e);
	for (size_t i = 0; i < FG_COUNT_OF(go); i++)
		code->is_go |= has_section(e, go[i]);
	code->runs_others = imports_running(e);
	code->is_x86_64 = e->header.e_machine == EM_X86_64;
	read_frames(e, code);
	return true;
}

bool fg_code_read(const char *path, struct fg_code *code)
{
	int fd = fg_io_open(path);
	struct fg_elf *e = fd < 0 ? NULL : fg_elf_open(fd);
	bool is_code;

	*code = (struct fg_code){ .has_names = false };
	is_code = e && read_facts(e, code);
	fg_elf_close(e);
	return is_code;
}

#else

bool fg_code_read(const char *path, struct fg_code *code)
{
	(void)path;
	*code = (struct fg_code){ .has_names = false };
	return false;
}

#endif

bool fg_code_unwinds(void)
{
#ifdef FG_HAVE_LIBDW
	return true;
#else
	return false;
#endif
}

bool fg_code_keeps_frames(const struct fg_code *code, unsigned percent)
{
	return code->is_go || code->framed * 100 >= code->functions * percent;
}
