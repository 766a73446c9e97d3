/* Threads that compute, sleep, wait for a lock and read a pipe, for known times. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

static void rest(long milliseconds)
{
	struct timespec t = { 0, milliseconds * 1000000 };

	nanosleep(&t, NULL);
}

static long milliseconds_on_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static NOT_INLINE void compute(long milliseconds)
{
	long start = milliseconds_on_cpu();

	while (milliseconds_on_cpu() - start < milliseconds)
		grind(20000);
}

static NOT_INLINE void *sleeper(void *data)
{
	compute(20);
	rest(300);
	compute(20);
	return data;
}

static NOT_INLINE void *locker(void *data)
{
	compute(20);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return data;
}

static NOT_INLINE void *reader(void *data)
{
	char c;

	compute(20);
	if (read(ends[0], &c, 1) != 1)
		abort();
	return data;
}

static NOT_INLINE void *computer(void *data)
{
	compute(200);
	return data;
}

int main(void)
{
	static void *(*const runs[])(void *) = { sleeper, locker, reader, computer };
	static const char *const names[] = { "sleeper", "locker", "reader",
					     "computer" };
	pthread_t threads[4];

	if (pipe(ends))
		return 1;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 4; i++) {
		pthread_create(&threads[i], NULL, runs[i], NULL);
		pthread_setname_np(threads[i], names[i]);
	}
	rest(400);
	pthread_mutex_unlock(&lock);
	if (write(ends[1], "x", 1) != 1)
		return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
