
# Running the pipeline.

# While a recording runs, a signal ends it and not the run; before and after, it ends both.
on_signal()
{
	signal=$2
	[ "$recorder" != foreground ] || return
	[ -n "$recorder" ] || exit $((128 + $2))
	# sudo takes signals of root only
	kill "-$1" "$recorder" 2>/dev/null ||
		[ -z "$sudo" ] || eval "${as_root}kill -$1 $recorder"
}

# What can be known to be wrong before anything has run.
check_plan()
{
	check_output "$output"
	check_kept "$folded"
	check_kept "$keep_data"
	check_apart "$output" "$folded" "$keep_data" "$perfdata" "$diff"
	check_apart "$folded" "$keep_data" "$perfdata" "$diff"
	check_apart "$keep_data" "$diff"
	[ -z "$record" ] || check_words "$collapse$collapse_words"
	check_words "$flamegraph$draw_words -o /dev/null"
}

# check_words TEXT : a filter says what is wrong with its command line, but for the input that
# it has not got yet. A pipe among the words would be read for that.
check_words()
{
	eval "set -- \"\$1\" $1"
	filter=$1; shift
	for word; do
		[ ! -p "${word#*=}" ] || return
	done
	why=$(eval "$filter" < /dev/null 2>&1 > /dev/null)
	filtered=$?
	case $filtered,$why in
	*'the input is empty'*) ;;
	[12],?*)
		printf '%s\n' "$why" >&2
		exit "$filtered"
		;;
	esac
}

start_up()
{
	tmp='' recorder='' ticker='' signal=''
	trap 'on_signal INT 2' INT
	trap 'on_signal TERM 15' TERM
	trap 'on_signal TERM 1' HUP
	trap 'on_signal TERM 3' QUIT
	# Nobody reads the messages: dash would die without the trap for EXIT.
	trap 'exit 141' PIPE
	trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
	{ tmp=$(mktemp -d "${TMPDIR:-/tmp}/flame.XXXXXX") && mkfifo "$tmp/pipe"; } 2> /dev/null ||
		fail 1 "no folder or pipe can be made in ${TMPDIR:-/tmp}: TMPDIR=FOLDER names another"
	touch "$tmp/sound" "$tmp/failed" "$tmp/said" "$tmp/hot" || exit 1
	check_sudo
}

# A recording may fill the disk; there is to be room then for what is said of it.
keep_room()
{
	{ head -c 65536 /dev/zero > "$tmp/room"; } 2> /dev/null ||
		fail 1 "there is no room in ${TMPDIR:-/tmp}: TMPDIR=FOLDER names another folder"
}

# wait_for PROCESS : until it has ended, whatever signals come; its status is in $ended.
wait_for()
{
	while :; do
		before_signal=$signal signal=
		wait "$1"
		ended=$?
		if [ -z "$signal" ]; then
			signal=$before_signal
			return
		fi
	done
}

# ---- the stages

# note_failure TEXT : of a stage. Even where a full disk has no room for the text, what is
# removed tells.
note_failure()
{
	rm -f "$tmp/sound" "$tmp/room"
	printf '%s\n' "$1" >> "$tmp/failed"
}

# collapse TEXT : what it says is kept for the end. It goes on reading, as the recorder
# would not survive it and the command would go on alone.
collapse()
{
	eval "$1" 2> "$tmp/said" || {
		note_failure "$1"
		[ "$through" != pipe ] || cat > /dev/null
	}
}

# What a text of the user's names, as --post-process has, may be one of ours.
stage()
{
	PATH=$PATH:$home
	eval "$1" || note_failure "$1"
}

# draw TEXT : the last stage. It waits for the end of the others, and where one of them failed
# nothing is drawn: the picture that is there stays.
draw()
{
	cat > "$tmp/drawn" || note_failure 'cat'
	[ ! -e "$tmp/sound" ] || stage "$1" < "$tmp/drawn"
}

# tally : copies folded stacks, and keeps the five functions with the most time of their own.
tally()
{
	LC_ALL=C awk -F ';' -v hot="$tmp/hot" -v waits="$off_cpu$wall" -v wall="$wall" \
		-v alone="${post:+1}" "$hide_controls$tally_script" || note_failure 'awk'
}

