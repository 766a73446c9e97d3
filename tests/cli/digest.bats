#!/usr/bin/env bats
# report-folded --digest: its limits, its commands and its JSON.
# shellcheck disable=SC2016
bats_require_minimum_version 1.5.0

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd) || return 1
	GOLDEN=$TOP/tests/golden/report-folded
	PATH=$BIN:$PATH
	export LC_ALL=C
	cd "$BATS_TEST_TMPDIR" || return 1
}

# wide : writes a profile whose names are long and whose stacks are deep, with markup and wide characters.
wide()
{
	awk 'BEGIN {
		for (i = 0; i < 300; i++) {
			name = "ns::type<int, `" i "`>::call|" i "\\x(char const*, unsigned long)"
			if (i % 3 == 0) name = "\346\274\242\345\255\227\346\274\242\345\255\227" i
			stack = "root"
			for (d = 0; d < i % 50; d++) stack = stack ";" name "_" d
			print stack ";" name, 1 + (i * 37) % 101
		}
	}'
}

# columns : fails if a line of standard input has more than 120 columns. A Chinese character takes two.
columns()
{
	python3 -c '
import sys, unicodedata
for line in sys.stdin.buffer.read().decode("utf-8", "replace").splitlines():
    if sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) > 120:
        sys.exit(line)'
}

@test "digest: no page is longer or wider than its limits" {
	command -v python3 > /dev/null || skip "no python3"
	wide > wide.folded
	sed 's/ \([0-9]*\)$/ \1 3/' wide.folded > two.folded
	for file in wide.folded two.folded "$GOLDEN"/*/input "$GOLDEN"/digest-difference/input-*; do
		report-folded --digest "$file" > /dev/null 2>&1 || continue # not a profile
		for format in text markdown; do
			for most in 1 5 13 40; do
				report-folded --digest -f $format --max-lines $most "$file" > page 2> err
				[ "$(wc -l < page)" -le $most ] || { echo "$file $format $most"; return 1; }
				cat page >> pages
			done
		done
	done
	columns < pages
}

@test "digest: each command in it runs" {
	cp "$GOLDEN/digest/input" one.folded
	cp "$GOLDEN/digest-difference/input-slower" slower.folded
	cp "$GOLDEN/digest-difference/input-noise" noise.folded
	cp "$GOLDEN/digest-hostile/input" hostile.folded
	cp "$GOLDEN/one-column/input" plain.folded
	for file in one slower noise hostile plain; do
		for format in text markdown; do
			report-folded --digest -f $format $file.folded > page 2> err
			sed -n '/Next/,$s/^ .*\(report-folded\|flamegraph\)/\1/p' page > commands
			[ "$(wc -l < commands)" -eq 3 ]
			while read -r command; do
				status=0
				sh -c "$command" > shown 2> err < /dev/null || status=$?
				# 3: a limit is exceeded
				[ $status -eq 0 ] || [ $status -eq 3 ] || { echo "$command"; cat err; return 1; }
				[ -s shown ] || [ -s flame.svg ]
			done < commands
		done
	done
}

@test "digest: a pattern in a command matches the function, and no other" {
	printf 'main;operator()(int) 5\nmain;a.b[c]+{d}^e|f$g*?h 90\nmain;aXb 1\n' > it.folded
	report-folded --digest it.folded | sed -n 's/^  \(report-folded --callers.*\)  #.*/\1/p' > found
	sh -c "$(cat found)" > shown
	grep -q ' a\.b\[c\]+{d}^e|f\$g\*?h < main$' shown
	run ! grep -q -e aXb -e operator shown
}

@test "digest: nothing from a name reaches the shell" {
	printf 'main;$(touch bad)`touch bad`'"'"';touch bad;x 9\n' > it.folded
	printf 'main;'"'"'"\\$(touch bad)`touch bad` & 99\n' >> it.folded
	report-folded --digest it.folded | sed -n 's/^  \(report-folded\|flamegraph\)/\1/p' > commands
	[ -s commands ]
	while read -r command; do sh -c "$command" > /dev/null 2>&1; done < commands
	[ ! -e bad ]
}

@test "digest: the file in a command is the input, if its name is plain" {
	printf 'main 5\n' | tee it.folded > 'a b'
	report-folded --digest it.folded | grep -q '^  flamegraph -o flame.svg it.folded  #'
	report-folded --digest 'a b' | grep -q '^  flamegraph -o flame.svg FILE  #'
	report-folded --digest < it.folded | grep -q '^  flamegraph -o flame.svg FILE  #'
	report-folded --digest it.folded it.folded | grep -q '^  flamegraph -o flame.svg FILE  #'
}

@test "digest: JSON follows its schema" {
	command -v node > /dev/null || skip "no node"
	valid() { node "$TOP/tests/tools/check-schema.mjs" "$TOP/docs/report-folded-digest.schema.json"; }
	wide > wide.folded
	for file in wide.folded "$GOLDEN"/digest*/input* "$GOLDEN/one-column/input"; do
		report-folded --digest -f json "$file" > it.json
		valid < it.json
	done
	sed 's/"self":/"selv":/' it.json > bad
	run ! valid < bad
}

