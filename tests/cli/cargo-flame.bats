#!/usr/bin/env bats
# cargo-flame, with stand-ins for cargo and record-perf, and with themselves if they are here and
# may record.
# shellcheck disable=SC2154,SC2016,SC2317,SC2030 # of bats, quoted scripts, functions for try
bats_require_minimum_version 1.5.0
load manners
load libraries
load flame

# Makes a cargo that has built what the file `built` says, and a rustc for Linux.
stand_in_cargo()
{
	stand_in cargo <<'END'
[ "$1" != metadata ] || exec cat "$AT/metadata"
echo "$* RUSTFLAGS=${RUSTFLAGS:-} DEBUG=${CARGO_PROFILE_RELEASE_DEBUG:-}" >> "$AT/calls"
cat "$AT/built"
[ -s "$AT/built" ]
END
	: > built
	stand_in rustc <<'END'
case $* in
-vV) echo 'host: x86_64-unknown-linux-gnu' ;;
*linux*) printf '%s\n' 'target_env="gnu"' 'target_os="linux"' unix ;;
*) printf '%s\n' 'target_os="windows"' windows ;;
esac
END
	unset RUSTFLAGS CARGO CARGO_ENCODED_RUSTFLAGS CARGO_HOME RUSTC
}

# built KIND NAME IS_TEST FILE
built()
{
	printf '%s%s%s\n' '{"reason":"compiler-artifact","package_id":"p","manifest_path":"/m","target":{"kind":["'"$1"'"],' \
		'"crate_types":["bin"],"name":"'"$2"'","src_path":"/s","edition":"2021","doc":true,"doctest":false,"test":true},' \
		'"profile":{"opt_level":"3","debuginfo":2,"test":'"$3"'},"features":[],"filenames":["/f"],"executable":"'"$4"'","fresh":false}' >> built
}

@test "cargo-flame: --help, --version, wrong options" {
	local -x PROGRAM=cargo-flame
	check_version
	cargo-flame --help | awk 'length > 80 || / $/ { exit 1 }'
	try cargo-flame flame word
	fails 2 "'word' is no option"
	try cargo-flame --bin a --test b
	fails 2 '--bin and --test do not go together'
	try cargo-flame --bin
	fails 2 '--bin needs an argument'
}

@test "cargo-flame: builds, finds and records" {
	stand_in_cargo
	printf '#!/bin/sh\necho "ran $*"\n' > 'my program'
	chmod +x 'my program'
	built lib it false ''
	built bin it false "$PWD/my program"
	try cargo-flame flame -q -p pack --features a,b -F 99 --title 'a b' -o x.svg --bin it -- one 'two  three'
	now "$status" -eq 0
	now "$output" = 'ran one two  three'
	draws x.svg
	grep -q -e '^build --profile release --package pack --features a,b --bin it --message-format=json-render-diagnostics' calls
	grep -q 'RUSTFLAGS=-C force-frame-pointers=yes DEBUG=true$' calls
	grep -q -e '-F 99' calls
	RUSTFLAGS=-Cx cargo-flame flame -q
	grep -q 'RUSTFLAGS=-Cx -C force-frame-pointers=yes ' calls
	mkdir -p .cargo
	printf '[build]\nrustflags = []\n' > .cargo/config.toml
	try cargo-flame flame --dry-run
	said '.cargo/config.toml has rustflags, which RUSTFLAGS would replace'
	tail -n 5 calls | grep -q 'RUSTFLAGS= '
}

@test "cargo-flame: the shell runs none of the user's words" {
	local name evil
	stand_in_cargo
	built bin it false "$AT/bin/true"
	for evil in '1$(touch PWNED)`touch PWNED`' $'1\ntouch PWNED\n' "';touch PWNED;'"; do
		for name in $(options_of cargo-flame); do
			cargo-flame "$name=$evil" > /dev/null 2>&1 < /dev/null || true
		done
		CARGO=$evil cargo-flame > /dev/null 2>&1 || true
		[ ! -e PWNED ] || now "$evil" = 'left alone'
	done
	try cargo-flame --profile 'a b'
	now "$status" -eq 2
	said "--profile takes a name, not 'a b'"
}

@test "cargo-flame: random words run nothing" {
	stand_in_cargo
	built bin it false "$AT/bin/true"
	runs_nothing cargo-flame "${CASES:-20}"
}

@test "cargo-flame: it starts our flamegraph, not another one on PATH" {
	stand_in_cargo
	foreign_flamegraph
	built bin it false "$AT/bin/true"
	try own/cargo-flame flame
	now "$status" -eq 0
	draws flamegraph.svg
	[ ! -e called ]
}

