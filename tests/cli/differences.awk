# differences.awk TEXT RECORDING : compares the folded stacks of perf script's text with
# those of the recording itself. With --slice the first frame is the slice, and each
# sample is compared with itself; otherwise all are compared with all. Prints the share
# of each class of difference and of unexplained differences, and the five most frequent
# of those. Fails if they are more than `limit` percent (0 by default) and more than
# `spare` samples (0 by default). Samples for which perf printed no chain do not count.
# `name` is printed in front of each line; `may` is a class that is allowed only here.
#
# plt       an entry of a PLT: before perf 6.3 it has no name or that of a neighbouring symbol,
#           depending on perf's search tree; the head of the PLT, which looks up functions for
#           the other entries, has no name here
# vdso      the vdso of this machine, of which perf has no copy with -N or in a stream
# none      perf printed no call chain
# longer    a chain of a copied stack: perf's unwinder gave up earlier, left out a frame, or
#           ended in a frame that is [unknown] or not code, like [[heap]]

function frame_class(text, recording)
{
	if (recording ~ /(@|^[.])plt$/ && text ~ /^(_init|@plt|\[.*\])$/ || recording ~ /^\[.*\]$/ && text == "_init")
		return "plt"
	return text == "[[vdso]]" ? "vdso" : ""
}

# Returns true if the frames of a text, a[1] to a[n], are among those of the recording in the
# same order.
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
	if (n == 1 && a[1] == b[1])
		return "none"
	if (may == "longer" && is_longer(a, n, b, m))
		return "longer"
	if (n != m)
		return ""
	for (i = 1; i <= n; i++)
		if (a[i] != b[i] && (class = frame_class(a[i], b[i])) == "")
			return ""
	return class
}

# Returns a text that says at which frame two stacks first differ.
function difference(text, recording,    a, b, i)
{
	split(text, a, ";")
	split(recording, b, ";")
	for (i = 1; a[i] == b[i]; i++)
		;
	return sprintf("after %d frames %s in the text, %s in the recording", i - 1, shown(a[i]), shown(b[i]))
}

function shown(frame)
{
	return frame == "" ? "no more" : "\"" frame "\""
}

function percent(weight)
{
	return sprintf("%.3f %%", 100 * weight / all)
}

# move ID OTHER : takes from both what they have in common, and returns it.
function move(id, other,    moved)
{
	moved = left[id] < -left[other] ? left[id] : -left[other]
	left[id] -= moved
	left[other] += moved
	return moved
}

/^#/ { next }
{
	weight = $NF
	sub(/ [0-9]+$/, "")
	slice = /^@/ ? substr($0, 1, index($0, ";")) : ""
	stack = substr($0, length(slice) + 1)
	if (FILENAME == ARGV[1])
		all += weight
	left[slice, stack] += FILENAME == ARGV[1] ? weight : -weight
}

END {
	if (!all) {
		print name ": nothing was recorded"
		exit 1
	}
	for (id in left) {
		split(id, of, SUBSEP)
		if (left[id] < 0)
			recordings[of[1], ++count[of[1]]] = of[2]
	}
	for (id in left) {
		split(id, of, SUBSEP)
		for (i = 1; i <= count[of[1]] && left[id] > 0; i++) {
			other = of[1] SUBSEP recordings[of[1], i]
			if (left[other] < 0 && (class = explain(of[2], recordings[of[1], i])) != "")
				by[class] += move(id, other)
		}
	}
	for (class in by)
		print name ": " class " " percent(by[class])
	all -= by["none"]
	for (id in left) {
		split(id, of, SUBSEP)
		for (i = 1; i <= count[of[1]] && left[id] > 0; i++) {
			other = of[1] SUBSEP recordings[of[1], i]
			if (left[other] >= 0)
				continue
			moved = move(id, other)
			rest[difference(of[2], recordings[of[1], i])] += moved
			differ += moved
			samples++
		}
	}
	for (id in left) {
		if (!left[id])
			continue
		split(id, of, SUBSEP)
		size = left[id] < 0 ? -left[id] : left[id]
		rest["only in the " (left[id] < 0 ? "recording" : "text") ": " of[2]] += size
		differ += size
		samples++
	}
	if (differ)
		print name ": different " percent(differ)
	for (i = 0; i < 5; i++) {
		most = ""
		for (stack in rest)
			if (rest[stack] > rest[most])
				most = stack
		if (rest[most])
			print name ":   " percent(rest[most]) " " most
		rest[most] = 0
	}
	exit differ > limit / 100 * all && samples > spare
}
