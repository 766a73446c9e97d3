/*
 * Makes copies of binaries for the unwinder. Parts that it does not need are never
 * read.
 */
#define _GNU_SOURCE /* for MAP_ANONYMOUS and MAP_NORESERVE */
#include "collapse/symbols/elf.h"

#ifdef FG_HAVE_LIBDW
#include <stddef.h>
#include <sys/mman.h>

#include "collapse/symbols/cursor.h"
#include "collapse/symbols/elffile.h"
#include "collapse/symbols/cfiimage.h"

#define PAGE UINT64_C(4096)

/* The start of an index of .eh_frame that is a sorted table, like linkers write it. */
static const unsigned char usual_index[] = { 1, 0x1b, 0x03, 0x3b };
#define INDEX_HEAD 12
#define INDEX_ENTRY 8

/* The most bytes of an entry of .eh_frame, FDE or CIE, that we read. */
#define ENTRY_MAX 4096

/*
 * The sections of an image. The first is empty. The last has the names of all sections.
 */
enum { NO_SECTION, EH_FRAME, DEBUG_FRAME, NAMES, SECTIONS };

static const char names[] = "\0.eh_frame\0.debug_frame\0.zdebug_frame\0.shstrtab";
/* offset of ".zdebug_frame" in `names` */
#define PACKED_NAME (sizeof("\0.eh_frame\0.debug_frame"))

/* The tail of an image, after the bytes of the file. */
struct tail {
	Elf64_Shdr sections[SECTIONS];
	char names[sizeof(names)];
};

/*
 * Allocates memory for the file and its tail. Returns false if it is not a 64-bit file,
 * because we unwind no other.
 */
static bool make_room(struct fg_cfi_image *image)
{
	uint64_t size = fg_elf_size(image->file);
	void *bytes;

	if (image->file->header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    size < sizeof(Elf64_Ehdr) || size > SIZE_MAX / 2)
		return false;
	image->size = ((size_t)size + 15) / 16 * 16 + sizeof(struct tail);
	bytes = mmap(NULL, image->size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bytes == MAP_FAILED)
		fg_out_of_memory();
	image->bytes = bytes;
	return true;
}

/* Copies a part of the file to the same offset of the image. */
static bool copy(struct fg_cfi_image *image, uint64_t offset, uint64_t size)
{
	return offset < image->size && size < image->size &&
	       fg_elf_read(image->file, offset, image->bytes + offset, (size_t)size);
}

/*
 * Finds the first segment of a type. A PT_LOAD segment must also contain the byte at
 * `offset` of the file. Returns false if there is none.
 */
static bool find_segment(const struct fg_cfi_image *image, uint32_t type,
			 uint64_t offset, GElf_Phdr *p)
{
	for (size_t i = 0; i < image->file->segments && i < INT32_MAX; i++)
		if (gelf_getphdr(image->file->elf, (int)i, p) && p->p_type == type &&
		    (type != PT_LOAD ||
		     (offset >= p->p_offset && offset - p->p_offset < p->p_filesz)))
			return true;
	return false;
}

/* Loads a number in the byte order of the file. */
static uint32_t load32(const struct fg_cfi_image *image, const char *at)
{
	uint32_t n = fg_load32(at);

	if (!image->is_swapped)
		return n;
	return n >> 24 | (n >> 8 & 0xff00) | (n << 8 & 0xff0000) | n << 24;
}

static bool is_swapped(const struct fg_elf *e)
{
	const uint16_t one = 1;
	unsigned char first;

	memcpy(&first, &one, 1);
	return e->header.e_ident[EI_DATA] != (first ? ELFDATA2LSB : ELFDATA2MSB);
}

/*
 * Returns the number of entries of the index, or 0 if we cannot use it. The index must
 * have been copied.
 */
static size_t entries_of(const struct fg_cfi_image *image, const GElf_Phdr *index)
{
	const char *bytes = image->bytes + index->p_offset;
	size_t count;

	if (index->p_filesz < INDEX_HEAD ||
	    memcmp(bytes, usual_index, sizeof(usual_index)) != 0)
		return 0;
	count = load32(image, bytes + 8);
	return count <= (index->p_filesz - INDEX_HEAD) / INDEX_ENTRY ? count : 0;
}

