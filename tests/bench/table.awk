# Reads the names of rows, then samples "ROW WALL CPU KIB" or "ROW failed". Prints medians and
# their ratios to row 0, and writes "NAME<tab>WALL<tab>CPU<tab>KIB" to the file
# `medians`. Variables: bytes of input, format, medians.

function median(list, n,    i, j, t) {
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
			t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
		}
	least = list[1]
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}

function ratio(x, y) {
	return y > 0 ? sprintf(x / y < 10 ? "%.2f" : "%.0f", x / y) : "-"
}

NR == FNR { name[rows++] = $0; next }
$2 == "failed" { failed[$1] = 1; next }
{
	n = ++count[$1]
	wall[$1, n] = $2; cpu[$1, n] = $3
	if ($4 > peak[$1]) peak[$1] = $4
}

END {
	if (format == "markdown") {
		print "| command | wall ms (min) | CPU ms | MB/s | RSS MB | wall x | CPU x | RSS x |"
		print "|---|--:|--:|--:|--:|--:|--:|--:|"
		line = "| %s | %.1f (%.1f) | %.1f | %.0f | %.1f | %s | %s | %s |\n"
	} else {
		printf "%-44s %10s %10s %10s %8s %7s %7s %7s %7s\n", "command", "wall ms", \
			"min", "CPU ms", "MB/s", "RSS MB", "wall x", "CPU x", "RSS x"
		line = "%-44s %10.1f %10.1f %10.1f %8.0f %7.1f %7s %7s %7s\n"
	}
	for (r = 0; r < rows; r++) {
		if (failed[r] || !count[r]) {
			printf((format == "markdown" ? "| %s | failed | | | | | | |\n" : \
				"%-44s     failed\n"), name[r])
			continue
		}
		for (i = 1; i <= count[r]; i++) list[i] = cpu[r, i] + 0
		c = median(list, count[r])
		for (i = 1; i <= count[r]; i++) list[i] = wall[r, i] + 0
		w = median(list, count[r])
		if (!r) { first_wall = w; first_cpu = c; first_peak = peak[r] }
		printf "%s\t%s\t%s\t%s\n", name[r], w, c, peak[r] > medians
		if (format == "markdown") gsub(/[|]/, "\\|", name[r])
		printf line, name[r], w, least, c, (w > 0 ? bytes / 1000 / w : 0), \
			peak[r] / 1024, ratio(w, first_wall), ratio(c, first_cpu), \
			ratio(peak[r], first_peak)
	}
}
