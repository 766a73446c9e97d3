
# The command line.

usage()
{
	cat <<'END'
Usage: flame [OPTION]... [--] COMMAND [ARGUMENT]...
       flame [OPTION]... -p PID | -a [-d SECONDS]
       flame [OPTION]... --perfdata FILE
       flame [OPTION]... --diff OLD NEW
       flame compare [OPTION]... COMMAND COMMAND
Records what a program does and draws a flame graph of it.

What is recorded:
  -p, --pid PID               running processes (several: 41,42)
  -a, --all-cpus              the whole machine
  -d, --duration SECONDS      for so many seconds (default until the command
                              ends, or Ctrl-C)
      --perfdata FILE         nothing: draw an existing recording or profile
      --runs N                compare: how often each command runs (default 2)

How:
  -F, --freq N                samples a second (default 997)
  -e, --event EVENT           event of perf (repeatable; default cycles, or
                              cpu-clock where there are no hardware counters)
      --call-graph HOW        how callers are found: fp, dwarf, lbr (default fp
                              if all code has frame pointers, else dwarf)
      --off-cpu               show where threads wait, not where they run
      --wall                  show all time of threads, running and waiting
      --ignore-idle           with --wall: leave out threads that never ran
  -c, --cmd ARGUMENTS         your own arguments for perf, like
                              'record -e faults -g'
      --root[=COMMAND]        record as root, with sudo or COMMAND (default
                              as yourself)
  -z, --compression-level[=N] compress the recording (default not; without N,
                              level 1)
      --inline                show inlined functions, too (needs debug
                              information; default --no-inline)
      --keep-data FILE        keep the recording (default not)

Output:
  -o, --output FILE           the picture (default flamegraph.svg; diff.svg for
                              a comparison)
      --folded FILE           keep the folded stacks (default not)
      --diff OLD              compare with a picture, folded stacks or recording
      --ignore-root N[,M]     with --diff: leave out the first N frames, such as
                              the command's name; M of the new profile, if that
                              differs
      --post-process COMMAND  filter the folded stacks through COMMAND
      --skip-after FUNCTION   leave out the callers of FUNCTION (repeatable)
      --open                  open the picture in a browser

The picture (see flamegraph):
      --title TEXT            heading (default the command or process)
      --subtitle TEXT         second heading
      --notes TEXT            a comment in the file
      --colors PALETTE        colours
      --palette PALETTE       the same
      --hash                  similar names get similar colours
      --deterministic         colours by name alone (the default)
  -i, --inverted              icicle graph: the root is on top
      --reverse               merge from the leaves
      --flamechart            stacks in the order of time
      --min-width PERCENT     leave out narrower frames
      --image-width PIXELS    width of the picture
      --collapse OPTION...    pass all words up to -- to the collapser
      --draw OPTION...        pass all words up to -- to flamegraph

Other:
  -v, --verbose               print the pipeline before it runs
      --dry-run               print it and do not run it
      --ignore-status         exit with 0 even if the command failed
  -q, --quiet                 print errors only
  -h, --help                  show this help
  -V, --version               show the version

`flame -- ./program` is short for
  perf record -F 997 --call-graph dwarf,16384 -o - -- ./program |
    collapse-perf | flamegraph
END
}

set_defaults()
{
	quiet='' verbose='' dry_run='' open='' ignore_status=''
	mode='' pids='' all_cpus='' duration='' perfdata='' runs=2
	freq='' events='' call_graph='' off_cpu='' wall='' ignore_idle='' custom='' sudo='' compress=''
	output='' keep_data='' folded='' diff='' post='' chart='' reverse='' inline=''
	collapse_words='' draw_words='' diff_words='' titled='' program='' section='' first='' second=''
}

# to_collapse WORD..., to_draw WORD... : add arguments to the command line of the collapser or of
# flamegraph.
to_collapse()
{
	quote_all "$@"
	collapse_words=$collapse_words$quoted
}

to_draw()
{
	quote_all "$@"
	draw_words=$draw_words$quoted
}

# check_number NAME TEXT [MORE] : checks that the argument of option NAME is a whole number
# from 1 on. Characters in MORE are allowed, too.
check_number()
{
	case $2 in
	'' | *[!0-9${3:-}]*) misuse "$1 takes a number, not '$2'" ;;
	*[1-9]*) ;;
	*) misuse "$1 takes a number from 1 on, not '$2'" ;;
	esac
}

check_seconds()
{
	check_number "$1" "$2" .
	case $2 in
	*.*.*) misuse "$1 takes a number, not '$2'" ;;
	esac
}

