#!/usr/bin/env bats
# Recordings made here and now, if perf may record. collapse-perf must read from them
# what perf script prints, except for the classes of differences.awk.
load libraries

# record NAME OPTION... PROGRAM... : records a file, and a stream that is folded
# meanwhile.
record()
{
	local name=$1
	shift
	perf record -q -F 499 -e cpu-clock -o "$name.data" "$@" > "$name.out" 2>&1
	perf record -q -F 499 -e cpu-clock -o - "$@" 2>> "$name.out" |
		tee "$name.stream" | "$BIN/collapse-perf" -q --all > "$name.live" 2> "$name.messages" ||
		echo "exit status $?" > "$name.failed"
}

build()
{
	local c='gcc -O1 -fno-omit-frame-pointer'
	$c -pie -fPIE -o "$live/threads" threads.c -lpthread
	$c -g -no-pie -o "$live/plain" plain.c
	$c -static -o "$live/static" plain.c
	$c -o "$live/fork" fork.c
	$c -o "$live/load" load.c -ldl
	$c -DNAME=left -shared -fPIC -o "$live/left.so" library.c
	$c -DNAME=right -shared -fPIC -s -o "$live/right.so" library.c
	$c -o "$live/jit" jit.c
	g++ -O1 -fno-omit-frame-pointer -o "$live/classes" classes.cpp
	g++ -O2 -fomit-frame-pointer -o "$live/tables" classes.cpp
	gcc -O2 -static -o "$live/whole" plain.c
	gcc -O2 -o "$live/signal" signal.c
	gcc -O2 -static -s -o "$live/bare" plain.c
	gcc -O2 -Wl,--no-eh-frame-hdr -o "$live/index" plain.c
	gcc -O2 -g -fno-asynchronous-unwind-tables -o "$live/debug" plain.c
	gcc -O2 -g -gz -fno-asynchronous-unwind-tables -o "$live/packed" plain.c
	(cd "$live" && $c -g -gsplit-dwarf -o split -xc - < "$OLDPWD/split.c")
	cp "$live/plain" "$live/gone"
}

# perf mostly waits, so all recordings run at the same time.
record_all()
{
	record threads -N -g ./threads &
	record plain -N -g ./plain &
	record static -N -g ./static &
	record classes -N -g ./classes &
	record fork -N -g ./fork ./plain &
	record load -N -g ./load ./left.so ./right.so &
	record jit -N -m 1 -F 4999 -g ./jit & # as it goes, not all at the end
	record tables -N --call-graph dwarf,4096 ./tables &
	for name in whole bare index debug packed; do
		record $name -N --call-graph dwarf,4096 "./$name" &
	done
	record signal -N --call-graph dwarf,16384 ./signal &
	record split -N -g ./split &
	record gone -g ./gone &
	record shell -N -g sh -c \
		'for i in 1 2 3 4 5 6 7 8; do seq 20000 | sed s/1/2/ | sort -r | tail -n 1; done' &
	! command -v python3 > /dev/null || record python -N -g python3 -c \
		'print(sum(len(str(i * i)) for i in range(400000)))' &
	# shellcheck disable=SC2016
	! command -v perl > /dev/null || record perl -N -z -g perl -e \
		'for my $i (1 .. 400000) { $n += length("x$i" =~ s/1/22/r) } print $n' &
	wait
	rm -f gone
}

setup_file()
{
	cd "$BATS_TEST_DIRNAME/../data/live" || return 1
	export HOME=$BATS_FILE_TMPDIR PERF_CONFIG=/dev/null live=$BATS_FILE_TMPDIR
	command -v perf gcc g++ > /dev/null && [ "$(uname -m)" = x86_64 ] || return 0
	perf record -q -N -e cpu-clock -g -o "$live/try" true > /dev/null 2>&1 || return 0
	build && cd "$live" && record_all && touch ready
}

teardown_file()
{
	grep -h "^/tmp/perf-[0-9]*[.]map$" "$live/jit.out" | xargs rm -f
}

setup()
{
	needs_library libelf libdw libzstd
	[ -e "$live/ready" ] || skip "perf cannot record here, or no compilers for x86-64"
	cd "$live" || return 1
}

# alike NAME [CLASS] : checks that text and recording agree, apart from known classes
# and CLASS.
alike()
{
	[ -e "$1" ] || skip "not there: ${1%.*}"
	perf script --no-inline -i "$1" 2> /dev/null | "$BIN/collapse-perf" -q --all > text
	"$BIN/collapse-perf" -q --all "$1" > recording
	"$BIN/collapse-perf" -q --all < "$1" > redirected
	diff recording redirected
	awk -v name="$1" -v may="$2" -f "$BATS_TEST_DIRNAME/differences.awk" text recording > differences || {
		cat differences
		return 1
	}
	sed 's/^/# /' differences >&3
}

# both NAME [CLASS] : checks the file and the stream, which was also folded while it
# came.
both()
{
	alike "$1.data" "$2"
	alike "$1.stream" "$2"
	[ ! -e "$1.failed" ] || {
		cat "$1.failed" "$1.messages"
		return 1
	}
	diff recording "$1.live"
}

