/*
 * Generates messages of Protocol Buffers in shapes that make a careless reader slow:
 * messages FORMAT-SHAPE N. The message has about N of the things that the shape is
 * named after.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define SMALL 128 /* bytes, which the fields of one row take at most */

static void add_number(struct bytes *b, uint64_t n)
{
	char byte;

	for (; n >= 128; n /= 128) {
		byte = (char)(n % 128 | 128);
		add(b, &byte, 1);
	}
	byte = (char)n;
	add(b, &byte, 1);
}

/* Adds a field that is a number, or one that is bytes. All others are made of these. */
static void number(struct bytes *b, unsigned field, uint64_t n)
{
	add_number(b, field * 8);
	add_number(b, n);
}

static void part(struct bytes *b, unsigned field, const struct bytes *message)
{
	add_number(b, field * 8 + 2);
	add_number(b, message->len);
	add(b, message->data, message->len);
}

static void text(struct bytes *b, unsigned field, const char *word, unsigned n)
{
	char name[SMALL];
	struct bytes message = { name, 0, 0 };

	message.len = (size_t)(n ? snprintf(name, sizeof(name), "%s%u", word, n) :
				   snprintf(name, sizeof(name), "%s", word));
	part(b, field, &message);
}

/* Adds a finished message as `field` of b, and empties it. */
static void end(struct bytes *b, unsigned field, struct bytes *message)
{
	part(b, field, message);
	message->len = 0;
}

/* ---- pprof: a Profile's members */

enum { TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING };

/* The number of each kind of member, and how many of them a sample has. */
struct counts {
	unsigned samples, locations, functions, frames, lines, labels;
	unsigned letters; /* letters of names; 0: as few as possible */
	unsigned idle; /* members without a meaning, in what all share */
};

static void put_name(struct bytes *all, unsigned field, const struct counts *c,
		     unsigned i)
{
	struct bytes name = { 0 };

	for (unsigned letter = 0; letter < c->letters; letter++)
		add(&name, "x", 1);
	if (name.len)
		part(all, field, &name);
	else
		text(all, field, "f", i + 1);
	free(name.data);
}

static void put_sample(struct bytes *all, const struct counts *c, unsigned i)
{
	struct bytes m = { 0 }, inner = { 0 };

	for (unsigned frame = 0; frame < c->frames; frame++)
		add_number(&inner, (i + frame) % c->locations + 1);
	end(&m, 1, &inner);
	number(&m, 2, 1);
	for (unsigned label = 0; label < c->labels; label++) {
		number(&inner, 1, 1);
		number(&inner, c->letters ? 2 : 3, c->letters ? 3 : label);
		end(&m, 3, &inner);
	}
	end(all, SAMPLE, &m);
	free(m.data);
	free(inner.data);
}

static void put_location(struct bytes *all, const struct counts *c, unsigned i)
{
	struct bytes m = { 0 }, inner = { 0 };

	number(&m, 1, i + 1);
	for (unsigned line = 0; line < c->lines; line++) {
		number(&inner, 1, (i + line) % c->functions + 1);
		end(&m, 4, &inner);
	}
	end(all, LOCATION, &m);
	free(m.data);
	free(inner.data);
}

/* Puts names after their users, like some writers. */
static void pprof(struct bytes *all, const struct counts *c)
{
	struct bytes m = { 0 };

	number(&m, 1, 1);
	number(&m, 2, 2);
	end(all, TYPE, &m);
	for (unsigned i = 0; i < c->samples; i++)
		put_sample(all, c, i);
	for (unsigned i = 0; i < c->locations; i++)
		put_location(all, c, i);
	for (unsigned i = 0; i < c->functions; i++) {
		number(&m, 1, i + 1);
		number(&m, 2, i + 3);
		end(all, FUNCTION, &m);
	}
	free(m.data);
	text(all, STRING, "", 0);
	text(all, STRING, "thread", 0);
	text(all, STRING, "count", 0);
	for (unsigned i = 0; i < c->functions; i++)
		put_name(all, STRING, c, i);
}

/* ---- OpenTelemetry */

enum { OTLP_LOCATION = 2, OTLP_FUNCTION, OTLP_STRING = 5, OTLP_ATTRIBUTE, OTLP_STACK };

static void idle_members(struct bytes *message, const struct counts *c)
{
	for (unsigned i = 0; i < c->idle; i++)
		number(message, 2, 1);
}

