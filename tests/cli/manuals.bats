#!/usr/bin/env bats
# The examples of the manuals and of the guide: every command runs, and prints what the page shows.
bats_require_minimum_version 1.5.0
load libraries

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	MAN=$(cd "$BATS_TEST_DIRNAME/../../build/man" && pwd) || return 1
	export DATA
	DATA=$(cd "$BATS_TEST_DIRNAME/../data/perfdata" && pwd) || return 1
	for page in "$MAN"/*.1; do
		program=${page##*/}
		[ -x "$BIN/${program%.1}" ] || skip "no ${program%.1}"
	done
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir bin
	cat > bin/perf <<-'END'
		#!/bin/sh
		# Stands in for perf: has recorded something before, prints a profile.
		case "$*" in
		record*--latency*) exec cp "$DATA/latency.data" perf.data ;;
		"script --show-switch-events"*) exec cat "$DATA/latency.data.txt" ;;
		record*"-o -"*) exec cat "$DATA/pipe.stream" ;;
		record*) exec cp "$DATA/frames.data" perf.data ;;
		ftrace*) exec cat "$DATA/../../golden/collapse-ftrace/basic/input" ;;
		"script --ns"*) exec xz -dc "$DATA/../off-cpu.perf.txt.xz" ;;
		script*) ;;
		*) exit 0 ;;
		esac
		for t in 1 2 3; do
			echo "app 41/4$t [000] 100.00000$t: 10$t cycles: "
			echo "  ffffffff8100000$t ksys_write+0x1 ([kernel.kallsyms])"
			echo "      55d0c0ffee1$t step_$t+0x2 (/usr/bin/app)"
			echo "      55d0c0ffee10 main+0x1 (/usr/bin/app)"
			echo
		done
	END
	cat > bin/record-perf <<-'END'
		#!/bin/sh
		# Stands in for record-perf: has recorded something before.
		while [ $# -gt 0 ] && [ "$1" != -- ]; do
			[ "$1" != -o ] || exec cp "$DATA/pipe.stream" "$2"
			shift
		done
		exec cat "$DATA/pipe.stream"
	END
	cat > bin/bpftrace <<-'END'
		#!/bin/sh
		# Stands in for bpftrace: traces nothing, prints a map.
		if [ "$1" = -f ]; then
			printf '%s\n' '{"type": "map", "data": {"@cpu": {"\n    alpha+1\n    main+2\n": 7}}}'
			exit
		fi
		printf '@[\n    vfs_read+1\n    do_syscall_64+9\n, \n    main+2\n, app]: 5\n'
	END
	cat > bin/dtrace <<-'END'
		#!/bin/sh
		# Stands in for dtrace: traces nothing, prints an aggregation.
		while [ "$1" != -o ]; do shift; done
		printf '  app\n     libc.so.1`write+0x1\n     app`main+0x2\n    7\n' > "$2"
	END
	cat > bin/gdb <<-'END'
		#!/bin/sh
		# Stands in for gdb: looks at nothing, prints a backtrace.
		printf 'Thread 1 (LWP 41):\n#0  0x55d0 in f (n=3) at f.c:9\n#1  main () at f.c:12\n'
	END
	cat > bin/eu-stack <<-'END'
		#!/bin/sh
		# Stands in for eu-stack: looks at nothing, prints a stack.
		printf 'PID 41 - process\nTID 41:\n#0  0x55d0 f - /bin/app\n#1  0x55e0 main - /bin/app\n'
	END
	cat > bin/stap <<-'END'
		#!/bin/sh
		# Stands in for stap: probes nothing, prints a stack.
		printf ' 0x4f : g+0x5/0x20 [app]\n 0x6f : f+0x1/0x20 [app]\n\t3\n'
	END
	cat > bin/pmcstat <<-'END'
		#!/bin/sh
		# Stands in for pmcstat: writes a callgraph to the file named by its
		# option.
		printf '100.0%% [3] read @ /boot/kernel/kernel\n 66.7%% [2]  main\n' > "$6"
	END
	cat > bin/xctrace <<-'END'
		#!/bin/sh
		# Stands in for xctrace: exports a row.
		[ "$1" = export ] || exit 0
		echo '<trace-query-result><row><weight>7</weight><backtrace>'
		echo '<frame name="work"><binary name="app"/></frame><frame name="main">'
		echo '<binary name="app"/></frame><frame name="start"><binary name="dyld"/>'
		echo '</frame></backtrace></row></trace-query-result>'
	END
	cat > bin/sample <<-'END'
		#!/bin/sh
		# Stands in for sample: reports a thread that works and one that waits.
		{
			echo 'Call graph:'
			echo '    12 Thread_7'
			echo '      12 main  (in app) + 1  [0x1]'
			echo '        12 work(int)  (in app) + 7  [0x7]'
			echo '    12 Thread_8'
			echo '      12 mach_msg_trap  (in libsystem_kernel.dylib) + 8  [0x9]'
			echo
			echo 'Total number in stack (recursive counted multiple, when >=5):'
		} > "$4"
	END
	cat > bin/vtune <<-'END'
		#!/bin/sh
		# Stands in for vtune: reports a table.
		[ "$1" = -report ] || exit 0
		printf '%s\n' 'Function Stack,CPU Time:Self,Module' 'Total,0,[Unknown]' \
			' main,0.5,app' '  work,0.25,app'
	END
	cat > bin/pbpaste <<-'END'
		#!/bin/sh
		# Stands in for pbpaste: a call tree was copied.
		printf 'Weight\tSelf Weight\t\tSymbol Name\n'
		printf '23.00 ms  100.0%%\t-\t \tapp (41)\n'
		printf '23.00 ms  100.0%%\t11.00 ms\t \t main\n'
		printf '12.00 ms   52.2%%\t12.00 ms\t \t  work\n'
	END
	cat > bin/jstack <<-'END'
		#!/bin/sh
		# Stands in for jstack and jcmd: prints a dump, or writes it to a file.
		if [ "$2" = Dump.java ]; then
			exec cp "$DATA/../../golden/collapse-javacore/basic/input" javacore.1.txt
		elif [ "$2" = Thread.dump_to_file ]; then
			exec > "$3"
			printf '#21 "worker-1" RUNNABLE 2026-11-22T10:42:34.417397656Z\n'
		else
			printf '"worker-1" #21 prio=5 tid=0x1 nid=0x2 runnable [0x3]\n'
			printf '   java.lang.Thread.State: RUNNABLE\n'
		fi
		printf '    at Main.work(Main.java:9)\n'
		printf '    at java.base/java.lang.Thread.run(Thread.java:840)\n\n'
	END
	cp bin/jstack bin/jcmd
	cat > bin/trace-cmd <<-'END'
		#!/bin/sh
		# Stands in for trace-cmd: records nothing, prints a report.
		[ "$1" = report ] || exit 0
		exec cat "$DATA/../../golden/collapse-ftrace/trace-cmd/input"
	END
	cat > bin/sleep <<-'END'
		#!/bin/sh
	END
	cat > bin/go <<-'END'
		#!/bin/sh
		# Stands in for go: tests nothing, prints a profile.
		[ "$1" = tool ] || exit 0
		printf 'Samples:\nsamples/count cpu/nanoseconds alloc_space/bytes\n'
		printf '  2 20 4096: 1 2 \nLocations\n'
		printf '  1: 0x1 main.read /m.go:3:0 s=1\n  2: 0x2 main.main /m.go:9:0 s=1\n'
		echo Mappings
	END
	cat > bin/python3 <<-'END'
		#!/bin/sh
		# Stands in for Python: writes tracebacks to both places.
		printf '%s\n' 'Current thread 0x00007f1234567702 (most recent call first):' \
			'  File "app.py", line 4 in deep' \
			'  File "app.py", line 9 in <module>' | tee tracebacks.txt >&2
	END
	cat > bin/ghc <<-'END'
		#!/bin/sh
		# Stands in for GHC: makes a program that writes a report.
		cat > app <<-'APP'
			#!/bin/sh
			h='COST CENTRE MODULE SRC no. entries %time %alloc %time %alloc ticks bytes'
			printf '%s\n\nMAIN        MAIN x 1 0 9.0 9.0 9.0 9.0 9 9\n' "$h" > app.prof
		APP
		chmod +x app
	END
	cat > app_CallTreeSummary.csv <<-'END'
		Level,Function Name,Inclusive Samples,Exclusive Samples,Module Name,
		1,"main","8,735",35,"app.exe",
		2,"work","8,700","8,700","app.exe",
	END
	cat > app_Instrumented.csv <<-'END'
		Level,Function Name,Number of Calls,Avg Elapsed Exclusive Time,Module Name,
		1,"App.Main()",71,1.00,"App.exe",
		2,"App.Work()",70,0.10,"App.exe",
	END
	printf '%s' '{"nodes":[{"id":1,"callFrame":{"functionName":"main","url":"app.js"' \
		',"lineNumber":0}},{"id":2,"parent":1,"callFrame":{"functionName":"work"' \
		',"url":"app.js","lineNumber":8}},{"id":0,"callFrame":{},"children":[1]}],' \
		'"startTime":0,"endTime":9,"samples":[2,2],"timeDeltas":[1,2]}' > app.cpuprofile
	printf '%s' '{"meta":{"interval":1},"libs":[],"threads":[{"name":"main","stackTable":' \
		'{"frame":[0,1],"prefix":[null,0]},"frameTable":{"func":[0,1],"line":[3,9]},' \
		'"funcTable":{"name":[0,1],"fileName":[2,2]},"samples":{"stack":[1,0],' \
		'"time":[1,3]},"stringArray":["main","work","app.c"]}]}' > app.json
	gzip -c app.json > app.json.gz
	cat > bin/clang++ <<-'END'
		#!/bin/sh
		# Stands in for clang++: compiles nothing, writes a trace.
		printf '%s' '{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"Source",' \
			'"args":{"detail":"a.h"}}]}' > app.json
	END
	printf '[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"RunTask"}]' | gzip -c > trace.json.gz
	printf '[%s,%s,%s]' \
		'{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"aten::mm","cat":"cpu_op"}' \
		'{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"cudaLaunchKernel","cat":"cuda_runtime","args":{"correlation":7}}' \
		'{"ph":"X","pid":0,"tid":7,"ts":4,"dur":9,"name":"gemm","cat":"kernel","args":{"device":0,"stream":7,"correlation":7}}' |
		gzip -c > step.pt.trace.json.gz
	cat > bin/py-spy <<-'END'
		#!/bin/sh
		# Stands in for py-spy: samples nothing, writes a profile.
		printf '%s' '{"$schema":"https://www.speedscope.app/file-format-schema.json",' \
			'"profiles":[{"type":"sampled","name":"t","unit":"seconds","samples":[[0,1]],' \
			'"weights":[0.01]}],"shared":{"frames":[{"name":"main","file":"app.py","line":3},' \
			'{"name":"work","file":"app.py","line":9}]}}' > app.json
	END
	printf '#!/bin/sh\nexit 0\n' > bin/node
	cp bin/node bin/samply
	cp "$BATS_TEST_DIRNAME/../golden/collapse-pprof/cpu/input.pb.gz" cpu.pb.gz
	gzip -dc "$BATS_TEST_DIRNAME/../golden/collapse-jfr/jdk17/input.gz" > app.jfr
	cp "$BATS_TEST_DIRNAME/../golden/collapse-asprof/basic/input" before.html
	sed 's/^f(8,2,13,9)/f(8,2,11,11)/' before.html > after.html
	cp "$BATS_TEST_DIRNAME/../golden/collapse-pprof/heap/input.pb.gz" heap.pb.gz
	cp cpu.pb.gz before.pb.gz
	cp "$BATS_TEST_DIRNAME/../golden/collapse-gperftools/basic/input" app.1.0.f.heap
	cp "$BATS_TEST_DIRNAME/../golden/collapse-gperftools/cpu-symbols/input" cpu.prof
	"$BATS_TEST_DIRNAME/../data/proto" > app.otlp <<-'END'
		1 { 1 { 1 { 1 "service.name" 2 { 1 "shop" } } } 2 { 2 { 1 { 1 1 2 2 } 2 { 1 1 4 [5] } }
		2 { 1 { 1 3 2 2 } 2 { 1 1 4 [6] } } } }
		2 { 2 { } 2 { 3 { 1 1 } } 3 { } 3 { 1 4 } 5 "" 5 "cpu" 5 "ns" 5 "lock" 5 "main" 7 { } 7 { 1 1 } }
	END
	cat > bin/jfrconv <<-'END'
		#!/bin/sh
		# Stands in for jfrconv: the file is there.
	END
	cp cpu.pb.gz after.pb.gz
	cat > bin/heaptrack <<-'END'
		#!/bin/sh
		# Stands in for heaptrack: records a block that stays.
		printf '%s\n' 'v 10400 3' 'X ./program' 's 8 /bin/app' 's 4 main' 's 4 keep' \
			'i 1000 1 2 0 0' 'i 2000 1 3 0 0' 't 1 0' 't 2 1' 'a 10 2' '+ 0' > "$2.zst"
	END
	cat > bin/valgrind <<-'END'
		#!/bin/sh
		# Stands in for valgrind: writes a file of the requested tool.
		case $1 in
		*=callgrind)
			printf 'version: 1\ncreator: callgrind-3.19.0\nevents: Ir\nfl=a.c\nfn=main\n16 20\n'
			printf "cfn=f'main\ncalls=1 50\n16 700\nfn=f'main\n51 700\n"
			;;
		*=massif)
			printf 'desc: --massif-out-file=x\ncmd: ./program\ntime_unit: i\nsnapshot=0\nheap_tree=peak\n'
			printf 'n1: 16 (heap)\n n1: 16 0x1: keep (a.c:3)\n  n0: 16 0x2: main (a.c:9)\n'
			;;
		*=dhat)
			printf '{"dhatFileVersion":2,"pps":[{"tb":16,"tbk":1,"eb":16,"ebk":1,"fs":[1,2]}],'
			printf '"ftbl":["[root]","0x1: keep (a.c:3)","0x2: main (a.c:9)"]}\n'
			;;
		esac > "${1#--tool=}.out.41"
	END
	cat > bin/memray <<-'END'
		#!/bin/sh
		# Stands in for memray: records nothing, writes a table.
		[ "$1" = transform ] || exit 0
		printf '%s\n' allocator,num_allocations,size,tid,thread_name,stack_trace \
			'MALLOC,3,70,1,MainThread,load;a.py;5|<module>;a.py;9' > "$4"
	END
	cat > bin/php <<-'END'
		#!/bin/sh
		# Stands in for PHP with Xdebug: runs nothing, writes a trace.
		{
			printf 'Version: 3.2.0\nFile format: 4\nTRACE START [2026-11-29 21:34:04.776192]\n'
			printf '1\t0\t0\t0.0002\t400000\t{main}\t1\t\t/app/a.php\t0\t0\n'
			printf '2\t1\t0\t0.0003\t400100\tApp\\Job->run\t1\t\t/app/a.php\t7\t0\n'
			printf '3\t2\t0\t0.0004\t400200\tstrlen\t0\t\t/app/a.php\t3\t1\n3\t2\t1\t0.0005\t400200\n'
			printf '3\t3\t0\t0.0006\t400200\tstrlen\t0\t\t/app/a.php\t3\t1\n3\t3\t1\t0.0007\t400200\n'
			printf '1\t0\t1\t0.0008\t400200\n\t\t\t0.0009\t395000\nTRACE END   [2026-11-29 21:34:04.800649]\n'
		} | gzip > trace.xt.gz
	END
	cat > bin/Rscript <<-'END'
		#!/bin/sh
		# Stands in for R: runs nothing, writes profiles.
		printf 'sample.interval=20000\n"sort" "beta" "main" \n' > Rprof.out
		{
			printf 'line profiling: sample.interval=20000\n#File 1: app.R\n'
			printf '"sort" 1#2 "beta" 1#3 "main" \n'
		} > lines.out
	END
	cat > bin/phpspy <<-'END'
		#!/bin/sh
		# Stands in for phpspy: samples nothing, prints a stack.
		printf '%s\n' '0 usleep <internal>:-1' '1 App\Job::run /app/Job.php:12' '2 <main> /app/index.php:3' ''
	END
	cat > bin/pyinstrument <<-'END'
		#!/bin/sh
		# Stands in for pyinstrument: samples nothing, writes a tree.
		printf '{"sample_count": 4,"root_frame": {"function": "<module>","file_path": "app.py","line_no": 1,' > "$4"
		printf '"time": 0.001,"children": [{"function": "load","file_path": "app.py","line_no": 9,' >> "$4"
		printf '"time": 0.00075,"children": []}]}}\n' >> "$4"
	END
	printf '#!/bin/sh\n' > bin/ruby
	cat > bin/stackprof <<-'END'
		#!/bin/sh
		# Stands in for stackprof: prints a profile of two samples.
		printf '{"mode":"cpu","missed_samples":0,"frames":{"8":{"name":"Object#main"},'
		printf '"16":{"name":"Object#load"}},"raw":[2,8,16,2],"raw_timestamp_deltas":[990,1001]}\n'
	END
	export PID=$$
	cat > bin/cargo <<-'END'
		#!/bin/sh
		# Stands in for cargo: knows its subcommand, has built two programs.
		[ "$1" != flame ] || exec cargo-flame "$@"
		for kind in bin:server bench:parse; do
			printf '{"reason":"compiler-artifact","target":{"kind":["%s"],"crate_types":[],"name":"%s"},' \
				"${kind%:*}" "${kind#*:}"
			printf '"profile":{"test":false},"executable":"%s/program"}\n' "$PWD"
		done
	END
	printf '#!/bin/sh\nexit 0\n' > program
	cp program bin/xdg-open
	chmod +x bin/* program
	# flame calls the programs of its own folder
	mkdir own
	ln -s "$BIN"/* own
	rm -f own/flame own/cargo-flame own/record-perf
	cp "$BIN/flame" "$BIN/cargo-flame" own
	ln -s ../bin/record-perf own
	PATH=$PWD/bin:$PWD/own:$PATH
	export LC_ALL=C
}

# examples PAGE WHAT : prints the commands of the page's examples, or the output shown
# for them.
examples()
{
	awk -v what="$2" '
	/^\.Sh / { here = /EXAMPLES/ }
	/^\.Bd -literal/ { literal = 1; next }
	/^\.Ed/ { literal = command = 0 }
	!here || !literal { next }
	{
		gsub(/\\e/, "\\"); gsub(/\\&/, "")
		if (/^\$ /) command = 1
		else if (!/^  /) command = 0
		sub(/^\$ /, "")
	}
	command == (what == "commands")' "$MAN/$1"
}

check_examples()
{
	local last
	examples "$1" commands > script
	examples "$1" output > expected
	[ -s script ]
	bash -e -o pipefail -x script > output 2> errors < /dev/null || {
		echo "failed with status $?:"
		tail -n 5 errors
		return 1
	}
	diff -u expected output
	for last in *.svg; do
		[ ! -e "$last" ] || grep -q '</svg>' "$last"
	done
}

@test "manuals: the examples of cargo-flame.1" { needs_library libelf; check_examples cargo-flame.1; }
@test "manuals: the examples of flame.1" { needs_library libelf; check_examples flame.1; }
# collapsers PROGRAM... : checks the examples in their manuals. NAME.txt is a golden
# input unless a command of the manual writes that file.
collapsers()
{
	for program; do
		page=$program.1
		echo "$page:"
		cp -R "$BATS_TEST_TMPDIR" "$BATS_FILE_TMPDIR/$program"
		cd "$BATS_FILE_TMPDIR/$program" || return
		input=$BATS_TEST_DIRNAME/../golden/$program/basic/input
		[ ! -e "$input" ] || cp "$input" "${program#collapse-}.txt"
		check_examples "$page"
	done
}

@test "manuals: the examples of the collapsers run" {
	local pages=("$MAN"/collapse-*.1)
	pages=("${pages[@]##*/}")
	for page in "${pages[@]}"; do
		case $page in
		collapse-perf.1 | collapse-guess.1) ;;
		*) collapsers "${page%.1}" ;;
		esac
	done
}

