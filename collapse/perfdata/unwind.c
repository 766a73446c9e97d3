/*
 * Unwinding copies of stacks by libdwfl: one of its sessions for each address space, to
 * which binaries are added as addresses in them come.
 */
#include "collapse/perfdata/unwind.h"

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdwfl.h>
#include <stdlib.h>

#include "collapse/perfdata/cursor.h"
#include "collapse/perfdata/image.h"
#include "lib/xalloc.h"

/* Address spaces whose sessions are kept. */
#define SESSIONS 64

/* Numbers that perf gives to registers (arch/x86/include/uapi/asm/perf_regs.h). */
#define PERF_SP 7
#define PERF_IP 8

/* perf's numbers in the order of DWARF's. */
static const unsigned char dwarf_order[] = { 0,	 3,  2,	 1,  4,	 5,  6,	 7, 16,
					     17, 18, 19, 20, 21, 22, 23, 8 };

/* What a DSO is unwound by. */
struct binary {
	struct fg_pd_image image;
	bool tried; /* to open it */
};

struct session {
	Dwfl *dwfl; /* NULL: free */
	uint32_t space; /* the id of its mappings */
	bool attached; /* a thread can be unwound */
	uint64_t used; /* when it was, for dropping the oldest */
};

struct fg_pd_unwinder {
	struct fg_pd_dsos *dsos;
	struct session sessions[SESSIONS];
	struct session *now;
	struct binary *binaries; /* by index of their DSOs */
	size_t binary_count, binary_alloc;
	uint64_t clock;
	const struct fg_pd_stack *stack; /* the one that is being unwound */
	uint64_t sp, ip;
	uint64_t *pcs;
	size_t count;
};

bool fg_pd_unwind_is_here(void)
{
	return true;
}

struct fg_pd_unwinder *fg_pd_unwinder_new(struct fg_pd_dsos *dsos)
{
	struct fg_pd_unwinder *u = fg_xcalloc(1, sizeof(*u));

	u->dsos = dsos;
	return u;
}

void fg_pd_unwinder_free(struct fg_pd_unwinder *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < SESSIONS; i++)
		dwfl_end(u->sessions[i].dwfl);
	for (size_t i = 0; i < u->binary_count; i++)
		fg_pd_image_close(&u->binaries[i].image);
	free(u->binaries);
	free(u);
}

/* A recorded register; false where it was not recorded. */
static bool get_register(const struct fg_pd_stack *stack, unsigned number,
			 uint64_t *value)
{
	uint64_t below = stack->mask & ((UINT64_C(1) << number) - 1);
	size_t at = 0;

	if (!(stack->mask >> number & 1))
		return false;
	for (; below; below &= below - 1)
		at += 8;
	if (at + 8 > stack->registers.len)
		return false;
	*value = fg_pd_load64(stack->registers.ptr + at);
	return true;
}

/* The binary at an address; NULL where there is none that can be read. */
static const struct fg_pd_image *image_at(struct fg_pd_unwinder *u, uint64_t address,
					  const struct fg_pd_map **map)
{
	struct binary *binary;
	struct fg_pd_dso *dso;

	*map = u->stack->maps ? fg_pd_maps_find(u->stack->maps, address) : NULL;
	if (!*map)
		return NULL;
	FG_GROW(u->binaries, u->binary_alloc, u->dsos->count);
	for (; u->binary_count < u->dsos->count; u->binary_count++)
		memset(&u->binaries[u->binary_count], 0, sizeof(*u->binaries));
	binary = &u->binaries[(*map)->dso];
	dso = &u->dsos->list[(*map)->dso];
	if (!binary->tried && !fg_pd_dso_is_absolute(dso)) {
		fg_pd_dso_load(u->dsos, dso);
		if (dso->runtime)
			fg_pd_image_open(&binary->image, dso->runtime);
	}
	binary->tried = true;
	return binary->image.elf ? &binary->image : NULL;
}

/* Adds the binary at an address to the session, if it is not there yet. */
static void report_module(struct fg_pd_unwinder *u, uint64_t address)
{
	const struct fg_pd_image *image;
	const struct fg_pd_map *map;
	Dwfl_Module *module;
	uint64_t made_for, bias;
	void **data;

	if (dwfl_addrmodule(u->now->dwfl, address))
		return;
	image = image_at(u, address, &map);
	if (!image || !fg_pd_image_address(image, address + map->shift, &made_for))
		return;
	bias = address - made_for;
	module = dwfl_report_module(u->now->dwfl, "", image->low + bias,
				    image->high + bias);
	if (module &&
	    dwfl_module_info(module, &data, NULL, NULL, NULL, NULL, NULL, NULL))
		*data = (void *)(uintptr_t)image->elf;
}

