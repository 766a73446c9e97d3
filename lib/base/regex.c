/* Matches regular expressions with PCRE2, and keeps it from running without end. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "lib/base/regex.h"

#include <pcre2.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

/*
 * The most steps of a match from one starting place. Ordinary matches need far fewer. A
 * pattern that backtracks endlessly soon reaches the limit.
 */
#define MATCH_LIMIT 1000000

/*
 * PCRE2 limits the steps from each place at which a match may start, not their sum. So
 * if a match needs more than a few steps, or its subject is long, we repeat it with a
 * pattern that is compiled to call us back at each step. Each match has an allowance of
 * steps that depends on the subject's length. Steps beyond it are charged to a budget
 * for the whole run. We use no clock, so the same input always ends in the same way.
 */
#define CHEAP_LIMIT 100
#define CHEAP_LENGTH 4096
#define ALLOWED 1000
#define ALLOWED_PER_BYTE 16
#define RUN_LIMIT 50000000
#define BYTES_PER_STEP 16
#define DEPTH_LIMIT 250000
#define HEAP_LIMIT_KIB (128 * 1024)

/*
 * The stack of JIT code. By default PCRE2 uses the machine's stack, but only 32 KiB of
 * it, so names of 2 kB and more would fail to match.
 */
#define JIT_STACK_FIRST (32 * 1024)
#define JIT_STACK_LIMIT (8 * 1024 * 1024)

struct fg_regex {
	pcre2_code *code;
	/* the same pattern, compiled to call back at each step; NULL until needed */
	pcre2_code *counted;
	pcre2_match_data *match;
	pcre2_match_context *cheap; /* allows few steps, for the first try */
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	uint64_t steps; /* steps so far in this match */
	uint64_t position; /* offset in the subject at the last step */
	uint64_t steps_max; /* if a match takes more steps than this, it fails */
	uint64_t left; /* steps left of RUN_LIMIT */
	const char *pattern;
	const char *subject; /* see fg_regex_new() */
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

static bool has_jit(void)
{
	uint32_t jit = 0;

	return !pcre2_config(PCRE2_CONFIG_JIT, &jit) && jit;
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
	/* Without a JIT, PCRE2 interprets the pattern, which is slower. */
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
#endif
	return code;
}

/*
 * Counts a step; PCRE2 calls this at each one. A long move in the subject counts as
 * several steps. Returns an error, which ends the match, if there are too many.
 */
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

/* Frees the objects of PCRE2. Each may be NULL. */
static void release(void *data)
{
	struct fg_regex *re = data;

	pcre2_match_context_free(re->cheap);
	pcre2_match_context_free(re->context);
	pcre2_jit_stack_free(re->stack);
	pcre2_match_data_free(re->match);
	pcre2_code_free(re->code);
	pcre2_code_free(re->counted);
}

struct fg_regex *fg_regex_new(const char *pattern, const char *subject,
			      struct fg_diag *diag)
{
	struct fg_regex *re = fg_xcalloc(1, sizeof(*re));

	re->pattern = pattern;
	re->subject = subject;
	re->diag = diag;
	re->left = RUN_LIMIT;
	fg_hold(release, re);
	re->code = compile(re, 0);
	if (!re->code) {
		fg_regex_free(re);
		return NULL;
	}
	re->match = pcre2_match_data_create(1, NULL);
	if (!re->match)
		fg_out_of_memory();
	re->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_LIMIT, NULL);
	if (!re->stack && has_jit())
		fg_out_of_memory();
	re->cheap = new_context(re, CHEAP_LIMIT);
	re->context = new_context(re, MATCH_LIMIT);
	pcre2_set_callout(re->context, count_step, re);
	return re;
}

static uint64_t allowed_steps(size_t len)
{
	return ALLOWED + (uint64_t)len * ALLOWED_PER_BYTE;
}

/*
 * Sets the counters for a match. Returns the pattern that is compiled to count steps,
 * or NULL after reporting.
 */
static pcre2_code *start_counting(struct fg_regex *re, size_t len)
{
	if (!re->counted)
		re->counted = compile(re, PCRE2_AUTO_CALLOUT);
	re->steps = 0;
	re->position = 0;
	re->steps_max = allowed_steps(len) + re->left;
	return re->counted;
}

static void stop_counting(struct fg_regex *re, size_t len)
{
	uint64_t allowed = allowed_steps(len);

	if (re->steps > allowed)
		re->left -=
			re->steps - allowed < re->left ? re->steps - allowed : re->left;
}

