# Reads "MS BYTES KIB" of a small input and of a larger one. Prints a line about the growth of
# time and memory, and fails if it is far more than that of the input.
#
# The start costs the same each time, and less than the small input. With 8 times the input, a
# sort takes ten times as long, cold caches make it twenty, and quadratic work takes 64.
# Memory is the difference of both inputs, because the start alone takes 2 MB or more. It may
# be `most` times that of the input.

$1 == "failed" { print program " " name ": failed"; failed = 1; exit 1 }
{ ms[NR] = $1; bytes[NR] = $2; kib[NR] = $3 }

END {
	if (failed) exit 1
	grown = bytes[2] / bytes[1]
	slower = ms[2] / (ms[1] > 3 ? ms[1] : 3)
	more = (kib[2] - kib[1]) * 1024 / (bytes[2] - bytes[1])
	bad = slower > 3.5 * grown
	large = kib[2] > 8192 && more > most
	printf "%-20s %-24s %6.1f MB %8.1f ms %6.1fx CPU %6.1fx input %6.1f MB %6.1f of input%s\n", \
		program, name, bytes[2] / 1e6, ms[2], slower, grown, kib[2] / 1024, more, \
		bad ? "  NOT LINEAR" : large ? "  TOO LARGE" : ""
	exit bad || large
}
