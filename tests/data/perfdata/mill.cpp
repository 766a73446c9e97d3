// The program of the recordings in this folder: it needs no library, so all symbols
// are its own. "mill fork" has a child with another name.
#include <asm/unistd.h>

static long call(long number, long a = 0, long b = 0, long c = 0)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

namespace mill
{
volatile unsigned sink;

template <typename T> struct Stone {
	__attribute__((noinline)) void grind(T grains)
	{
		for (T i = 0; i < grains; i++)
			sink = sink * 31 + i;
	}
};

struct Wheel {
	Stone<unsigned> stone;

	__attribute__((noinline)) void turn(int depth, unsigned grains)
	{
		if (depth)
			turn(depth - 1, grains);
		else
			stone.grind(grains);
		sink++;
	}
};
}

namespace
{
__attribute__((noinline)) void sweep(unsigned grains)
{
	for (unsigned i = 0; i < grains; i++)
		mill::sink ^= i;
}
}

extern "C" __attribute__((noinline)) int work(long argc)
{
	mill::Wheel wheel;

	if (argc > 1 && !call(__NR_fork))
		call(__NR_prctl, 15, (long)"apprentice");
	for (int i = 0; i < 20; i++) {
		wheel.turn(3, 8000000);
		sweep(4000000);
	}
	return 0;
}

extern "C" __attribute__((force_align_arg_pointer, noinline)) void start_here(long *stack)
{
	call(__NR_exit_group, work(stack[0]));
}

__asm__(".globl _start\n.type _start, @function\n_start:\n\txor %ebp, %ebp\n\tmov %rsp, %rdi\n"
	"\tcall start_here\n.size _start, . - _start\n");
