
# Choosing how callers are found if --call-graph is not given: by frame pointers if all code
# that runs keeps them, else by copies of the stack, which cost more.

# functions_keep FILE PERCENT : succeeds if at least PERCENT of the functions use rbp as the frame
# pointer, according to the table for unwinding. A few hundred functions are enough to tell. The
# first four are not counted, because they are from the C library in every program.
functions_keep()
{
	readelf --debug-dump=frames "$1" 2>/dev/null | LC_ALL=C awk -v percent="$2" '
		/ FDE / && ++functions > 400 { exit }
		/def_cfa_register: r6/ { kept++ }
		END { exit functions > 4 && kept * 100 < (functions - 4) * percent }'
}

# is_go FILE : succeeds for a program of Go. Its compiler always keeps frame pointers, but the
# tables do not say so. Functions in assembly have none, so their stacks lack one caller.
is_go()
{
	case $(readelf -SW "$1" 2>/dev/null) in
	*' .gopclntab '* | *' .go.buildinfo '* | *' .note.go.buildid '*) ;;
	*) return 1 ;;
	esac
}

# keeps_frame_pointers FILE PERCENT : succeeds if at least PERCENT of the functions keep frame
# pointers. With 80 percent, nearly all callers are right; with less than 10, stacks are short.
keeps_frame_pointers()
{
	is_go "$1" || functions_keep "$@"
}

# mapped_by PID : prints the files whose code a process has mapped.
mapped_by()
{
	sed -n "s|^[^ ]* ..x[^/]*\\(/.*\\)|/proc/$1/root\\1|p" "/proc/$1/maps" 2>/dev/null
}

# libraries_of_process /proc/PID/exe : prints the libraries of a process. It does not use ldd,
# which may run the program.
libraries_of_process()
{
	pid=${1#/proc/} pid=${pid%/exe}
	mapped_by "$pid" | sort -u | grep -v -x -F "/proc/$pid/root$(readlink "$1")"
}

# libraries_of FILE : prints the libraries of a program.
libraries_of()
{
	ldd "$1" 2>/dev/null | sed -n 's/^[^/]*\(\/.*\) (0x[0-9a-f]*)$/\1/p'
}

# code_of FILE : prints the libraries of a program, and the program itself.
code_of()
{
	libraries_of "$1"
	printf '%s\n' "$1"
}

# code_of_processes : prints the files whose code the processes in $pids have mapped.
code_of_processes()
{
	for pid in $(printf %s "$pids" | tr , ' '); do
		mapped_by "$pid"
	done | sort -u
}

# find_lacking : sets $lacking to the first file in standard input that lacks frame pointers.
find_lacking()
{
	lacking=
	while IFS= read -r code; do
		keeps_frame_pointers "$code" 80 && continue
		lacking=$code
		break
	done
}

# samples_lack : records for a moment, because files do not say which of their code is busy.
# Succeeds if a quarter of the samples or more are in functions without frame pointers. With fewer,
# copies are not worth their cost: a function in assembly, like memcpy, hides just one caller.
samples_lack()
{
	case $mode in
	pid) target="-p $pids" ;;
	*) target=-a ;;
	esac
	lack=$(eval "$as_root$perf record -q -F 199 -g$events -o - $target -- sleep 0.3 2>/dev/null |
		$as_root$collapse_perf" 2>&1 > /dev/null |
		sed -n 's/^collapse-perf: \([0-9]*\) % of the samples .* without frame pointers.*/\1/p')
	[ "${lack:-0}" -ge 25 ]
}

# size_copies : chooses the size of stack copies and a rate that disk and processor can bear. A
# short run is sampled often. A recording that goes to a file, lasts long, or is of the whole
# machine is sampled less often; $seldom is then the text for a message.
size_copies()
{
	size=16384 rate=997
	case $runtime in
	python*) size=65528 rate=199 ;; # the frames of an interpreter are large
	esac
	! needs_file || [ "$rate" -lt 499 ] || rate=499
	case ${duration%%.*} in
	*[0-9][0-9][0-9] | [6-9][0-9]) rate=199 ;;
	esac
	if [ "$mode" = all ]; then
		size=8192 rate=99
	elif [ -n "$off_cpu" ]; then
		size=8192 rate=997
	elif [ -n "$wall" ]; then
		size=8192
	fi
	call_graph=dwarf,$size
	seldom=
	[ "$rate" = 997 ] || [ -n "$freq" ] || seldom=", $rate times a second"
}

# use_copies WHY : chooses copies of the stack, and says why.
use_copies()
{
	size_copies
	say "callers are found in copies of the stack (--call-graph $call_graph$seldom): $1"
}

# use_frame_pointers WHY... : chooses frame pointers, and says why.
use_frame_pointers()
{
	call_graph=fp
	say "callers are found by frame pointers (--call-graph fp): $*"
}

# can_copy : fails if perf was built without the library that copying stacks needs; perf's help then
# lists only other ways.
can_copy()
{
	case $features in
	*'(fp)'* | *'(fp|lbr)'*) return 1 ;;
	esac
}

# choose_callers FILE : sets $call_graph. FILE is the program that runs, or empty if unknown.
choose_callers()
{
	if [ "$call_graph" = dwarf ]; then
		size_copies
		[ -z "$seldom" ] || say "samples are taken$seldom because copies of the stack are large"
	fi
	[ -z "$call_graph$custom" ] || return
	if [ "$(uname -m)" != x86_64 ]; then
		use_frame_pointers 'compilers keep them for this processor'
	elif ! LC_ALL=C grep -q dwfl_ "$collapser"; then
		use_frame_pointers 'collapse-perf is built without libdw'
	elif ! can_copy; then
		use_frame_pointers "$perf_file cannot copy stacks"
	elif ! command -v readelf > /dev/null; then
		use_copies 'without readelf it is not known whether there are frame pointers'
	elif [ -n "$unseen" ]; then
		use_copies "it is not known what $unseen will run"
	elif [ "$mode" = compare ]; then
		use_copies 'that is right with and without frame pointers'
	elif [ -n "$1" ] && is_go "$1"; then
		use_frame_pointers 'Go keeps them, except in assembly, whose direct callers' \
			'--call-graph dwarf shows'
	else
		choose_by_code "$1"
	fi
}

# choose_by_code FILE : chooses by the code of the program, its libraries and the processes.
choose_by_code()
{
	for pid in $(printf %s "$pids" | tr , ' '); do
		may_look_into "$pid" && continue
		use_copies "only root knows what code process $pid has"
		return
	done
	find_lacking <<END
$(if [ "$mode" = pid ]; then code_of_processes; else code_of "${1:-$(command -v sh)}"; fi)
END
	if [ -n "$lacking" ]; then
		use_copies "${lacking##*/} has no frame pointers"
	elif [ "$mode" != command ] && samples_lack; then
		use_copies 'much of what runs has no frame pointers'
	else
		use_frame_pointers 'the program and its libraries keep them'
	fi
}
