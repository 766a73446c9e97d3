/* Regular expressions; the only user of PCRE2. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "lib/regex.h"

#include <pcre2.h>
#include <stdlib.h>

#include "lib/xalloc.h"

/* Far beyond what names take; a pattern that backtracks without end gets there soon. */
#define MATCH_LIMIT 1000000

/*
 * PCRE2 limits the steps from each place where a match may start, not their sum. So a
 * match that takes more than a few, or has very many places, is made again with a
 * pattern compiled to call back at each step; what it takes beyond an allowance for its
 * length is taken from what the whole run has. No clock is asked: the same input always
 * ends in the same way.
 */
#define CHEAP_LIMIT 100
#define CHEAP_LENGTH 4096
#define ALLOWED 1000
#define ALLOWED_PER_BYTE 16
#define RUN_LIMIT 50000000
#define BYTES_PER_STEP 16
#define DEPTH_LIMIT 250000
#define HEAP_LIMIT_KIB (128 * 1024)

/* On the machine's own stack, matching would fail for names of 2 kB and more. */
#define JIT_STACK_FIRST (32 * 1024)
#define JIT_STACK_LIMIT (8 * 1024 * 1024)

struct fg_regex {
	pcre2_code *code;
	pcre2_code *counted; /* the same, which calls back; NULL until it is needed */
	pcre2_match_data *match;
	pcre2_match_context *cheap; /* for a first try */
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	uint64_t steps; /* of this match */
	uint64_t position; /* in its subject, at the last step */
	uint64_t steps_max;
	uint64_t left; /* of RUN_LIMIT */
	const char *pattern;
	const char *subject;
	struct fg_diag *diag;
};

static int report(struct fg_regex *re, int error, PCRE2_SIZE offset)
{
	PCRE2_UCHAR text[160];

	if (error == PCRE2_ERROR_HEAP_FAILED)
		fg_out_of_memory(); /* the pattern is not at fault */
	pcre2_get_error_message(error, text, sizeof(text));
	return fg_error(re->diag, NULL,
			"%s: bad regular expression '%s': %s (at byte %zu)",
			re->subject, re->pattern, (const char *)text, (size_t)offset);
}

static pcre2_code *compile(struct fg_regex *re, uint32_t options)
{
	PCRE2_SIZE offset;
	int error;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)re->pattern, PCRE2_ZERO_TERMINATED,
					 PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | options,
					 &error, &offset, NULL);

	if (!code) {
		report(re, error, offset);
		return NULL;
	}
#ifndef FG_NO_JIT /* valgrind cannot follow generated code */
	/* Without a JIT the interpreter does the same, more slowly. */
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
#endif
	return code;
}

/* A long way in the subject is no single step. */
static int count_step(pcre2_callout_block *at, void *data)
{
	struct fg_regex *re = data;
	uint64_t here = at->current_position;
	uint64_t way = here > re->position ? here - re->position : re->position - here;

	re->position = here;
	re->steps += 1 + way / BYTES_PER_STEP;
	return re->steps > re->steps_max ? PCRE2_ERROR_CALLOUT : 0;
}

static pcre2_match_context *new_context(struct fg_regex *re, uint32_t limit)
{
	pcre2_match_context *context = pcre2_match_context_create(NULL);

	if (!context)
		fg_out_of_memory();
	pcre2_set_match_limit(context, limit);
	pcre2_set_depth_limit(context, DEPTH_LIMIT);
	pcre2_set_heap_limit(context, HEAP_LIMIT_KIB);
	pcre2_jit_stack_assign(context, NULL, re->stack);
	return context;
}

struct fg_regex *fg_regex_new(const char *pattern, const char *subject,
			      struct fg_diag *diag)
{
	struct fg_regex *re = fg_xcalloc(1, sizeof(*re));

	re->pattern = pattern;
	re->subject = subject;
	re->diag = diag;
	re->left = RUN_LIMIT;
	re->code = compile(re, 0);
	if (!re->code) {
		fg_regex_free(re);
		return NULL;
	}
	re->match = pcre2_match_data_create(1, NULL);
	if (!re->match)
		fg_out_of_memory();
	re->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_LIMIT, NULL);
	re->cheap = new_context(re, CHEAP_LIMIT);
	re->context = new_context(re, MATCH_LIMIT);
	pcre2_set_callout(re->context, count_step, re);
	return re;
}

/* Matches and counts: a result of pcre2_match. */
static int match_counted(struct fg_regex *re, const char *bytes, size_t len)
{
	uint64_t allowed = ALLOWED + (uint64_t)len * ALLOWED_PER_BYTE;
	int found;

	if (!re->counted)
		re->counted = compile(re, PCRE2_AUTO_CALLOUT);
	if (!re->counted)
		return PCRE2_ERROR_INTERNAL;
	re->steps = 0;
	re->position = 0;
	re->steps_max = allowed + re->left;
	found = pcre2_match(re->counted, (PCRE2_SPTR)bytes, len, 0, 0, re->match,
			    re->context);
	if (re->steps > allowed)
		re->left -=
			re->steps - allowed < re->left ? re->steps - allowed : re->left;
	return found;
}

static int give_up(struct fg_regex *re, int error)
{
	PCRE2_UCHAR text[160] = "it takes too long on all of the input";

	if (error == PCRE2_ERROR_NOMEMORY)
		fg_out_of_memory();
	if (error != PCRE2_ERROR_CALLOUT)
		pcre2_get_error_message(error, text, sizeof(text));
	return fg_error(re->diag, NULL, "%s: gave up matching '%s': %s", re->subject,
			re->pattern, (const char *)text);
}

int fg_regex_match(struct fg_regex *re, struct fg_str s)
{
	const char *bytes = s.len ? s.ptr : "";
	int found = PCRE2_ERROR_MATCHLIMIT;

	if (s.len <= CHEAP_LENGTH)
		found = pcre2_match(re->code, (PCRE2_SPTR)bytes, s.len, 0, 0, re->match,
				    re->cheap);
	if (found == PCRE2_ERROR_MATCHLIMIT)
		found = match_counted(re, bytes, s.len);
	if (found >= 0)
		return 1;
	return found == PCRE2_ERROR_NOMATCH ? 0 : give_up(re, found);
}

void fg_regex_free(struct fg_regex *re)
{
	if (!re)
		return;
	pcre2_match_context_free(re->cheap);
	pcre2_match_context_free(re->context);
	pcre2_jit_stack_free(re->stack);
	pcre2_match_data_free(re->match);
	pcre2_code_free(re->code);
	pcre2_code_free(re->counted);
	free(re);
}
