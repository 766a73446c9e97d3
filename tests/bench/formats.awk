# Reads the medians that table.awk wrote, "NAME<tab>WALL<tab>CPU<tab>KIB", of one format: its
# collapser, its collapser on an input `times` as large, and the peers. Prints a row for each
# peer, or one row without peers.
# Variables: bytes of input, times, format.

function ratio(x, y) {
	return y > 0 ? sprintf(x / y < 10 ? "%.2f" : "%.0f", x / y) : "-"
}

function row(peer, cpu, kib) {
	line = "%-22s %8.1f %8.0f %7.1f %8s  %-34s %9s %7s %7s %7s\n"
	if (format == "markdown") line = "| %s | %.1f | %.0f | %.1f | %s | %s | %s | %s | %s | %s |\n"
	printf(line, name[1], c[1], (c[1] > 0 ? bytes / 1000 / c[1] : 0), m[1] / 1024, \
		ratio(c[2] / times, c[1]), peer, cpu ? sprintf("%.1f", cpu) : "-", \
		kib ? sprintf("%.1f", kib / 1024) : "-", cpu ? ratio(cpu, c[1]) : "-", \
		kib ? ratio(kib, m[1]) : "-")
}

BEGIN { FS = "\t" }
{ name[NR] = $1; c[NR] = $3; m[NR] = $4 }
END {
	for (i = 3; i <= NR; i++) row(name[i], c[i], m[i])
	if (NR == 2) row("-")
}
