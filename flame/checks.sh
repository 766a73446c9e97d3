
# Checks before a recording. They say what will be missing from it, and name the cure.

# setting NAME : prints a setting of the kernel, such as perf_event_paranoid.
setting()
{
	cat "/proc/sys/kernel/$1" 2>/dev/null
}

is_root()
{
	[ -n "$sudo" ] || [ "$(id -u)" = 0 ]
}

in_container()
{
	[ -n "${container:-}" ] || cat /.dockerenv > /dev/null 2>&1 ||
		cat /run/.containerenv > /dev/null 2>&1
}

# perf_of_other_kernel : prints the cure for a kernel that Ubuntu has no perf for, such as the
# kernel of WSL or of a container's host. The perf of another kernel works, too, but is not on PATH.
perf_of_other_kernel()
{
	# shellcheck disable=SC2012 # versions have plain names
	other=$(ls -d /usr/lib/linux-tools/*/perf 2>/dev/null | tail -n 1)
	if [ -n "$other" ]; then
		echo "PERF=$other flame ..."
	else
		echo 'sudo apt install linux-tools-generic, then' \
			'PERF=/usr/lib/linux-tools/VERSION/perf flame ...'
	fi
}

# perf_package : prints how to install perf on this system.
perf_package()
{
	release=$(cat /etc/os-release 2>/dev/null)
	for id in $(printf '%s\n' "$release" | sed -n 's/^ID\(_LIKE\)\{0,1\}=//p' | tr -d \"\'); do
		case $id in
		ubuntu)
			case $(in_container && echo container),$(uname -r) in
			container,* | *[Mm]icrosoft*) perf_of_other_kernel ;;
			*) echo "sudo apt install linux-tools-generic linux-tools-$(uname -r)" ;;
			esac
			;;
		debian) echo 'sudo apt install linux-perf' ;;
		fedora | rhel | centos | amzn) echo 'sudo dnf install perf' ;;
		arch | archlinux) echo 'sudo pacman -S perf' ;;
		alpine) echo 'sudo apk add perf' ;;
		suse | opensuse*) echo 'sudo zypper install perf' ;;
		gentoo) echo 'sudo emerge dev-util/perf' ;;
		nixos) echo 'nix-shell -p linuxPackages.perf' ;;
		*) continue ;;
		esac
		return
	done
	echo "install your system's package of perf"
}

# needs_program NAME CURE : ends the run if the program is missing.
needs_program()
{
	command -v "$1" > /dev/null || fail 1 "$1 is not here: $2"
}

# ask_perf : asks perf what it can do. Sets $features to its options, and $probe to the result
# of counting for a moment.
ask_perf()
{
	needs_program "$perf_file" "$(perf_package)"
	features=$("$perf_file" record -h 2>&1)
	case $features in
	*--call-graph*) ;;
	*) fail 1 "$perf_file does not work, perhaps because it is for another kernel: $(perf_package)" ;;
	esac
	check_sudo
	probe=$(eval "$as_root$perf stat ${all_cpus:+-a} -x, -e cycles -e cpu-clock -- true" 2>&1)
	case $probe in
	*,cpu-clock*) ;;
	*) explain_refusal ;;
	esac
}

# check_sudo : ends the run if --root is given and sudo is missing or refuses.
check_sudo()
{
	[ -n "$sudo" ] || return
	needs_program "${sudo%% *}" 'be root, or see --root=COMMAND'
	eval "${as_root}true" || fail 1 "$sudo does not let you be root"
}

# explain_refusal : ends the run because perf may not even count time. If it may count without
# the kernel, or perf_event_paranoid is above 2 (which forbids even that), the setting is the
# cause; else it is a filter of system calls, as containers have.
explain_refusal()
{
	case $probe in
	'' | *[Ff]ork*) fail 1 'perf could not be started: perhaps you have as many processes' \
		'as ulimit -u allows' ;;
	esac
	paranoid=$(setting perf_event_paranoid)
	own=$(eval "$as_root$perf stat -x, -e cpu-clock:u -- true" 2>&1)
	case $(is_root && echo root),$own in
	,*,cpu-clock*) forbids ;;
	,*) [ "${paranoid:-0}" -le 2 ] || forbids ;;
	esac
	! in_container || fail 1 "the container forbids perf: start it with" \
		"--cap-add=PERFMON --security-opt seccomp=unconfined"
	fail 1 "perf cannot count: $(printf '%s\n' "$probe" | sed '/^$/d; /^Error:$/d; q')"
}

# forbids : ends the run because of perf_event_paranoid, and names the cure.
forbids()
{
	what=recording level=1
	[ -z "$all_cpus" ] || what=-a level=-1
	where=
	! in_container || where=', on the host of the container'
	fail 1 "kernel.perf_event_paranoid is ${paranoid:-unknown}, which forbids $what:" \
		"sudo sysctl kernel.perf_event_paranoid=$level$where, or flame --root"
}

# check_kernel : warns if functions of the kernel, or only their names, will be missing.
check_kernel()
{
	is_root || case $(setting perf_event_paranoid) in
	[2-9])
		say "kernel.perf_event_paranoid hides the kernel, so its functions are not" \
			"recorded: sudo sysctl kernel.perf_event_paranoid=1, or flame --root"
		return
		;;
	esac
	case $(setting kptr_restrict) in
	1) is_root || warn_of_names 1 ', or flame --root' ;;
	2) warn_of_names 2 '' ;;
	esac
}

warn_of_names()
{
	say "kernel.kptr_restrict is $1, so functions of the kernel have no names:" \
		"sudo sysctl kernel.kptr_restrict=0$2"
}

# choose_event : chooses the event if none was given.
choose_event()
{
	[ -z "$events$custom$off_cpu$wall" ] || return
	case $probe in
	*"not supported>"*,cycles*)
		events=' -e cpu-clock'
		say 'there are no hardware counters here (normal in virtual machines; nothing to do):' \
			'sampling by time, with -e cpu-clock'
		;;
	esac
}

# find_program NAME : sets $file to the program's path, or to nothing.
find_program()
{
	file=$1
	case $1 in
	*/*) [ -e "$file" ] || file=; return ;;
	esac
	before_ifs=$IFS IFS=:
	set -f
	for folder in $PATH; do
		file=${folder:-.}/$1
		[ -f "$file" ] && [ -x "$file" ] && break
		file=
	done
	set +f
	IFS=$before_ifs
}

