// Says which share of its time is below first(), whose callee compares strings.
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>

static const std::string a(1 << 16, 'x'), b(1 << 16, 'x');
static volatile long sink;

static double now()
{
	timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
}

__attribute__((noinline)) void compares()
{
	for (int i = 0; i < 2000; i++)
		sink = sink + a.compare(b);
}

__attribute__((noinline)) void spins()
{
	for (long i = 0; i < 2000000; i++)
		sink = sink + i;
}

static double repeat(const std::function<void()> &f, double seconds)
{
	double start = now();
	while (now() - start < seconds)
		f();
	return now() - start;
}

__attribute__((noinline)) double first()
{
	return repeat(compares, 0.9) + double(sink & 0);
}

int main()
{
	double time = first();
	repeat(spins, 0.6);
	std::printf("%.2f\n", 100 * time / now());
}