check_pids()
{
	check_number "$1" "$2" ,
	case ,$2, in
	*,,*) misuse "$1 takes a number, or several with a comma between them, not '$2'" ;;
	esac
}

# check_file NAME TEXT : checks that a file name is not empty, like "$OLD" is if the variable
# is not set.
check_file()
{
	[ -n "$2" ] || misuse "$1 takes a file, not ''"
}

# set_option NAME VALUE : sets an option for the recording, or passes it to set_drawing.
set_option()
{
	case $1 in
	-p | --pid) check_pids "$1" "$2"; pids=$2 ;;
	-a | --all-cpus) all_cpus=1 ;;
	-d | --duration) check_seconds "$1" "$2"; duration=$2 ;;
	--perfdata) check_file "$@"; perfdata=$2 ;;
	--runs) check_number "$1" "$2"; runs=$2 ;;
	-F | --freq) [ "$2" = max ] || check_number "$1" "$2"; freq=$2 ;;
	-e | --event) quote "$2"; events="$events -e $quoted" ;;
	--call-graph)
		case $2 in
		dwarf,*[!0-9]*) misuse "--call-graph takes dwarf,BYTES, not '$2'" ;;
		fp | dwarf | dwarf,[1-9]* | lbr) call_graph=$2 ;;
		*) misuse "--call-graph takes fp, dwarf or lbr, not '$2'" ;;
		esac
		;;
	--off-cpu) off_cpu=1 ;;
	--wall) wall=1 ;;
	--ignore-idle) ignore_idle=1; to_collapse --ignore-idle ;;
	-c | --cmd)
		[ -n "$2" ] || misuse "$1 takes arguments of perf, not ''"
		custom=$2
		;;
	--root)
		case $2 in
		'') sudo=sudo ;;
		-*) sudo="sudo $2" ;;
		*) sudo=$2 ;;
		esac
		;;
	-z | --compression-level)
		[ -z "$2" ] || check_number "$1" "$2"
		compress=-z$2
		;;
	--keep-data) check_file "$@"; keep_data=$2 ;;
	*) set_drawing "$@" ;;
	esac
}

# set_drawing NAME VALUE : sets an option for the output.
set_drawing()
{
	case $1 in
	-o | --output) check_file "$@"; output=$2 ;;
	--folded) check_file "$@"; folded=$2 ;;
	--diff) check_file "$@"; diff=$2 ;;
	--ignore-root) check_number "$1" "$2" ,; diff_words=" --ignore-root $2" ;;
	--post-process) post=$2 ;;
	--skip-after) to_collapse --skip-after "$2" ;;
	--title) titled=1; to_draw "$1" "$2" ;;
	--subtitle | --notes) to_draw "$1" "$2" ;;
	--colors | --palette) to_draw --colors "$2" ;;
	--min-width) to_draw --minwidth "${2%\%}%" ;;
	--image-width) to_draw --width "$2" ;;
	--hash | --deterministic | --inverted) to_draw "$1" ;;
	-i) to_draw --inverted ;;
	--reverse) to_draw "$1"; reverse=1 ;;
	--flamechart) to_collapse --time-order; to_draw "$1"; chart=1 ;;
	--inline) inline=' --inline' ;;
	--no-inline) inline= ;;
	--open) open=1 ;;
	-v | --verbose) verbose=1 ;;
	--dry-run) dry_run=1 ;;
	--ignore-status) ignore_status=1 ;;
	-q | --quiet) quiet=1 ;;
	-h | --help | -help) usage; exit ;;
	-V | --version | -version) echo "flame (flamepipe) $version"; exit ;;
	*) misuse "unknown option '$1'" ;;
	esac
}