@test "digest: two samplings of the same program are no difference" {
	# sample SEED : 4000 samples of 40 functions
	sample()
	{
		awk -v seed="$1" 'BEGIN {
			srand(seed)
			print "# sample-weight: 1"
			for (i = 0; i < 4000; i++) n[int(40 * rand() * rand())]++
			for (f in n) print "app;main;part" f % 4 ";f" f, n[f]
		}'
	}
	found=0
	for i in $(seq 1 20); do
		sample "$i" > before
		sample $((i + 100)) > after
		report-folded --digest -f json <(diff-folded before after) > it.json
		grep -q '"verdict":"same"' it.json || found=$((found + 1))
	done
	# the seeds are fixed, but each awk has its own numbers: one in a hundred is allowed to fail
	[ $found -le 1 ]
	sample 1 | awk '$1 ~ /;f7$/ { $2 *= 3 } { print }' > after
	diff-folded before after | report-folded --digest | grep -q '^ *+[0-9.]* %  f7, self'
}

@test "digest: a function whose share has fallen does not explain that the total has grown" {
	for i in $(seq 10); do echo "app;main;f$i 100 100"; done > it.folded
	printf 'app;main;twice 300 600\napp;main;new 0 3000\n' >> it.folded
	report-folded --digest --sample-weight 1 it.folded > page
	grep -q '% of it\|explain it' page
	grep -q '^ *+[0-9.]* %  new, self' page
	run ! grep -q '^ *+[0-9.]* %  twice, self' page
	sed -i '/new/d' it.folded
	report-folded --digest --sample-weight 1 it.folded | grep -q '^ *+[0-9.]* %  twice, self'
}

@test "digest: a path leaves out libraries first, and says which function of the program calls them" {
	{
		echo '# unit: samples'
		echo 'app;_start;__libc_start_main@@GLIBC_2.34;main:app.c:9;load:app.c:7;std::sort<int>;std::a<int>;std::b<int>;std::c<int>;std::d<int>;std::e<int>;__memcpy_avx 900'
		echo 'app;_start;__libc_start_main@@GLIBC_2.34;main:app.c:9 100'
	} > it.folded
	report-folded --digest it.folded > page
	grep -q '^ *\.\.\. > main > load > std::sort<int> > \.\.\. .* frames \.\.\. > .*__memcpy_avx$' page
	grep -q '^Self with libraries, by function of the program: load 90.0 %, main 10.0 %$' page
	grep -q "^  report-folded --list '^load\$' it.folded " page
	run ! grep -q ' 1 frames\|_start\|callees .^app' page
	# the picture of a program without libraries needs no such line
	printf 'app;main;f 500\napp;main;g 400\n' | report-folded --digest | run ! grep -q 'Self with\|by module'
}

@test "digest: few samples have no decimals, and few of them no row" {
	for i in $(seq 9); do echo "app;main;f$i 1"; done > it.folded
	echo 'app;main;hot 91' >> it.folded
	report-folded --digest it.folded > page
	grep -q '^Data: few samples: shares are good to about 10 points$' page
	grep -q '^ *91 *91  hot$' page
	[ "$(grep -c '^ *1 *1  f' page)" -eq 2 ]
	[ "$(report-folded --digest -n 8 it.folded | grep -c '^ *1 *1  f')" -eq 7 ]
	sed 's/ 91$/ 491/' it.folded | report-folded --digest | run ! grep -q 'few samples'
}

@test "digest: it says that no stack is in both profiles" {
	printf 'one;main;f 500 0\ntwo;main;f 0 500\n' > it.folded
	report-folded --digest it.folded | grep -q '^No stack is in both profiles'
	printf 'main;g 1 1\n' >> it.folded
	report-folded --digest it.folded | run ! grep -q 'No stack is'
}

@test "digest: it says whose symbols to install, and how to record whole stacks" {
	printf '# quality: samples=900 truncated=800\napp;main;[libz.so.1] 700\napp;main;f 200\n' > it.folded
	report-folded --digest it.folded > page
	grep -q '^Data: .* unknown functions, mostly of libz.so.1: install its symbols$' page
	grep -q '^Data: .* cut off, .*dwarf,65528' page
}

@test "digest: a profile without a header says that its quality is not known" {
	printf 'app;main;f 5\n' > it.folded
	report-folded --digest it.folded | grep -q 'it is not known if events were lost'
	printf '# quality: samples=5\napp;main;f 5\n' | report-folded --digest | grep -q '^Data: good'
	# a stack of a profile that merges samples is not one sample
	printf '# quality: stacks=1\napp;main;f 3000\n' | report-folded --digest > out
	run ! grep -e 'few samples' -e '1 sample' out
	printf '# quality: samples=95 lost=5\napp;main;f 5\n' | report-folded --digest |
		grep -q '^Data: 5.0 % of the events were lost'
	printf '# quality: samples=95 cut=1 malformed=12\napp;main;f 5\n' | report-folded --digest > out
	grep -qx 'Data: the input was cut short, so stacks are missing' out
	grep -qx 'Data: 12 entries of the input are damaged or not understood' out
	printf '# quality: samples=x\napp;main;f 5\n' | report-folded --digest | grep -q 'not known'
}