@test "manuals: the examples of collapsers that read recordings run" {
	needs_library libelf
	collapsers collapse-perf collapse-guess
}

@test "manuals: the examples of diff-folded.1" { check_examples diff-folded.1; }
@test "manuals: the examples of filter-folded.1" { check_examples filter-folded.1; }
@test "manuals: the examples of flamegraph.1" { check_examples flamegraph.1; }
@test "manuals: the examples of record-perf.1" { needs_library libelf; check_examples record-perf.1; }
@test "manuals: the examples of report-folded.1" { check_examples report-folded.1; }
@test "manuals: the examples of folded.5" { check_examples folded.5; }
@test "manuals: the examples of collapse-options.7" { check_examples collapse-options.7; }
@test "manuals: the examples of flamepipe.7" { needs_library libelf; check_examples flamepipe.7; }

# The commands are the blocks of Markdown that start with ```sh.
@test "guide: the commands of each chapter run" {
	needs_library libelf
	for name in perf before after; do cp "$DATA/frames.data" $name.data; done
	for page in "$MAN"/../../docs/guide/*.md; do
		awk '/^ *```sh$/ { here = 1; next } /^ *```$/ { here = 0 } here { sub(/^ +/, ""); print }' "$page" > script
		bash -e -o pipefail -x script > output 2> errors < /dev/null || {
			echo "${page##*/}: failed with status $?:"
			tail -n 5 errors
			return 1
		}
		cat script >> scripts
	done
	[ "$(wc -l < scripts)" -ge 40 ]
}

