# Makes a large input of a small one. The lines up to one that matches `from`, and those from
# one that matches `to` on, appear once. The lines between are repeated until there are
# `bytes`, at least once. Each repetition has another word of the same length for `word`, so
# that stacks differ, and its number after `mark`, so that identifiers differ.

# The text between two places that change is kept in pieces. The kind of a piece says what
# follows it.
function cut(line,    words, marks, in_line, in_word, w, m) {
	words = 1
	in_line[1] = line
	if (word != "") words = split(line, in_line, word)
	for (w = 1; w <= words; w++) {
		marks = 1
		in_word[1] = in_line[w]
		if (mark != "" && in_line[w] != "") marks = split(in_line[w], in_word, mark)
		for (m = 1; m <= marks; m++) {
			piece[pieces] = in_word[m] (m < marks ? mark : "")
			kind[pieces++] = m < marks ? "number" : w < words ? "word" : ""
		}
	}
}

BEGIN { begun = from == ""; pieces = tails = 0 }
!begun { print; begun = $0 ~ from; next }
ended || (to != "" && $0 ~ to) { ended = 1; tail[tails++] = $0; next }
{ cut($0 "\n"); size += length($0) + 1 }

END {
	digits = length(word) - 1
	for (n = 0; n == 0 || made < bytes; n++) {
		made += size
		after["word"] = substr(word, 1, 1) sprintf("%0*d", digits, n % 10 ^ digits)
		after["number"] = n
		for (i = 0; i < pieces; i++) printf "%s%s", piece[i], after[kind[i]]
	}
	for (i = 0; i < tails; i++) print tail[i]
}