@test "live: threads of a PIE" { both threads; }
@test "live: C without PIE" { both plain; }
@test "live: a static C program" { both static; }
@test "live: C++" { both classes; }
@test "live: children of a process" { both fork; }
@test "live: libraries that come and go" { both load; }
@test "live: code made at run time" { both jit; grep -q 'Compiled:method_7_\[j\]' jit.live; }
@test "live: copies of stacks" { both tables longer; }

# callers FRAMES NAME... : checks that nine in ten samples of the user's code have these
# callers.
callers()
{
	local frames=$1 name
	shift
	for name in "$@"; do
		"$BIN/collapse-perf" -q "$name.data" | awk -v name="$name" -v frames="$frames" '
			{ all += $NF }
			$0 ~ "^" name ";" frames ";" { with += $NF }
			END { if (with < all * .9) { print name, with, all; exit 1 } }'
	done
}

# perf 6.1 finds no callers there with libunwind, but does with libdw.
@test "live: copies of stacks of programs without an index of their frames" {
	callers '_start;(__)?libc_start[^;]*;[^;]*;main' whole index debug packed
	callers '\\[bare];\\[bare];\\[bare];\\[bare]' bare
}

@test "live: copies of stacks of a signal handler" {
	callers '_start;(__)?libc_start[^;]*;[^;]*;main;wait_for_it;([^;]*;)*__restore_rt;(handle;)?descend' signal
}

@test "live: inlined functions are found in .dwo files" {
	local dwo
	run "$BIN/collapse-perf" -q --inline split.data
	[[ $output == *";main;row;knot "* ]]
	dwo=$(find . -name '*.dwo')
	mv "$dwo" away
	mkfifo "$dwo" # which would wait for somebody to write
	# It runs in another folder, because .dwo files are looked for where they were
	# compiled.
	run bash -c 'here=$PWD; cd / && timeout 60 "$BIN/collapse-perf" --inline "$here/split.data"'
	rm "$dwo"
	mv away "$dwo"
	[ "$status" -eq 0 ]
	[[ $output != *knot* ]]
	[[ $output == *"split: debug information is in .dwo or .dwp files that cannot be read"* ]]
}

# The file was mapped at least a fifth of a second before the recording ended.
@test "live: a program that was replaced while it ran gives a warning" {
	local said='plain: replaced or written to while it ran, so names of functions may be wrong'
	touch -r plain when
	touch -d @2000000000 plain.data
	run "$BIN/collapse-perf" plain.data
	[[ $output != *replaced* ]]
	# perf 7.3 writes build ids when programs are mapped, so there is no doubt about the file.
	! perf script -i plain.data --show-mmap-events 2> /dev/null | grep -q '<[0-9a-f]*>]: .*/plain$' ||
		skip "this perf writes build ids of mapped files"
	touch -d @2000000000.9 plain
	run "$BIN/collapse-perf" plain.data
	[ "$status" -eq 0 ]
	[[ $output == *"$said"* ]]
	touch -d @1999999900 plain # built, and then run
	run "$BIN/collapse-perf" plain.data
	touch -r when plain
	[[ $output != *replaced* ]]
}

@test "live: a shell and its commands" { both shell; }
@test "live: Python" { both python; }
@test "live: Perl, in a compressed recording" { both perl; }
# Any of its functions may have been sampled; most samples are in the C library.
@test "live: names of a deleted program come from the cache" {
	alike gone.data
	grep -Eq '^gone;([^;]*;)*(main|descend|grind|compare)[; ]' recording
}

# Binaries stay open, because symbols are read on demand.
@test "live: more binaries than the soft limit of open files are read" {
	"$BIN/collapse-perf" shell.data > whole
	(ulimit -S -n 6 && "$BIN/collapse-perf" shell.data > soft)
	cmp whole soft
	(ulimit -n 6 && "$BIN/collapse-perf" shell.data > hard 2> why)
	grep 'cannot be opened, because too many files are open.*raise ulimit -n' why
}

# Without memory libdw skips what it cannot hold, or ends the program.
@test "live: too little memory for libdw is an error with a message" {
	local program=$BATS_TEST_DIRNAME/../../build/bin/collapse-perf limit status
	local failed=0 passed=0
	"$program" -q --inline packed.data > whole
	for limit in $(seq 10000 200 70000); do
		status=0
		(ulimit -d "$limit" && "$program" -q --inline packed.data > less 2> why) || status=$?
		if [ "$status" -eq 0 ]; then
			cmp whole less
			passed=$((passed + 1))
			[ "$passed" -lt 5 ] || break
		else
			echo "$limit: status $status: $(cat why)"
			[ "$status" -eq 1 ]
			grep -q 'out of memory' why
			failed=1
		fi
	done
	[ "$failed" -eq 1 ] || skip "no limit on memory works here"
	[ "$status" -eq 0 ]
}
