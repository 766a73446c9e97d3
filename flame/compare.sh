
# `flame compare`: runs two commands in turns, and shows the difference.

# plan_side SIDE TEXT : plans the recording of a command, which is text for the shell.
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

# choose_root : leaves the root frames out if the programs have different names, which would
# make all of the stacks different.
choose_root()
{
	one=${first%% *} other=${second%% *}
	[ "${one##*/}" != "${other##*/}" ] || return
	case $collapse_words in
	*' --root '*) ;;
	*) collapse_words="$collapse_words --root none" ;;
	esac
}

# plan_compare : plans both recordings, and sets $difference, $turns, and $show to be printed.
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

# run_side SIDE TEXT : records one run of a command. The first status other than 0 stays in
# $status.
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

# compare : records both commands $runs times, and draws the difference.
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
	[ -n "$quiet" ] || summary > "$tmp/hot"
	while IFS= read -r line; do say "$line"; done < "$tmp/hot"
	[ -z "$ignore_status" ] || status=0
}

# summary : prints what has changed, and how much runs of the same command differ.
summary()
{
	eval "$diff_folded -qn \"\$tmp/first\" \"\$tmp/second\"" | changes
	LC_ALL=C awk -v runs="$runs" '
	{
		one = $1 - last[FILENAME]; last[FILENAME] = $1
		if (!(FILENAME in least) || one < least[FILENAME]) least[FILENAME] = one
		if (one > most[FILENAME]) most[FILENAME] = one
	}
	function spread(file) { return least[file] ? 100 * (most[file] / least[file] - 1) : 0 }
	END {
		printf "that is all of %d runs; those of the first differ by %.1f %%, ", runs,
			spread(ARGV[1])
		printf "of the second by %.1f %%\n", spread(ARGV[2])
	}' "$tmp/first.sums" "$tmp/second.sums"
}
