# differences.awk TEXT RECORDING : a line for each class of difference between folded stacks
# of perf script's text and of the recording itself, and for each that has none; then it
# fails. `name` is what they are of, `may` a class that is only allowed there.
#
# plt       an entry of a table of calls: in perf before 6.3 it has no name, or that of the
#           label in front of it, as its search tree happens to be; the head of the
#           table, which finds what the others call, has no name here
# vdso      the vdso of this machine, of which perf has no copy with -N or in a stream
# longer    a chain of a stack's copy: perf's libunwind gave up earlier, left a frame out, or
#           ended in one that is [unknown] or not code, as [[heap]]

function frame_class(text, recording)
{
	if (recording ~ /@plt$/ && text ~ /^(_init|\[.*\])$/ || recording ~ /^\[.*\]$/ && text == "_init")
		return "plt"
	return text == "[[vdso]]" ? "vdso" : ""
}

# Whether the frames of a text, a[1] to a[n], are among those of the recording in this order.
function is_longer(a, n, b, m,    i, first)
{
	first = a[2] ~ /^(\[unknown\]|\[\[.*\]\])$/ ? 3 : 2
	for (i = n; i >= first; i--) {
		while (m > 1 && a[i] != b[m])
			m--
		if (m-- == 1)
			return 0
	}
	return a[1] == b[1]
}

function explain(text, recording,    a, b, n, m, i, class)
{
	n = split(text, a, ";")
	m = split(recording, b, ";")
	if (may == "longer" && is_longer(a, n, b, m))
		return "longer"
	if (n != m)
		return ""
	for (i = 1; i <= n; i++)
		if (a[i] != b[i] && (class = frame_class(a[i], b[i])) == "")
			return ""
	return class
}

{
	weight = $NF
	sub(/ [0-9]+$/, "")
	if (FILENAME == ARGV[1])
		all += weight
	left[$0] += FILENAME == ARGV[1] ? weight : -weight
}

END {
	if (!all) {
		print name ": nothing was recorded"
		exit 1
	}
	for (text in left) {
		if (left[text] <= 0)
			continue
		for (recording in left) {
			if (left[text] <= 0)
				break
			if (left[recording] >= 0 || (class = explain(text, recording)) == "")
				continue
			moved = left[text] < -left[recording] ? left[text] : -left[recording]
			left[text] -= moved
			left[recording] += moved
			by[class] += moved
		}
	}
	for (class in by)
		printf "%s: %s %.3f %%\n", name, class, 100 * by[class] / all
	for (stack in left) {
		if (!left[stack])
			continue
		printf "%s: no class, only in the %s: %s\n", name, (left[stack] > 0 ? "text" : "recording"), stack
		bad = 1
	}
	exit bad
}
