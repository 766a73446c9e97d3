# Reads "AMOUNT BYTES" of each row, then samples "ROW WALL CPU KIB": prints medians of CPU
# time and the exponents e of time ~ AMOUNT^e and memory ~ AMOUNT^e, by least squares.

function median(list, n,    i, j, t) {
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
			t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
		}
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}

# Returns "-" if x hardly varies.
function exponent(x, y, n,    i, sx, sy, sxx, sxy) {
	for (i = 0; i < n; i++) {
		if (x[i] <= 0 || y[i] <= 0) return "-"
		sx += log(x[i]); sy += log(y[i])
		sxx += log(x[i]) ^ 2; sxy += log(x[i]) * log(y[i])
	}
	if (n * sxx - sx * sx < 0.01) return "-"
	return sprintf("%.2f", (n * sxy - sx * sy) / (n * sxx - sx * sx))
}

BEGIN { rows = 0 }
NR == FNR { amount[rows] = $1; bytes[rows++] = $2; next }
$2 == "failed" { next }
{
	n = ++count[$1]
	cpu[$1, n] = $3
	if ($4 > peak[$1]) peak[$1] = $4
}

END {
	if (format == "markdown") {
		print "| amount | input MB | CPU ms | MB/s | RSS MB |\n|--:|--:|--:|--:|--:|"
		line = "| %s | %.1f | %.1f | %.0f | %.1f |\n"
	} else {
		printf "%10s %10s %10s %10s %10s\n", "amount", "input MB", "CPU ms", "MB/s", "RSS MB"
		line = "%10s %10.1f %10.1f %10.0f %10.1f\n"
	}
	for (r = 0; r < rows; r++) {
		if (!count[r]) { print amount[r] ": failed"; continue }
		for (i = 1; i <= count[r]; i++) list[i] = cpu[r, i] + 0
		time[r] = median(list, count[r])
		memory[r] = peak[r]
		printf line, amount[r], bytes[r] / 1e6, time[r], \
			(time[r] > 0 ? bytes[r] / 1000 / time[r] : 0), memory[r] / 1024
	}
	if (format == "markdown") print ""
	printf "fitted exponents: time %s by amount, %s by bytes; memory %s by amount\n", \
		exponent(amount, time, rows), exponent(bytes, time, rows), \
		exponent(amount, memory, rows)
}
