
# Planning the pipeline as text for the shell, so that we print what we run. A plan has
#   $before   a command that runs first; may be empty
#   $record   the recorder, which writes to standard output or to a file
#   $through  how its output gets to the stages: through a "pipe"; in a "file", which they read
#             afterwards; or "input": there is no recorder, and they read standard input
#   $shown    the stages as they are printed
#   $stages   the stages as they are run
# Files that are not kept are in "$tmp".

# add_stage TEXT [HOW] : adds a stage to the pipeline, run by the function HOW (default stage).
add_stage()
{
	quote "$1"
	shown="${shown:+$shown | }$1"
	stages="${stages:+$stages | }${2:-stage} $quoted"
}

# plan_stages TEXT : plans the stages from that command, which writes folded stacks, to the
# picture or, in a comparison, to the file of $side.
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
	case $post in
	'') ;;
	*['#;&|\
']*) add_stage "{ $post
}" ;;
	*) add_stage "$post" ;;
	esac
	if [ -n "$folded" ]; then
		quote "$folded"
		add_stage "tee -- $quoted"
	fi
	[ -z "$diff" ] || plan_difference
	[ -n "$quiet$diff" ] || stages="$stages | tally"
	quote "$output"
	add_stage "$flamegraph$draw_words -o $quoted" draw
}

# plan_difference : adds the stage for --diff. diff-folded itself reads folded stacks and pictures;
# a recording is collapsed first.
plan_difference()
{
	check_input "$diff"
	! reads_once "$diff" ||
		fail 1 "$diff: cannot be read: it is a pipe or an open file, so copy it to a file first"
	quote_file "$diff"
	case $(head -c 8 -- "$diff") in
	PERFILE2)
		before="$collapse_perf$collapse_words $quoted > \"\$tmp/old.folded\""
		quoted='"$tmp/old.folded"'
		;;
	esac
	add_stage "$diff_folded -n$diff_words $quoted -"
}

# plan_perfdata FILE : plans reading a perf.data. FILE is text for the shell.
plan_perfdata()
{
	record='' through='file'
	# only perf script can read the stacks of LBR
	if [ "$call_graph" = lbr ]; then
		plan_stages "$as_root$perf script --no-inline -i $1 | $as_root$collapse_perf$collapse_words"
	else
		plan_stages "$as_root$collapse_perf$collapse_words $1"
	fi
}

# plan_profile FILE : plans reading a profile of another profiler, or one of perf that is
# compressed, text or in a pipe. FILE is text for the shell.
plan_profile()
{
	find_own collapse-guess
	record='' through='file'
	plan_stages "$own${level:+ $level} --header --recursion unknown $1${given_words:+ --$given_words}"
}

# is_picture FILE : succeeds for an SVG file, unless it can be read only once.
is_picture()
{
	! reads_once "$1" && head -c 4096 -- "$1" | LC_ALL=C grep -q '<svg[[:space:]>]'
}

# plan_picture FILE : plans reading the stacks in a picture. No collapser reads them, so
# options for one are refused. FILE is text for the shell.
plan_picture()
{
	[ -z "$given_words" ] || misuse "$perfdata is a picture, which no collapser reads:" \
		"it goes without --collapse, --skip-after, --flamechart and --inline"
	record='' through='file' collapse=''
	plan_stages "$flamegraph --extract $1"
}

# plan_input : plans reading the file of --perfdata.
plan_input()
{
	check_input "$perfdata"
	quote_file "$perfdata"
	[ -z "$wall" ] || use_wall
	[ -z "$off_cpu" ] || use_off_cpu
	if [ -n "$wall$off_cpu" ] || [ "$call_graph" = lbr ] || is_perf_data "$perfdata"; then
		plan_perfdata "$quoted"
	elif is_picture "$perfdata"; then
		plan_picture "$quoted"
	else
		plan_profile "$quoted"
	fi
	! reads_once "$perfdata" || through=input
}

# is_perf_data FILE : succeeds for a perf.data, unless it can be read only once.
is_perf_data()
{
	! reads_once "$1" || return
	case $(head -c 8 -- "$1") in
	PERFILE2 | 2ELIFREP) ;;
	*) false ;;
	esac
}

# ---- perf

