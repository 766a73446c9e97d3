
# `flame compare`: two commands, in turns, and what is different.

# plan_side SIDE TEXT : plans what is recorded of a command, which is text for the shell.
plan_side()
{
	side=$1
	case $2 in
	*['|&;<>()$`
']*) set -- sh -c "$2" ;;
	*) eval "set -- $2" ;;
	esac
	plan "$@"
	write_plan
}

# Programs of different names are no difference in themselves.
choose_root()
{
	one=${first%% *} other=${second%% *}
	[ "${one##*/}" != "${other##*/}" ] || return
	case $collapse_words in
	*' --root '*) ;;
	*) collapse_words="$collapse_words --root none" ;;
	esac
}

plan_compare()
{
	choose_root
	choose_title
	quote "$output"
	difference="$diff_folded"' -n "$tmp/first" "$tmp/second" |'" $flamegraph$draw_words -o $quoted"
	plan_side first "$first"
	first_plan=$plan
	plan_side second "$second"
	turns=$(i=0; while [ "$i" -lt "$runs" ]; do i=$((i + 1)); printf ' %d' "$i"; done)
	show="for run in$turns; do
$first_plan
$plan
done
$difference"
}

# run_side SIDE TEXT : one run; the first status that is not 0 stays in $status.
run_side()
{
	plan_side "$@" 2> /dev/null
	run_plan
	[ -z "$signal" ] || exit $((128 + signal))
	[ -e "$tmp/sound" ] || report
	lost
	[ "$recorded" = 0 ] || say "$2: exit status $recorded"
	[ "$status" != 0 ] || status=$recorded
	LC_ALL=C awk '/;/ || !/^#([ \t]|$)/ { sum += $NF } END { printf "%.0f\n", sum }' \
		"$tmp/$1" >> "$tmp/$1.sums"
}

compare()
{
	plan_compare
	check_plan
	show_plan "$show"
	start_up
	status=0
	for run in $turns; do
		say "run $run of $runs"
		run_side first "$first"
		run_side second "$second"
	done
	eval "$difference" || fail 1 "there is no picture: '$difference' failed"
	say "$output: $first and $second"
	table | while IFS= read -r line; do say "$line"; done
	[ -z "$ignore_status" ] || status=0
}

# What all took, how much runs of the same command differ, and the functions whose share
# of their own changed most.
table()
{
	case $wall,$off_cpu,$events$custom in
	,,' -e '*-clock | ,,' -e '*-clock:u) what='CPU time of the ' ;;
	,,) what='cycles of the ' ;;
	,[!,]*) what='waiting time of the ' ;;
	*) what='' ;;
	esac
	LC_ALL=C awk -F ';' -v first="$tmp/first" -v second="$tmp/second" -v what="$what" '
	function file_of(name) { return name == first || name == first ".sums" ? 1 : 2 }
	function size(x) { return x < 0 ? -x : x }
	FILENAME ~ /[.]sums$/ {
		side = file_of(FILENAME)
		one = $1 - last[side]; last[side] = $1
		if (!(side in least) || one < least[side]) least[side] = one
		if (one > most[side]) most[side] = one
		next
	}
	/^#([ \t]|$)/ && NF == 1 { next }
	match($NF, / [0-9.]+$/) {
		side = file_of(FILENAME)
		count = substr($NF, RSTART + 1)
		total[side] += count
		name = substr($NF, 1, RSTART - 1)
		if (name == "" && NF > 1) name = $(NF - 1)
		own[side, name] += count
		names[name]
	}
	END {
		if (!total[1] || !total[2]) exit
		printf "the second takes %.1f %% of the %sfirst;", 100 * total[2] / total[1], what
		printf " runs of the first differ by %.1f %%, of the second by %.1f %%\n",
			100 * (most[1] / least[1] - 1), 100 * (most[2] / least[2] - 1)
		print "   first   second   change  functions"
		for (name in names) {
			before[name] = 100 * own[1, name] / total[1]
			after[name] = 100 * own[2, name] / total[2]
		}
		for (n = 0; n < 10; n++) {
			best = ""
			for (name in names) {
				change = size(after[name] - before[name])
				top = best == "" ? -1 : size(after[best] - before[best])
				if (change > top || change == top && name < best) best = name
			}
			if (best == "" || size(after[best] - before[best]) < 0.05) break
			printf "%6.1f %%%7.1f %%%+9.1f  %s\n", before[best], after[best],
				after[best] - before[best], best
			delete names[best]
		}
	}' "$tmp/first.sums" "$tmp/second.sums" "$tmp/first" "$tmp/second"
}