static const char *table_of(const struct fg_cfi_image *image)
{
	return image->bytes + image->index_at + INDEX_HEAD;
}

static int64_t start_of(const struct fg_cfi_image *image, size_t entry)
{
	return (int32_t)load32(image, table_of(image) + entry * INDEX_ENTRY);
}

static uint64_t fde_of(const struct fg_cfi_image *image, size_t entry)
{
	const char *at = table_of(image) + entry * INDEX_ENTRY + 4;

	return image->index_at + (uint64_t)(int32_t)load32(image, at);
}

/*
 * Returns true if the addresses in the index ascend. Only then does libdw find the same
 * entry as find_fde().
 */
static bool is_in_order(const struct fg_cfi_image *image)
{
	if (image->index_address > INT64_MAX ||
	    (int64_t)image->index_address + start_of(image, 0) < 0)
		return false;
	for (size_t i = 1; i < image->entries; i++)
		if (start_of(image, i - 1) >= start_of(image, i))
			return false;
	return true;
}

/* Returns true if libdw can follow everything that the index leads to. */
static bool index_is_sane(struct fg_cfi_image *image)
{
	for (size_t i = 0; i < image->entries; i++)
		if (!fg_cfi_is_sane(&image->cfi, fde_of(image, i)))
			return false;
	return true;
}

/* Removes the index, so that libdw searches the section. */
static void drop_index(struct fg_cfi_image *image)
{
	char *segments = image->bytes + image->file->header.e_phoff;
	GElf_Phdr p;

	for (size_t i = 0; i < image->file->segments && i < INT32_MAX; i++)
		if (gelf_getphdr(image->file->elf, (int)i, &p) &&
		    p.p_type == PT_GNU_EH_FRAME) /* PT_NULL is 0 in either byte order */
			memset(segments + i * sizeof(Elf64_Phdr), 0,
			       sizeof(Elf64_Word));
}

/*
 * Copies the index and the .eh_frame that it describes. If there is no section
 * .eh_frame, it may be anywhere in the segment that has the index. Returns false if the
 * index cannot be used.
 */
static bool copy_index(struct fg_cfi_image *image, const struct fg_elf_section *frames)
{
	GElf_Phdr index, segment;

	if (!find_segment(image, PT_GNU_EH_FRAME, 0, &index) ||
	    !copy(image, index.p_offset, index.p_filesz))
		return false;
	image->index_at = index.p_offset;
	image->index_address = index.p_vaddr;
	image->entries = entries_of(image, &index);
	if (!image->entries || !is_in_order(image)) {
		image->entries = 0;
		return false;
	}
	if (image->wants == FG_CFI_RULES_ASKED)
		return true;
	if (frames->scn)
		return copy(image, frames->header.sh_offset, frames->header.sh_size);
	return find_segment(image, PT_LOAD, index.p_offset, &segment) &&
	       copy(image, segment.p_offset, segment.p_filesz);
}

/* Copies a section and describes it in the table of sections. */
static void add_section(struct fg_cfi_image *image, const struct fg_elf_section *s,
			Elf64_Shdr *to, const char *name)
{
	if (!s->scn || s->header.sh_type == SHT_NOBITS ||
	    !copy(image, s->header.sh_offset, s->header.sh_size))
		return;
	while (memcmp(names + to->sh_name, name, strlen(name) + 1) != 0)
		to->sh_name++;
	to->sh_type = s->header.sh_type;
	to->sh_flags = s->header.sh_flags;
	to->sh_addr = s->header.sh_addr;
	to->sh_offset = s->header.sh_offset;
	to->sh_size = s->header.sh_size;
	to->sh_addralign = s->header.sh_addralign;
	to->sh_entsize = s->header.sh_entsize;
}