# check_command WORD... : checks that a command can be run, and warns if its stacks will lack
# something. Sets $file to the program if it is machine code.
check_command()
{
	find_program "$1"
	[ -n "$file" ] || no_command "$1"
	[ ! -d "$file" ] || fail 126 "$1 is a folder"
	# the kernel reads no more of the first line
	start=$(head -c 256 -- "$file" 2>/dev/null | LC_ALL=C tr -d '\000' | head -n 1)
	[ -x "$file" ] || cannot_run "$1"
	check_runtime "${1##*/}" "$*"
	check_python "$file" "$*"
	case $start in
	'#!'*) check_script "$@" ;;
	?ELF*) [ -n "$runtime" ] || check_binary "$1" "$file" ;;
	esac
	# a script's interpreter may be another script; then we do not know what code runs
	case $(head -c 4 -- "$file" 2>/dev/null | LC_ALL=C tr -d '\000') in
	?ELF) ;;
	*) file= ;;
	esac
}

# no_command WORD : ends the run because there is no such command, and says what the user perhaps
# meant.
no_command()
{
	case $1 in
	-) fail 127 "-: there is no such command; a profile is read with --perfdata -" ;;
	*[!0-9]*) ;;
	*?) fail 127 "$1: there is no such command; a process is recorded with -p $1" ;;
	esac
	case $1 in
	*/* | '') ;;
	*)
		if [ -x "./$1" ] && [ -f "./$1" ]; then
			fail 127 "$1: there is no such command on PATH, but here there is: flame -- ./$1"
		elif [ -f "./$1" ]; then
			cannot_run "$1"
		fi
		;;
	esac
	find_program "${1%% *}"
	[ -z "$file" ] || [ "$1" = "${1%% *}" ] ||
		fail 127 "$1: there is no such command; its arguments go without quotes: flame -- $1"
	fail 127 "$1: there is no such command (see flame --help)"
}

# cannot_run FILE : ends the run because the file is not executable. It may be a profile, which
# other programs take as an argument.
cannot_run()
{
	case $(head -c 8 -- "$1" 2>/dev/null | LC_ALL=C tr -d '\000') in
	'#!'* | ?ELF*) fail 126 "$1 cannot be run: chmod +x $1" ;;
	esac
	! is_perf_data "$1" || fail 126 "$1 is a recording: flame --perfdata $1 draws it"
	fail 126 "$1 cannot be run; a profile is drawn with flame --perfdata $1," \
		"a script is run with flame -- sh $1"
}

# find_reader : sets $reader to the interpreter in the first line of a script, $start. After env,
# the interpreter is the next word.
find_reader()
{
	reader=
	set -f
	for word in ${start#'#!'}; do
		case $word in
		-* | *=*) continue ;;
		esac
		reader=$word
		[ "${reader##*/}" = env ] || break
	done
	set +f
}

# check_script WORD... : checks the interpreter of a script, which is the program that runs. In
# a file that was written on Windows, its name ends in a carriage return.
check_script()
{
	find_reader
	find_program "$reader"
	case $reader in
	/*) [ -n "$file" ] ||
		fail 127 "$1 cannot be run: its first line names $reader, which is not here" ;;
	esac
	[ -z "$runtime" ] || return
	check_runtime "${reader##*/}" "$start $*"
	check_python "$file" "$start $*"
}