# perf_options : sets $options for perf, if -c does not give them.
perf_options()
{
	case $events in
	*:*[!ukhGHpPSDIWebRX]*) : "${freq:=}" ;; # a tracepoint: sample each event
	*) : "${freq:=$rate}" ;;
	esac
	options="record -q${freq:+ -F $freq}"
	case $call_graph in
	fp) options="$options -g" ;;
	*) options="$options --call-graph $call_graph" ;;
	esac
	options="$options$events${compress:+ $compress}"
	# perf waits for a second at the end if it watches for BPF programs
	case $features in
	*--no-bpf-event*) options="$options --no-bpf-event" ;;
	esac
}

# choose_off_cpu : chooses how --off-cpu records. With BPF, perf measures how long threads
# wait, but finds callers by frame pointers only; else we sample each switch of threads.
choose_off_cpu()
{
	[ "$off_cpu" = 1 ] || return
	off_cpu=chosen
	case $call_graph,$features in
	[!f]* | *--off-cpu*"not built-in"* | *[!-]--no-off-cpu*) ;;
	*--off-cpu*)
		events="$events --off-cpu"
		collapse_words=" --event-filter offcpu-time$collapse_words"
		draw_words=" --colors io$draw_words"
		return
		;;
	esac
	is_root || [ -r /sys/kernel/tracing/events/sched ] ||
		fail 1 "--off-cpu reads a tracepoint, which only root may: flame --root"
	say 'waiting is the time from one sched:sched_switch to the next'
	events="$events -e sched:sched_switch --switch-events"
	use_off_cpu
}

# use_off_cpu : sets the options of collapser and picture for --off-cpu.
use_off_cpu()
{
	collapse_words=" --off-cpu$collapse_words"
	draw_words=" --colors io$draw_words"
}

# use_wall : sets the options of collapser and picture for --wall. choose_wall sets the options of
# perf.
use_wall()
{
	collapse_words=" --wall --kernel$collapse_words"
	draw_words=" --colors java$draw_words"
}

# choose_wall : chooses how --wall records. Switch events tell when threads wait, and the
# tracepoint tells where. The tracepoint has a sample for each switch; only the clock has a rate.
choose_wall()
{
	[ "$wall" = 1 ] || return
	wall=chosen
	use_wall
	[ -z "$custom" ] || return
	case $features in
	*--switch-events*) ;;
	*) fail 1 '--wall needs a perf that records switches, with --switch-events' ;;
	esac
	if [ -n "$events" ]; then
		events="$events --switch-events"
		return
	fi
	events=' -e cpu-clock --switch-events'
	if [ -z "$(eval "${as_root}cat $switch_id" 2>/dev/null)" ]; then
		if ! is_root; then
			why='the tracepoint sched:sched_switch is for root only (flame --root)'
		elif [ -n "$(eval "${as_root}cat $any_format" 2>/dev/null)" ]; then
			why='this kernel has no tracepoint sched:sched_switch'
		else
			why='its tracepoints are not mounted: mount -t tracefs nodev /sys/kernel/tracing'
		fi
		say "a wait is shown below what ran before and after it: $why"
		return
	fi
	if [ "$freq" = max ]; then freq=$(setting perf_event_max_sample_rate); fi
	events=" -e cpu-clock/freq=${freq:-$rate}/ -e sched:sched_switch --switch-events"
	freq=
}

# keep_custom FILE : keeps the recording that -c names with -o.
keep_custom()
{
	[ -z "$keep_data" ] || misuse "-c names the recording, so --keep-data does not go with it"
	keep_data=$1
}

# custom_options HAS_COMMAND : splits the argument of -c into perf's $options and, after --, a
# command in $custom_command. With "-o FILE" in the argument, the recording is kept.
custom_options()
{
	options='' next='' custom_command=''
	set -f
	for word in $custom; do
		case $custom_command$next$word in
		' --'*)
			quote "$word"
			custom_command="$custom_command $quoted"
			;;
		--) custom_command=' --' ;;
		-o) next=o ;;
		-o*) keep_custom "${word#-o}" ;;
		o*)
			keep_custom "$word"
			next=
			;;
		*)
			quote "$word"
			options="$options $quoted"
			;;
		esac
	done
	set +f
	options=${options# perf}
	case $options in
	' record'*) options=${options# } ;;
	*) options="record$options" ;;
	esac
	[ -z "$custom_command" ] || run_custom "$1"
}

