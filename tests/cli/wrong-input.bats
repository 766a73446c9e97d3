#!/usr/bin/env bats
# Input that a program cannot read: each program says what it is, and fails. Nothing of
# it becomes a frame or reaches the terminal.

folded=(flamegraph filter-folded report-folded diff-folded)

setup()
{
	load manners
	cd "$BATS_TEST_TMPDIR" || return
}

# run_on PROGRAM FILE
run_on()
{
	case $1 in
	diff-folded) run "$BIN/$1" "$2" "$2" ;;
	*) run "$BIN/$1" "$2" ;;
	esac
}

# refuses FILE TEXT PROGRAM... : checks that each fails with one message that contains
# TEXT.
refuses()
{
	local file=$1 text=$2 program

	shift 2
	for program; do
		run_on "$program" "$file"
		echo "$program $file: $output"
		[ "$status" -eq 1 ]
		[ "$(printf '%s\n' "$output" | wc -l)" -eq 1 ]
		case $output in *"$text"*) ;; *) return 1 ;; esac
		! printf '%s' "$output" | LC_ALL=C grep -q '[^ -~]'
	done
}

# Lists the collapsers, or one in six of them: they share the code that recognizes inputs.
# TURN chooses which, and CHECK=all takes all.
collapsers()
{
	(cd "$BIN" && printf '%s\n' collapse-*) |
		awk -v turn="${TURN:-0}" -v all="${CHECK:-}" 'all == "all" || (NR + turn) % 6 == 0'
}

# Lists collapsers and the programs that read folded stacks.
readers()
{
	collapsers
	echo "${folded[@]}"
}

# readers_but FORMAT... : lists the collapsers that do not read these formats. Programs
# for folded stacks are not among them, because they draw such profiles.
readers_but()
{
	# shellcheck disable=SC2046
	collapsers | grep -v -x -e collapse-guess $(printf ' -e collapse-%s' "$@")
}

@test "a binary profile is refused, with the collapser to use" {
	printf '\n\4\b\1\20\2\n\4\b\3\20\4\22\7' > cpu.pb
	gzip -c cpu.pb > cpu.pb.gz
	# shellcheck disable=SC2046
	refuses cpu.pb 'use collapse-pprof' $(readers_but pprof)
	printf '\n\6\22\4\22\2\22\0\22\2\22\0' > cpu.otlp
	# shellcheck disable=SC2046
	refuses cpu.otlp 'use collapse-otlp' $(readers_but otlp)
	# shellcheck disable=SC2046
	refuses cpu.pb.gz 'use collapse-pprof' $(readers_but pprof)
}

@test "a profile that no collapser reads is named, with advice" {
	printf '{"traceEvents":[{"ph":"X","pid":1,"ts":0,"dur":5,"name":"f"}]}' > trace.json
	printf '{"nodes":[{"id":1,"callFrame":{"functionName":"f"}}]}\n' > a.cpuprofile
	printf 'jdk.ExecutionSample {\n  stackTrace = [\n    A.f(int) line: 12\n  ]\n}\n' > jfr.txt
	printf 'app \n\t           14910 \n\t           14911 \n\n' > bare.txt
	# shellcheck disable=SC2046
	set -- $(readers)
	# shellcheck disable=SC2046
	refuses trace.json 'use collapse-chrome' $(readers_but chrome)
	# shellcheck disable=SC2046
	refuses a.cpuprofile 'use collapse-cpuprofile' $(readers_but cpuprofile)
	refuses jfr.txt 'collapse-jfr reads the recording itself' "$@"
	refuses bare.txt 'add sym' "$@"
}

@test "recordings of the JDK are refused, with collapse-jfr to use" {
	printf 'FLR\0\0\2\0\1\0\0\0\0' > a.jfr
	printf '{"recording":{"events":[]}}\n' > a.json
	# shellcheck disable=SC2046
	set -- $(readers_but jfr)
	refuses a.jfr 'use collapse-jfr' "$@"
	refuses a.json 'use collapse-jfr' "$@"
}

