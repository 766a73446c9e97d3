/*
 * A program that profiles itself: while it works, a timer interrupts it, and at the end
 * it draws a flame graph of the places where it was. Functions have names if the linker
 * keeps them:
 *
 *     cc -O1 -fno-optimize-sibling-calls -rdynamic profile-itself.c -o profile-itself \
 *         $(pkg-config --cflags --libs flamepipe) -ldl
 *     ./profile-itself > itself.svg
 */
#define _GNU_SOURCE /* for dladdr */
#include <flamepipe.h>

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define SAMPLES_MAX 4096
#define DEPTH_MAX 64
#define PERIOD_US 1000

/*
 * This many frames at the start of a sample are those of the signal handler and its
 * return. We leave them out.
 */
#define OWN_FRAMES 2

/* ---- taking samples: no more than a signal handler may do */

static struct sample {
	void *frames[DEPTH_MAX];
	int depth;
} samples[SAMPLES_MAX];

static volatile sig_atomic_t sample_count;

static void take_sample(int number)
{
	(void)number;
	if (sample_count == SAMPLES_MAX)
		return;
	samples[sample_count].depth =
		backtrace(samples[sample_count].frames, DEPTH_MAX);
	sample_count = sample_count + 1;
}

static void set_timer(suseconds_t period)
{
	const struct itimerval timer = { { 0, period }, { 0, period } };

	setitimer(ITIMER_PROF, &timer, NULL);
}

static void start(void)
{
	struct sigaction action;
	void *frame;

	/* the first call loads a library, which a handler must not do */
	backtrace(&frame, 1);
	memset(&action, 0, sizeof(action));
	action.sa_handler = take_sample;
	action.sa_flags = SA_RESTART;
	sigaction(SIGPROF, &action, NULL);
	set_timer(PERIOD_US);
}

/* ---- what was sampled */

static const char *name_of(void *address)
{
	Dl_info info;

	return dladdr(address, &info) && info.dli_sname ? info.dli_sname : "[unknown]";
}

/* Adds a sample with its root first, as flamepipe_add() expects. */
static int add_sample(struct flamepipe_profile *p, const struct sample *s)
{
	const char *names[DEPTH_MAX];
	size_t depth = 0;

	for (int i = s->depth - 1; i >= OWN_FRAMES; i--)
		names[depth++] = name_of(s->frames[i]);
	return depth ? flamepipe_add(p, names, depth, 1) : FLAMEPIPE_OK;
}

static int print(void *file, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, file) != size;
}

static void complain(void *file, enum flamepipe_level level, const char *text)
{
	if (level != FLAMEPIPE_NOTE)
		fprintf(file, "profile-itself: %s\n", text);
}

static int draw(void)
{
	const char *const options[] = { "--title", "This program itself", NULL };
	struct flamepipe_profile *p = flamepipe_new();
	int status = p ? FLAMEPIPE_OK : FLAMEPIPE_NO_MEMORY;

	set_timer(0);
	if (p) {
		flamepipe_on_message(p, complain, stderr);
		status = flamepipe_describe(p, "event", "cpu-clock");
	}
	for (int i = 0; !status && i < sample_count; i++)
		status = add_sample(p, &samples[i]);
	if (!status)
		status = flamepipe_write_svg(p, options, print, stdout);
	flamepipe_free(p);
	return status;
}

/* ---- something to do */

static int compare(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 : 1;
}

void sort_numbers(int *numbers, size_t many)
{
	for (size_t i = 0; i < many; i++)
		numbers[i] = rand();
	qsort(numbers, many, sizeof(*numbers), compare);
}

unsigned add_up(const int *numbers, size_t many)
{
	unsigned sum = 0;

	for (int round = 0; round < 20; round++)
		for (size_t i = 0; i < many; i++)
			sum = sum * 31 + (unsigned)numbers[i];
	return sum;
}

int main(void)
{
	static int numbers[100000];
	unsigned sum = 0;

	start();
	while (sample_count < 300) {
		sort_numbers(numbers, sizeof(numbers) / sizeof(*numbers));
		sum += add_up(numbers, sizeof(numbers) / sizeof(*numbers));
	}
	fprintf(stderr, "%u\n", sum);
	return draw() != FLAMEPIPE_OK;
}
