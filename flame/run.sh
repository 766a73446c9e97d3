
# Running the pipeline.

# on_signal NAME NUMBER : passes a signal to the recorder; then we go on and draw. While nothing
# is recorded, the signal ends the run.
on_signal()
{
	signal=$2
	[ "$recorder" != foreground ] || return
	[ -n "$recorder" ] || exit $((128 + $2))
	# sudo accepts signals from root only
	kill "-$1" "$recorder" 2>/dev/null ||
		[ -z "$sudo" ] || eval "${as_root}kill -$1 $recorder"
}

# check_plan : ends the run before anything is recorded if an output cannot be written or is the
# same file as another one, or if a program refuses its options.
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

# check_words TEXT : runs a filter without input, to see if it accepts its options. Does not run it
# if an option names a pipe, because the filter would read the pipe.
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

# start_up : sets the traps and makes the folder $tmp.
start_up()
{
	tmp='' recorder='' ticker='' signal=''
	trap 'on_signal INT 2' INT
	trap 'on_signal TERM 15' TERM
	trap 'on_signal TERM 1' HUP
	trap 'on_signal TERM 3' QUIT
	# The reader of our messages is gone. Without this, dash dies before its trap for EXIT.
	trap 'exit 141' PIPE
	trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
	{ tmp=$(mktemp -d "${TMPDIR:-/tmp}/flame.XXXXXX") && mkfifo "$tmp/pipe"; } 2> /dev/null ||
		fail 1 "no folder or pipe can be made in ${TMPDIR:-/tmp}: set TMPDIR to another folder"
	touch "$tmp/sound" "$tmp/failed" "$tmp/said" "$tmp/hot" || exit 1
	check_sudo
}

# keep_room : reserves space, so that we can still note a failure if the recording fills the
# disk.
keep_room()
{
	{ head -c 65536 /dev/zero > "$tmp/room"; } 2> /dev/null ||
		fail 1 "there is no room in ${TMPDIR:-/tmp}: set TMPDIR to another folder"
}

# wait_for PROCESS : waits until it has ended, whatever signals come. Sets $ended to its status.
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

# note_failure TEXT : notes that a stage failed. Removes $tmp/sound, because a file can be removed
# even if the disk is full, and adds the text to $tmp/failed.
note_failure()
{
	rm -f "$tmp/sound" "$tmp/room"
	printf '%s\n' "$1" >> "$tmp/failed"
}

# collapse TEXT : runs the collapser, and keeps its messages for the end. If it fails we go on
# reading. Otherwise the recorder would die of SIGPIPE, and the command would go on alone.
collapse()
{
	eval "$1" 2> "$tmp/said" || {
		note_failure "$1"
		[ "$through" != pipe ] || cat > /dev/null
	}
}

# stage TEXT : runs a stage. Commands of the user (--post-process) may name our programs, so
# our folder is added to PATH.
stage()
{
	PATH=$PATH:$home
	eval "$1" || note_failure "$1"
}

# draw TEXT : runs the last stage, once all others have ended. If one of them failed it draws
# nothing, and an older picture stays.
draw()
{
	cat > "$tmp/drawn" || note_failure 'cat'
	[ ! -e "$tmp/sound" ] || stage "$1" < "$tmp/drawn"
}

# tally : copies folded stacks, and writes the five functions with the most time of their own to
# $tmp/hot.
tally()
{
	LC_ALL=C awk -F ';' -v hot="$tmp/hot" -v waits="$off_cpu$wall" -v wall="$wall" \
		-v alone="${post:+1}" "$hide_controls$tally_script" || note_failure 'awk'
}

# Waiting threads are all in the scheduler; we count them for the function that called it. If a
# name ends like a count does, a semicolon stands between them: "Thread 7; 5". A stack of one
# frame is a command without functions, unless --post-process may have cut it. Names are cut to
# fit on a line of the terminal, but not within a character.
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

# tick PROCESS : writes a line on the terminal each second, with how much the recorder wrote.
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

# start_ticker : starts the line, unless the command may write to the terminal itself.
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

# finish_recording : waits for the recorder. Sets $recorded to its status.
finish_recording()
{
	start_ticker
	wait_for "$recorder"
	recorded=$ended recorder=
	stop_ticker
}

# open_pipe : opens the pipe from the recorder, for reading as 5 and for writing as 6, and
# standard input as 4. We open both ends here: a job that opens one end itself would wait
# forever if the other job died before it opened its own.
open_pipe()
{
	exec 4<&0 7<> "$tmp/pipe"
	exec 5< "$tmp/pipe"
	exec 6> "$tmp/pipe" 7>&-
}

# run_plan : runs the plan and sets $recorded.
# Background jobs of the shell have no standard input and ignore Ctrl-C. We give the recorder
# our standard input. Perf sets its own handler for Ctrl-C, and the stages have to go on after
# one. They also ignore TERM and HUP, which timeout and a closing terminal send to the whole
# group.
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
	# for a stage that could not note its failure, because it could not start a process
	[ "$ended" = 0 ] || note_failure sh
}

# record_file : records to a file. Recorders other than perf would ignore Ctrl-C in the
# background, so they run in the foreground; a signal to flame alone waits for their end.
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
	# Not `find $data -newer start`: a file made in the same tick of the clock is not newer.
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

# lost : prints the messages of the collapser, without the number of samples if none was lost.
# With -q it prints them only if something failed.
lost()
{
	[ -z "$quiet" ] || [ ! -e "$tmp/sound" ] || return 0
	sed '/^collapse-[a-z]*: [0-9]* samples\{0,1\} kept, 0 ignored, 0 dropped$/d' "$tmp/said" >&2
}

# changes : prints the functions of a difference that changed by more than noise. Hides warnings
# about the stacks, because flamegraph has shown them.
changes()
{
	eval "$report_folded --brief" 2> /dev/null
}

# was_cut : succeeds if the recorder failed in the middle, according to the collapser's messages.
# Then its exit status is not that of the command, which we do not know.
was_cut()
{
	[ -n "$record" ] && [ "$recorded" != 0 ] && [ -z "$signal" ] &&
		grep -q ': cut short' "$tmp/said"
}

# say_cut : says why the recording was cut short.
say_cut()
{
	why='is the disk full?'
	case $recorded in
	129 | 1[3-9]?) why="signal $((recorded - 128)) ended it" ;;
	esac
	print_message "${perf_file:-the recorder} failed while it recorded, so only what came" \
		"before is known: $why"
}

# report : prints the picture's name and the hottest functions, or ends the run if a stage
# failed.
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
	# no number for folded stacks, because it would be the number of lines
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

# explain_few : says what to do about few samples. If a process lived all the time, few samples mean
# that it waited.
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

# settle_status : sets $status, the exit status of flame: that of the command, unless a signal
# ended the recording.
settle_status()
{
	status=$recorded
	# timeout exits with 124 when the time is over
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