@test "data of an unknown kind is refused, compressed as well" {
	head -c 20000 "$BIN/collapse-perf" | tail -c +5000 > data
	gzip -c data > data.gz
	# shellcheck disable=SC2046
	refuses data 'binary data' $(readers)
	# shellcheck disable=SC2046
	refuses data.gz 'binary data' $(readers)
}

# The bytes between its characters hide every line of UTF-16, wherever the input starts.
@test "text in UTF-16 is refused, first or last of several" {
	printf 'app 1 5.0: 7 c:\n\t1 f+0x1 (x)\n\n' > perf
	printf 'main;f 5\n' > folded
	iconv -f UTF-8 -t UTF-16 perf > marked
	iconv -f UTF-8 -t UTF-16LE folded > unmarked
	# shellcheck disable=SC2046
	refuses marked 'iconv -f UTF-16 ' $(readers)
	# shellcheck disable=SC2046
	refuses unmarked 'iconv -f UTF-16LE ' $(readers)
	run "$BIN/collapse-perf" perf marked
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *'iconv -f UTF-16 '* ]]
	run "$BIN/flamegraph" folded unmarked
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *'iconv -f UTF-16LE '* ]]
}

@test "a collapser names the one that reads its input" {
	printf 'Thread 1 (LWP 5):\n#0  0x01 in f (x=1) at a.c:3\n#1  0x02 in main () at a.c:9\n' > gdb
	printf ' 0x01 : f+0xb/0x10 [kernel]\n 0x02 : main+0xd6/0x120 [kernel]\n\t24\n' > stap
	# shellcheck disable=SC2016
	printf '   app`f+0x1\n   app`main+0x2\n    3\n' > dtrace
	printf 'PID 1 - process\nTID 1:\n#0  0x01 f\n#1  0x02 - 1 main\n' > elfutils
	printf 'Call graph:\n    4 Thread_1\n      4 f  (in app) + 1  [0x1]\n\nTotal number in stack\n' > sample
	printf 'app 1 5.000001: 7 c:\n\t1 f+0x1 (x)\n\t2 main+0x1 (x)\n\n' > perf
	for file in gdb stap dtrace elfutils sample perf; do
		for program in perf dtrace stap gdb elfutils sample recursive pmc go vtune; do
			[ "$program" != "$file" ] || continue
			refuses "$file" "use collapse-$file" "collapse-$program"
		done
		run "$BIN/collapse-$file" "$file"
		[ "$status" -eq 0 ]
		[ "$output" ]
	done
}

@test "a memory profile is refused, with the collapser to use" {
	printf 'v 10400 3\nX ./app\nI 1000 1\ns 8 /bin/app\n' > heaptrack
	printf '# callgrind format\nversion: 1\nevents: Ir\n\nfn=(1) main\n16 20\n' > callgrind
	printf 'desc: --massif-out-file=x\ncmd: ./x\ntime_unit: i\nsnapshot=0\ntime=0\n' > massif
	printf '{"dhatFileVersion":2,"mode":"heap","pps":[],"ftbl":[]}\n' > dhat
	printf 'allocator,num_allocations,size,tid,thread_name,stack_trace\n' > memray
	printf '{"sample_count": 1,"root_frame": {"function": "f","time": 1,"children": []}}\n' > pyinstrument
	printf '{"mode":"cpu","missed_samples":0,"frames":{},"raw":[]}\n' > stackprof
	printf 'heap_v2/524288\n  t*: 1: 8 [0: 0]\n@ 0x401136\n' > gperftools
	for file in heaptrack callgrind massif dhat memray pyinstrument stackprof gperftools; do
		refuses "$file" "collapse-$file" collapse-perf collapse-recursive
	done
}