static void otlp_dictionary(struct bytes *all, const struct counts *c)
{
	struct bytes m = { 0 }, inner = { 0 };

	for (unsigned i = 0; i <= c->locations; i++) {
		if (i) {
			number(&inner, 1, (i - 1) % c->functions + 1);
			end(&m, 3, &inner);
		}
		end(all, OTLP_LOCATION, &m);
	}
	for (unsigned i = 0; i <= c->functions; i++) {
		number(&m, 1, i ? i + 2 : 0);
		end(all, OTLP_FUNCTION, &m);
	}
	text(all, OTLP_STRING, "", 0);
	text(all, OTLP_STRING, "cpu", 0);
	text(all, OTLP_STRING, "ns", 0);
	for (unsigned i = 0; i < c->functions; i++)
		put_name(all, OTLP_STRING, c, i);
	if (c->labels) {
		text(all, OTLP_STRING, "thread.name", 0);
		end(all, OTLP_ATTRIBUTE, &m);
		number(&m, 1, c->functions + 3);
		idle_members(&inner, c);
		number(&inner, 8, 3);
		end(&m, 2, &inner);
		end(all, OTLP_ATTRIBUTE, &m);
	}
	end(all, OTLP_STACK, &m);
	for (unsigned i = 0; i < (c->idle ? 1 : c->samples); i++) {
		idle_members(&m, c);
		for (unsigned frame = 0; frame < c->frames; frame++)
			add_number(&inner, (i + frame) % c->locations + 1);
		end(&m, 1, &inner);
		end(all, OTLP_STACK, &m);
	}
	free(m.data);
	free(inner.data);
}

static void otlp_samples(struct bytes *profile, const struct counts *c)
{
	struct bytes m = { 0 };

	number(&m, 1, 1);
	number(&m, 2, 2);
	end(profile, 1, &m);
	for (unsigned i = 0; i < c->samples; i++) {
		number(&m, 1, c->idle ? 1 : i + 1);
		if (c->labels)
			number(&m, 2, 1);
		number(&m, 4, 1);
		end(profile, 2, &m);
	}
	free(m.data);
}

static void otlp(struct bytes *all, const struct counts *c)
{
	struct bytes profile = { 0 }, scope = { 0 }, resource = { 0 },
		     dictionary = { 0 };

	otlp_samples(&profile, c);
	end(&scope, 2, &profile);
	end(&resource, 2, &scope);
	end(all, 1, &resource);
	otlp_dictionary(&dictionary, c);
	end(all, 2, &dictionary);
	free(profile.data);
	free(scope.data);
	free(resource.data);
	free(dictionary.data);
}

/* ---- shapes */

#define NONE UINT32_MAX

static const struct {
	const char *name;
	struct counts counts; /* 0 stands for N, NONE for 0 */
} shapes[] = {
	{ "samples", { 0, 1, 1, 3, 1, NONE, 0, 0 } },
	{ "locations", { 0, 0, 0, 3, 1, NONE, 0, 0 } },
	{ "deep", { 1, 0, 0, 0, 1, NONE, 0, 0 } },
	{ "inlined", { 1, 1, 0, 1, 0, NONE, 0, 0 } },
	{ "one-name", { 0, 0, 1, 1, 1, NONE, 8, 0 } }, /* 8 N letters */
	{ "labels", { 1, 1, 1, 1, 1, 0, 0, 0 } },
	{ "owner", { 0, 1, 1, 1, 1, 1, 8, 0 } }, /* with a name as long */
	{ "shared", { 0, 1, 1, 1, 1, 1, 0, 1 } }, /* a stack and a label, of OTLP */
};

static unsigned or_n(unsigned count, unsigned n)
{
	return count == NONE ? 0 : count ? count : n;
}

int main(int argc, char **argv)
{
	unsigned n = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	const char *shape = argc == 3 ? strchr(argv[1], '-') : NULL;
	struct bytes all = { 0 };

	for (size_t i = 0; shape && i < COUNT_OF(shapes); i++) {
		const struct counts *c = &shapes[i].counts;
		const struct counts made = {
			or_n(c->samples, n),   or_n(c->locations, n),
			or_n(c->functions, n), or_n(c->frames, n),
			or_n(c->lines, n),     or_n(c->labels, n),
			c->letters * n,	       c->idle * n
		};

		if (strcmp(shape + 1, shapes[i].name) != 0)
			continue;
		if (argv[1][0] == 'p')
			pprof(&all, &made);
		else
			otlp(&all, &made);
		fwrite(all.data, 1, all.len, stdout);
		free(all.data);
		return 0;
	}
	fprintf(stderr, "messages pprof|otlp-SHAPE N\n");
	return 2;
}
