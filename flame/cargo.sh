#!/bin/sh
# cargo-flame: `cargo flame` builds a program of a crate, with what profiles need, and gives
# it to flame. `make` joins it from flame/cargo.sh and others.
# The last part uses $program.
# shellcheck disable=SC2034
set -u
self=cargo-flame

usage()
{
	cat <<'END'
Usage: cargo flame [OPTION]... [-- ARGUMENT...]
Builds a program of a crate with debug info and frame pointers, runs it with the
arguments, and draws a flame graph of it.

What is run (default the only program, or default-run):
  -b, --bin NAME              a program
      --example NAME          an example
      --test NAME             an integration test
      --bench NAME            a benchmark
      --unit-test[=NAME]      the unit tests of the library or a program
      --unit-bench[=NAME]     their benchmarks
      --unit-test-kind KIND   of the library (lib) or a program (bin) alone
  -p, --package NAME          of this package

How it is built:
      --release               with optimisation (the default)
      --dev                   with the profile dev
      --profile NAME          with this profile
      --target TRIPLE         for this machine
  -f, --features LIST         with these features
      --all-features          with all features
      --no-default-features   without the default ones
      --manifest-path FILE    the crate's Cargo.toml

Other:
  -h, --help                  show this help
  -V, --version               show the version

All other options are those of flame, as -F, -o, --open, --call-graph.
END
}

# ---- the command line

quiet='' verbose='' kind='' name='' unit='' profile=release manifest=Cargo.toml

# choose KIND NAME : what is to be run.
choose()
{
	[ -z "$kind" ] || misuse "--$kind and --$1 do not go together"
	kind=$1 name=$2
}

# Which words are cargo's, as $cargo_words for the shell, and which are flame's.
to_cargo()
{
	quote_all "$@"
	cargo_words=$cargo_words$quoted
}

to_flame()
{
	quote_all "$@"
	flame_words=$flame_words$quoted
}

needs_value()
{
	case $1 in
	-[bpf] | --bin | --example | --test | --bench | --package | --profile | --features) ;;
	--manifest-path | --target | --unit-test-kind) ;;
	*) takes_value "$1" ;;
	esac
}

# set_option NAME VALUE
set_option()
{
	case $1 in
	-b | --bin) choose bin "$2"; to_cargo --bin "$2" ;;
	--example | --test | --bench) choose "${1#--}" "$2"; to_cargo "$1" "$2" ;;
	--unit-test | --unit-bench) choose "${1#--}" "$2" ;;
	--unit-test-kind)
		case $2 in
		lib | bin) unit=$2 ;;
		*) misuse "--unit-test-kind takes lib or bin, not '$2'" ;;
		esac
		;;
	--target) to_cargo "$1" "$2" ;;
	-p | --package) to_cargo --package "$2" ;;
	-f | --features) to_cargo --features "$2" ;;
	--all-features | --no-default-features) to_cargo "$1" ;;
	--manifest-path) manifest=$2; to_cargo "$1" "$2" ;;
	--profile)
		case $2 in
		'' | *[!A-Za-z0-9_-]*) misuse "--profile takes a name, not '$2'" ;;
		esac
		profile=$2
		;;
	--release) profile=release ;;
	--dev) profile=dev ;;
	-h | --help | -help) usage; exit ;;
	-V | --version | -version) echo "cargo-flame (flamepipe) $version"; exit ;;
	*) return 1 ;;
	esac
}

