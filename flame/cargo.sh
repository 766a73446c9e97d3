#!/bin/sh
# cargo-flame: `cargo flame` builds a program of a crate with debug info and frame pointers,
# and runs it under flame. `make` joins it from flame/cargo.sh and others.
# The last part uses $program. Scripts of awk are in quotes.
# shellcheck disable=SC2034,SC2016
set -u
self=cargo-flame

usage()
{
	cat <<'END'
Usage: cargo flame [OPTION]... [-- ARGUMENT...]
Builds a program of a crate with debug info and frame pointers, runs it with the
arguments, and draws a flame graph of it.

What to run (default the only program, or default-run):
  -b, --bin NAME              a program
      --example NAME          an example
      --test NAME             an integration test
      --bench NAME            a benchmark
      --unit-test [NAME]      the unit tests of the library or a program
      --unit-bench [NAME]     the benchmarks among them
      --unit-test-kind KIND   only those of the library (lib) or a program (bin)
  -p, --package NAME          a program of this package

How to build it:
      --release               with optimisation (the default)
      --dev                   with the profile dev
      --profile NAME          with this profile
      --target TRIPLE         for this target
  -f, --features LIST         with these features
      --all-features          with all features
      --no-default-features   without the default ones
      --manifest-path FILE    the crate's Cargo.toml

Other:
  -h, --help                  show this help
  -V, --version               show the version

All other options are those of flame, such as -F, -o, --open, --call-graph.
END
}

# ---- the command line

quiet='' verbose='' kind='' name='' unit='' target='' package='' profile=release manifest=Cargo.toml

# choose KIND NAME : chooses the program to run. --unit-test-kind may have come before.
choose()
{
	case $kind,$unit,$1 in
	,* | unit-test,?*,unit-*) ;;
	*) misuse "--$kind and --$1 do not go together" ;;
	esac
	kind=$1 name=$2
}

# to_cargo WORD..., to_flame WORD... : add arguments to the command line of cargo or flame.
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

# needs_value OPTION : succeeds for an option with an argument, of ours or of flame.
needs_value()
{
	case $1 in
	-[bpf] | --bin | --example | --test | --bench | --package | --profile | --features) ;;
	--manifest-path | --target | --unit-test-kind) ;;
	*) takes_value "$1" ;;
	esac
}

# set_option NAME VALUE : sets an option of ours, or fails if it is one of flame.
set_option()
{
	case $1 in
	-b | --bin) choose bin "$2"; to_cargo --bin "$2" ;;
	--example | --test | --bench) choose "${1#--}" "$2"; to_cargo "$1" "$2" ;;
	--unit-test | --unit-bench) choose "${1#--}" "$2" ;;
	--unit-test-kind)
		: "${kind:=unit-test}"
		case $2 in
		lib | bin) unit=$2 ;;
		*) misuse "--unit-test-kind takes lib or bin, not '$2'" ;;
		esac
		;;
	--target) target=$2; to_cargo "$1" "$2" ;;
	-p | --package) package=$2; to_cargo --package "$2" ;;
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

# may_name WORD : succeeds if the word may be the name after --unit-test, like in
# cargo-flamegraph.
may_name()
{
	case $option,$given,$1 in
	*,?*,* | *,,-* | *,,) return 1 ;;
	--unit-test,,* | --unit-bench,,*) ;;
	*) return 1 ;;
	esac
}

# parse WORD... : sets the options, and $parsed to the number of words that were options.
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
		*)
			# the README of cargo-flamegraph has `--unit-test --dev test::name`
			case $kind in unit-*) break ;; esac
			misuse "'$1' is no option; arguments of the program come after --"
			;;
		esac
		shift
		if may_name "${1:-}"; then
			value=$1 given=1; shift
		fi
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

# check_flame : ends the run if flame refuses its options, or cannot record here. We ask before
# the build, which may take minutes.
check_flame()
{
	why=$(eval "$own -q --dry-run$flame_words -- true" 2>&1 > /dev/null)
	status=$?
	[ "$status" = 0 ] || {
		printf '%s\n' "$why" | sed 's/^flame: /cargo-flame: /; s/(see flame --help)/(see cargo flame --help)/' >&2
		exit "$status"
	}
}

# ---- the build

# set_environment : asks for frame pointers and debug info by environment variables. If a
# configuration file has rustflags we only warn: RUSTFLAGS would replace them, and make another
# program.
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

