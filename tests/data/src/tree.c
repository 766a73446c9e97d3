// A small C program: builds a search tree, walks it recursively and writes a
// digest of it to /dev/null with many small system calls.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
	struct node *left, *right;
	uint32_t key;
	char text[16];
};

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static struct node *insert(struct node *tree, uint32_t key)
{
	if (tree == NULL) {
		tree = calloc(1, sizeof *tree);
		if (tree == NULL)
			exit(1);
		tree->key = key;
		snprintf(tree->text, sizeof tree->text, "%08x", (unsigned)key);
	} else if (key < tree->key) {
		tree->left = insert(tree->left, key);
	} else {
		tree->right = insert(tree->right, key);
	}
	return tree;
}

static uint32_t hash_text(const char *text)
{
	uint32_t hash = 2166136261u;
	for (int round = 0; round < 40; round++)
		for (const char *p = text; *p != '\0'; p++)
			hash = (hash ^ (unsigned char)*p) * 16777619u;
	return hash;
}

static uint32_t digest(const struct node *tree)
{
	if (tree == NULL)
		return 0;
	return hash_text(tree->text) ^ digest(tree->left) ^ digest(tree->right);
}

static void release(struct node *tree)
{
	if (tree == NULL)
		return;
	release(tree->left);
	release(tree->right);
	free(tree);
}

static unsigned fibonacci(unsigned n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void report(int fd, uint32_t value)
{
	char line[32];
	for (int i = 0; i < 3000; i++) {
		int length =
			snprintf(line, sizeof line, "%d %08x\n", i, (unsigned)value);
		if (write(fd, line, (size_t)length) < 0 || lseek(fd, 0, SEEK_CUR) < 0)
			return;
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 12;
	int fd = open("/dev/null", O_WRONLY);
	uint32_t seed = 2463534242u;
	for (int round = 0; round < rounds; round++) {
		struct node *tree = NULL;
		for (int i = 0; i < 20000; i++)
			tree = insert(tree, next_random(&seed));
		report(fd, digest(tree) + fibonacci(27));
		release(tree);
	}
	return 0;
}