@test "cargo-flame: choosing the program" {
	stand_in_cargo
	local true=$PWD/bin/true unit option
	try cargo-flame flame
	now "$status" -eq 1
	said 'cargo-flame: cargo could not build it'
	built lib it true "$true"
	try cargo-flame flame --example it
	now "$status" -eq 1
	said 'there is no program to run'
	try cargo-flame flame --unit-test
	now "$status" -eq 0
	built bin one false "$true"
	built bin two false "$true"
	try cargo-flame flame
	now "$status" -eq 1
	said 'there are several programs: choose one of one, two with --bin'
	try cargo-flame flame --bin two
	now "$status" -eq 0
	echo '{"packages":[{"id":"x","targets":[],"default_run":"two"}],"workspace_default_members":["x"]}' > metadata
	try cargo-flame flame
	now "$status" -eq 0
	rm metadata
	: > built
	built lib shop true "$AT/lib-tests"
	built bin shop true "$AT/bin-tests"
	for unit in lib bin; do
		printf '#!/bin/sh\necho "%s $*"\n' "$unit" > "$unit-tests"
		chmod +x "$unit-tests"
	done
	for option in --unit-test --unit-test=shop --unit-bench; do
		try cargo-flame flame "$option"
		now "$status" -eq 1
		said "choose one of shop (lib), shop (bin) with ${option%=*}=NAME or --unit-test-kind"
	done
	for option in '--unit-test-kind lib' '--unit-test-kind=lib --unit-test' '--unit-test shop --unit-test-kind lib'; do
		# shellcheck disable=SC2086
		try cargo-flame flamegraph -q $option -- x
		now "$output" = 'lib x'
	done
	# like in that project's README
	try cargo-flame flamegraph -q --unit-test --unit-test-kind lib --dev test::name --exact
	now "$output" = 'lib test::name --exact'
	try cargo-flame flame --unit-test other
	now "$status" -eq 1
	said 'cargo-flame: other has no unit tests: --unit-test takes the name of the library'
	try cargo-flame flame --unit-test-kind lib --bin shop
	now "$status" -eq 2
	said '--unit-test and --bin do not go together'
	try cargo-flame flame -q --unit-test --unit-test-kind lib -- x
	now "$output" = 'lib x'
	try cargo-flame flame -q --unit-test=shop --unit-test-kind=bin -- x
	now "$output" = 'bin x'
	try cargo-flame flame -q --unit-bench --unit-test-kind lib -- x
	now "$output" = 'lib --bench x'
	grep -q '^bench --no-run --message-format' calls
	try cargo-flame flame --unit-test-kind both
	now "$status" -eq 2
	said "--unit-test-kind takes one of lib, bin, not 'both'"
	try cargo-flame flame --dev --profile small
	now "$status" -eq 2
	said '--profile and --dev do not go together'
	try cargo-flame flame -q --unit-test --unit-test-kind lib --target x86_64-unknown-linux-musl
	grep -q -e '--target x86_64-unknown-linux-musl --tests --message-format' calls
	cargo-flame flame -q --bench it || true
	grep -q '^bench --no-run --bench it' calls
}

@test "cargo-flame: rustflags of other targets do not matter" {
	local line
	stand_in_cargo
	built bin it false "$AT/bin/true"
	mkdir .cargo
	while read -r line; do
		printf '%b' "$line" > .cargo/config.toml
		try cargo-flame flame --dry-run
		said_not 'has rustflags'
		grep -q 'RUSTFLAGS=-C force-frame-pointers=yes ' calls
		rm calls
	done <<'END'
[target.x86_64-pc-windows-msvc]\nrustflags = ["-Ctarget-feature=+crt-static"]\n
[target.'cfg(windows)']\nrustflags = []\n
[target."cfg(all(unix, target_env = \\\"musl\\\"))"]\nrustflags = []\n
[target]\nwasm32-unknown-unknown = { rustflags = [] }\n
[profile.release]\nrustflags = []\n
# rustflags = []\n
END
	while read -r line; do
		printf '%b' "$line" > .cargo/config.toml
		try cargo-flame flame --dry-run
		said '.cargo/config.toml has rustflags, which RUSTFLAGS would replace'
	done <<'END'
[build]\nrustflags = []\n
build.rustflags = ""\n
[target.x86_64-unknown-linux-gnu]\nlinker = "ld"\nrustflags = []\n
[target.'cfg(any(windows, all(target_os = "linux", not(target_env = "musl"))))']\nrustflags = []\n
[target]\nx86_64-unknown-linux-gnu.rustflags = []\n
END
	try cargo-flame flame --dry-run --target x86_64-pc-windows-gnu
	said_not 'has rustflags'
	stand_in rustc <<< 'exit 1'
	try cargo-flame flame --dry-run
	said 'has rustflags'
}

