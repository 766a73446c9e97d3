/* Unwinding rules of x86-64: takes them from libdw, and follows them. */
#include "collapse/symbols/cfirules.h"

#ifdef FG_HAVE_LIBDW
/*
 * libdw allocates with the C library, so we must call its free(), even in libflamepipe
 */
#undef free
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/symbols/elffile.h"

void fg_cfi_frame_free(Dwarf_Frame *frame)
{
	free(frame);
}

/*
 * Stores an offset, which libdw passes as an unsigned number. Returns false if it does
 * not fit.
 */
static bool take_offset(struct fg_cfi_value *value, uint64_t number)
{
	value->offset = (int32_t)(uint32_t)number;
	return (uint64_t)(int64_t)value->offset == number;
}

/*
 * Stores the register and the offset of an operation. Returns false if it is another
 * operation.
 */
static bool take_base(struct fg_cfi_value *value, const Dwarf_Op *op)
{
	bool numbered = op->atom == DW_OP_bregx;
	uint64_t base = numbered ? op->number : (uint64_t)op->atom - DW_OP_breg0;

	value->base = (unsigned char)base;
	return base < FG_CFI_RULE_REGISTERS &&
	       take_offset(value, numbered ? op->number2 : op->number);
}

static bool take_cfa(struct fg_cfi_value *cfa, Dwarf_Frame *frame)
{
	Dwarf_Op *ops = NULL;
	size_t count = 0;

	if (dwarf_frame_cfa(frame, &ops, &count) || !count || !take_base(cfa, ops))
		return false;
	cfa->is_in_memory = count == 2 && ops[1].atom == DW_OP_deref;
	return count == 1 || cfa->is_in_memory;
}

/*
 * Stores the rule of a register. Returns false if the rule has another form than
 * libdw's usual ones. libdw describes the rule as [CFA, [+ offset], [stack_value]]. The
 * value is in memory unless stack_value is there.
 */
static bool take_register(struct fg_cfi_rule *rule, Dwarf_Frame *frame, int number)
{
	struct fg_cfi_value *value = &rule->values[number];
	Dwarf_Op own[3], *ops = NULL;
	size_t count = 0, at = 1;
	uint64_t offset = 0;

	if (dwarf_frame_register(frame, number, own, &ops, &count))
		return false;
	if (!count && !ops)
		rule->keeps |= UINT32_C(1) << number;
	if (!count)
		return !ops || ops == own; /* the caller's value is unknown */
	rule->changes |= UINT32_C(1) << number;
	value->is_in_memory = true;
	if (ops[0].atom != DW_OP_call_frame_cfa)
		return false;
	/* in a signal frame, the expression names its base after the CFA */
	if (ops != own)
		return count == 2 && take_base(value, &ops[1]);
	if (at < count && own[at].atom == DW_OP_plus_uconst)
		offset = own[at++].number;
	value->base = FG_CFI_RULE_CFA;
	value->is_in_memory = at == count || own[at++].atom != DW_OP_stack_value;
	return at == count && take_offset(value, offset);
}

static bool take(struct fg_cfi_rule *rule, Dwarf_Frame *frame)
{
	Dwarf_Addr start, end;

	if (dwarf_frame_info(frame, &start, &end, &rule->is_signal) != FG_CFI_RULE_IP ||
	    !take_cfa(&rule->cfa, frame))
		return false;
	for (int number = 0; number < FG_CFI_RULE_REGISTERS; number++)
		if (!take_register(rule, frame, number))
			return false;
	return true;
}

void fg_cfi_rule_find(struct fg_cfi_rule *rule, Dwfl_Module *module)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr bias;
	Dwarf_CFI *cfi;

	rule->keeps = rule->changes = 0;
	errno = 0;
	cfi = module ? dwfl_module_eh_cfi(module, &bias) : NULL;
	rule->is_simple = cfi &&
			  !dwarf_cfi_addrframe(cfi, rule->address - bias, &frame) &&
			  take(rule, frame);
	fg_cfi_frame_free(frame);
	fg_elf_check_memory(NULL);
}

void fg_cfi_rule_call(struct fg_cfi_rule *rule, int32_t pushed)
{
	uint32_t changes = UINT32_C(1) << FG_CFI_RULE_SP | UINT32_C(1)
								   << FG_CFI_RULE_IP;

	rule->is_simple = true;
	rule->is_signal = false;
	rule->cfa = (struct fg_cfi_value){ FG_CFI_RULE_SP, false, pushed + 8 };
	rule->keeps = ((UINT32_C(1) << FG_CFI_RULE_REGISTERS) - 1) & ~changes;
	rule->changes = changes;
	rule->values[FG_CFI_RULE_SP] =
		(struct fg_cfi_value){ FG_CFI_RULE_CFA, false, 0 };
	rule->values[FG_CFI_RULE_IP] =
		(struct fg_cfi_value){ FG_CFI_RULE_CFA, true, -8 };
}

/*
 * A callee's frame, while we compute the caller's. `words` has its registers and, last,
 * its address (CFA).
 */
struct left {
	Dwarf_Word words[FG_CFI_RULE_CFA + 1];
	fg_cfi_read_word *read;
	void *data;
};

static uint64_t sum_of(const struct left *frame, const struct fg_cfi_value *value)
{
	return frame->words[value->base] + (uint64_t)(int64_t)value->offset;
}

static bool get_value(const struct left *frame, const struct fg_cfi_value *value,
		      Dwarf_Word *result)
{
	*result = sum_of(frame, value);
	return !value->is_in_memory || frame->read(NULL, *result, result, frame->data);
}

/*
 * Returns true if a register was popped, so that it has the caller's value again. LLVM
 * writes no rule for that: its rules still have the address to which the register was
 * pushed. That is now below the stack pointer, and was not copied.
 */
static bool is_popped(const struct left *frame, const struct fg_cfi_value *value)
{
	return value->is_in_memory && value->base == FG_CFI_RULE_CFA &&
	       sum_of(frame, value) < frame->words[FG_CFI_RULE_SP];
}

bool fg_cfi_rule_follow(const struct fg_cfi_rule *rule, struct fg_cfi_registers *r,
			fg_cfi_read_word *read, void *data)
{
	struct left frame = { .read = read, .data = data };
	uint32_t known = r->known | UINT32_C(1) << FG_CFI_RULE_CFA;

	memcpy(frame.words, r->words, FG_CFI_RULE_REGISTERS * sizeof(*r->words));
	if (!(known >> rule->cfa.base & 1) ||
	    !get_value(&frame, &rule->cfa, &frame.words[FG_CFI_RULE_CFA]))
		return false;
	r->known &= rule->keeps;
	for (unsigned i = 0; rule->changes >> i; i++) {
		uint32_t bit = UINT32_C(1) << i;

		if (!(rule->changes & bit) || !(known >> rule->values[i].base & 1))
			continue;
		if (is_popped(&frame, &rule->values[i]))
			r->known |= known & bit;
		else if (get_value(&frame, &rule->values[i], &r->words[i]))
			r->known |= bit;
	}
	return true;
}

#endif
