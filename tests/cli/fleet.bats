#!/usr/bin/env bats
# Merging in a tree of any depth, and by key.
bats_require_minimum_version 1.5.0

setup()
{
	BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd) || return 1
	FLEET=$(cd "$BATS_TEST_DIRNAME/../../contrib/fleet" && pwd) || return 1
	PATH=$BIN:$FLEET:$PATH
	cd "$BATS_TEST_TMPDIR" || return 1
	export LC_ALL=C
	mkdir day
	local i
	for i in {1..40}; do
		printf 'app;main;f%d %d\napp;main;g %d\nx y;\tz 3\n' $((i % 7)) "$i" $((i * 2)) |
			gzip > "day/host$i.folded.gz"
	done
	filter-folded day/*.folded.gz > once
}

@test "a tree of merges writes what one merge does" {
	mkdir merged
	# shellcheck disable=SC2016
	find day -name '*.folded.gz' -print0 |
		xargs -0 -n 6 -P 2 sh -c 'filter-folded -o "merged/$$" "$@"' sh
	[ "$(find merged -type f | wc -l)" -eq 7 ]
	filter-folded merged/* | cmp - once
}

@test "keys: each key gets the sum of its stacks; its output is also input" {
	local f
	for f in day/*; do gzip -dc "$f" | sed "s/^/a \$(touch ran) 'b'\t/"; done > lines
	sed "s/^[^\t]*/other/" lines >> lines.2
	filter-folded --key-prefix lines.2 lines > merged
	[ "$(cut -f 1 merged | uniq | wc -l)" -eq 2 ]
	sed -n 's/^other\t//p' merged | cmp - once
	sed -n "s/^a .*'b'\t//p" merged | cmp - once
	[ ! -e ran ]
	filter-folded --key-prefix < merged > again
	cmp again merged
	head -n 50 lines | filter-folded --key-prefix > one
	tail -n +51 lines | filter-folded --key-prefix | filter-folded --key-prefix one - |
		sed "s/^[^\t]*\t//" | cmp - once
}

@test "keys: keys may be numbers, and their header lines are dropped" {
	printf '1\t# unit: ns\n1\ta 100\n1.0\ta 200\n01\ta 300\n' | filter-folded --key-prefix > out
	printf '01\ta 300\n1\ta 100\n1.0\ta 200\n' | cmp - out
}

@test "keys: options apply to the stacks after the key" {
	printf "k main\ta;it's 100\nk main\tb;c 200\n" > in
	filter-folded --key-prefix --keep "it's|main" in | cmp - <(printf "k main\ta;it's 100\n")
	filter-folded --key-prefix --reverse in | cmp - <(printf "k main\tc;b 200\nk main\tit's;a 100\n")
	run -2 filter-folded --key-prefix --top 3 in
	run -2 filter-folded --key-prefix --min-percent 3 in
}

@test "keys: empty input gives nothing, and a line without a key is an error" {
	[ -z "$(filter-folded --key-prefix < /dev/null 2>&1)" ]
	run -1 filter-folded --key-prefix <<< 'a;b 100'
	[[ $output == *":1: --key-prefix needs a key and a tab before each stack"* ]]
}

@test "systemd accepts the units" {
	command -v systemd-analyze > /dev/null || skip "no systemd-analyze"
	run systemd-analyze verify "$FLEET/flamepipe-record.service" "$FLEET/flamepipe-record.timer"
	[[ $output != *[Uu]nknown* ]]
}

@test "Spark: a worker folds its files and names the groups" {
	command -v python3 > /dev/null || skip "no python3"
	: | gzip > nothing.gz
	cat nothing.gz day/host1.folded.gz > members.gz
	filter-folded day/host1.folded.gz > host1
	printf 'swapper 5\n' > idle
	PYTHONDONTWRITEBYTECODE=1 python3 - "$FLEET/../spark" <<-'END'
		import sys, types
		sys.modules["pyspark"] = sys.modules["pyspark.sql"] = types.ModuleType("pyspark.sql")
		sys.modules["pyspark.sql"].SparkSession = None
		sys.path.insert(0, sys.argv[1])
		from fold_fleet import folder_of, key_of, name_of

		labels = "(?P<service>[^/]+)/(?:(?P<day>[a-z]+)-)?[^/]+$"
		key = (("day", "monday"), ("service", "c#"))
		assert key_of("hdfs://host:80/fleet/c#/monday-a?b", labels) == key
		assert key_of("file:/fleet/c#/monday-a", labels) == key_of("/fleet/c#/monday-a", labels) == key
		assert key_of("file:/fleet/web/x", labels) == (("day", ""), ("service", "web"))
		assert name_of(()) == "all"
		assert name_of((("a", "1+b=2"), ("b", "3"))) != name_of((("a", "1"), ("b", "2+b=3")))
		assert name_of((("a", "x/y"),)) == "a=x%2Fy"

		def fold(*files):
		    rows = [(f"/{name}", open(name, "rb").read()) for name in files]
		    return list(folder_of("", ["--ignore", "^swapper$"])(rows))

		assert fold("nothing.gz", "idle") == [((), b"")]
		assert fold("members.gz") == [((), open("host1", "rb").read())]
		assert fold("nothing.gz", "once", "idle") == [((), open("once", "rb").read())]
	END
}