@test "lines of a log before a profile do not make it refused" {
	for ((i = 0; i < 9000; i++)); do
		echo "worker 17 12:30:00.123456: job $i is done"
	done > log
	printf '\n#0  0x01 in f (x=1) at a.c:3\n#1  0x02 in main () at a.c:9\n' >> log
	run "$BIN/collapse-gdb" log
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$output" = 'main;f 1' ]
}

@test "prose is refused even if some lines end in a number" {
	for ((i = 0; i < 20; i++)); do
		printf 'This text is about numbers; there are many.\nThe next of them is\n'
		printf 'the number %d\nand so on; see there.\n' "$i"
	done > prose
	refuses prose 'these are not folded stacks' "${folded[@]}" collapse-recursive
}

@test "tables of numbers are refused" {
	for ((i = 0; i < 9; i++)); do
		printf ' %d  0  17 %d  0.5  %d\n' "$i" $((i * 3)) $((i * 7))
	done > table
	printf 'Device  tps  read  write\n' | cat - table > table-with-head
	for ((i = 0; i < 9; i++)); do
		printf 'sda%d\t1.%d\t10:11:%d\t12345\n' "$i" "$i" $((10 + i))
	done > tabbed
	for file in table table-with-head tabbed; do
		refuses $file 'rows of numbers' "${folded[@]}" collapse-recursive
	done
	printf 'worker 7;main 5\nThread 1 2\nThread 2 3\nidle 9\n' > stacks
	for program in "${folded[@]}" collapse-recursive; do
		run_on "$program" stacks
		[ "$status" -eq 0 ]
	done
}

@test "tables of tools without stacks are named, with advice" {
	printf "<table class='xdebug-trace' dir='ltr'>\n\t<tr><td>4</td><td>0.004</td></tr>\n" > html
	printf 'Process ID: 4242\n\nThread (0x48839B):\n  [Native Frames]\n  app!Program.Main()\n' > dotnet
	printf '  time    cpu  task name    wait time  sch delay   run time\n\n  1.2 [0001]  app[4]  0.0 0.1 1.2\n' > sched
	printf 'CMDLINE python3 a.py\nMEM 0.886719 1736500000.1234\nMEM 8.1 1736500000.2\n' > mprof
	printf 'procs -----------memory---------- ---swap--\n r  b swpd free\n 1  0 0 7\n 2  0 0 8\n' > vmstat
	printf ' S0C    S1C    S0U\n1.0 2.0 3.0\n1.0 2.0 4.0\n' > jstat
	printf ' contended   total wait   max wait   avg wait   type   caller\n\n 2 9.1 us 5 us 4 us mutex f+0x2\n' > lock
	printf '5:\tapp\n-----------------  lwp# 1  ----\n fe99a254 f     (51, 4, 18)\n 0001a4cc main (0) + 160\n' > pstack
	grep -v lwp pstack > pstack-1
	printf 'rbspy02\n{"sample_rate":100}\n{"trace":[{"name":"f","lineno":1}]}\n' | gzip > rbspy.raw.gz
	# a packet with a clock and a user; OpenTelemetry starts similarly
	printf '\n\13\62\6\n\4\10\6\20\5\30\350\7\n\4\100\5\120\1' > perfetto
	# shellcheck disable=SC2046
	set -- $(readers)
	refuses lock 'lock:contention_begin' "$@"
	refuses pstack 'collapse-dtrace folds' "$@"
	refuses pstack-1 'collapse-dtrace folds' "$@"
	refuses rbspy.raw.gz 'rbspy report -f collapsed' "$@"
	refuses perfetto 'traceconv json' "$@"
	refuses html 'xdebug.trace_format=1' "$@"
	refuses dotnet 'dotnet-trace collect --format Speedscope' "$@"
	refuses sched 'collapse-perf --off-cpu' "$@"
	refuses vmstat 'the whole system' "$@"
	refuses jstat 'a table of jstat' "$@"
	refuses mprof 'collapse-memray' "${folded[@]}" collapse-guess
}

