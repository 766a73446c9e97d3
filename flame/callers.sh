
# How callers are found, where --call-graph does not say: by frame pointers where all that
# runs keeps them, else by copies of the stack, which cost more.

# functions_keep FILE PERCENT : so many functions say in the table of unwinding that rbp is
# where their frame is found. The first few hundred tell; the first four are those of the C
# library that every program has.
functions_keep()
{
	readelf --debug-dump=frames "$1" 2>/dev/null | LC_ALL=C awk -v percent="$2" '
		/ FDE / && ++functions > 400 { exit }
		/def_cfa_register: r6/ { kept++ }
		END { exit functions > 4 && kept * 100 < (functions - 4) * percent }'
}

# Go's compiler always keeps frame pointers, but its tables do not say so. Functions in
# assembly have none: in a stack of one of them, one caller is missing.
is_go()
{
	case $(readelf -SW "$1" 2>/dev/null) in
	*' .gopclntab '* | *' .go.buildinfo '* | *' .note.go.buildid '*) ;;
	*) return 1 ;;
	esac
}

# keeps_frame_pointers FILE PERCENT : with 80 percent, callers are right, but for those of few
# functions without; with less than 10, chains are short.
keeps_frame_pointers()
{
	is_go "$1" || functions_keep "$@"
}

# mapped_by PID : the files whose code a process runs.
mapped_by()
{
	sed -n "s|^[^ ]* ..x[^/]*\\(/.*\\)|/proc/$1/root\\1|p" "/proc/$1/maps" 2>/dev/null
}

# libraries_of_process /proc/PID/exe : not by ldd, which may run a program that it looks into.
libraries_of_process()
{
	pid=${1#/proc/} pid=${pid%/exe}
	mapped_by "$pid" | sort -u | grep -v -x -F "/proc/$pid/root$(readlink "$1")"
}

# libraries_of FILE
libraries_of()
{
	ldd "$1" 2>/dev/null | sed -n 's/^[^/]*\(\/.*\) (0x[0-9a-f]*)$/\1/p'
}

# code_of FILE : its libraries, and the file.
code_of()
{
	libraries_of "$1"
	printf '%s\n' "$1"
}

# The same of processes that run.
code_of_processes()
{
	for pid in $(printf %s "$pids" | tr , ' '); do
		mapped_by "$pid"
	done | sort -u
}

# The first file of those in standard input that lacks frame pointers is left in $lacking.
find_lacking()
{
	lacking=
	while IFS= read -r code; do
		keeps_frame_pointers "$code" 80 && continue
		lacking=$code
		break
	done
}

# Records for a moment what runs already, as no file says which of its code is busy. Fails if
# less than a quarter of the samples are in functions without frame pointers: a few functions
# in assembly, such as memcpy, hide one caller each, which copies are too dear for.
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

# size_copies : copies of the stack are of a size and at a rate that a disk and a processor can
# bear: a short run is sampled often, and all that is kept in a file, lasts or is the whole
# machine less often, which $seldom says.
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

# use_copies WHY
use_copies()
{
	size_copies
	say "callers are found in copies of the stack (--call-graph $call_graph$seldom): $1"
}

# use_frame_pointers WHY...
use_frame_pointers()
{
	call_graph=fp
	say "callers are found by frame pointers (--call-graph fp): $*"
}

# A perf that was built without a library for it says so where it names the ways.
can_copy()
{
	case $features in
	*'(fp)'* | *'(fp|lbr)'*) return 1 ;;
	esac
}

# choose_callers FILE : FILE is the program that runs; empty where that is not known.
choose_callers()
{
	if [ "$call_graph" = dwarf ]; then
		size_copies
		[ -z "$seldom" ] || say "samples are taken$seldom, as copies of the stack are large"
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
		use_copies "what $unseen runs is not known before"
	elif [ "$mode" = compare ]; then
		use_copies 'that is right with and without frame pointers'
	elif [ -n "$1" ] && is_go "$1"; then
		use_frame_pointers 'Go keeps them, except in assembly, whose direct callers' \
			'--call-graph dwarf shows'
	else
		choose_by_code "$1"
	fi
}

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