# Threads that wait all do so in the scheduler: there it is the function that called it. Where
# a name ends as a count does, a semicolon is between them: "Thread 7; 5".
# A stack of one frame is a command without functions, unless --post-process may have cut it.
# Names are for a line of the terminal, and none is cut within a character.
tally_script='
	function short(name) {
		name = hide(name)
		if (length(name) <= 64) return name
		name = substr(name, 1, 62)
		sub(/[\300-\377]?[\200-\277]*$/, "", name)
		return name ".."
	}
	function more(a, b) {
		return own[a] > own[b] || own[a] == own[b] && a < b
	}
	{ print }
	/^#([ \t]|$)/ && NF == 1 { next }
	match($NF, / [0-9.]+$/) {
		count = substr($NF, RSTART + 1)
		name = substr($NF, 1, RSTART - 1)
		leaf = NF
		if (name == "" && NF > 1) name = $--leaf
		if (name ~ /_\[o\]$/) waiting += count
		for (i = leaf - 1; waits && i > 1 && name ~ /^(__|io_|preempt_)*schedule(_|$)/; i--)
			name = $i
		sub(/_\[[kijwo]\]$/, "", name)
		total += count
		if (leaf > 1 || alone) own[name] += count
	}
	END {
		if (!total) exit
		if (wall)
			printf "%6.1f %%  of all time is on a CPU, %.1f %% waiting\n",
				100 * (total - waiting) / total, 100 * waiting / total > hot
		for (n = 0; n < 5; n++) {
			most = ""
			for (name in own)
				if (most == "" || more(name, most)) most = name
			if (most == "") break
			printf "%6.1f %%  %s\n", 100 * own[most] / total, short(most) > hot
			delete own[most]
		}
	}'

# ---- while it records

# A line on the terminal, each second; what was recorded is what perf wrote.
tick()
{
	seconds=0
	while kill -0 "$1" 2>/dev/null; do
		sleep 1
		seconds=$((seconds + 1)) written=
		while read -r key value; do
			[ "$key" != wchar: ] || written=", $((value / 1000)) kB recorded"
		done 2>/dev/null < "/proc/$1/io"
		printf '\rflame: %d s%s\033[K' "$seconds" "$written" >&2
	done
}

# It would be in the way of what the command writes there.
start_ticker()
{
	[ -z "$quiet" ] && [ -t 2 ] && [ "${TERM:-dumb}" != dumb ] || return
	[ "$mode" != command ] || [ ! -t 1 ] || return
	tick "$recorder" &
	ticker=$!
}

stop_ticker()
{
	[ -n "$ticker" ] || return
	kill "$ticker" 2>/dev/null
	wait "$ticker" 2>/dev/null
	printf '\r\033[K' >&2
	ticker=
}

# Waits for the recorder, whose status is left in $recorded.
finish_recording()
{
	start_ticker
	wait_for "$recorder"
	recorded=$ended recorder=
	stop_ticker
}

# The pipe from the recorder, at 5 to be read and at 6 to be written to, and standard input at
# 4. Both ends are opened here, where none waits for the other, as what a job opens itself
# nobody may be left to open.
open_pipe()
{
	exec 4<&0 7<> "$tmp/pipe"
	exec 5< "$tmp/pipe"
	exec 6> "$tmp/pipe" 7>&-
}

# Jobs of the shell in the background have no standard input of their own and ignore Ctrl-C.
# The recorder needs the one, and perf does not mind the other; it keeps the stages going. So
# that they do after TERM and HUP as well, which timeout and a terminal that goes send to all
# of the group, they ignore these too.
run_plan()
{
	recorded=0
	keep_room
	[ -z "$before" ] || eval "$before" || exit 1
	touch "$tmp/start" || exit 1
	if [ "$through" = pipe ]; then
		open_pipe
		eval "exec $record" 3>&1 >&6 <&4 4<&- 5<&- 6>&- &
		recorder=$!
		exec 4<&- 6>&-
		{ trap '' TERM HUP; eval "$stages"; } <&5 5<&- &
		drawer=$!
		exec 5<&-
		finish_recording
		wait_for "$drawer"
	elif [ "$through" = input ]; then
		eval "$stages"
		ended=$?
	else
		[ -z "$record" ] || record_file
		eval "$stages" < /dev/null
		ended=$?
	fi
	# who could not note it, as one that could not even start a process
	[ "$ended" = 0 ] || note_failure sh
}

# Other recorders would ignore Ctrl-C as well, so they run in the foreground, where a signal
# for flame alone waits until they have ended.
record_file()
{
	if [ "$system" = Linux ]; then
		exec 4<&0
		eval "exec $record" <&4 4<&- &
		recorder=$!
		exec 4<&-
		finish_recording
	else
		recorder=foreground
		eval "$record"
		recorded=$? recorder=
	fi
	# Not `find $data -newer start`: what was made in the same tick of the clock is no newer.
	if ! eval "[ -e $data ]" ||
		[ -n "$(eval "find \"\$tmp/start\" -newer $data" 2>/dev/null)" ]; then
		no_recording
	fi
	rm -f "$tmp/room"
}

