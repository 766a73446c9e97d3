/* Tests of collapse/symbols/cfirules.c: following the unwinding rule of a frame. */
#include "collapse/symbols/cfirules.h"

#include "tests/unit/support/support.h"

#ifdef FG_HAVE_LIBDW
enum { AX, DX, CX, BX, SI, DI, BP, SP, IP = FG_CFI_RULE_IP };

#define BIT(number) (UINT32_C(1) << (number))
#define ALL (BIT(FG_CFI_RULE_REGISTERS) - 1)
#define CFA FG_CFI_RULE_CFA

/* A stack of three words. No other memory can be read. */
#define STACK 0x7000
static const uint64_t stack[] = { 11, 22, 33 };

static bool read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *data)
{
	uint64_t index = (address - STACK) / 8;

	(void)dwfl;
	(void)data;
	if (address < STACK || address % 8 || index >= COUNT_OF(stack))
		return false;
	*result = stack[index];
	return true;
}

struct frame {
	Dwarf_Word words[FG_CFI_RULE_REGISTERS];
	struct fg_cfi_registers registers;
};

/* Sets each register to its number, but the stack pointer to STACK. */
static void frame_init(struct frame *f)
{
	for (unsigned i = 0; i < FG_CFI_RULE_REGISTERS; i++)
		f->words[i] = i;
	f->words[SP] = STACK;
	f->registers = (struct fg_cfi_registers){ f->words, ALL };
}

static bool follow(const struct fg_cfi_rule *rule, struct frame *f)
{
	return fg_cfi_rule_follow(rule, &f->registers, read_word, NULL);
}

/* Returns the rule of a function that has pushed rbp, like most rules. */
static struct fg_cfi_rule usual(void)
{
	struct fg_cfi_rule rule = {
		.cfa = { .base = SP, .offset = 16 },
		.keeps = ALL & ~(BIT(BP) | BIT(SP) | BIT(IP)),
		.changes = BIT(BP) | BIT(SP) | BIT(IP),
	};

	rule.values[BP] = (struct fg_cfi_value){ CFA, true, -16 };
	rule.values[SP] = (struct fg_cfi_value){ CFA, false, 0 };
	rule.values[IP] = (struct fg_cfi_value){ CFA, true, -8 };
	return rule;
}

static void the_caller_has_saved_and_kept_registers(void **data)
{
	const struct fg_cfi_rule rule = usual();
	struct frame f;

	(void)data;
	frame_init(&f);
	assert_true(follow(&rule, &f));
	assert_int_equal(f.registers.known, ALL);
	assert_int_equal(f.words[BP], 11);
	assert_int_equal(f.words[SP], STACK + 16);
	assert_int_equal(f.words[IP], 22);
	assert_int_equal(f.words[BX], BX);
}

/* We are between "pop %rbp" and "ret", with the rules that LLVM writes. */
static void a_popped_register_is_the_callers(void **data)
{
	struct fg_cfi_rule rule = usual();
	struct frame f;

	(void)data;
	frame_init(&f);
	rule.cfa.offset = 8;
	assert_true(follow(&rule, &f));
	assert_int_equal(f.registers.known, ALL);
	assert_int_equal(f.words[BP], BP);
	assert_int_equal(f.words[SP], STACK + 8);
	assert_int_equal(f.words[IP], 11);
}

/* Values use the frame's registers, though those of the caller may be set before. */
static void values_use_the_registers_of_the_frame(void **data)
{
	struct fg_cfi_rule rule = usual();
	struct frame f;

	(void)data;
	frame_init(&f);
	rule.values[IP] = (struct fg_cfi_value){ SP, true, 8 };
	rule.values[BP] = (struct fg_cfi_value){ BX, false, 5 };
	rule.changes |= BIT(BX);
	rule.values[BX] = (struct fg_cfi_value){ BP, false, 1 };
	assert_true(follow(&rule, &f));
	assert_int_equal(f.words[IP], 22);
	assert_int_equal(f.words[BP], BX + 5);
	assert_int_equal(f.words[BX], BP + 1);
}

/* The PLT has such rules, and functions that realign the stack. */
static void the_address_of_a_frame_can_be_in_memory(void **data)
{
	struct fg_cfi_rule rule = usual();
	struct frame f;

	(void)data;
	frame_init(&f);
	rule.cfa = (struct fg_cfi_value){ SP, true, 16 };
	rule.changes = BIT(SP);
	assert_true(follow(&rule, &f));
	assert_int_equal(f.words[SP], 33);
}

static void other_registers_are_not_known(void **data)
{
	struct fg_cfi_rule rule = usual();
	struct frame f;

	(void)data;
	frame_init(&f);
	rule.keeps = BIT(DX) | BIT(CX);
	rule.values[BP] = (struct fg_cfi_value){ CFA, true, 8 };
	f.registers.known &= ~BIT(DX);
	assert_true(follow(&rule, &f));
	assert_int_equal(f.registers.known, BIT(CX) | BIT(SP) | BIT(IP));
	rule.values[IP] = (struct fg_cfi_value){ DX, false, 0 };
	frame_init(&f);
	f.registers.known &= ~BIT(DX);
	assert_true(follow(&rule, &f));
	assert_int_equal(f.registers.known, BIT(CX) | BIT(SP));
}

static void a_frame_without_an_address_is_not_changed(void **data)
{
	static const struct fg_cfi_value cfas[] = {
		{ DX, false, 0 }, /* not known */
		{ SP, true, -8 }, /* not readable, like the next */
		{ SP, true, 24 },
	};

	(void)data;
	for (size_t i = 0; i < COUNT_OF(cfas); i++) {
		struct fg_cfi_rule rule = usual();
		struct frame f;

		frame_init(&f);
		f.registers.known &= ~BIT(DX);
		rule.cfa = cfas[i];
		assert_false(follow(&rule, &f));
		assert_int_equal(f.registers.known, ALL & ~BIT(DX));
		assert_int_equal(f.words[SP], STACK);
		assert_int_equal(f.words[BP], BP);
	}
}
#endif

int main(void)
{
#ifdef FG_HAVE_LIBDW
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_caller_has_saved_and_kept_registers),
		cmocka_unit_test(a_popped_register_is_the_callers),
		cmocka_unit_test(values_use_the_registers_of_the_frame),
		cmocka_unit_test(the_address_of_a_frame_can_be_in_memory),
		cmocka_unit_test(other_registers_are_not_known),
		cmocka_unit_test(a_frame_without_an_address_is_not_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	return skip_without("libdw");
#endif
}