has_built_nothing()
{
	[ ! -e calls ] || [ "$(grep -c '^build' calls)" -eq 0 ]
}

@test "cargo-flame: wrong options are reported before the build" {
	local option
	stand_in_cargo
	built bin it false "$AT/bin/true"
	for option in --bogus -F0 '--wall --off-cpu' '-o no/x.svg' '--perfdata x' '--draw --bogus'; do
		# shellcheck disable=SC2086
		try cargo-flame flame $option
		now "$status" -ne 0
		has_built_nothing
	done
	try cargo-flame flame --bogus
	now "$stderr" = "cargo-flame: unknown option '--bogus' (see cargo flame --help)"
	# flame refuses these, and its messages come in our name
	try cargo-flame flame -F0
	now "$stderr" = "cargo-flame: --freq takes a number from 1 on, not '0' (see cargo flame --help)"
	try cargo-flame flame -o no/x.svg
	now "$stderr" = 'cargo-flame: no/x.svg cannot be written: there is no folder no/'
	PERF=no-perf try cargo-flame flame --perf
	now "$stderr" = 'cargo-flame: no-perf is not here: install it, or record without --perf'
	has_built_nothing
}

# package NAME TARGET... : adds a package of a workspace, with targets given as "KIND
# NAME".
package()
{
	local target
	printf '{"name":"%s","version":"0.1.0","id":"path+file:///w/%s#0.1.0","dependencies":[{"name":"x","source":null}],"targets":[' "$1" "$1"
	for target in "${@:2}"; do
		printf '{"kind":["%s"],"crate_types":["x"],"name":"%s","src_path":"/s","edition":"2021","doc":true,"doctest":false,"test":true},' "${target% *}" "${target#* }"
	done | sed 's/,$//'
	printf '],"features":{},"manifest_path":"/w/%s/Cargo.toml"}' "$1"
}

# fails_first TEXT : checks that it failed with TEXT before cargo had built anything.
fails_first()
{
	# shellcheck disable=SC2031 # it is that of the test
	now "$status" -eq 1
	said "$1"
	has_built_nothing
}

@test "cargo-flame: several programs are reported before the build" {
	stand_in_cargo
	{
		printf '{"packages":['
		package one 'lib one' 'bin one' 'example one'
		printf ,
		package two 'bin two'
		printf '],"workspace_members":["a"],"workspace_default_members":["path+file:///w/one#0.1.0","path+file:///w/two#0.1.0"],"workspace_root":"/w"}'
	} > metadata
	try cargo-flame flame
	fails_first 'there are several programs: choose one of one, two with --bin'
	try cargo-flame flame --unit-test -p one
	fails_first 'choose one of one (lib), one (bin) with --unit-test=NAME or --unit-test-kind lib or bin'
	try cargo-flame flame --unit-test other
	fails_first 'other has no unit tests'
	built bin one false "$AT/bin/true"
	try cargo-flame flame -p one
	now "$status" -eq 0
	cp metadata all
	# this is what cargo says in the folder of a member
	sed -i 's|,"path+file:///w/two#0.1.0"\]|]|' metadata
	try cargo-flame flame
	now "$status" -eq 0
	sed 's/"test":true},/"required-features":["f"],&/' all > metadata # cargo knows which are built
	try cargo-flame flame
	now "$status" -eq 0
}

@test "cargo-flame: cargo and record-perf themselves" {
	command -v cargo > /dev/null || skip "no cargo"
	local real_home
	real_home=$(getent passwd "$(id -u)" | cut -d : -f 6)
	real_recorder
	mkdir -p crate/src
	cd crate
	printf '[package]\nname = "spin-it"\nversion = "0.1.0"\nedition = "2021"\n[profile.release]\nstrip = true\n' > Cargo.toml
	cat > src/main.rs <<'END'
#[inline(never)]
fn wheel(n: u64) -> u64 { (0..n).fold(0, |s, i| std::hint::black_box(s ^ i)) }
fn main() { println!("{}", wheel(std::env::args().nth(1).unwrap().parse().unwrap())); }
END
	HOME=$real_home cargo build --release > /dev/null 2>&1 || skip "cargo builds nothing here"
	HOME=$real_home try cargo flame -e cpu-clock -- 300000000
	now "$status" -eq 0
	flamegraph --extract flamegraph.svg | grep -q ';spin_it::wheel'
}