# parse WORD... : $parsed is how many words are options.
parse()
{
	parsed=$# section='' cargo_words='' flame_words=''
	while [ $# -gt 0 ]; do
		case $1 in
		--) shift; break ;;
		--collapse | --draw) section=1 ;;
		esac
		if [ -n "$section" ]; then
			to_flame "$1"; shift
			continue
		fi
		word=$1 option=$1 value='' given=''
		case $1 in
		--*=*) option=${1%%=*} value=${1#*=} given=1 ;;
		-[bpf]?*) option=${1%"${1#-?}"} value=${1#-?} value=${value#=} given=1 ;;
		-q | --quiet) quiet=1 ;;
		-v | --verbose | --dry-run) verbose=1 ;;
		-*) ;;
		*) misuse "'$1' is no option; arguments of the program come after --" ;;
		esac
		shift
		if [ -z "$given" ] && needs_value "$option"; then
			[ $# -gt 0 ] || misuse "$option needs an argument"
			value=$1 given=2; shift
		fi
		set_option "$option" "$value" && continue
		to_flame "$word"
		[ "$given" != 2 ] || to_flame "$value"
	done
	parsed=$((parsed - $#))
}

# ---- the build

# Frame pointers and debug info come by the environment. RUSTFLAGS would take the place of
# what a configuration file says, and a build without that may be another one.
set_environment()
{
	upper=$(printf %s "$profile" | tr 'a-z-' 'A-Z_')
	export "CARGO_PROFILE_${upper}_DEBUG=true" "CARGO_PROFILE_${upper}_STRIP=false"
	export CARGO_PROFILE_BENCH_DEBUG=true CARGO_PROFILE_BENCH_STRIP=false
	frames='-C force-frame-pointers=yes'
	if [ -n "${CARGO_ENCODED_RUSTFLAGS:-}" ]; then
		separator=$(printf '\037')
		CARGO_ENCODED_RUSTFLAGS="$CARGO_ENCODED_RUSTFLAGS${separator}-C${separator}${frames#-C }"
	elif [ -z "${RUSTFLAGS:-}" ] && has_configured_flags; then
		say "$config has rustflags, which RUSTFLAGS would replace:" \
			"add $frames to them, or use --call-graph dwarf"
	else
		export RUSTFLAGS="${RUSTFLAGS:+$RUSTFLAGS }$frames"
	fi
}

# A configuration of cargo, here or above, that gives flags to the compiler; in $config.
has_configured_flags()
{
	folder=$PWD
	while :; do
		for config in "$folder/.cargo/config.toml" "$folder/.cargo/config"; do
			grep -q rustflags "$config" 2>/dev/null && return
		done
		[ -n "$folder" ] || break
		folder=${folder%/*}
	done
	config=${CARGO_HOME:-${HOME:-}/.cargo}/config.toml
	grep -q rustflags "$config" 2>/dev/null
}

# Leaves in $programs a line for each that was built: KIND NAME IS_TEST FILE.
build()
{
	how=build chosen="--profile $profile"
	case $kind,$profile in
	bench,release | unit-bench,release) how='bench --no-run' chosen= ;;
	unit-bench,*) to_cargo --benches ;;
	unit-test,*) to_cargo --tests ;;
	esac
	quote "${CARGO:-cargo}"
	command="$quoted $how${chosen:+ $chosen}$cargo_words"
	[ -z "$verbose" ] || printf '%s\n' "RUSTFLAGS='${RUSTFLAGS:-}' $command" >&2
	messages=$(eval "$command --message-format=json-render-diagnostics") ||
		fail 1 'cargo could not build it'
	programs=$(printf '%s\n' "$messages" | sed -n '
		/"reason":"compiler-artifact"/!d
		s/.*"target":{"kind":\["\([^"]*\)".*,"name":"\([^"]*\)".*"test":\([a-z]*\)},.*"executable":"\([^"]*\)".*/\1 \2 \3 \4/p' |
		sed 's/\\\\/\\/g')
}

# is_wanted KIND IS_TEST NAME
is_wanted()
{
	case $kind,$1,$2 in
	,bin,false | bin,bin,false | example,example,false) ;;
	test,test,true | bench,bench,*) ;;
	unit-*,*lib,true | unit-*,proc-macro,true) [ "$unit" != bin ] || return ;;
	unit-*,bin,true) [ "$unit" != lib ] || return ;;
	*) return 1 ;;
	esac
	[ -z "$name" ] || [ "$name" = "$3" ]
}

# The name that the manifest has as default-run, if any; cargo knows it from folders below.
find_default()
{
	[ -e "$manifest" ] || manifest=$("${CARGO:-cargo}" locate-project --message-format plain 2>/dev/null)
	name=$(sed -n "s/^[[:space:]]*default-run *= *[\"']\([^\"']*\).*/\1/p" "$manifest" 2>/dev/null)
}

# Leaves in $program the only one that is wanted.
find_program()
{
	[ -n "$kind" ] || find_default
	program='' names=''
	while read -r its_kind its_name is_test file; do
		is_wanted "$its_kind" "$is_test" "$its_name" || continue
		case $kind in
		unit-*) its_name="$its_name ($its_kind)" ;;
		esac
		names="${names:+$names, }$its_name" program=$file
	done <<END
$programs
END
	case $kind,$names in
	unit-*,*,*) fail 1 "there are several programs: choose one of $names with --$kind=NAME" \
		'or --unit-test-kind' ;;
	*,*,*) fail 1 "there are several programs: choose one of $names with --${kind:-bin}" ;;
	*,) fail 1 "there is no program to run: choose one with --bin, --example, --test or --bench" ;;
	esac
	# what --bench is to a harness of cargo, where cargo bench would run it
	harness=
	[ "$kind" != unit-bench ] || harness=' --bench'
}