# ---- afterwards

no_recording()
{
	fail 1 "nothing was recorded: ${record%% record*} failed, with exit status $recorded"
}

# What the collapser said, but for the number of samples where none was lost. With -q its
# warnings are left out, unless something failed.
lost()
{
	[ -z "$quiet" ] || [ ! -e "$tmp/sound" ] || return 0
	sed '/^collapse-[a-z]*: [0-9]* samples\{0,1\} kept, 0 ignored, 0 dropped$/d' "$tmp/said" >&2
}

# changes : of a difference, what has changed by more than noise. The picture is there, and has
# been warned of whatever is odd in its stacks.
changes()
{
	eval "$report_folded --brief" 2> /dev/null
}

# was_cut : the recorder failed in the middle, by what the collapser said. Its exit status is
# not that of the command then, which is not known.
was_cut()
{
	[ -n "$record" ] && [ "$recorded" != 0 ] && [ -z "$signal" ] &&
		grep -q ': cut short' "$tmp/said"
}

say_cut()
{
	why='is the disk full?'
	case $recorded in
	129 | 1[3-9]?) why="signal $((recorded - 128)) ended it" ;;
	esac
	print_message "${perf_file:-the recorder} failed while it recorded, so only what came" \
		"before is known: $why"
}

report()
{
	if grep -q 'the input is empty' "$tmp/said" && [ -n "$record" ]; then
		no_recording
	fi
	if [ ! -e "$tmp/sound" ]; then
		lost
		why="'$(head -n 1 "$tmp/failed")' failed"
		if [ -z "$off_cpu" ] && grep -q 'the recording has no samples' "$tmp/said"; then
			why='nothing ran while it was recorded (--off-cpu shows where threads wait)'
		fi
		if was_cut; then
			say_cut
		elif [ "$mode" = command ] && [ "$recorded" != 0 ]; then
			say "the command's exit status is $recorded"
		fi
		fail 1 "there is no picture: $why"
	fi
	# Of folded stacks they are lines.
	samples=$(sed -n '/: this is folded stacks$/q; s/^collapse-[a-z]*: \([0-9]* samples\{0,1\}\) kept.*/\1/p' "$tmp/said")
	say "$output${samples:+: $samples}"
	[ -z "$diff" ] || [ -n "$quiet" ] || changes < "$tmp/drawn" > "$tmp/hot"
	while IFS= read -r line; do say "$line"; done < "$tmp/hot"
	case $mode,${samples% sample*} in
	perfdata,*) ;;
	*,[0-9] | *,1[0-9] | *,20) explain_few ;;
	esac
	lost
}

# Few samples of what was there all the time come from waiting.
explain_few()
{
	if [ "$mode" = pid ] && [ -z "$off_cpu$wall" ]; then
		say "so few samples tell little: the process hardly ran; --wall shows where it" \
			"waits, too, and --off-cpu only where it waits"
	else
		say "so few samples tell little: let it run for longer, or sample more often," \
			"as with -F 9999"
	fi
}

# The status of the command is that of the run, unless a signal ended the recording.
settle_status()
{
	status=$recorded
	# timeout's
	[ "$status" != 124 ] || [ -z "$duration" ] || status=0
	if was_cut; then
		say_cut
		status=1
		[ -z "$ignore_status" ] || status=0
		return
	fi
	case $mode,$signal,$status in
	command,,0 | command,,124) ;;
	command,,12[89] | command,,1[3-9]?)
		say "the command was ended by signal $((status - 128))"
		;;
	command,,*) say "the command's exit status is $status" ;;
	command,*) status=$((128 + signal)) ;;
	*,2,* | *,,0) status=0 ;;
	*,,*)
		[ -n "$ignore_status" ] ||
			print_message "the recording ended with exit status $status"
		status=1
		;;
	*) status=$((128 + signal)) ;;
	esac
	[ -z "$ignore_status" ] || status=0
}

open_picture()
{
	[ -n "$open" ] || return
	quote_file "$output"
	for opener in "${BROWSER:-}" xdg-open open; do
		if command -v "$opener" > /dev/null; then
			eval "\"\$opener\" $quoted"
			return
		fi
	done
	say "there is no xdg-open, so open $output yourself"
}
