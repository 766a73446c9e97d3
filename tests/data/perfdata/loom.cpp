// The program of inlines.data: functions that are inlined into others, two deep, and a
// lambda, whose name is not known to linkers.
#include <asm/unistd.h>

#define INLINE inline __attribute__((always_inline))

namespace loom
{
volatile unsigned cloth;

INLINE void knot(unsigned thread)
{
	for (unsigned i = 0; i < 40; i++)
		cloth = cloth * 31 + thread;
}

template <typename T> INLINE void row(T threads)
{
	for (T i = 0; i < threads; i++)
		knot(i);
}

struct Frame {
	__attribute__((noinline)) void weave(unsigned rows)
	{
		for (unsigned i = 0; i < rows; i++)
			row<unsigned>(60);
		cloth++;
	}
};
}

extern "C" __attribute__((noinline)) int work(int days)
{
	auto day = [](unsigned rows) __attribute__((always_inline)) {
		loom::Frame frame;

		frame.weave(rows);
	};

	for (int i = 0; i < days; i++)
		day(2000);
	return loom::cloth & 1;
}

extern "C" __attribute__((force_align_arg_pointer, noinline, used)) void start_here()
{
	long result = work(80);

	__asm__ volatile("syscall" : : "a"(__NR_exit_group), "D"(result) : "rcx", "r11");
}

__asm__(".globl _start\n.type _start, @function\n_start:\n\txor %ebp, %ebp\n"
	"\tcall start_here\n.size _start, . - _start\n");
