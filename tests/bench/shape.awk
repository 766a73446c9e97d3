# Reads sorted folded stacks. Prints how many there are, how deep they are, and how many
# frames of each are new, not shared with the stack before. A flame graph has that many.

{
	bytes += length($0) + 1
	sub(/ [^ ]*$/, "")
	depth = split($0, frames, ";")
	for (common = 1; common <= depth && common <= last && frames[common] == before[common]; )
		common++
	frames_seen += depth
	new += depth - common + 1
	for (i = common; i <= depth; i++) before[i] = frames[i]
	last = depth
}

END {
	if (NR)
		printf "%s: %d stacks, %.1f frames deep, %.1f new frames each, %.0f bytes a line\n", \
			name, NR, frames_seen / NR, new / NR, bytes / NR
}