# check_python FILE WORDS : warns if -X perf is given and this Python cannot do it.
check_python()
{
	case $runtime,$2 in
	python*,*perf_jit*)
		say "only perf inject can read what $runtime -X perf_jit writes: run it as $runtime -X perf"
		;;
	python*,*'-X perf'* | python*,*-Xperf*) has_trampolines "$1" || lacks_trampolines ;;
	python*) [ -z "${PYTHONPERFSUPPORT:-}" ] || has_trampolines "$1" || lacks_trampolines ;;
	esac
}

# has_trampolines FILE : asks a Python interpreter if it supports -X perf. FILE may be any program,
# so --dry-run does not run it and assumes yes.
has_trampolines()
{
	[ -z "$dry_run" ] || return 0
	"$1" -X perf -c 'import sys; sys.exit(not sys.is_stack_trampoline_active())' \
		> /dev/null 2>&1 < /dev/null
}

lacks_trampolines()
{
	say "$runtime cannot tell perf the names of its functions: that needs Python 3.12 or later," \
		'for x86-64 or arm64, on Linux'
}

# may_look_into PID : succeeds if we, and so perf, may read the maps of a process. We may not read
# them for a process of our own that was started set-user-ID.
may_look_into()
{
	cat "/proc/$1/maps" > /dev/null 2>&1
}

# has_map PID : succeeds if the process has a perf map: in our /tmp, or in the /tmp that the
# process sees, which may be another one, under the PID of its own namespace.
has_map()
{
	own_pid=$(sed -n 's/^NSpid:.*[[:space:]]//p' "/proc/$1/status" 2>/dev/null)
	for map in "/tmp/perf-$1.map" "/proc/$1/root/tmp/perf-${own_pid:-$1}.map"; do
		[ ! -e "$map" ] && [ ! -L "$map" ] || return 0
	done
	false
}

# check_pid PID : like check_command, for a running process.
check_pid()
{
	if [ ! -d "/proc/$1" ]; then
		in_container && fail 1 "there is no process $1 in this container," \
			"which has PIDs of its own: take one of ps"
		fail 1 "there is no process $1: take one of ps"
	fi
	is_root || kill -0 "$1" 2>/dev/null ||
		fail 1 "process $1 is another user's: flame --root"
	is_root || may_look_into "$1" ||
		fail 1 "process $1 has ended, or has rights that you do not have: flame --root"
	program=$(cat "/proc/$1/comm" 2>/dev/null)
	if has_map "$1"; then
		check_runtime "$program" "$program --has-map"
	else
		check_runtime "$program" "$(tr '\000' ' ' < "/proc/$1/cmdline" 2>/dev/null)"
	fi
	[ -n "$runtime" ] || check_binary "process $1 ($program)" "/proc/$1/exe"
}

# check_runtime PROGRAM WORDS : sets $runtime for a runtime that compiles code while it runs.
# perf knows its functions only if the runtime writes their names; warns if it will not.
check_runtime()
{
	runtime=$1
	case $1 in
	java) set -- "$1" "$2 ${JAVA_TOOL_OPTIONS:-}" \
		'-XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit' ;;
	node | nodejs) set -- "$1" "$2 ${NODE_OPTIONS:-}" \
		'--perf-basic-prof --interpreted-frames-native-stack' ;;
	python | python[23] | python3.*)
		set -- "$1" "$2 ${PYTHONPERFSUPPORT:+-X perf}" '-X perf (Python 3.12 or later)' ;;
	*) runtime=; return ;;
	esac
	case $2 in
	*--has-map* | *PerfMap* | *perf-map* | *--perf-* | *'-X perf'* | *-Xperf*) return ;;
	esac
	say "$1 does not tell perf the names of its functions: run it as $1 $3"
}

# check_libraries : reads names of files, and warns of those without symbols. Libraries of the
# system keep the names of the functions that programs call, so only others matter.
check_libraries()
{
	stripped=
	while IFS= read -r code; do
		case ${code#/proc/*/root} in
		/lib/* | /lib64/* | /usr/lib/* | /usr/lib64/* | /nix/* | /gnu/*) continue ;;
		esac
		sections=$(readelf -SnW "$code" 2>/dev/null)
		case $sections in
		*' .symtab '*) ;;
		*' .text '*) has_debug_file || stripped="${stripped:+$stripped, }${code##*/}" ;;
		esac
	done
	[ -z "$stripped" ] || say "$stripped: no symbols, so functions there have no names:" \
		'do not strip libraries, or install their packages of debug symbols'
}