# is_new_profile WORD : succeeds for a file after `--diff OLD` that is not a program: it is the
# new profile.
is_new_profile()
{
	[ -n "$diff" ] && [ -z "$perfdata" ] && [ -f "$1" ] && [ ! -x "$1" ] || return
	case $1 in
	*/*) ;;
	*) ! command -v -- "$1" > /dev/null || return ;;
	esac
	[ "$(head -c 2 -- "$1" 2>/dev/null | LC_ALL=C tr -d '\000')" != '#!' ]
}

# parse WORD... : sets the options, and $parsed to the number of words that were options.
parse()
{
	parsed=$#
	while [ $# -gt 0 ]; do
		case $1 in
		--) shift; break ;;
		--collapse | --draw) section=$1; shift; continue ;;
		esac
		case $section,$mode,$1 in
		--collapse,*) to_collapse "$1"; shift; continue ;;
		--draw,*) to_draw "$1"; shift; continue ;;
		,*,-?*) ;;
		,,compare) mode=compare; shift; continue ;;
		,compare,*) take_compared "$1"; shift; continue ;;
		*)
			is_new_profile "$1" || break
			perfdata=$1; shift
			continue
			;;
		esac
		split_option "$1"; shift
		[ -z "$joined" ] || set -- "$joined" "$@"
		if [ -z "$given" ] && takes_value "$name"; then
			[ $# -gt 0 ] || misuse "$name needs an argument"
			value=$1; shift
		fi
		set_option "$name" "$value"
	done
	parsed=$((parsed - $#))
}

# split_option WORD : sets $name and, for "--name=value" or "-nvalue", $value and $given. Other
# letters in the word, like "v" in "-av", become the next option, in $joined.
split_option()
{
	name=$1 value='' given='' joined=''
	case $1 in
	-help | -version) ;;
	--*=*)
		name=${1%%=*} value=${1#*=} given=1
		takes_value "$name" && return
		case $name in
		--root | --compression-level) ;;
		*) no_value "$1" ;;
		esac
		;;
	--*) ;;
	-[pdFecoz]?*) name=${1%"${1#-?}"} value=${1#-?} value=${value#=} given=1 ;;
	-?*)
		name=${1%"${1#-?}"} joined=${1#-?}
		joined=${joined:+-$joined}
		;;
	esac
}

# no_value WORD : ends the run because of "--name=value": the option takes no argument, or
# there is no such option.
no_value()
{
	usage | grep -q -e " ${1%%=*}[ ,]" || misuse "unknown option '$1'"
	misuse "${1%%=*} takes no argument"
}

# take_compared TEXT : takes one of the two commands of `flame compare`, as text for the shell.
take_compared()
{
	if [ -z "$first" ]; then
		first=$1
	elif [ -z "$second" ]; then
		second=$1
	else
		misuse "compare takes two commands; quote one that has arguments: '$1'"
	fi
}

# settle WORD... : checks that the options fit together, and sets $mode and $output. The words
# are the command.
settle()
{
	if [ "$mode" = compare ]; then
		for word; do take_compared "$word"; done
		settle_compare
	elif [ -n "$perfdata" ]; then
		mode=perfdata
		[ -z "$*$pids$all_cpus$duration$keep_data" ] ||
			misuse "--perfdata records nothing: it goes without a command, -p, -a, -d" \
				"and --keep-data"
		[ -z "$freq$events$custom$compress" ] ||
			misuse "--perfdata records nothing: it goes without -F, -e, -c and -z"
		case $call_graph in
		'' | lbr) ;;
		*) misuse "--perfdata records nothing: it goes without --call-graph $call_graph" ;;
		esac
	elif [ -n "$pids" ]; then
		mode=pid
		[ -z "$*$all_cpus" ] ||
			misuse "-p records what runs already: it goes without a command and -a"
	elif [ -n "$all_cpus" ]; then
		mode=all
	elif [ $# -gt 0 ]; then
		mode='command'
	elif [ -n "$custom" ]; then
		mode=custom
	else
		misuse "there is nothing to record: give a command, -p PID or -a," \
			"or draw a profile that is there with --perfdata FILE"
	fi
	[ -z "$freq$events$compress" ] || [ -z "$custom" ] ||
		misuse "-c has all arguments of perf, so -F, -e and -z do not go with it"
	[ -z "$wall" ] || [ -z "$off_cpu" ] ||
		misuse '--wall has what --off-cpu shows, so they do not go together'
	[ -n "$wall" ] || [ -z "$ignore_idle" ] || misuse '--ignore-idle is for --wall'
	[ -n "$diff" ] || [ -z "$diff_words" ] || misuse '--ignore-root is for --diff'
	[ -z "$chart" ] || [ -z "$reverse$diff" ] ||
		misuse "--flamechart goes without --reverse and --diff"
	if [ -z "$output" ] && [ -z "$diff" ] && [ "$mode" != compare ]; then
		output=flamegraph.svg
	fi
	: "${output:=diff.svg}"
}

# settle_compare : like settle, for `flame compare`.
settle_compare()
{
	[ -n "$second" ] || misuse "compare takes two commands"
	[ -z "$pids$all_cpus$perfdata$diff$keep_data$folded$chart" ] ||
		misuse "compare runs two commands: it goes without -p, -a, --perfdata," \
			"--diff, --keep-data, --folded and --flamechart"
	[ "$runs" -ge 2 ] || misuse "--runs takes a number from 2 on, not '$runs'"
}
