#!/usr/bin/env bats
# tools/need names missing libraries, on a Debian made of stand-ins.
# shellcheck disable=SC2154,SC2016 # of bats, scripts as text
bats_require_minimum_version 1.5.0

setup()
{
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	mkdir "$BATS_TEST_TMPDIR/bin"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	stand_in apt-get 'echo "apt-get $*"'
	stand_in id 'echo 0'
	# libelf is from backports here; without them, libelf-dev is that of the release
	stand_in dpkg-query 'case $* in *libelf*) echo "ii  0.196-1~bpo13+2" ;; *) exit 1 ;; esac'
	stand_in apt-cache 'case $* in
	policy*) printf "%s:\n  Installed: (none)\n  Candidate: 0.192-4\n" "$2" ;;
	madison*)
		echo " $2 | 0.196-1~bpo13+2 | https://mirror.example trixie-backports/main amd64 Packages"
		echo " $2 | 0.192-4 | https://mirror.example trixie/main amd64 Packages" ;;
	esac'
}

stand_in()
{
	printf '#!/bin/sh\n%s\n' "$2" > "$BATS_TEST_TMPDIR/bin/$1"
	chmod +x "$BATS_TEST_TMPDIR/bin/$1"
}

@test "need: it says what programs cannot do without a library, and how to install it" {
	run -0 tools/need missing libelf libdw
	[ "${lines[0]}" = 'Built without libelf, libdw:' ]
	[[ ${lines[1]} == *'libelf: '*'cannot read perf.data' ]]
	[[ ${lines[2]} == *'libdw: '*'no callers'* ]]
	[ "${lines[4]}" = '  apt-get install -t trixie-backports libelf-dev libdw-dev' ]
	run -0 tools/need missing libzstd
	[ "${lines[3]}" = '  apt-get install libzstd-dev' ]
	stand_in dpkg-query 'echo "ii  0.192-4"'
	run -0 tools/need missing libelf
	[ "${lines[3]}" = '  apt-get install libelf-dev' ]
	run -0 tools/need missing
	[ -z "$output" ]
}

@test "need: a build ends with what is missing, if anything is" {
	run -0 --separate-stderr make -n --no-print-directory all OPTIONAL='libzstd -liberty'
	[ "${lines[-1]}" = 'tools/need missing libelf libdw' ]
	# A make that starts before the libraries are installed must not say that they are missing.
	run -0 --separate-stderr make -n --no-print-directory demo submake=echo OPTIONAL=
	[ "${lines[-1]}" = all ]
	[[ $output != *'tools/need missing'* ]]
	run -0 --separate-stderr make -n --no-print-directory all OPTIONAL='libzstd libelf libdw -liberty'
	[[ ${lines[-1]} == *'tools/need missing ' ]] || [ "${lines[-1]}" = 'tools/need missing' ]
}