@test "a folded profile may have some lines without a count" {
	printf 'main;f 5\na warning\nanother\nmain;g 3\nidle 1\nlast words\n' > some
	for program in "${folded[@]}" collapse-recursive; do
		run_on "$program" some
		echo "$output"
		[ "$status" -eq 0 ]
	done
}

@test "the start of unknown input is shown without its control bytes" {
	printf 'a\33[31mtext\1\n' > odd
	refuses odd 'a\x1b[31mtext\x01' collapse-guess
}

# Some hundred KB unpack to one line of 300 MB, or to one string, and must not take that
# memory.
@test "compressed input that unpacks to a huge record is refused" {
	large() { head -c 300M /dev/zero | tr '\0' x; }
	large | gzip -1 > line.gz
	refuses line.gz 'more than 128 times their size in memory' flamegraph filter-folded \
		collapse-perf collapse-pprof
	{ printf '{"traceEvents":[{"name":"'; large; } > string.json
	refuses string.json 'a string of more than 256 MiB' collapse-chrome
}

# Memory is bounded whatever would take it: open brackets, or rows of a table.
@test "tables in compressed input do not take all memory" {
	local why='more than 128 times their size in memory'

	{ printf '{"traceEvents":[{"args":'; head -c 400M /dev/zero | tr '\0' '['; } |
		gzip -1 > brackets.gz
	{ printf 'v 10500 3\nX a\ns 1 f\ni 1 1 1\n'; yes 't 1 0' | head -c 60M; } |
		gzip > rows.gz
	refuses brackets.gz "$why" collapse-chrome collapse-guess
	refuses rows.gz "$why" collapse-heaptrack
	for file in brackets.gz rows.gz; do
		run "$BIN/flamegraph" $file
		echo "$output"
		[ "$status" -eq 1 ]
		[[ ${lines[0]} == "collapse-guess: (standard input): "*"$why"* ]]
	done
}

@test "compressed input may have any number of lines" {
	yes 'main;f 1' | head -n 40000000 | gzip -1 > lines.gz
	run "$BIN/filter-folded" lines.gz
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$output" = 'main;f 40000000' ]
}

@test "a name ends at 64 KiB, so that stacks that share it stay small" {
	local name

	name=$(head -c 100000 /dev/zero | tr '\0' n)
	for ((i = 0; i < 50; i++)); do printf '%s;f%d 1\n' "$name" $i; done > in
	"$BIN/collapse-recursive" in > out 2> log
	cat log
	[ "$(wc -l < out)" -eq 50 ]
	[ "$(head -n 1 out | cut -d ';' -f 1 | wc -c)" -eq 65537 ]
	grep -q '1 name is longer than 64 KiB' log
	run "$BIN/collapse-recursive" --strict in
	[ "$status" -eq 1 ]
}

# Some collapsers know their values without reading.
@test "--weight list fails if the input cannot be read" {
	local tried=0 program

	for program in $(cd "$BIN" && echo collapse-*); do
		"$BIN/$program" --help | grep -q '^ *--weight NAME' || continue
		tried=$((tried + 1))
		run "$BIN/$program" --weight list gone
		echo "$program: $output"
		[ "$status" -eq 1 ]
		case $output in "$program: gone: cannot open"*) ;; *) return 1 ;; esac
		[ "${#lines[@]}" -eq 1 ]
	done
	[ "$tried" -gt 5 ]
}

@test "messages of each profiler are skipped among stacks" {
	local program

	for program in "$BIN"/*; do
		printf '%s: the last number is 4\nmain;f 1\n' "${program##*/}" > mixed.folded
		run "$BIN/filter-folded" mixed.folded
		echo "$program: $output"
		[ "$status" -eq 0 ]
		[ "${lines[1]}" = 'main;f 1' ]
		[[ ${lines[0]} == "filter-folded: mixed.folded:1: skipped 1 message "* ]]
	done
}
