# Reads "MS BYTES KIB" of a small input and of one some times as large: a line that says how
# time and memory grow. Fails where that is by far more than the input does.
#
# Starting costs as much each time, and is less than the small input's time. A sort makes
# 8 times as much into ten, cold caches into twenty; a square is 64. Memory is what the larger
# input takes more than the smaller one, as starting takes 2 MB or more: `most` times that of
# the input.

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
