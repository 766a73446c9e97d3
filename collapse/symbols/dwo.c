/* Opens the trees of compilation units that are in other files (-gsplit-dwarf). */
#include "collapse/symbols/dwo.h"

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>
#include <stdio.h>
#include <unistd.h>

#include "collapse/symbols/dwarf.h"
#include "collapse/symbols/elffile.h"
#include "collapse/symbols/trusted.h"

/* A skeleton, and the data in it that its tree needs. */
struct skeleton {
	Dwarf_Die *die;
	Dwarf *dwarf;
	uint64_t id;
	Dwarf_Half version;
	uint8_t address_size;
	/* start of the unit's code; 0: the code is in several places */
	Dwarf_Addr base;
	bool high_first;
};

/* The sections that a file or a package has for a unit. */
struct found {
	struct fg_elf *elf;
	struct fg_dwarf_source sections[FG_DEBUG_SECTIONS];
	struct fg_buf addresses, ranges, offsets, strings;
	uint64_t size; /* number of bytes that the compiler wrote for the unit */
};

static void found_release(struct found *f)
{
	fg_buf_release(&f->addresses);
	fg_buf_release(&f->ranges);
	fg_buf_release(&f->offsets);
	fg_buf_release(&f->strings);
}

static struct fg_elf *open_elf(const char *path)
{
	int fd = fg_trusted_open(path, FG_TRUST_ANY_OWNER);

	return fd < 0 ? NULL : fg_elf_open(fd);
}

/* ---- addresses, which only the skeleton has */

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &number))
		return 0;
	return number;
}

/*
 * Returns the bytes of a section from offset `at` on, up to `most` bytes. The section
 * is in the file with the skeletons.
 */
static struct fg_str rest_of(const struct skeleton *k, const char *name, uint64_t at,
			     uint64_t most)
{
	struct fg_dwarf_section s = { .elf = dwarf_getelf(k->dwarf) };

	while (fg_dwarf_next_section(&s))
		if (strstr(s.name, name) && at < s.bytes.len) {
			struct fg_str rest = fg_str_from_pos(s.bytes, (size_t)at);

			return fg_str_before(rest,
					     most < rest.len ? (size_t)most : rest.len);
		}
	return FG_STR("");
}

static void put_number(char *to, uint64_t n, size_t size, bool high_first)
{
	for (size_t i = 0; i < size; i++) {
		to[high_first ? size - 1 - i : i] = (char)(n & 0xff);
		n >>= 8;
	}
}

/*
 * A tree has addresses as indices into a table of the skeleton, or as distances from
 * the start of the unit's code, which only the skeleton has. libdw can connect a tree
 * with its skeleton only if it opens the file by its name. So we give the tree a table
 * of its own, in which all addresses are distances, and its users add the start.
 *
 * Not all versions say where the table ends. But it has no more addresses than the
 * compiler wrote bytes for the unit.
 */
static void add_addresses(const struct skeleton *k, struct found *f)
{
	unsigned name = k->version < 5 ? DW_AT_GNU_addr_base : DW_AT_addr_base;
	size_t size = k->address_size == 4 ? 4 : 8;
	uint64_t most = f->size < UINT64_MAX / size ? f->size * size : UINT64_MAX;
	char *at;

	fg_buf_add_str(&f->addresses,
		       rest_of(k, "debug_addr", number_of(k->die, name), most));
	f->addresses.len -= f->addresses.len % size;
	at = f->addresses.ptr;
	for (size_t i = 0; k->base && i < f->addresses.len; i += size) {
		uint64_t n = fg_elf_number(fg_str_of(at + i, size), k->high_first);

		put_number(at + i, n - k->base, size, k->high_first);
	}
	f->sections[FG_DEBUG_ADDR].bytes = fg_buf_str(&f->addresses);
	if (k->version >= 5)
		return;
	most = f->size < UINT64_MAX / 16 ? f->size * 16 : UINT64_MAX;
	fg_buf_add_str(&f->ranges,
		       rest_of(k, "debug_ranges",
			       number_of(k->die, DW_AT_GNU_ranges_base), most));
	f->sections[FG_DEBUG_RANGES].bytes = fg_buf_str(&f->ranges);
}