# run_custom HAS_COMMAND : sets $mode for a command after the -- of -c, so that the run ends
# with the status of that command.
run_custom()
{
	[ -z "$1" ] || misuse '-c names a command, so it goes without another'
	[ "$mode" != custom ] || mode='command'
	[ -z "$duration" ] || custom_command=" -- timeout $duration${custom_command# --}"
}

# perf_target WORD... : sets $target, what perf records. The words are a command.
perf_target()
{
	case $mode in
	pid) target=" -p $pids" ;;
	all) target=' -a' ;;
	*) target= ;;
	esac
	if [ -n "$custom_command" ]; then
		target="$target$custom_command"
	elif [ $# -gt 0 ]; then
		quote_all "$@"
		target="$target --${duration:+ timeout $duration}$quoted"
	elif [ -n "$duration" ]; then
		target="$target -- sleep $duration"
	fi
}

# needs_file : succeeds if the recording has to be a file and not a stream: sudo closes the
# stream that the command would write to, off-CPU times and LBR need a file, and a runtime
# that compiles code has written all names only at the end.
needs_file()
{
	[ -n "$keep_data$off_cpu$wall$runtime" ] || [ "$call_graph" = lbr ] ||
		{ [ -n "$sudo" ] && [ "$mode" = command ]; }
}

is_terminal()
{
	[ -t 1 ] && [ -t 2 ]
}

# plan_perf WORD... : plans a recording by perf. The words are a command, or empty.
plan_perf()
{
	custom_command=
	if [ -n "$custom" ]; then
		custom_options "$*"
	else
		perf_options
	fi
	if needs_file; then
		plan_data perf.data
		# no copies of binaries in ~/.debug for a file that we remove
		[ -n "$keep_data$custom" ] || options="$options -N"
		perf_target "$@"
		plan_perfdata "$data"
		record="$as_root$perf $options -o $data$target"
		return
	fi
	# otherwise the output of the command would go into the pipe, where perf writes the
	# recording
	if [ $# -gt 0 ] && ! is_terminal; then
		# shellcheck disable=SC2016
		set -- sh -c 'exec "$@" >&3 3>&-' sh "$@"
	fi
	perf_target "$@"
	plan_stages "$as_root$collapse_perf$collapse_words"
	through=pipe
	record="$as_root$perf $options -o -$target"
}

# plan_data NAME : sets $data to the file of the recording, as text for the shell.
plan_data()
{
	quote_file "$keep_data"
	data=$quoted
	[ -n "$keep_data" ] || data="\"\$tmp/$1\""
}

# ---- other systems

# needs_no_perf RECORDER : ends the run if options are given that only perf has.
needs_no_perf()
{
	[ -z "$events$call_graph$off_cpu$wall$compress" ] ||
		misuse "$1 records here, which has no --event, --call-graph, --off-cpu, --wall and" \
			"--compression-level"
}

# plan_xctrace WORD... : plans a recording by xctrace, on macOS. The words are a command.
plan_xctrace()
{
	needs_no_perf xctrace
	[ -z "$freq$custom" ] || misuse 'xctrace records here, which has no --freq and --cmd'
	needs_program "${XCTRACE:-xctrace}" 'xcode-select --install, or install Xcode'
	quote "${XCTRACE:-xctrace}"
	xctrace=$quoted
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
	find_own collapse-xctrace; collapse=$own
	plan_stages "$xctrace export --input $data --xpath \
'/trace-toc/*/data/table[@schema=\"time-profile\"]' | $own$collapse_words"
	through='file'
	record="$as_root$xctrace record --template 'Time Profiler' --output $data\
${duration:+ --time-limit ${duration}s}$target"
}

# plan_dtrace WORD... : plans a recording by DTrace, on other systems. The words are a command.
plan_dtrace()
{
	needs_no_perf dtrace
	needs_program "${DTRACE:-dtrace}" "install your system's package of dtrace"
	quote "${DTRACE:-dtrace}"
	dtrace=$quoted
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
	find_own collapse-dtrace; collapse=$own
	plan_stages "$own$collapse_words $data"
	through='file'
	record="$as_root$dtrace -x ustackframes=100 -n $script -o $data$target"
}

# ---- the whole plan

# prepare : finds our programs and asks perf what it can do, once for all recordings.
prepare()
{
	perf_file=${PERF:-perf}
	quote "$perf_file"
	perf=$quoted
	if [ "$sudo" = sudo ] && [ "$(id -u)" = 0 ] && ! command -v sudo > /dev/null; then sudo=; fi
	quote_words "$sudo"
	as_root=${quoted# }${quoted:+ }
	find_own flamegraph; flamegraph=$own
	find_own diff-folded; diff_folded=$own
	find_own report-folded; report_folded=$own
	find_own collapse-perf "$sudo"; collapse_perf=$own collapse=$own
	rate=997 runtime='' unseen='' collapser=$file
	system=$(uname -s)
	collapse_words=$inline$collapse_words
	given_words=$collapse_words
	# with --header the picture knows the unit, "ns" instead of samples; --recursion unknown
	# because a hundred frames without names in a row only hide the others
	[ "$system" != Linux ] && [ "$mode" != perfdata ] ||
		collapse_words=" --header --recursion unknown$collapse_words"
	# we need the messages about a recording that was cut short even with -q: see lost
	level=-v
	[ -z "$quiet" ] || level=
	collapse_words="${level:+ $level}$collapse_words"
	if [ "$system" = Linux ] && [ "$mode" != perfdata ]; then
		ask_perf
		check_kernel
		choose_event
		[ "$mode" != compare ] || choose_recording ''
	fi
}

# $switch_id can be read only if the tracepoint for switches exists and we may use it. Each tracefs
# has $any_format.
switch_id=/sys/kernel/tracing/events/sched/sched_switch/id
any_format=/sys/kernel/tracing/events/header_event

# choose_title WORD... : chooses the title, by what is recorded, if --title is not given. The
# words are the command.
choose_title()
{
	[ -z "$titled" ] || return
	case $mode in
	command) title=$* ;;
	pid) title="${program:+$program, }process $pids" ;;
	compare) title="$first and $second" ;;
	perfdata) title=${diff:+$perfdata} ;;
	*) return ;;
	esac
	[ -n "$title" ] || return
	make_visible "$title${diff:+, compared with $diff}"
	title=$(printf '%s\n' "$visible" | LC_ALL=C awk 'length > 1000 {
		$0 = substr($0, 1, 998)
		sub(/[\300-\377]?[\200-\277]*$/, "")
		$0 = $0 ".."
	} { print }')
	quote "$title"
	titled=1 draw_words=" --title $quoted$draw_words"
}