/* Writes the table of sections after the bytes of the file. */
static void add_sections(struct fg_cfi_image *image,
			 const struct fg_elf_section *frames)
{
	struct fg_elf_section debug = fg_elf_section(image->file, ".debug_frame");
	struct fg_elf_section packed = fg_elf_section(image->file, ".zdebug_frame");
	uint64_t at = image->size - sizeof(struct tail);
	struct tail tail = { .sections[NAMES].sh_type = SHT_STRTAB };
	Elf64_Ehdr header;

	memcpy(tail.names, names, sizeof(names));
	tail.sections[NAMES].sh_name = sizeof(names) - sizeof(".shstrtab");
	tail.sections[NAMES].sh_offset = at + offsetof(struct tail, names);
	tail.sections[NAMES].sh_size = sizeof(names);
	if (!copy_index(image, frames)) {
		image->entries = 0;
		drop_index(image);
		add_section(image, frames, &tail.sections[EH_FRAME], ".eh_frame");
	}
	if (debug.scn)
		add_section(image, &debug, &tail.sections[DEBUG_FRAME], ".debug_frame");
	else
		add_section(image, &packed, &tail.sections[DEBUG_FRAME],
			    ".zdebug_frame");
	memcpy(image->bytes + at, &tail, sizeof(tail));
	memcpy(&header, image->bytes, sizeof(header));
	/* our table has this machine's byte order */
	header.e_shoff = image->is_swapped ? 0 : at;
	header.e_shentsize = sizeof(Elf64_Shdr);
	header.e_shnum = image->is_swapped ? 0 : SECTIONS;
	header.e_shstrndx = image->is_swapped ? 0 : NAMES;
	memcpy(image->bytes, &header, sizeof(header));
}

/*
 * Returns true if libdw can follow everything in a section. Unpacks the section if
 * necessary.
 */
static bool section_is_sane(const struct fg_cfi_image *image, Elf *elf, size_t index)
{
	Elf_Scn *scn = elf_getscn(elf, index);
	struct fg_cfi cfi = { .ident = (const unsigned char *)image->bytes,
			      .is_eh = index == EH_FRAME };
	const Elf_Data *data;
	GElf_Shdr header;

	if (!scn || !gelf_getshdr(scn, &header))
		return false;
	if (!header.sh_size)
		return true;
	if ((header.sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0) ||
	    (header.sh_name == PACKED_NAME && elf_compress_gnu(scn, 0, 0) < 0))
		return false;
	data = elf_rawdata(scn, NULL);
	if (!data)
		return false;
	cfi.data = *data;
	cfi.left = FG_CFI_TIMES * (uint64_t)data->d_size;
	return fg_cfi_are_sane(&cfi);
}

static bool sections_are_sane(const struct fg_cfi_image *image)
{
	char *at = image->bytes + image->size - sizeof(struct tail);
	Elf *elf = elf_memory(image->bytes, image->size);
	struct tail tail;
	bool are_sane;

	memcpy(&tail, at, sizeof(tail));
	are_sane = elf && section_is_sane(image, elf, EH_FRAME) &&
		   section_is_sane(image, elf, DEBUG_FRAME);
	elf_end(elf);
	/* libelf has changed the headers of sections that it unpacked */
	memcpy(at, &tail, sizeof(tail));
	return are_sane;
}

static bool load(struct fg_cfi_image *image)
{
	const GElf_Ehdr *header = &image->file->header;
	struct fg_elf_section frames = fg_elf_section(image->file, ".eh_frame");

	if (!make_room(image) || !copy(image, 0, sizeof(Elf64_Ehdr)) ||
	    !copy(image, header->e_phoff, image->file->segments * sizeof(Elf64_Phdr)))
		return false;
	if (frames.scn && frames.header.sh_type == SHT_NOBITS)
		frames.scn = NULL;
	image->cfi = (struct fg_cfi){
		.ident = (const unsigned char *)image->bytes,
		.data = { .d_buf = image->bytes, .d_size = image->size },
		.is_eh = true,
		/*
		 * no limit if the rules are copied one by one: then we check only a few
		 */
		.left = image->wants == FG_CFI_RULES_ALL ?
				FG_CFI_TIMES * (uint64_t)image->size :
				UINT64_MAX,
	};
	add_sections(image, &frames);
	elf_version(EV_CURRENT);
	errno = 0;
	if ((!image->is_swapped && !sections_are_sane(image)) ||
	    (image->wants == FG_CFI_RULES_ALL && !index_is_sane(image))) {
		fg_elf_check_memory(NULL);
		return false;
	}
	image->elf = elf_memory(image->bytes, image->size);
	fg_elf_check_memory(image->elf);
	return image->elf;
}