/* Matches and counts the steps. Returns the result of pcre2_match(). */
static int match_counted(struct fg_regex *re, const char *bytes, size_t len)
{
	const pcre2_code *code = start_counting(re, len);
	int found;

	if (!code)
		return PCRE2_ERROR_INTERNAL;
	found = pcre2_match(code, (PCRE2_SPTR)bytes, len, 0, 0, re->match, re->context);
	stop_counting(re, len);
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

/* ---- replacing */

/* The arguments of a replacement for pcre2_substitute(). */
struct replacing {
	const pcre2_code *code;
	pcre2_match_context *context;
	const struct fg_regex_text *with;
	/* offset of a fault in `with`, or the bytes needed with the NUL */
	PCRE2_SIZE offset;
};

/*
 * Replaces in `s` and appends the result to `out` if it fits into the space allocated
 * there. Returns the result of pcre2_substitute().
 */
static int substitute(struct replacing *r, struct fg_str s, struct fg_buf *out)
{
	uint32_t options = PCRE2_SUBSTITUTE_EXTENDED | PCRE2_SUBSTITUTE_UNSET_EMPTY |
			   PCRE2_SUBSTITUTE_OVERFLOW_LENGTH |
			   (r->with->all ? PCRE2_SUBSTITUTE_GLOBAL : 0);
	int count;

	r->offset = out->alloc - out->len;
	count = pcre2_substitute(r->code, (PCRE2_SPTR)(s.len ? s.ptr : ""), s.len, 0,
				 options, NULL, r->context, (PCRE2_SPTR)r->with->text,
				 PCRE2_ZERO_TERMINATED,
				 (PCRE2_UCHAR *)out->ptr + out->len, &r->offset);
	if (count >= 0)
		out->len += r->offset;
	return count;
}

/*
 * Like substitute(), but grows `out` as needed. Returns PCRE2_ERROR_NOMEMORY if the
 * result would be longer than is allowed.
 */
static int substitute_all(struct replacing *r, struct fg_str s, struct fg_buf *out)
{
	size_t max = s.len > FG_REGEX_RESULT_MAX ? s.len : FG_REGEX_RESULT_MAX;
	int count;

	fg_buf_reserve(out, fg_size_add(s.len, 256));
	count = substitute(r, s, out);
	if (count == PCRE2_ERROR_NOMEMORY && r->offset == PCRE2_UNSET)
		/* PCRE2 itself ran out of memory: it sets no length */
		fg_out_of_memory();
	if (count != PCRE2_ERROR_NOMEMORY || r->offset - 1 > max)
		return count;
	fg_buf_reserve(out, r->offset);
	count = substitute(r, s, out);
	if (count == PCRE2_ERROR_NOMEMORY)
		fg_out_of_memory();
	return count;
}

static int report_text(struct fg_regex *re, int error, const struct replacing *r)
{
	PCRE2_UCHAR text[160];

	pcre2_get_error_message(error, text, sizeof(text));
	return fg_error(re->diag, NULL,
			"%s: bad replacement '%s' for '%s': %s (at byte %zu)",
			re->subject, r->with->text, re->pattern, (const char *)text,
			(size_t)r->offset);
}

/* Returns true if an error code of PCRE2 means that the replacement is malformed. */
static bool is_of_text(int error)
{
	switch (error) {
	case PCRE2_ERROR_BADREPLACEMENT:
	case PCRE2_ERROR_BADREPESCAPE:
	case PCRE2_ERROR_REPMISSINGBRACE:
	case PCRE2_ERROR_BADSUBSTITUTION:
	case PCRE2_ERROR_NOSUBSTRING:
	case PCRE2_ERROR_NOUNIQUESUBSTRING:
	case PCRE2_ERROR_TOOMANYREPLACE:
		return true;
	default:
		return error >= PCRE2_ERROR_UTF8_ERR21 &&
		       error <= PCRE2_ERROR_UTF8_ERR1;
	}
}

static void release_code(void *code)
{
	pcre2_code_free(code);
}

/*
 * PCRE2 checks a replacement only when it is used. So we use it on an empty subject,
 * with a pattern that has the same groups and matches at once. A pattern that starts
 * with (*VERB) cannot be part of another one, so its replacement is checked only at its
 * first use.
 */
int fg_regex_check(struct fg_regex *re, const struct fg_regex_text *with)
{
	struct replacing r = { NULL, re->context, with, 0 };
	struct fg_buf pattern = FG_BUF_INIT, result = FG_BUF_INIT;
	PCRE2_SIZE offset;
	pcre2_code *code;
	int error, count = 0;

	fg_buf_addf(&pattern, "|(?:%s\n)", re->pattern);
	code = pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len, PCRE2_UTF, &error,
			     &offset, NULL);
	if (!code && error == PCRE2_ERROR_HEAP_FAILED)
		fg_out_of_memory();
	r.code = code;
	if (code) {
		fg_hold(release_code, code);
		count = substitute_all(&r, FG_STR(""), &result);
		fg_let_go(code);
	}
	pcre2_code_free(code);
	fg_buf_release(&pattern);
	fg_buf_release(&result);
	return is_of_text(count) ? report_text(re, count, &r) : 0;
}

int fg_regex_replace(struct fg_regex *re, struct fg_str s,
		     const struct fg_regex_text *with, struct fg_buf *out)
{
	struct replacing r = { re->code, re->cheap, with, 0 };
	int count = fg_regex_match(re, s);

	if (count <= 0)
		return count;
	count = PCRE2_ERROR_MATCHLIMIT;
	if (s.len <= CHEAP_LENGTH)
		count = substitute_all(&r, s, out);
	if (count == PCRE2_ERROR_MATCHLIMIT) {
		r.code = start_counting(re, s.len);
		r.context = re->context;
		if (!r.code)
			return -1;
		count = substitute_all(&r, s, out);
		stop_counting(re, s.len);
	}
	if (count >= 0)
		return 1;
	if (is_of_text(count))
		return report_text(re, count, &r);
	if (count == PCRE2_ERROR_NOMEMORY)
		return fg_error(re->diag, NULL,
				"%s: replacing '%s' by '%s' makes a name of more than "
				"%zu bytes",
				re->subject, re->pattern, with->text,
				FG_REGEX_RESULT_MAX);
	return give_up(re, count);
}

void fg_regex_free(struct fg_regex *re)
{
	if (!re)
		return;
	fg_let_go(re);
	release(re);
	free(re);
}