# check_binary NAME FILE : warns if a binary has no symbols or, with --call-graph fp, no frame
# pointers.
check_binary()
{
	command -v readelf > /dev/null || return
	sections=$(readelf -SnW "$2" 2>/dev/null) || return
	case $sections in
	*' .symtab '*) ;;
	*' .text '*) has_debug_file || say "$1 has no symbols, so its functions have no names:" \
		'do not strip it, or install its package of debug symbols' ;;
	*) return ;;
	esac
	check_libraries <<END
$(
	case $2 in
	/proc/*) libraries_of_process "$2" ;;
	*) libraries_of "$2" ;;
	esac
)
END
	[ "$call_graph$custom" = fp ] || return
	[ "$(uname -m)" = x86_64 ] && ! keeps_frame_pointers "$2" 10 || return
	say "$1 has no frame pointers, so stacks will be short: flame --call-graph dwarf," \
		'or compile it with -fno-omit-frame-pointer (Rust: -C force-frame-pointers=yes)'
}

# has_debug_file : succeeds if there is a file of debug symbols for the build id in $sections.
has_debug_file()
{
	id=$(printf '%s\n' "$sections" | sed -n 's/.*Build ID: //p')
	[ -n "$id" ] && [ -e "/usr/lib/debug/.build-id/${id%"${id#??}"}/${id#??}.debug" ]
}

# check_input FILE : ends the run if a file cannot be read.
check_input()
{
	[ "$1" != - ] || return
	[ ! -d "$1" ] || fail 1 "$1: cannot be read: it is a folder"
	if [ ! -r "$1" ]; then
		why=$( (: < "$1") 2>&1)
		[ ! -e "$1" ] || why="$why: sudo chown $(id -un) $1"
		fail 1 "$1: cannot be read: ${why#*"$1": }"
	fi
}

# reads_once FILE : succeeds for a pipe or an open descriptor. Checking its first bytes would
# consume them.
reads_once()
{
	case $1 in
	- | /dev/stdin | /dev/fd/* | /proc/self/fd/*) ;;
	*) [ -p "$1" ] ;;
	esac
}

# check_kept FILE : like check_output, for --folded and --keep-data: they copy what goes through
# the pipeline, so they cannot write to standard output.
check_kept()
{
	case $1 in
	- | /dev/stdout | /dev/fd/1 | /proc/self/fd/1)
		fail 1 "$1 cannot be written: only the picture goes to standard output, with -o -" ;;
	esac
	check_output "$1"
}

# check_output FILE : ends the run if a file cannot be written, so that the user learns it before
# the command runs.
check_output()
{
	real=$1
	case $1 in
	'' | -) return ;;
	esac
	[ ! -d "$1" ] || fail 1 "$1 cannot be written: it is a folder"
	# perf renames an older recording of that name
	if [ -e "$1" ] && [ "$1" != "$keep_data" ]; then
		case $1 in
		/dev/* | /proc/*) [ ! -f "$1" ] || return ;; # a file that is open already
		esac
		[ -w "$1" ] || fail 1 "$1 cannot be written"
		follow_links "$1"
	fi
	[ -f "$1" ] || [ ! -e "$1" ] || return
	check_folder "$1" "$real"
}

# find_folder FILE : sets $folder to the folder of a file.
find_folder()
{
	case $1 in
	*/*) folder=${1%/*}/ ;;
	*) folder=./ ;;
	esac
}

# check_folder NAME FILE : ends the run if FILE, called NAME in messages, cannot be created.
# Creates another file to find out, because a file system may be read-only or a quota used up.
check_folder()
{
	find_folder "$2"
	[ -d "$folder" ] || fail 1 "$1 cannot be written: there is no folder $folder"
	tried=$(mktemp -- "${folder}.flame.XXXXXX" 2>/dev/null) ||
		fail 1 "$1 cannot be written: no file can be made in $folder"
	rm -f -- "$tried"
}

# is_same_file FILE OTHER : succeeds for names of the same file, which need not exist.
is_same_file()
{
	[ "$1" != "$2" ] || return 0
	if [ ! -e "$1" ] && [ "${1##*/}" = "${2##*/}" ]; then
		find_folder "$2"; other_folder=$folder
		find_folder "$1"
		set -- "$folder" "$other_folder"
	fi
	# shellcheck disable=SC3013 # POSIX has -ef since 2024, the shells for long
	[ "$1" -ef "$2" ]
}

# check_apart FILE OTHER... : ends the run if the output FILE is one of the other files, which
# are written or read.
check_apart()
{
	apart=$1; shift
	case $apart in
	'' | -) return ;;
	esac
	[ ! -e "$apart" ] || [ -f "$apart" ] || return
	for other; do
		is_same_file "$apart" "$other" || continue
		fail 1 "$apart cannot be written: another option has that file, too"
	done
}
