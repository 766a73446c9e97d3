# Output of perf script, for the tests of the programs that read it; see manners.bash.
# shellcheck shell=bash

input()
{
	sed 's/^>/\t    /' <<'END'
app  4242/4243 [001]  1000.000001:     250000 cycles:u: 
>55d0c0ffee00 alpha(int)+0x1e (/usr/bin/app)
>55d0c0ffee10 main+0x2b (/usr/bin/app)

app  4242/4243 [001]  1000.000002:     250001 cycles:u: 
>55d0c0ffee20 beta+0x1e (/usr/bin/app)
>55d0c0ffee10 main+0x2b (/usr/bin/app)

my worker  4242/4244 [000]  1000.000003:     250002 cycles:u: 
>ffffffff81000001 do_syscall_64+0x1 ([kernel.kallsyms])
>7f0000000001 [unknown] (/usr/lib/libgamma.so.1)
>55d0c0ffee10 main+0x2b (/usr/bin/app)

END
}

big()
{
	awk 'BEGIN {
		for (i = 0; i < 20000; i++) {
			printf "app %d [000] 1000.%06d: %d cycles:u: \n", i % 7, i, i + 1
			printf "\t%16x f%d+0x1 (/usr/bin/app)\n", i, i
			print "\t    55d0c0ffee10 main+0x2b (/usr/bin/app)\n"
		}
	}'
}

long()
{
	echo "app 1 [000] 1000.000001: 7 cycles:u: "
	echo "	    55d0c0ffee10 f$(xs 1100000)+0x2b (/usr/bin/app)"
	echo
	input
}
