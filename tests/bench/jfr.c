/*
 * Generates a recording of Java Flight Recorder that makes a careless reader slow: jfr
 * N. It has a class with a name of 8 N letters, N methods of that class with the same
 * name, and as many threads of that name, with a sample of each.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

/* Adds a number in four bytes, even a small one. */
static void wide(struct bytes *b, uint64_t n)
{
	for (int i = 0; i < 4; i++, n /= 128) {
		char byte = (char)(n % 128 | (i < 3 ? 128 : 0));

		add(b, &byte, 1);
	}
}

static void numbers(struct bytes *b, size_t count, const unsigned *n)
{
	for (size_t i = 0; i < count; i++)
		wide(b, n[i]);
}

#define NUMBERS(b, ...)                                                      \
	numbers((b), sizeof((unsigned[]){ __VA_ARGS__ }) / sizeof(unsigned), \
		(const unsigned[]){ __VA_ARGS__ })

static void fixed(struct bytes *b, uint64_t n, int width)
{
	while (width--) {
		char byte = (char)(n >> (8 * width));

		add(b, &byte, 1);
	}
}

static void string(struct bytes *b, const char *text, size_t len)
{
	add(b, "\3", 1); /* UTF-8 */
	wide(b, len);
	add(b, text, len);
}

/* Ends an event. Its size comes before it. */
static void event(struct bytes *all, struct bytes *event)
{
	wide(all, event->len + 4);
	add(all, event->data, event->len);
	event->len = 0;
}

/* ---- types: attributes as words, a line for each element, deeper ones indented */

static const char *const words[] = {
	"root",
	"class",
	"field",
	"id",
	"name",
	"constantPool",
	"true",
	"dimension",
	"1",
	"long",
	"2",
	"java.lang.String",
	"10",
	"jdk.types.Symbol",
	"string",
	"11",
	"java.lang.Class",
	"12",
	"jdk.types.Method",
	"type",
	"13",
	"jdk.types.StackFrame",
	"method",
	"14",
	"jdk.types.StackTrace",
	"frames",
	"20",
	"jdk.ExecutionSample",
	"startTime",
	"stackTrace",
	"eventThread",
	"15",
	"java.lang.Thread",
	"javaName",
};

#define WORDS (sizeof(words) / sizeof(*words))

static unsigned word(const char *text)
{
	unsigned i = 0;

	while (i < WORDS && strcmp(words[i], text) != 0)
		i++;
	return i;
}

static void class_of(struct bytes *b, const char *id, const char *name, unsigned fields)
{
	NUMBERS(b, word("class"), 2, word("id"), word(id), word("name"), word(name),
		fields);
}

static void field(struct bytes *b, const char *name, const char *class, const char *how)
{
	NUMBERS(b, word("field"), how ? 3 : 2, word("name"), word(name), word("class"),
		word(class));
	if (how)
		NUMBERS(b, word(how),
			word(strcmp(how, "dimension") != 0 ? "true" : "1"));
	wide(b, 0);
}

static void metadata(struct bytes *b)
{
	NUMBERS(b, 0, 1, 0, 1, WORDS); /* the type, start, duration, id */
	for (size_t i = 0; i < WORDS; i++)
		string(b, words[i], strlen(words[i]));
	NUMBERS(b, word("root"), 0, 9);
	class_of(b, "1", "long", 0);
	class_of(b, "2", "java.lang.String", 0);
	class_of(b, "10", "jdk.types.Symbol", 1);
	field(b, "string", "2", NULL);
	class_of(b, "11", "java.lang.Class", 1);
	field(b, "name", "10", "constantPool");
	class_of(b, "12", "jdk.types.Method", 2);
	field(b, "type", "11", "constantPool");
	field(b, "name", "10", "constantPool");
	class_of(b, "13", "jdk.types.StackFrame", 1);
	field(b, "method", "12", "constantPool");
	class_of(b, "14", "jdk.types.StackTrace", 1);
	field(b, "frames", "13", "dimension");
	class_of(b, "15", "java.lang.Thread", 1);
	field(b, "javaName", "10", "constantPool");
	class_of(b, "20", "jdk.ExecutionSample", 3);
	field(b, "startTime", "1", NULL);
	field(b, "eventThread", "15", "constantPool");
	field(b, "stackTrace", "14", "constantPool");
}

/* ---- values of these types */

static void constants(struct bytes *b, unsigned n)
{
	char *name = malloc((size_t)n * 8);

	if (!name)
		exit(1);
	memset(name, 'x', (size_t)n * 8);
	NUMBERS(b, 1, 1, 0, 0); /* the type, start, duration, the previous one */
	add(b, "", 1);
	NUMBERS(b, 5, 10, 1, 1);
	string(b, name, (size_t)n * 8);
	NUMBERS(b, 11, 1, 1, 1);
	NUMBERS(b, 12, n);
	for (unsigned i = 1; i <= n; i++)
		NUMBERS(b, i, 1, 1);
	NUMBERS(b, 14, n);
	for (unsigned i = 1; i <= n; i++)
		NUMBERS(b, i, 1, i);
	NUMBERS(b, 15, n);
	for (unsigned i = 1; i <= n; i++)
		NUMBERS(b, i, 1);
	free(name);
}

int main(int argc, char **argv)
{
	unsigned n = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	struct bytes events = { 0 }, one = { 0 }, header = { 0 };

	if (!n) {
		fprintf(stderr, "jfr N\n");
		return 2;
	}
	metadata(&one);
	event(&events, &one);
	constants(&one, n);
	event(&events, &one);
	for (unsigned i = 1; i <= n; i++) {
		NUMBERS(&one, 20, i, i, i);
		event(&events, &one);
	}
	add(&header, "FLR\0\0\2\0", 8);
	fixed(&header, 68 + events.len, 8);
	for (int i = 0; i < 5; i++)
		fixed(&header, 0, 8);
	fixed(&header, 1000000000, 8);
	fixed(&header, 1, 4); /* numbers are LEB128 */
	fwrite(header.data, 1, header.len, stdout);
	fwrite(events.data, 1, events.len, stdout);
	free(header.data);
	free(events.data);
	free(one.data);
	return 0;
}
