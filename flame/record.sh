
# The pipeline, as text for the shell: what is printed is what is run. A plan is made of
#   $before   a line that comes first; may be empty
#   $record   the recorder, which writes to standard output or to a file
#   $through  pipe: what it writes goes to the stages; file: they read a file afterwards
#   $shown    the stages, as they are printed; $stages, as they are run
# and files that are not kept are in "$tmp".

# add_stage TEXT : what comes next in the pipeline.
add_stage()
{
	quote "$1"
	shown="${shown:+$shown | }$1"
	stages="${stages:+$stages | }stage $quoted"
}

# plan_stages TEXT : from that command, which writes folded stacks, to the picture, or to a
# file of $side in a comparison.
plan_stages()
{
	shown=$1 before='' stages=''
	if [ "$mode" = compare ]; then
		shown="$1 >> \"\$tmp/$side\""
		quote "$shown"
		stages="collapse $quoted"
		return
	fi
	quote "$1"
	stages="collapse $quoted"
	[ -z "$post" ] || add_stage "$post"
	[ -n "$quiet" ] || stages="$stages | tally"
	if [ -n "$folded" ]; then
		quote "$folded"
		add_stage "tee -- $quoted"
	fi
	[ -z "$diff" ] || plan_difference
	quote "$output"
	add_stage "flamegraph$draw_words -o $quoted"
}

# Folded stacks and pictures are read by diff-folded as they are.
plan_difference()
{
	[ -r "$diff" ] || fail 1 "$diff: cannot be read"
	quote "$diff"
	case $(head -c 8 -- "$diff") in
	PERFILE2)
		before="collapse-perf$collapse_words $quoted > \"\$tmp/old.folded\""
		quoted='"$tmp/old.folded"'
		;;
	esac
	add_stage "diff-folded -n $quoted -"
}

# plan_perfdata FILE : FILE is text for the shell.
plan_perfdata()
{
	record='' through='file'
	# only perf script knows what the stacks of LBR mean
	if [ "$call_graph" = lbr ]; then
		plan_stages "$as_root$perf script -i $1 | ${as_root}collapse-perf$collapse_words"
	else
		plan_stages "${as_root}collapse-perf$collapse_words $1"
	fi
}

# ---- perf

# What perf is told of how to record, for what was not said with -c.
perf_options()
{
	case $events in
	*:*[!ukhGHpPSDIWe]*) : "${freq:=}" ;; # a tracepoint: each time that it is met
	*) : "${freq:=997}" ;;
	esac
	options="record -q${freq:+ -F $freq}"
	case $call_graph in
	'' | fp) options="$options -g" ;;
	*) options="$options --call-graph $call_graph" ;;
	esac
	options="$options$events${compress:+ $compress}"
	# perf waits for a second at the end where it looks out for programs of BPF
	case $features in
	*--no-bpf-event*) options="$options --no-bpf-event" ;;
	esac
}

# With BPF, perf measures how long threads wait; else it counts how often they begin to.
choose_off_cpu()
{
	[ -n "$off_cpu" ] || return
	case $features in
	*--off-cpu*"not built-in"* | *[!-]--no-off-cpu*) ;;
	*--off-cpu*)
		events="$events --off-cpu"
		collapse_words=" --event-filter offcpu-time$collapse_words"
		draw_words=" --colors io$draw_words"
		return
		;;
	esac
	is_root || [ -r /sys/kernel/tracing/events/sched ] ||
		fail 1 "--off-cpu reads a tracepoint, which only root may: flame --root"
	say 'this perf has no --off-cpu (it was built without BPF):' \
		'waiting is the time from one sched:sched_switch to the next'
	events="$events -e sched:sched_switch --switch-events"
	collapse_words=" --off-cpu$collapse_words"
	draw_words=" --colors io$draw_words"
}

# What -c says, word by word; a recording that it gives a name to is kept.
custom_options()
{
	options='' next=''
	for word in $custom; do
		case $next$word in
		-o) next=o ;;
		-o*) keep_data=${word#-o} ;;
		o*) keep_data=$word next='' ;;
		*)
			quote "$word"
			options="$options $quoted"
			;;
		esac
	done
	options=${options# perf}
	case $options in
	' record'*) options=${options# } ;;
	*) options="record$options" ;;
	esac
}

# perf_target WORD... : what perf records, in $target; the words are a command.
perf_target()
{
	case $mode in
	pid) target=" -p $pids" ;;
	all) target=' -a' ;;
	*) target= ;;
	esac
	if [ $# -gt 0 ]; then
		quote_all "$@"
		target="$target --${duration:+ timeout $duration}$quoted"
	elif [ -n "$duration" ]; then
		target="$target -- sleep $duration"
	fi
}

# Some things a stream cannot have: sudo closes what the command would write to, off-CPU
# times and branches are for files, and the names of code that is made on the run are
# complete at the end.
needs_file()
{
	[ -n "$keep_data$off_cpu$runtime" ] || [ "$call_graph" = lbr ] ||
		{ [ -n "$sudo" ] && [ "$mode" = command ]; }
}

is_terminal()
{
	[ -t 1 ] && [ -t 2 ]
}