/* ---- trees */

/* Finds the unit that belongs to a skeleton. */
static bool find_unit(Dwarf *dwarf, uint64_t id, Dwarf_Off *unit)
{
	Dwarf_Off at = 0, next;
	size_t header;

	while (!dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) &&
	       next > at) {
		uint64_t found;
		uint8_t type;
		Dwarf_Die die;

		if (dwarf_offdie(dwarf, at + header, &die) &&
		    !dwarf_cu_info(die.cu, NULL, &type, NULL, NULL, &found, NULL,
				   NULL) &&
		    type == DW_UT_split_compile && found == id) {
			*unit = dwarf_dieoffset(&die);
			return true;
		}
		at = next;
	}
	return false;
}

static bool open_tree(const struct skeleton *k, struct found *f,
		      struct fg_dwo_tree *tree)
{
	add_addresses(k, f);
	tree->base = k->base;
	tree->dwarf = fg_dwarf_open(f->elf, f->sections);
	if (tree->dwarf && find_unit(tree->dwarf->dwarf, k->id, &tree->unit))
		return true;
	fg_dwarf_close(tree->dwarf);
	tree->dwarf = NULL;
	return false;
}

/* ---- files */

static bool open_file(const struct skeleton *k, const char *path,
		      struct fg_dwo_tree *tree)
{
	struct found f = { .elf = open_elf(path) };
	bool is_open = false;

	if (!f.elf)
		return false;
	f.size = fg_elf_size(f.elf);
	fg_dwarf_find(f.elf, ".dwo", f.sections);
	is_open = open_tree(k, &f, tree);
	found_release(&f);
	fg_elf_close(f.elf);
	return is_open;
}

static void add_folder(struct fg_buf *path, struct fg_str folder)
{
	fg_buf_add_str(path, folder);
	if (folder.len)
		fg_buf_add_char(path, '/');
}

static bool open_beside(const struct fg_dwo *s, const struct skeleton *k,
			const char *folder, const char *name, struct fg_dwo_tree *tree)
{
	struct fg_buf path = FG_BUF_INIT;
	bool is_open;

	if (*name != '/' && *folder != '/') {
		if (!s->folder.len)
			return false;
		add_folder(&path, fg_buf_str(&s->folder));
	}
	if (*name != '/')
		add_folder(&path, fg_str_from(folder));
	fg_buf_add_str(&path, fg_str_from(name));
	is_open = open_file(k, fg_buf_cstr(&path), tree);
	fg_buf_release(&path);
	return is_open;
}

/* ---- packages */

/*
 * The index of a package has a hash table of units, and a table with each unit's part
 * of each section. Version 2 is from GNU: https://gcc.gnu.org/wiki/DebugFissionDWP.
 * Version 5 is in "DWARF Debugging Information Format", version 5, 7.3.5.
 */
struct index {
	const struct fg_elf *package;
	uint64_t at, end;
	bool high_first;
	uint32_t version, columns, units, slots;
};

#define INDEX_HEAD 16

/* The most steps of a search in the hash table. If it is not full, a few are enough. */
#define STEPS_MAX 64

/* Reads a number of the index. Returns 0 if it is outside of the index. */
static uint64_t read_number(const struct index *x, uint64_t at, size_t size)
{
	char bytes[8];

	if (at < x->at || at > x->end || x->end - at < size ||
	    !fg_elf_read(x->package, at, bytes, size))
		return 0;
	return fg_elf_number(fg_str_of(bytes, size), x->high_first);
}

static uint32_t word(const struct index *x, uint64_t at)
{
	return (uint32_t)read_number(x, at, 4);
}