@test "Spark: profiles that cannot be compared are an error before anything runs" {
	command -v python3 > /dev/null || skip "no python3"
	mkdir -p stub/pyspark
	: > stub/pyspark/__init__.py
	echo 'SparkSession = None' > stub/pyspark/sql.py
	refused()
	{
		PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=stub run -2 python3 "$FLEET/../spark/fold_fleet.py" --input x --out pages "$@"
		echo "${lines[-1]#*: error: }"
		[ ! -e pages ]
	}
	[ "$(refused --labels '(?P<day>x)' --diff dya=a..b)" = "--diff: no group of --labels has that name" ]
	[ "$(refused --labels '(?P<day>x)' --diff day=a)" = "--diff takes LABEL=OLD..NEW" ]
	[[ $(refused --labels '(') == --labels:* ]]
}

@test "the service keeps whole recordings, but not empty ones" {
	mkdir bin kept
	tr -d '\n' < "$FLEET/flamepipe-record.service" | sed "s/.*ExecStart=[^']*'//; s/'.*//; s/%%/%/g; s/\\\\//g" > script
	printf '#!/bin/sh\nprintf "a 1 1.000001: 500 cycles:u: \\n\\t1 f+0x1 (/x)\\n\\n"\n' > bin/perf
	chmod +x bin/perf
	PATH=$PWD/bin:$PATH DIR=$PWD/kept sh -ec "$(cat script)"
	[ "$(ls -A kept)" = "$(cd kept && echo "$(uname -n)".*.folded.gz)" ]
	[ "$(gzip -dc kept/*)" = 'a;f 500' ]
	rm kept/*
	printf '#!/bin/sh\nexit 1\n' > bin/perf
	PATH=$PWD/bin:$PATH DIR=$PWD/kept run ! sh -ec "$(cat script)"
	[ -z "$(ls -A kept)" ]
}

# spark : prints a Python that has pyspark, if there is Java too.
spark()
{
	command -v java > /dev/null || skip "no Java"
	"${PYTHON:-python3}" -c 'import pyspark' 2> /dev/null || skip "no pyspark (PYTHON)"
	PYTHONDONTWRITEBYTECODE=1 PYSPARK_PYTHON=$(command -v "${PYTHON:-python3}") SPARK_LOCAL_IP=127.0.0.1 \
		timeout 500 "${PYTHON:-python3}" "$FLEET/../spark/fold_fleet.py" "$@" 2> log || { tail -n 30 log; return 1; }
}

@test "Spark: each group is what one merge writes, and differences are drawn" {
	local i
	for i in {1..30}; do
		mkdir -p "fleet/web/monday" "fleet/web/tuesday" "fleet/db one/tuesday"
		cp "day/host$i.folded.gz" fleet/web/monday
		cp "day/host$((i + 10)).folded.gz" fleet/web/tuesday
		printf 'db;scan %d\n' "$i" > "fleet/db one/tuesday/$i"
	done
	spark --input "$PWD/fleet/*/*/*" --labels '(?P<service>[^/]+)/(?P<day>[^/]+)/[^/]+$' \
		--diff day=monday..tuesday --out out --master "${SPARK_MASTER:-local[2]}" --partitions 7
	ls out
	filter-folded fleet/web/monday/* | cmp - "out/day=monday+service=web.folded"
	filter-folded fleet/web/tuesday/* | cmp - "out/day=tuesday+service=web.folded"
	filter-folded "fleet/db one/tuesday/"* | cmp - "out/day=tuesday+service=db%20one.folded"
	[ -s "out/day=tuesday+service=web.diff.svg" ]
	[ "$(find out -type f | wc -l)" -eq 7 ]
	flamegraph --extract "out/day=monday+service=web.svg" | cmp - "out/day=monday+service=web.folded"
	grep -q 'nothing of day=monday' log
}

@test "Spark: one group, with options for each file and for the whole" {
	spark --input "$PWD/day/*" --options "--keep 'main'" --last '--top 2' --out out --master 'local[2]'
	filter-folded --keep main --top 2 day/* | cmp - out/all.folded
}

@test "Spark: a killed worker loses no part of the profile" {
	mkdir first
	# This filter-folded kills its caller, once.
	cat > first/filter-folded <<-END
		#!/bin/sh
		if mkdir "$PWD/killed" 2> /dev/null; then kill -9 \$PPID; fi
		exec "$BIN/filter-folded" "\$@"
	END
	chmod +x first/filter-folded
	PATH=$PWD/first:$PATH spark --input "$PWD/day/*" --out out --master 'local[2,4]' --partitions 4
	[ -d killed ]
	cmp once out/all.folded
}