# has_configured_flags : succeeds if a configuration file of cargo, here or in a folder above,
# has rustflags for this target. Sets $config to that file.
has_configured_flags()
{
	folder=$PWD
	while :; do
		for config in "$folder/.cargo/config.toml" "$folder/.cargo/config"; do
			gives_flags && return
		done
		[ -n "$folder" ] || break
		folder=${folder%/*}
	done
	config=${CARGO_HOME:-${HOME:-}/.cargo}/config.toml
	gives_flags
}

# gives_flags : succeeds if $config has rustflags for [build], or for a [target.X] that is ours: X
# is the target's name, or a condition like cfg(all(unix, target_env = "musl")). If rustc does not
# tell us the target, each [target.X] counts.
gives_flags()
{
	grep -q rustflags "$config" 2>/dev/null || return
	rustc=${RUSTC:-rustc}
	: "${target:=$("$rustc" -vV 2>/dev/null | sed -n 's/^host: //p')}"
	{
		printf '%s\n' "$target"
		"$rustc" --print cfg --target "$target" 2>/dev/null
		echo --
		cat "$config"
	} | LC_ALL=C awk "$gives_flags_script"
}

gives_flags_script='
	# Evaluates a condition: replaces its innermost parts by 1 or 0 until one value is left.
	function holds(condition,    left, word, inner) {
		gsub(/[ \t]/, "", condition)
		while (match(condition, /[A-Za-z_][A-Za-z_0-9]*(="[^"]*")?/)) {
			word = substr(condition, RSTART, RLENGTH)
			left = left substr(condition, 1, RSTART - 1)
			condition = substr(condition, RSTART + RLENGTH)
			left = left (condition ~ /^\(/ ? word : word in set ? 1 : 0)
		}
		left = left condition
		while (match(left, /[a-z]+\([01,]*\)/)) {
			word = substr(left, RSTART, RLENGTH)
			inner = word
			sub(/^[a-z]+/, "", inner)
			if (word ~ /^any/) inner = inner ~ /1/
			else if (word ~ /^not/) inner = inner !~ /1/
			else inner = inner !~ /0/
			left = substr(left, 1, RSTART - 1) inner substr(left, RSTART + RLENGTH)
		}
		return left == 1
	}
	BEGIN { set["true"] }
	!config && NR == 1 { target = $0; next }
	!config && $0 == "--" { config = 1; next }
	!config { set[$0]; next }
	/^[ \t]*#/ { next }
	/^[ \t]*\[[^]]*\][ \t]*(#.*)?$/ {
		section = $0
		sub(/^[ \t]*\[[ \t]*/, "", section)
		sub(/[ \t]*\][ \t]*(#.*)?$/, "", section)
		next
	}
	match($0, /(^|[^A-Za-z0-9_-])rustflags[ \t]*=/) {
		key = substr($0, 1, RSTART - 1 + ($0 !~ /^rustflags/))
		sub(/[ \t]*=[ \t]*\{.*/, "", key) # a table in one line
		gsub(/^[ \t]+|[. \t]+$/, "", key)
		key = section (section != "" && key != "" ? "." : "") key
		if (key == "build" || key == "") found = 1
		if (sub(/^target[ \t]*\.[ \t]*/, "", key)) {
			gsub(/^["\047]|["\047]$/, "", key)
			gsub(/\\"/, "\"", key)
			if (target == "" || key == target || key ~ /^cfg\(/ && holds(key)) found = 1
		}
	}
	END { exit !found }'

# ask_cargo WORD... : runs a command of cargo for the crate, without its messages.
ask_cargo()
{
	[ "$manifest" = Cargo.toml ] || set -- "$@" --manifest-path "$manifest"
	"${CARGO:-cargo}" "$@" 2>/dev/null
}

# list_targets : sets $programs to the programs that cargo would build, in lines like those of build
# but without the file. They are the programs of the named package, else of the package that we are
# in, or at the root of a workspace of its default members. Sets it to nothing if the manifests
# alone cannot tell.
list_targets()
{
	programs=$(ask_cargo metadata --no-deps --format-version 1 |
		sed 's/{"name":"[^"]*","version":/\
&/g; s/{"kind":\[/\
&/g' | LC_ALL=C awk -v package="$package" \
		-v here="$(ask_cargo locate-project --message-format plain)" '
	function value(before) { # the text between quotation marks that come next
		match($0, before "\"[^\"]*")
		before = substr($0, RSTART, RLENGTH)
		sub(/.*"/, "", before)
		return before
	}
	/^[{]"name":/ { name = value("\"name\":"); id = value("\"id\":") }
	/"required-features":/ { unclear = 1 }
	/^[{]"kind":/ {
		kind[++count] = value("\"kind\":.")
		target[count] = value("\"name\":")
		test[count] = /"test":true[}]/
		of[count] = package == name ? name : id
	}
	index($0, "\"manifest_path\":\"" here "\"") { ours = "\"" id "\"" }
	match($0, /"workspace_default_members":\[[^]]*/) { members = substr($0, RSTART, RLENGTH) }
	END {
		if (ours && here != value("\"workspace_root\":") "/Cargo.toml") members = ours
		for (i = 1; i <= count && !unclear; i++) {
			if (package != of[i] && (package != "" || !index(members, "\"" of[i] "\""))) continue
			if (kind[i] == "bin") print kind[i], target[i], "false -"
			if (test[i]) print kind[i], target[i], "true -"
		}
	}')
}

# check_targets : ends the run before the build if there are several programs, or none.
check_targets()
{
	case $kind in
	'' | unit-test) ;;
	*) return ;;
	esac
	list_targets
	[ -z "$programs" ] || find_program
}

# build : builds, and sets $programs to a line for each program: KIND NAME IS_TEST FILE.
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

# is_wanted KIND IS_TEST NAME : succeeds for a program that the options choose.
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

# find_default : sets $name to the default-run of the manifest, if it has one. In a folder below the
# manifest, we ask cargo where the manifest is.
find_default()
{
	nearest=$manifest
	[ -e "$nearest" ] || nearest=$(ask_cargo locate-project --message-format plain)
	name=$(sed -n "s/^[[:space:]]*default-run *= *[\"']\([^\"']*\).*/\1/p" "$nearest" 2>/dev/null)
}

# find_program : sets $program to the program that the options choose, or ends the run.
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
		'or --unit-test-kind lib or bin' ;;
	*,*,*) fail 1 "there are several programs: choose one of $names with --${kind:-bin}" ;;
	unit-*,) fail 1 "${name:-the crate} has no unit tests: --$kind takes the name of the library" \
		'or of a program' ;;
	*,) fail 1 "there is no program to run: choose one with --bin, --example, --test or --bench" ;;
	esac
	# cargo bench passes --bench to its harness
	harness=
	[ "$kind" != unit-bench ] || harness=' --bench'
}
