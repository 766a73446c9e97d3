// Two threads and a pipe: work, locks, sleeps and blocking reads, so that all
// of CPU time, page faults, context switches and off-CPU time have something.
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int channel[2];
static int rounds = 150;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) unsigned compute(unsigned x)
{
	for (int i = 0; i < 400000; i++)
		x = x * 1664525u + 1013904223u;
	return x;
}

static __attribute__((noinline)) void nap(long microseconds)
{
	struct timespec pause = { 0, microseconds * 1000 };
	nanosleep(&pause, NULL);
}

static __attribute__((noinline)) unsigned locked_step(unsigned x)
{
	pthread_mutex_lock(&lock);
	x = compute(x);
	nap(200);
	pthread_mutex_unlock(&lock);
	return x;
}

static __attribute__((noinline)) unsigned fresh_memory(unsigned x)
{
	size_t size = 1 << 15;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		exit(1);
	memset(memory, (int)x, size);
	x += (unsigned char)memory[x % size];
	munmap(memory, size);
	return x;
}

static void *consumer(void *unused)
{
	unsigned x = 0;
	pthread_setname_np(pthread_self(), "hand off 2");
	while (read(channel[0], &x, sizeof x) == (ssize_t)sizeof x)
		x = locked_step(x);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	unsigned x = 1;
	if (argc > 1)
		rounds = atoi(argv[1]);
	if (pipe(channel) != 0 || pthread_create(&thread, NULL, consumer, NULL) != 0)
		return 1;
	for (int i = 0; i < rounds; i++) {
		x = fresh_memory(compute(x));
		if (write(channel[1], &x, sizeof x) < 0)
			return 1;
		x = locked_step(x);
		nap(500);
	}
	close(channel[1]);
	pthread_join(thread, NULL);
	return 0;
}
