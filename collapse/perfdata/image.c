/* Private copies of binaries, without sections, for the unwinder. */
#ifdef FG_HAVE_LIBDW
#include "collapse/perfdata/image.h"

#include <gelf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/xalloc.h"

#define PAGE UINT64_C(4096)

static bool load(struct fg_pd_image *image, const struct fg_pd_elf *e)
{
	struct fg_str bytes = fg_pd_elf_bytes(e);
	int fd = fg_pd_elf_descriptor(e);
	void *mapped;

	if (bytes.len < sizeof(Elf64_Ehdr))
		return false;
	image->size = bytes.len;
	image->mapped = fd >= 0;
	if (!image->mapped) {
		image->bytes = fg_xmalloc(bytes.len);
		memcpy(image->bytes, bytes.ptr, bytes.len);
		return true;
	}
	mapped = mmap(NULL, bytes.len, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	image->bytes = mapped == MAP_FAILED ? NULL : mapped;
	return image->bytes;
}

/* 64 bits only, as nothing else is unwound. */
static bool hide_sections(struct fg_pd_image *image)
{
	Elf64_Ehdr header;

	memcpy(&header, image->bytes, sizeof(header));
	if (header.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	header.e_shoff = 0;
	header.e_shnum = 0;
	header.e_shstrndx = SHN_UNDEF;
	memcpy(image->bytes, &header, sizeof(header));
	return true;
}

/* The next segment that is loaded, from *index on. */
static bool next_segment(const struct fg_pd_image *image, size_t *index, GElf_Phdr *p)
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

/* libdwfl takes the first segment's address, cut to its alignment, for the lowest. */
static bool find_range(struct fg_pd_image *image)
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

int fg_pd_image_open(struct fg_pd_image *image, const struct fg_pd_elf *e)
{
	memset(image, 0, sizeof(*image));
	if (load(image, e) && hide_sections(image)) {
		elf_version(EV_CURRENT);
		image->elf = elf_memory(image->bytes, image->size);
	}
	if (image->elf && find_range(image))
		return 0;
	fg_pd_image_close(image);
	return -1;
}

void fg_pd_image_close(struct fg_pd_image *image)
{
	elf_end(image->elf);
	if (image->bytes && image->mapped)
		munmap(image->bytes, image->size);
	else
		free(image->bytes);
	memset(image, 0, sizeof(*image));
}

/* Mappings start where pages do, so one can start before its segment. */
bool fg_pd_image_address(const struct fg_pd_image *image, uint64_t offset,
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

bool fg_pd_image_word(const struct fg_pd_image *image, uint64_t offset, uint64_t *word)
{
	if (offset > image->size || image->size - offset < sizeof(*word))
		return false;
	memcpy(word, image->bytes + offset, sizeof(*word));
	return true;
}
#else
/* A file has to have something in it. */
extern const int fg_pd_image_is_not_here;
const int fg_pd_image_is_not_here = 1;
#endif