static bool open_index(struct index *x, const struct fg_elf *package)
{
	struct fg_elf_section s = fg_elf_section(package, ".debug_cu_index");

	if (!s.scn || s.header.sh_type == SHT_NOBITS ||
	    s.header.sh_offset > UINT64_MAX - s.header.sh_size)
		return false;
	x->package = package;
	x->at = s.header.sh_offset;
	x->end = x->at + s.header.sh_size;
	x->high_first = package->header.e_ident[EI_DATA] == ELFDATA2MSB;
	x->version = word(x, x->at);
	if (x->version != 2)
		x->version = (uint32_t)read_number(x, x->at, 2);
	x->columns = word(x, x->at + 4);
	x->units = word(x, x->at + 8);
	x->slots = word(x, x->at + 12);
	return (x->version == 2 || x->version == 5) && x->slots &&
	       !(x->slots & (x->slots - 1)) && x->columns <= FG_DEBUG_SECTIONS;
}

/* Returns the row of a unit, from 1 on, or 0 if it is not in the package. */
static uint32_t find_row(const struct index *x, uint64_t id)
{
	uint64_t ids = x->at + INDEX_HEAD, rows = ids + (uint64_t)x->slots * 8;
	uint32_t last = x->slots - 1, slot = (uint32_t)id & last;
	uint32_t step = ((uint32_t)(id >> 32) & last) | 1;

	for (unsigned n = 0; n < STEPS_MAX; n++) {
		uint32_t row = word(x, rows + (uint64_t)slot * 4);

		if (!row || read_number(x, ids + (uint64_t)slot * 8, 8) == id)
			return row <= x->units ? row : 0;
		slot = (slot + step) & last;
	}
	return 0;
}

/* Returns the section that a column describes. */
static enum fg_dwarf_kind section_of(const struct index *x, uint32_t column)
{
	switch (column) {
	case DW_SECT_INFO:
		return FG_DEBUG_INFO;
	case DW_SECT_ABBREV:
		return FG_DEBUG_ABBREV;
	case DW_SECT_LINE:
		return FG_DEBUG_LINE;
	case DW_SECT_STR_OFFSETS:
		return FG_DEBUG_STR_OFFSETS;
	case DW_SECT_RNGLISTS: /* this number means macros in version 2 */
		return x->version == 2 ? FG_DEBUG_SECTIONS : FG_DEBUG_RNGLISTS;
	default:
		return FG_DEBUG_SECTIONS;
	}
}

/* Finds the unit's part of each section. */
static void find_parts(const struct index *x, uint32_t row,
		       const struct fg_dwarf_source *whole, struct found *f)
{
	uint64_t width = (uint64_t)x->columns * 4;
	uint64_t columns = x->at + INDEX_HEAD + (uint64_t)x->slots * 12;
	uint64_t offsets = columns + row * width;
	uint64_t sizes = offsets + x->units * width;

	for (uint64_t i = 0; i < width; i += 4) {
		enum fg_dwarf_kind section = section_of(x, word(x, columns + i));
		uint64_t offset = word(x, offsets + i), size = word(x, sizes + i);

		f->size += size;
		if (section == FG_DEBUG_SECTIONS ||
		    offset > whole[section].header.sh_size ||
		    size > whole[section].header.sh_size - offset)
			continue;
		f->sections[section].header = whole[section].header;
		f->sections[section].header.sh_offset += offset;
		f->sections[section].header.sh_size = size;
	}
}

/*
 * Copies the strings of one unit, because all units of a package share their strings,
 * which may be gigabytes. Changes the offsets in the unit's table to offsets in the
 * copy.
 */