/* Finds the next PT_LOAD segment, starting at *index, and moves *index after it. */
static bool next_segment(const struct fg_cfi_image *image, size_t *index, GElf_Phdr *p)
{
	size_t count;

	if (elf_getphdrnum(image->elf, &count))
		return false;
	for (; *index < count && *index < INT32_MAX; ++*index) {
		if (gelf_getphdr(image->elf, (int)*index, p) && p->p_type == PT_LOAD) {
			++*index;
			return true;
		}
	}
	return false;
}

/*
 * Finds the range of addresses. Like in libdwfl, the lowest is the address of the first
 * segment, rounded down to its alignment.
 */
static bool find_range(struct fg_cfi_image *image)
{
	size_t index = 0;
	bool any = false;
	GElf_Phdr p;

	while (next_segment(image, &index, &p)) {
		if (!any)
			image->low = p.p_vaddr & -(p.p_align ? p.p_align : 1);
		if (p.p_vaddr + p.p_memsz > image->high)
			image->high = p.p_vaddr + p.p_memsz;
		any = true;
	}
	return any && image->high > image->low;
}

int fg_cfi_image_open(struct fg_cfi_image *image, const struct fg_elf *e,
		      enum fg_cfi_rules wants)
{
	memset(image, 0, sizeof(*image));
	image->file = e;
	image->wants = wants;
	image->is_swapped = is_swapped(e);
	if (load(image) && find_range(image))
		return 0;
	fg_cfi_image_close(image);
	return -1;
}

void fg_cfi_image_close(struct fg_cfi_image *image)
{
	elf_end(image->elf);
	if (image->bytes)
		munmap(image->bytes, image->size);
	memset(image, 0, sizeof(*image));
}

/* A mapping starts at a page boundary, which may be before the start of its segment. */
bool fg_cfi_image_address(const struct fg_cfi_image *image, uint64_t offset,
			  uint64_t *address)
{
	size_t index = 0;
	GElf_Phdr p;

	while (next_segment(image, &index, &p)) {
		uint64_t start = p.p_offset & -PAGE;

		if (offset < start || offset - start >= p.p_filesz + p.p_offset - start)
			continue;
		*address = offset - p.p_offset + p.p_vaddr;
		return true;
	}
	return false;
}

/* Finds the offset of the FDE that the index has for an address. */
static bool find_fde(const struct fg_cfi_image *image, uint64_t address, uint64_t *at)
{
	int64_t wanted = (int64_t)(address - image->index_address);
	size_t low = 0, high = image->entries;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (start_of(image, middle) <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	*at = fde_of(image, low - 1);
	return true;
}

/*
 * Copies the entry of .eh_frame at an offset. Does nothing if it was copied before:
 * then the image has its length, which is not 0. For an FDE, sets *cie to the offset of
 * its CIE, which other FDEs share.
 */
static bool copy_entry(struct fg_cfi_image *image, uint64_t at, uint64_t *cie)
{
	char few[128];
	uint64_t left = fg_elf_size(image->file), size;

	if (at < sizeof(Elf64_Ehdr) || at >= left || left - at < 8)
		return false;
	left -= at;
	if (!load32(image, image->bytes + at)) {
		size = left < sizeof(few) ? left : sizeof(few);
		if (!fg_elf_read(image->file, at, few, (size_t)size))
			return false;
		size = UINT64_C(4) + load32(image, few);
		if (size > left || size > ENTRY_MAX)
			return false;
		if (size > sizeof(few))
			copy(image, at, size);
		else
			memcpy(image->bytes + at, few, (size_t)size);
	}
	*cie = at + 4 - load32(image, image->bytes + at + 4);
	return true;
}

bool fg_cfi_image_ask(struct fg_cfi_image *image, uint64_t address)
{
	uint64_t fde, cie, none;

	if (image->wants != FG_CFI_RULES_ASKED || !image->entries ||
	    !find_fde(image, address, &fde))
		return true;
	return copy_entry(image, fde, &cie) && copy_entry(image, cie, &none) &&
	       fg_cfi_is_sane(&image->cfi, fde);
}

bool fg_cfi_image_word(const struct fg_cfi_image *image, uint64_t offset,
		       uint64_t *word)
{
	return fg_elf_read(image->file, offset, word, sizeof(*word));
}

#endif