/* A module's binary is the one that it was reported for: they share it. */
static int find_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		    char **path, Elf **elf)
{
	(void)module;
	(void)name;
	(void)base;
	(void)path;
	*elf = *data ? elf_begin(-1, ELF_C_READ, *data) : NULL;
	return -1;
}

/* Nothing else is to be looked for. */
static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name,
			     Dwarf_Addr base, const char *path, const char *link,
			     GElf_Word crc, char **debug_path)
{
	(void)module;
	(void)data;
	(void)name;
	(void)base;
	(void)path;
	(void)link;
	(void)crc;
	(void)debug_path;
	return -1;
}

static pid_t next_thread(Dwfl *dwfl, void *data, void **thread)
{
	if (*thread)
		return 0;
	*thread = data;
	return dwfl_pid(dwfl);
}

/* The stack, as far as it was copied; else what is in a file. */
static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *data)
{
	struct fg_pd_unwinder *u = data;
	const struct fg_pd_image *image;
	const struct fg_pd_map *map;

	(void)dwfl;
	if (address >= u->sp && address - u->sp < u->stack->bytes.len &&
	    u->stack->bytes.len - (address - u->sp) >= 8) {
		*result = fg_pd_load64(u->stack->bytes.ptr + (address - u->sp));
		return true;
	}
	image = image_at(u, address, &map);
	return image && fg_pd_image_word(image, address + map->shift, result);
}

static bool set_registers(Dwfl_Thread *thread, void *data)
{
	struct fg_pd_unwinder *u = data;
	Dwarf_Word words[FG_COUNT_OF(dwarf_order)];

	for (size_t i = 0; i < FG_COUNT_OF(dwarf_order); i++) {
		uint64_t value = 0;

		get_register(u->stack, dwarf_order[i], &value);
		words[i] = value;
	}
	return dwfl_thread_state_registers(thread, 0, FG_COUNT_OF(dwarf_order), words);
}

static int hear_frame(Dwfl_Frame *frame, void *data)
{
	struct fg_pd_unwinder *u = data;
	bool innermost;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	report_module(u, pc);
	if (!dwfl_frame_pc(frame, &pc, &innermost))
		return DWARF_CB_ABORT;
	u->pcs[u->count++] = innermost ? pc : pc - 1;
	return u->count < FG_PD_UNWOUND_MAX ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

/*
 * The session of an address space: the one that it has, or that was not used longest.
 */
static struct session *session_of(struct fg_pd_unwinder *u, uint32_t space)
{
	struct session *oldest = &u->sessions[0];

	for (size_t i = 0; i < SESSIONS; i++) {
		struct session *s = &u->sessions[i];

		if (s->dwfl && s->space == space)
			return s;
		if (s->used < oldest->used)
			oldest = s;
	}
	dwfl_end(oldest->dwfl);
	oldest->dwfl = dwfl_begin(&callbacks);
	oldest->space = space;
	oldest->attached = false;
	return oldest;
}

size_t fg_pd_unwind(struct fg_pd_unwinder *u, const struct fg_pd_stack *stack,
		    uint64_t *pcs)
{
	u->stack = stack;
	u->pcs = pcs;
	u->count = 0;
	if (!get_register(stack, PERF_SP, &u->sp) ||
	    !get_register(stack, PERF_IP, &u->ip))
		return 0;
	u->now = session_of(u, stack->maps ? stack->maps->id : 0);
	u->now->used = ++u->clock;
	if (!u->now->dwfl)
		return 0;
	report_module(u, u->ip);
	if (!u->now->attached)
		u->now->attached =
			dwfl_attach_state(u->now->dwfl, NULL, 1, &thread_callbacks, u);
	if (u->now->attached)
		dwfl_getthread_frames(u->now->dwfl, 1, hear_frame, u);
	if (!u->count)
		pcs[u->count++] = u->ip;
	return u->count;
}

#else
bool fg_pd_unwind_is_here(void)
{
	return false;
}

struct fg_pd_unwinder *fg_pd_unwinder_new(struct fg_pd_dsos *dsos)
{
	(void)dsos;
	return NULL;
}

void fg_pd_unwinder_free(struct fg_pd_unwinder *u)
{
	(void)u;
}

size_t fg_pd_unwind(struct fg_pd_unwinder *u, const struct fg_pd_stack *stack,
		    uint64_t *pcs)
{
	(void)u;
	(void)stack;
	(void)pcs;
	return 0;
}
#endif
