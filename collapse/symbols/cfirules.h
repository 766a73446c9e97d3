/*
 * Unwinding rules of x86-64, taken from libdw once for each address, in a form that is
 * quick to follow.
 */
#ifndef FG_COLLAPSE_SYMBOLS_CFIRULES_H
#define FG_COLLAPSE_SYMBOLS_CFIRULES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdwfl.h>

/* DWARF's numbers: the sixteen general registers, and the return address. */
#define FG_CFI_RULE_REGISTERS 17
#define FG_CFI_RULE_SP 7
#define FG_CFI_RULE_IP 16

/* Stands for the address of the frame, in place of a register. */
#define FG_CFI_RULE_CFA FG_CFI_RULE_REGISTERS

/* A value: a register plus an offset, or the contents of the memory there. */
struct fg_cfi_value {
	unsigned char base; /* the register */
	bool is_in_memory;
	int32_t offset;
};

/* The rule at an address. A zeroed one has no address. */
struct fg_cfi_rule {
	uint64_t address;
	uint32_t session; /* the session of the address; the caller chooses it, not 0 */
	bool is_simple; /* the rule is complete; otherwise libdwfl has to unwind */
	bool is_signal; /* a frame of a signal, whose caller was not in a call */
	struct fg_cfi_value cfa;
	uint32_t keeps; /* registers that keep their value */
	/* registers that have a value here; all others are unknown in the caller */
	uint32_t changes;
	struct fg_cfi_value values[FG_CFI_RULE_REGISTERS];
};

/* Finds the rule at its address in `module`, or NULL if it is in no module. */
void fg_cfi_rule_find(struct fg_cfi_rule *rule, Dwfl_Module *module);

/* Makes it the rule of code that was called and has pushed `pushed` bytes since. */
void fg_cfi_rule_call(struct fg_cfi_rule *rule, int32_t pushed);

/* Registers of a frame. `known` has a bit for each that has a value. */
struct fg_cfi_registers {
	Dwarf_Word *words; /* by DWARF's numbers; borrowed */
	uint32_t known;
};

/* Reads a word of memory, like in libdwfl. Returns false if it is not there. */
typedef bool fg_cfi_read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result,
			      void *data);

/*
 * Replaces the registers by the caller's, by a simple rule. Returns false, and changes
 * nothing, if the address of the frame cannot be found.
 */
bool fg_cfi_rule_follow(const struct fg_cfi_rule *rule, struct fg_cfi_registers *r,
			fg_cfi_read_word *read, void *data);

/* Frees a frame that libdw allocated. Accepts NULL. */
void fg_cfi_frame_free(Dwarf_Frame *frame);

#endif

#endif
