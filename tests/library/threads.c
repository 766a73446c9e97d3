/* Uses profiles in several threads at once; each must come out as if it were alone. */
#include <flamepipe.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define ROUNDS 40

struct text {
	char *bytes;
	size_t len;
};

static int add_bytes(void *data, const void *bytes, size_t size)
{
	struct text *t = data;

	t->bytes = realloc(t->bytes, t->len + size);
	if (!t->bytes)
		return -1;
	memcpy(t->bytes + t->len, bytes, size);
	t->len += size;
	return 0;
}

/* Draws a profile that depends only on `which`, and tries wrong options in between. */
static struct text draw(unsigned which)
{
	static const char xctrace[] = "<?xml version=\"1.0\"?><trace-query-result/>";
	const struct flamepipe_bytes xml = { xctrace, sizeof(xctrace) - 1, "xml" };
	const char *const filter[] = { "--rename", "s/f/g/", NULL };
	const char *const wrong[] = { "--focus", "(", NULL };
	const char *frames[] = { "main", NULL };
	struct flamepipe_profile *p = flamepipe_new();
	struct text text = { NULL, 0 };
	char name[32];

	frames[1] = name;
	for (unsigned i = 0; i < 500; i++) {
		snprintf(name, sizeof(name), "f%u", i % (which + 3));
		flamepipe_add(p, frames, 2, i + which);
	}
	flamepipe_read_memory(p, &xml, "xctrace", NULL);
	flamepipe_filter(p, wrong);
	if (flamepipe_filter(p, filter) ||
	    flamepipe_write_svg(p, NULL, add_bytes, &text))
		text.len = 0;
	flamepipe_free(p);
	return text;
}

struct thread {
	pthread_t id;
	struct text alone;
	unsigned which;
	unsigned differences;
};

static void *run(void *data)
{
	struct thread *t = data;

	for (int i = 0; i < ROUNDS; i++) {
		struct text text = draw(t->which);

		t->differences += text.len != t->alone.len ||
				  memcmp(text.bytes, t->alone.bytes, text.len) != 0;
		free(text.bytes);
	}
	return NULL;
}

int main(void)
{
	struct thread threads[THREADS];
	unsigned differences = 0;

	for (unsigned i = 0; i < THREADS; i++) {
		threads[i] = (struct thread){ .which = i, .alone = draw(i) };
		differences += !threads[i].alone.len;
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_create(&threads[i].id, NULL, run, &threads[i]);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i].id, NULL);
		differences += threads[i].differences;
		free(threads[i].alone.bytes);
	}
	printf("%u differences\n", differences);
	return differences != 0;
}