@test "manuals: every option says its default" {
	for page in "$MAN"/*.1; do
		awk -v page="${page##*/}" '
		function check() {
			if (option != "" && !has_default) { print page ": " option; bad = 1 }
		}
		/^\.(It|El|Sh)/ { check(); option = ""; has_default = 0 }
		/^\.It Fl / && !/-(help|version|all|encoding|quiet|random)/ { option = $0 }
		/[Dd]efault/ { has_default = 1 }
		END { exit bad }' "$page"
	done
}

# shared PAGE : prints the options for names, stacks and frames that filter-folded and flamegraph share.
shared()
{
	awk '/^\.It Fl -strip-addresses/ { here = 1 } here { print } here && /^\.El/ { exit }' "$1"
}

@test "manuals: filter-folded and flamegraph describe shared options in the same sentences" {
	[ "$(shared "$MAN/collapse-options.7" | grep -c '^\.It')" -eq 11 ]
	shared "$MAN/filter-folded.1" > wanted
	[ "$(grep '^\.It' wanted | grep -o 'Fl -' | wc -l)" -eq 11 ]
	shared "$MAN/flamegraph.1" | diff -u wanted -
}

@test "manuals: three examples stand before the options" {
	for page in "$MAN"/*.1; do
		awk -v page="${page##*/}" '
		/^\.Sh OPTIONS/ { exit }
		/^\.Sh EXAMPLES/ { here = 1 }
		here && /^\.Bd -literal/ { count++ }
		END { if (count < 3) { print page ": " count + 0; exit 1 } }' "$page"
	done
}

@test "manuals: check-manual wants EXAMPLES right after SYNOPSIS" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p build/man
	sed '/^\.Sh EXAMPLES/,/^\.Sh OPTIONS/ { /^\.Sh OPTIONS/!d }' "$MAN/collapse-pmc.1" > build/man/collapse-pmc.1
	cp "$MAN/collapse-options.7" build/man
	run -1 "$MAN/../../tools/check-manual" "$BIN/collapse-pmc"
	[[ $output == "build/man/collapse-pmc.1: EXAMPLES, OPTIONS and DESCRIPTION must follow SYNOPSIS;"* ]]
}

@test "manuals: no width of a column has an apostrophe, which ends it for groff" {
	run -1 grep -n "^\.Bl -column.*'" "$MAN"/*
}