static bool find_texts(const struct index *x, struct fg_elf *package,
		       const struct fg_dwarf_source *texts, struct found *f)
{
	struct fg_dwarf_source *part = &f->sections[FG_DEBUG_STR_OFFSETS];
	size_t size = (size_t)part->header.sh_size;

	if (!size)
		return true;
	fg_buf_reserve(&f->offsets, size);
	f->offsets.len = size;
	if (!fg_elf_read(package, part->header.sh_offset, f->offsets.ptr, size))
		return false;
	fg_buf_add_char(&f->strings, '\0');
	for (size_t i = x->version < 5 ? 0 : 8; i + 4 <= size; i += 4) {
		char *at = f->offsets.ptr + i;
		uint64_t offset = fg_elf_number(fg_str_of(at, 4), x->high_first);
		const char *text = NULL;

		if (offset < texts->header.sh_size)
			text = fg_elf_text(package, texts->header.sh_offset + offset);
		put_number(at, text ? f->strings.len : 0, 4, x->high_first);
		if (text)
			fg_buf_add(&f->strings, text, strlen(text) + 1);
	}
	part->bytes = fg_buf_str(&f->offsets);
	f->sections[FG_DEBUG_STR].bytes = fg_buf_str(&f->strings);
	return true;
}

static bool open_in_package(struct fg_elf *package, const struct skeleton *k,
			    struct fg_dwo_tree *tree)
{
	struct fg_dwarf_source whole[FG_DEBUG_SECTIONS];
	struct found f = { .elf = package };
	struct index x;
	bool is_open;
	uint32_t row;

	if (!package || !open_index(&x, package))
		return false;
	row = find_row(&x, k->id);
	if (!row)
		return false;
	fg_dwarf_find(package, ".dwo", whole);
	for (size_t i = 0; i < FG_DEBUG_SECTIONS; i++)
		if (whole[i].is_z || whole[i].header.sh_flags & SHF_COMPRESSED)
			return false;
	find_parts(&x, row, whole, &f);
	is_open = find_texts(&x, package, &whole[FG_DEBUG_STR], &f) &&
		  open_tree(k, &f, tree);
	found_release(&f);
	return is_open;
}

/* ---- interface */

void fg_dwo_init(struct fg_dwo *s, const struct fg_elf *skeletons)
{
	char link[32], path[4096];
	ssize_t len;

	memset(s, 0, sizeof(*s));
	if (skeletons->fd < 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", skeletons->fd);
	len = readlink(link, path, sizeof(path));
	if (len > 0 && (size_t)len < sizeof(path)) {
		struct fg_str whole = fg_str_of(path, (size_t)len);

		fg_buf_add_str(&s->folder,
			       fg_str_before(whole, fg_str_rfind_char(whole, '/')));
		fg_buf_add_str(&s->package_path, whole);
		fg_buf_add_str(&s->package_path, FG_STR(".dwp"));
	}
}

void fg_dwo_release(struct fg_dwo *s)
{
	fg_elf_close(s->package);
	fg_buf_release(&s->package_path);
	fg_buf_release(&s->folder);
}

static struct fg_elf *package_of(struct fg_dwo *s)
{
	if (s->package_path.len && !s->package_tried)
		s->package = open_elf(fg_buf_cstr(&s->package_path));
	s->package_tried = true;
	return s->package;
}

bool fg_dwo_open(struct fg_dwo *s, Dwarf_Die *skeleton, const char *folder,
		 const char *name, struct fg_dwo_tree *tree)
{
	struct skeleton k = { .die = skeleton,
			      .dwarf = dwarf_cu_getdwarf(skeleton->cu) };

	if (dwarf_cu_info(skeleton->cu, &k.version, NULL, NULL, NULL, &k.id,
			  &k.address_size, NULL))
		return false;
	if (dwarf_lowpc(skeleton, &k.base))
		k.base = 0;
	k.high_first =
		elf_getident(dwarf_getelf(k.dwarf), NULL)[EI_DATA] == ELFDATA2MSB;
	return open_in_package(package_of(s), &k, tree) ||
	       open_beside(s, &k, "", name, tree) ||
	       open_beside(s, &k, folder, name, tree);
}

#endif
