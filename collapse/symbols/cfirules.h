/*
 * Unwinding rules of x86-64, in a form that is quick to follow. We take them from
 * libdw, once for each address.
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

/* A base of a value that is not a register: the address of the frame (CFA). */
#define FG_CFI_RULE_CFA FG_CFI_RULE_REGISTERS

/*
 * A value: the sum of a register and an offset, or the word of memory at that address.
 */
struct fg_cfi_value {
	unsigned char base; /* number of the register, or FG_CFI_RULE_CFA */
	bool is_in_memory;
	int32_t offset;
};

/* The rule at an address. In a zeroed struct, the session is 0: it has no rule. */
struct fg_cfi_rule {
	uint64_t address;
	/* session of libdwfl, a number that the caller chooses; not 0 */
	uint32_t session;
	bool is_simple; /* the rule is complete; otherwise libdwfl has to unwind */
	/* a signal frame: its caller was interrupted and is not in a call */
	bool is_signal;
	struct fg_cfi_value cfa;
	/* a bit for each register that has the same value in the caller */
	uint32_t keeps;
	/*
	 * a bit for each register with a value in `values`; all others are unknown in
	 * the caller
	 */
	uint32_t changes;
	struct fg_cfi_value values[FG_CFI_RULE_REGISTERS];
};

/*
 * Fills in the rule for rule->address, which is in `module`. Sets `is_simple` to false
 * if `module` is NULL or has no rule that we can follow.
 */
void fg_cfi_rule_find(struct fg_cfi_rule *rule, Dwfl_Module *module);

/* Fills in the rule of code that was called and has since pushed `pushed` bytes. */
void fg_cfi_rule_call(struct fg_cfi_rule *rule, int32_t pushed);

/* Registers of a frame. `known` has a bit for each register whose value is known. */
struct fg_cfi_registers {
	Dwarf_Word *words; /* their values, by DWARF's numbers; borrowed */
	uint32_t known;
};

/*
 * Reads a word of memory, like memory_read() of libdwfl. Returns false if it is not
 * available.
 */
typedef bool fg_cfi_read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result,
			      void *data);

/*
 * Replaces the registers by those of the caller. The rule must be simple. Returns
 * false, and changes nothing, if the address of the frame cannot be found.
 */
bool fg_cfi_rule_follow(const struct fg_cfi_rule *rule, struct fg_cfi_registers *r,
			fg_cfi_read_word *read, void *data);

/* Frees a frame that libdw allocated. Accepts NULL. */
void fg_cfi_frame_free(Dwarf_Frame *frame);

#endif

#endif