# choose_recording FILE : chooses how to record. FILE is the program that runs, or empty.
choose_recording()
{
	choose_callers "$1"
	choose_off_cpu
	choose_wall
}

# plan WORD... : checks and plans one recording; the words are a command.
plan()
{
	runtime='' file='' unseen=''
	if [ "$mode" = perfdata ]; then
		choose_title
		plan_input
		return
	fi
	[ $# -eq 0 ] || check_command "$@"
	case ${1:-},${2:-} in
	sh,-c | */sh,-c | bash,-c | */bash,-c | dash,-c | */dash,-c) unseen="${1##*/} -c" ;;
	esac
	case $system in
	Linux)
		for pid in $(printf %s "$pids" | tr , ' '); do
			check_pid "$pid"
			file=/proc/$pid/exe
		done
		choose_recording "$file"
		choose_title "$@"
		plan_perf "$@"
		;;
	Darwin)
		choose_title "$@"
		plan_xctrace "$@"
		;;
	*)
		choose_title "$@"
		plan_dtrace "$@"
		;;
	esac
}

# write_plan : sets $plan to a script that does what we run.
write_plan()
{
	case $through,$record in
	file, | input,) plan=$shown ;;
	file,*) plan="$record
$shown" ;;
	pipe,*'>&3 3>&-'*) plan="{ $record | $shown; } 3>&1" ;;
	pipe,*) plan="$record | $shown" ;;
	esac
	plan=${before:+$before
}$plan
}

# show_plan TEXT : prints a plan for -v or --dry-run, with the folder that it may need. Ends
# the run for --dry-run.
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
