#!/usr/bin/env bats
# flame: the command line, plans, existing profiles.
# shellcheck disable=SC2154,SC2016,SC2317,SC2030 # of bats, quoted scripts, functions for try
bats_require_minimum_version 1.5.0
load manners
load libraries
load flame

@test "flame: --help" { check_help; }

@test "flame: --version" { check_version; }

@test "flame: completion" {
	"$BATS_TEST_DIRNAME/../../tools/completions" made "$BIN/flame"
	grep -q 'complete .* flame$' made/bash/flame
	[ "$(tr " '" '\n' < made/bash/flame | grep -c -e '^--draw$')" -eq 1 ]
}

@test "flame: wrong options" {
	local option
	for option in --zzz-no-such --zzz=1 -Z; do
		try flame "$option" true
		stops 2 "unknown option '$option'" 'flame --help'
	done
	for option in --hash=1 --all-cpus=1; do
		try flame "$option" true
		stops 2 "${option%=1} takes no argument"
	done
	for option in --output --freq --diff --pid --title; do
		try flame "$option"
		stops 2 "$option needs an argument"
	done
	try flame -o
	stops 2 '--output needs an argument'
	for option in -Fx --freq=0 -p1x --duration=z -d1.2.3 -zz -p1,,2 -p,1 "-p1,"; do
		try flame "$option" true
		stops 2 'takes a number'
	done
	try flame --runs=. true
	stops 2 "--runs takes a whole number, not '.'"
	try flame --call-graph=orc true
	stops 2 "--call-graph takes fp, dwarf or lbr, not 'orc'"
}

@test "flame: options that do not go together" {
	try flame
	stops 2 'there is nothing to record'
	try flame -p 1 true
	stops 2 '-p records what runs already'
	try flame --perfdata x -a
	stops 2 '--perfdata records nothing'
	try flame -F 10 -c 'record -g' true
	stops 2 'so -F, -e and -z do not go with it'
	try flame -c 'record -g -- true' true
	stops 2 '-c names a command, so it goes without another'
	try flame --flamechart --reverse true
	stops 2 '--flamechart goes without --reverse'
	try flame compare true
	stops 2 'compare takes two commands'
	try flame compare true true true
	stops 2 'compare takes two commands'
	try flame compare --runs 1 true true
	stops 2 '--runs takes a number from 2 on'
	try flame compare --diff x true true
	stops 2 'compare runs two commands'
}

@test "flame: options become arguments of record-perf" {
	plan() { flame --dry-run --call-graph fp "$@" 2> err | grep -o 'record-perf.*' | sed 's/ |.*//'; }
	now "$(plan -a)" = 'record-perf -F 997 --call-graph fp -a'
	now "$(plan -qad5)" = 'record-perf -q -F 997 --call-graph fp -d 5 -a'
	now "$(plan -a --freq=9 -e faults --event cycles:u -z)" = \
		'record-perf -F 9 --call-graph fp -e faults -e cycles:u -z -a'
	now "$(plan -a --call-graph dwarf,1000 -z=3 -e 'sched:sched_switch')" = \
		'record-perf --call-graph dwarf,1000 -e sched:sched_switch -z3 -a'
	now "$(plan -a -F 5 -e 'sched:sched_switch')" = \
		'record-perf -F 5 --call-graph fp -e sched:sched_switch -a'
	now "$(plan -a -e cycles:RXbI)" = 'record-perf -F 997 --call-graph fp -e cycles:RXbI -a'
	now "$(plan -F max -p $$)" = "record-perf -F max --call-graph fp -p $$"
	now "$(plan -d 0.5 true 'a b')" = \
		"record-perf -F 997 --call-graph fp -d 0.5 -o /dev/fd/3 -- true 'a b' 3>&1 >&4 4>&-"
	now "$(plan -a true)" = \
		'record-perf -F 997 --call-graph fp -a -o /dev/fd/3 -- true 3>&1 >&4 4>&-'
	now "$(plan --keep-data x true)" = 'record-perf -F 997 --call-graph fp -o x -- true'
	now "$(flame --dry-run --call-graph fp true 2> err)" = \
		"{ record-perf -F 997 --call-graph fp -o /dev/fd/3 -- true 3>&1 >&4 4>&- | collapse-perf -v --header --recursion unknown | flamegraph --title true -o flamegraph.svg; } 4>&1"
}

@test "flame: --perf, --call-graph lbr and --cmd record with perf" {
	plan() { flame --dry-run "$@" 2> err | grep -o 'perf record.*'; }
	stand_in_perf
	now "$(plan --perf --call-graph fp -a)" = \
		'perf record -q -F 997 --call-graph fp -N -o "$tmp/perf.data" -a'
	now "$(plan --perf --call-graph fp -ad5 --keep-data x)" = \
		'perf record -q -F 997 --call-graph fp -o x -a -- sleep 5'
	now "$(plan --perf --call-graph fp -d5 true x)" = \
		'perf record -q -F 997 --call-graph fp -N -o "$tmp/perf.data" -- timeout 5 true x'
	now "$(plan -c 'record -e faults -c 1' -a)" = 'perf record -e faults -c 1 -o "$tmp/perf.data" -a'
	now "$(plan -c 'perf record -g -o x.data' -a)" = 'perf record -g -o x.data -a'
	now "$(plan -c 'record -p 1 -g -F 999 -- sleep 2')" = \
		'perf record -p 1 -g -F 999 -o "$tmp/perf.data" -- sleep 2'
	now "$(plan -c '-g -- ./it -o x -- $y' -d 5)" = \
		"perf record -g -o \"\$tmp/perf.data\" -- timeout 5 ./it -o x -- '\$y'"
	now "$(plan -c 'record -g -- sleep 2' -p $$)" = \
		"perf record -g -o \"\$tmp/perf.data\" -p $$ -- sleep 2"
	now "$(plan --call-graph lbr -a)" = \
		'perf record -q -F 997 --call-graph lbr -N -o "$tmp/perf.data" -a'
	[ "$(flame --dry-run -a --call-graph lbr --keep-data x | tail -n 1)" = \
		'perf script --no-inline -i x | collapse-perf -v --header --recursion unknown | flamegraph -o flamegraph.svg' ]
	PERF=$PWD/bin/perf run -0 flame --dry-run --perf --call-graph fp -a
	[[ $output == *"$PWD/bin/perf record"* ]]
	PERF=no-perf try flame --perf true
	stops 1 'no-perf is not here: install it, or record without --perf'
}

@test "flame: options become arguments of the filters" {
	plan() { flame --dry-run -a "$@" 2> err | sed 's/.* -a | //'; }
	[ "$(plan)" = 'collapse-perf -v --header --recursion unknown | flamegraph -o flamegraph.svg' ]
	[ "$(plan -q)" = 'collapse-perf --header --recursion unknown | flamegraph -o flamegraph.svg' ]
	[ "$(plan --title "it's" --subtitle= --notes 'a b' -o 'x y.svg')" = \
		"collapse-perf -v --header --recursion unknown | flamegraph --title 'it'\\''s' --subtitle '' --notes 'a b' -o 'x y.svg'" ]
	[ "$(plan -iv --reverse --hash --deterministic --palette mem)" = \
		'collapse-perf -v --header --recursion unknown | flamegraph --colors mem --hash --deterministic --inverted --reverse -o flamegraph.svg' ]
	[ "$(plan --min-width 1 --image-width 900 --flamechart --skip-after main --no-inline)" = \
		'collapse-perf -v --header --recursion unknown --time-order --skip-after main | flamegraph --minwidth 1% --width 900 --flamechart -o flamegraph.svg' ]
	[ "$(plan --no-inline --inline)" = \
		'collapse-perf -v --header --recursion unknown --inline | flamegraph -o flamegraph.svg' ]
	[ "$(plan --post-process 'grep a' --folded 'x y' --collapse --tid --comm 'a b' --draw --cp)" = \
		"collapse-perf -v --header --recursion unknown --tid --comm 'a b' | grep a | tee -- 'x y' | flamegraph --cp -o flamegraph.svg" ]
}

@test "flame: the shell runs none of the user's words" {
	local name evil
	printf '#!/bin/sh\nexit 0\n' > 'a $(touch PWNED)'
	chmod +x a*
	for evil in '1$(touch PWNED)`touch PWNED`' $'1\ntouch PWNED\n;touch PWNED;' "';touch PWNED;'" \
		'dwarf,1024$(touch PWNED)' $'dwarf,1;touch PWNED'; do
		for name in $(options_of flame); do
			flame "$name=$evil" true > /dev/null 2>&1 < /dev/null || true
			[ ! -e PWNED ] || now "$name=$evil" = 'left alone'
		done
		flame --pid="$evil" > /dev/null 2>&1 || true
		flame --perfdata="$evil" > /dev/null 2>&1 || true
		flame --collapse "$evil" -- true > /dev/null 2>&1 || true
		flame --draw "$evil" -- true > /dev/null 2>&1 || true
		flame -q -- ./a* "$evil" || true
		PERF=$evil flame --perf true > /dev/null 2>&1 || true
		BROWSER=$evil flame --open true > /dev/null 2>&1 || true
		TMPDIR=$evil flame true > /dev/null 2>&1 || true
		[ ! -e PWNED ] || now "$evil" = 'left alone'
	done
	PERF='./a $(touch PWNED)' flame --perf true > /dev/null 2>&1 || true
	stand_in_perf
	flame -q -c 'record * -g' -a
	tail -n 1 calls | grep -q -e 'record \* -g'
	[ ! -e PWNED ]
}

@test "flame: a dry run with random words runs nothing, and its plan has them" {
	runs_nothing flame "${CASES:-40}"
}

@test "flame: control bytes in messages are made visible" {
	try flame --title x -- $'./no\e[2J\rsuch\302\233m\n'
	now "$status" -eq 127
	said './no\x1b[2J\x0dsuch\xc2\x9bm\n'
	# 8-bit C1 controls, but no byte of a letter; characters that turn the direction
	# of text, end a line or mark bytes
	try flame --title x -- $'./\2331m \303\233\342\202\254\360\237\230\200 \342\200\256a'
	now "$status" -eq 127
	said $'./\\x9b1m \303\233\342\202\254\360\237\230\200 \\xe2\\x80\\xaea'
	stand_in collapse-perf <<< 'cat > /dev/null; printf "a;b\\033[2Jc\\177\\302\\2331 5\\n"'
	try flame true
	said '   100      100  b\x1b[2Jc\x7f\xc2\x9b1'
	[ -d /proc/self/ns ] || return 0
	cp "$(type -P sleep)" $'e\e[2Jvil'
	$'./e\e[2Jvil' 100 3>&- &
	try flame -p $! -d 1
	kill $!
	said_not $'\e'
}

@test "flame: the heading is the recorded command" {
	heading() { flame --dry-run "$@" 2> err | grep -o -e "--title .*" | sed 's/ -o .*//'; }
	[ "$(heading true "it's" 'a  b')" = "--title 'true it'\\''s a  b'" ]
	[ "$(heading --title mine true)" = '--title mine' ]
	[ "$(heading -a)" = '' ]
	[ "$(heading true $'a\e[2J\nb')" = "--title 'true a\\x1b[2J\\nb'" ]
	[ "$(heading true "$(printf 'é%.0s' {1..600})")" = "--title 'true $(printf 'é%.0s' {1..496})..'" ]
	echo 'a;b 9' > old.folded
	[ "$(heading --diff old.folded true)" = "--title 'true, compared with old.folded'" ]
	[ "$(heading compare 'true 1' 'true 2')" = "--title 'true 1 and true 2'" ]
	flame -q true '<&'
	grep -q 'true &lt;&amp;' flamegraph.svg
	[ ! -d /proc/self/ns ] || [[ $(heading -p $$) == "--title '"*", process $$'" ]]
}

@test "flame: options that would have no effect" {
	local option
	for option in --output --folded --diff --keep-data --perfdata; do
		try flame "$option" '' true
		stops 2 "$option takes a file, not ''"
	done
	for option in -F5 '-e cycles' '-c record' -z; do
		# shellcheck disable=SC2086
		try flame --perfdata "$DATA/frames.data" $option
		stops 2 '--perfdata records nothing: it goes without'
	done
	for option in -F5 '-e cycles' -z; do
		# shellcheck disable=SC2086
		try flame -c 'record -g' $option true
		stops 2 '-c has all arguments of perf'
	done
	stand_in_perf
	try flame -c 'record -g -o z.data' --keep-data x true
	stops 2 '-c names the recording'
	flame -q --off-cpu --perfdata "$DATA/switch.data"
	grep -c 'fg:unit="ns"' flamegraph.svg
}

# ---- an existing profile

@test "flame: an existing recording" {
	flame -q --perfdata "$DATA/frames.data" -o x.svg
	draws x.svg
	[ ! -e calls ]
	gzip -c "$DATA/frames.data" > frames.gz
	flame -q --perfdata frames.gz -o y.svg
	[ "$(flamegraph --extract x.svg)" = "$(flamegraph --extract y.svg)" ]
	printf 'a;b 5\na;c 7\n' > two.folded
	try flame -o z.svg --perfdata two.folded
	[[ $stderr != *": 2 samples"* ]] # its lines
	try flame --perfdata no-such
	fails 1 'no-such: cannot be read: ' 'o such file'
	try flame --perfdata tmp
	fails 1 'flame: tmp: cannot be read: it is a folder'
	now "$(wc -l <<< "$stderr")" -eq 1
}

@test "flame: a recording of another user" {
	cp "$DATA/frames.data" its.data
	chmod 000 its.data
	as_another() { flame "$@"; }
	if [ -r its.data ]; then
		chmod a+rwX . .. tmp own own/*; chmod a+x ../..
		as_another() { setpriv --reuid=65534 --clear-groups flame "$@"; }
		others_may_enter
	fi
	try as_another --perfdata its.data
	stops 1 'its.data: cannot be read: ' 'denied: sudo chown ' ' its.data'
}

@test "flame: a profile of another profiler" {
	printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"main"},{"name":"work"}]},' > -s
	printf '"profiles":[{"type":"sampled","name":"p","unit":"milliseconds","startValue":0,"endValue":3,"samples":[[0,1],[0]],"weights":[2,1]}]}' >> -s
	flame -q --perfdata -s -o x.svg
	flamegraph --extract x.svg > found
	diff found - <<- 'END'
		# event: weight
		# unit: ns
		# quality: stacks=2
		p;main 1000000
		p;main;work 2000000
	END
	flame -q -o x.svg --perfdata ./-s --collapse --root none
	[[ $(flamegraph --extract x.svg) == *$'\nmain;work 2000000' ]]
	flame --dry-run --perfdata ./-s > plan
	grep -q "collapse-guess.* -v --header --recursion unknown ./-s |" plan
}

@test "flame: a profile by a pipe" {
	local name input
	for input in "$DATA/frames.data" "$DATA/pipe.stream"; do
		flame -q -o file.svg --perfdata "$input"
		for name in - /dev/stdin; do
			flame -q --perfdata "$name" < "$input"
			cmp flamegraph.svg file.svg
		done
		flame -q --perfdata <(cat "$input")
		cmp flamegraph.svg file.svg
		flame -q --wall -o file.svg --perfdata "$input"
		flame -q --wall --perfdata - < "$input"
		cmp flamegraph.svg file.svg
	done
	mkfifo pipe
	echo 'a;b 5' > pipe &
	flame -q --perfdata pipe
	[ "$(flamegraph --extract flamegraph.svg | grep -v '^#')" = 'a;b 5' ]
	timeout 10 flame --perfdata <(echo bad) < <(sleep 20 3>&-) 2> err && status=0 || status=$?
	[ "$status" = 1 ]
	grep 'none of' err
	flame --perfdata - < /dev/null 2> err && status=0 || status=$?
	[ "$status" = 1 ]
	grep 'the input is empty' err
	[ "$(flame --dry-run --perfdata - | grep -c -- ' - |')" = 1 ]
}

# ---- differences

@test "flame: --diff refuses a file that can be read only once" {
	local name
	mkfifo pipe
	for name in pipe /dev/stdin -; do
		try flame --diff "$name" true < "$DATA/frames.data"
		stops 1 "$name: cannot be read: it is a pipe or an open file"
	done
	try flame --diff <(echo 'a;b 5') true
	stops 1 ': cannot be read: it is a pipe or an open file'
}

@test "flame: --diff with a picture, folded stacks and a recording" {
	local old
	echo 'mill;gone 9' > old.folded
	flamegraph old.folded > old.svg
	cp "$DATA/frames.data" old.data
	for old in old.folded old.svg; do
		flame -q --diff "$old" true
		flamegraph --extract diff.svg | grep -q '^mill;gone [0-9]* 0$'
	done
	flame -q --diff old.data true
	flamegraph --extract diff.svg | awk '!/^#/ && $(NF - 1) != $NF { exit 1 }'
	[ ! -e flamegraph.svg ]
	printf '%s\n' 'other;x 50' 'other;y 50' 'other;z 100' > old.folded
	stand_in collapse-perf <<< 'cat > /dev/null; printf "%s\n" "new;x 20" "new;y 80" "new;z 100"'
	try flame --diff old.folded --ignore-root 1 true
	now "$status" -eq 0
	said '  y, self 25.0 % → 40.0 %' '  x, self 25.0 % → 10.0 %'
	said_not '  z' '--ignore-root'
	try flame --diff old.folded true
	said '--ignore-root 1'
	try flame --ignore-root 1 true
	now "$status" -eq 2
	said '--ignore-root is for --diff'
	try flame --diff no-such true
	now "$status" -eq 1
	said 'no-such: cannot be read'
}

@test "flame: --diff of two pictures, or of other existing profiles" {
	local new
	printf 'a;b 500\na;c 600\n' > old.folded
	printf 'a;b 500\na;c 900\n' > new.folded
	flamegraph old.folded > old.svg
	flamegraph new.folded > new.svg
	for new in new.svg new.folded; do
		try flame --diff old.svg "$new"
		now "$status" -eq 0
		said 'flame: diff.svg' '  c, self 54.5 % → 64.3 %'
		flame -q --diff old.svg --perfdata "$new" -o with-option.svg
		cmp diff.svg with-option.svg
		flame -q --diff old.svg "$new" -o after.svg # options may come last
		cmp diff.svg after.svg
	done
	grep -q 'new.folded, compared with old.svg' diff.svg
	flamegraph --extract diff.svg | grep -q '^a;c 763 900$'
	flame -q --diff old.folded "$DATA/frames.data" 2> /dev/null
	draws diff.svg
	flame -q --perfdata new.svg -o again.svg
	flamegraph --extract again.svg | cmp - new.folded
	[ ! -e calls ]
	try flame --diff old.svg new.svg true
	stops 2 '--perfdata records nothing: it goes without a command'
	try flame --diff old.svg --perfdata new.svg --skip-after a
	stops 2 'new.svg is a picture, which no collapser reads'
	printf '#!/bin/sh\n' > script
	try flame --diff old.svg ./script
	stops 126 './script cannot be run'
	cp new.folded true # as a command is called
	flame -q --diff old.svg true
	draws diff.svg
	cp bin/true program
	flame -q --diff old.svg ./program
	draws diff.svg
}

# ---- whose programs

@test "flame: programs of one build find each other" {
	PATH=$PWD/bin:$REAL_PATH own/flame -v true 2> said
	draws flamegraph.svg
	grep -q " | $PWD/own/flamegraph " said
	PATH=$PWD/bin:$REAL_PATH own/flame -q --post-process 'filter-folded' true
}

@test "flame: it starts its own flamegraph, not another one on PATH" {
	foreign_flamegraph
	try own/flame true
	now "$status" -eq 0
	draws flamegraph.svg
	[ ! -e called ]
	ln -s own/flame by-link
	ln -s "$PWD/by-link" other/by-links
	rm flamegraph.svg
	try by-links true
	draws flamegraph.svg
	own/flame --dry-run -- true > script
	rm flamegraph.svg
	sh -e script
	draws flamegraph.svg
	[ ! -e called ]
}

@test "flame: a copy of flame alone finds the others on PATH" {
	foreign_flamegraph
	mkdir alone
	cp own/flame alone
	try alone/flame true
	now "$status" -eq 0
	draws flamegraph.svg
	rm calls called flamegraph.svg
	rm own/flamegraph
	try alone/flame true
	stops 1 "flamegraph of flamepipe is neither in $PWD/alone nor on PATH: install it beside flame"
}

@test "flame: the command gets its PATH unchanged" {
	printf '#!/bin/sh\necho "$PATH"\n' > prints
	chmod +x prints
	try flame -q ./prints
	now "$output" = "$PATH"
}
