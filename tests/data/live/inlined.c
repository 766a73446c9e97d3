int input; /* tests know the lines of this file */
static inline __attribute__((always_inline)) int inner(int x) { return x / input; }
__attribute__((noinline)) int outer(int x) { return inner(x) + 1; }
int main(void) { return outer(2); }
