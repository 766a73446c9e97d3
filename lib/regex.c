/* Regular expressions; the only user of PCRE2. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "lib/regex.h"

#include <pcre2.h>
#include <stdlib.h>

#include "lib/xalloc.h"

/* Far beyond what names take; a pattern that backtracks without end gets there soon. */
#define MATCH_LIMIT 1000000
#define DEPTH_LIMIT 250000
#define HEAP_LIMIT_KIB (128 * 1024)

/* On the machine's own stack, matching would fail for names of 2 kB and more. */
#define JIT_STACK_FIRST (32 * 1024)
#define JIT_STACK_LIMIT (8 * 1024 * 1024)

struct fg_regex {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	const char *pattern;
	const char *subject;
	struct fg_diag *diag;
};

static void report(struct fg_regex *re, int error, PCRE2_SIZE offset)
{
	PCRE2_UCHAR text[160];

	pcre2_get_error_message(error, text, sizeof(text));
	fg_error(re->diag, NULL, "%s: bad regular expression '%s': %s (at byte %zu)",
		 re->subject, re->pattern, (const char *)text, (size_t)offset);
}

struct fg_regex *fg_regex_new(const char *pattern, const char *subject,
			      struct fg_diag *diag)
{
	struct fg_regex *re = fg_xcalloc(1, sizeof(*re));
	PCRE2_SIZE offset;
	int error;

	re->pattern = pattern;
	re->subject = subject;
	re->diag = diag;
	re->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
				 PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &error, &offset,
				 NULL);
	if (!re->code) {
		if (error == PCRE2_ERROR_HEAP_FAILED)
			fg_out_of_memory(); /* the pattern is not at fault */
		report(re, error, offset);
		fg_regex_free(re);
		return NULL;
	}
#ifndef FG_NO_JIT /* valgrind cannot follow generated code */
	/* Without a JIT the interpreter does the same, more slowly. */
	pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE);
#endif
	re->match = pcre2_match_data_create(1, NULL);
	re->context = pcre2_match_context_create(NULL);
	re->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_LIMIT, NULL);
	if (!re->match || !re->context)
		fg_out_of_memory();
	pcre2_set_match_limit(re->context, MATCH_LIMIT);
	pcre2_set_depth_limit(re->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(re->context, HEAP_LIMIT_KIB);
	pcre2_jit_stack_assign(re->context, NULL, re->stack);
	return re;
}

int fg_regex_match(struct fg_regex *re, struct fg_str s)
{
	int found = pcre2_match(re->code, (PCRE2_SPTR)(s.len ? s.ptr : ""), s.len, 0, 0,
				re->match, re->context);
	PCRE2_UCHAR text[160];

	if (found >= 0)
		return 1;
	if (found == PCRE2_ERROR_NOMATCH)
		return 0;
	pcre2_get_error_message(found, text, sizeof(text));
	fg_error(re->diag, NULL, "%s: gave up matching '%s': %s", re->subject,
		 re->pattern, (const char *)text);
	return -1;
}

void fg_regex_free(struct fg_regex *re)
{
	if (!re)
		return;
	pcre2_match_context_free(re->context);
	pcre2_jit_stack_free(re->stack);
	pcre2_match_data_free(re->match);
	pcre2_code_free(re->code);
	free(re);
}