# plan_perf WORD... : the words are a command; there may be none.
plan_perf()
{
	if [ -n "$custom" ]; then
		custom_options
	else
		perf_options
	fi
	if needs_file; then
		plan_data perf.data
		# no copies of what was recorded in ~/.debug for a file that will go
		[ -n "$keep_data$custom" ] || options="$options -N"
		perf_target "$@"
		plan_perfdata "$data"
		record="$as_root$perf $options -o $data$target"
		return
	fi
	# what the command prints would go where perf's messages go
	if [ $# -gt 0 ] && ! is_terminal; then
		# shellcheck disable=SC2016
		set -- sh -c 'exec "$@" >&3 3>&-' sh "$@"
	fi
	perf_target "$@"
	plan_stages "${as_root}collapse-perf$collapse_words"
	through=pipe
	record="$as_root$perf $options -o -$target"
}

# plan_data NAME : the file that is recorded, as text for the shell in $data.
plan_data()
{
	quote "$keep_data"
	data=$quoted
	[ -n "$keep_data" ] || data="\"\$tmp/$1\""
}

# ---- other systems

# no_perf RECORDER OPTION... : options are wrong that only perf has.
needs_no_perf()
{
	[ -z "$events$call_graph$off_cpu$compress" ] ||
		misuse "$1 records here, which has no --event, --call-graph, --off-cpu and" \
			"--compression-level"
}

plan_xctrace()
{
	needs_no_perf xctrace
	[ -z "$freq$custom" ] || misuse 'xctrace records here, which has no --freq and --cmd'
	needs_program "$xctrace" 'xcode-select --install, or install Xcode'
	case $mode in
	pid)
		case $pids in *,*) misuse "xctrace records one process, not $pids" ;; esac
		target=" --attach $pids"
		;;
	all) target=' --all-processes' ;;
	*)
		quote_all "$@"
		target=" --target-stdout - --launch --$quoted"
		;;
	esac
	plan_data run.trace
	plan_stages "$xctrace export --input $data --xpath \
'/trace-toc/*/data/table[@schema=\"time-profile\"]' | collapse-xctrace$collapse_words"
	through='file'
	record="$as_root$xctrace record --template 'Time Profiler' --output $data\
${duration:+ --time-limit ${duration}s}$target"
}

plan_dtrace()
{
	needs_no_perf dtrace
	needs_program "$dtrace" "install your system's package of dtrace"
	is_root || fail 1 'dtrace records for root only: flame --root'
	# shellcheck disable=SC2016
	case $mode in
	all) which=/arg1/ ;;
	*) which='/pid == $target/' ;;
	esac
	script=${custom:-"profile-${freq:-997} $which { @[ustack(100)] = count(); }"}
	[ -z "$duration" ] || script="$script tick-${duration}s { exit(0); }"
	quote "$script"
	script=$quoted target=
	for pid in $(printf %s "$pids" | tr , ' '); do target="$target -p $pid"; done
	for word; do
		case $word in
		*[[:space:]]*) fail 1 "dtrace cannot run a command with blanks in '$word':" \
			'put it into a script' ;;
		esac
	done
	quote "$*"
	[ $# -eq 0 ] || target=" -c $quoted"
	plan_data stacks
	plan_stages "collapse-dtrace$collapse_words $data"
	through='file'
	record="$as_root$dtrace -x ustackframes=100 -n $script -o $data$target"
}

# ---- all of it

# What every recording needs; asked once.
prepare()
{
	perf=${PERF:-perf} xctrace=${XCTRACE:-xctrace} dtrace=${DTRACE:-dtrace}
	as_root=
	[ -z "$sudo" ] || as_root="$sudo "
	system=$(uname -s)
	# collapse-perf knows what its counts are, so that the picture says ns and not samples
	[ "$system" != Linux ] && [ "$mode" != perfdata ] ||
		collapse_words=" --header$collapse_words"
	if [ -z "$quiet" ]; then
		collapse_words=" -v$collapse_words"
	else
		collapse_words=" -q$collapse_words"
	fi
	if [ "$system" = Linux ] && [ "$mode" != perfdata ]; then
		ask_perf
		check_kernel
		choose_event
		choose_off_cpu
	fi
}

# plan WORD... : checks and plans one recording; the words are a command.
plan()
{
	runtime=''
	if [ "$mode" = perfdata ]; then
		[ -r "$perfdata" ] || fail 1 "$perfdata: cannot be read"
		quote "$perfdata"
		plan_perfdata "$quoted"
		return
	fi
	[ $# -eq 0 ] || check_command "$@"
	case $system in
	Linux)
		for pid in $(printf %s "$pids" | tr , ' '); do check_pid "$pid"; done
		plan_perf "$@"
		;;
	Darwin) plan_xctrace "$@" ;;
	*) plan_dtrace "$@" ;;
	esac
}

# The plan in $plan: a script that does the same.
write_plan()
{
	case $through,$record in
	file,) plan=$shown ;;
	file,*) plan="$record
$shown" ;;
	pipe,*'>&3 3>&-'*) plan="{ $record | $shown; } 3>&1" ;;
	pipe,*) plan="$record | $shown" ;;
	esac
	plan=${before:+$before
}$plan
}

# show_plan TEXT : prints it where that is asked for, with the folder that it may need.
show_plan()
{
	[ -n "$dry_run$verbose" ] || return
	text=$1
	case $text in
	*'"$tmp/'*) text="tmp=\$(mktemp -d)
$text
rm -r \"\$tmp\"" ;;
	esac
	if [ -n "$dry_run" ]; then
		printf '%s\n' "$text"
		exit 0
	fi
	printf '%s\n' "$text" >&2
}
