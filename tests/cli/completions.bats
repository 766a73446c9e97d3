#!/usr/bin/env bats
# Completions of bash, zsh and fish, in the shells themselves.
# shellcheck disable=SC2016 # the words of one shell are text of another
bats_require_minimum_version 1.5.0

setup_file()
{
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	export BIN=${BIN:-$PWD/build/bin} DIR="$BATS_FILE_TMPDIR/made"
	tools/completions "$DIR" "$BIN/flamegraph" "$BIN/flame" "$BIN/collapse-perf"
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
}

needs()
{
	command -v "$1" > /dev/null || skip "no $1"
}

# in_bash WORD... : prints what bash offers for the last word of a command line, sorted.
in_bash()
{
	bash -c '. "$1/bash/$2"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		before=$(($# - 1)); "_${1//-/_}" "$1" "${!#}" "${!before}"
		printf "%s\n" "${COMPREPLY[@]}" | sort' bash "$DIR" "$@"
}

@test "bash completes options" {
	[ "$(in_bash flamegraph --the)" = --theme ]
	[ "$(in_bash collapse-perf --tim)" = $'--time\n--time-order' ]
	[ -z "$(in_bash flamegraph profile)" ]
}

@test "a program that does not run is an error and gets no completion" {
	printf '\177ELF of another machine' > flamegraph
	chmod +x flamegraph
	run -1 "$BATS_TEST_DIRNAME/../../tools/completions" made "$PWD/flamegraph"
	[[ $output == *"flamegraph does not run here"* ]]
	[ ! -e made/bash/flamegraph ]
}

@test "bash completes the values of an option" {
	[ "$(in_bash flamegraph --theme '')" = $'auto\nclassic\ndark\nlight' ]
	[ "$(in_bash flamegraph --theme = li)" = light ]
	[ "$(in_bash flamegraph --theme =)" = $'auto\nclassic\ndark\nlight' ]
	[ "$(in_bash flamegraph -c ja)" = $'java' ]
}

@test "bash registers the completion for the program" {
	# shellcheck disable=SC1091
	. "$DIR/bash/collapse-perf"
	[[ $(complete -p collapse-perf) == *"-o default"*" collapse-perf" ]]
}

@test "fish completes options, their values, and files" {
	local fish="timeout 60 fish --no-config -c"
	needs fish
	export HOME="$PWD"
	: > profile.folded
	tries()
	{
		$fish 'for f in $argv[1]/*.fish; source $f; end; complete -C $argv[2] | cut -f 1' \
			"$DIR/fish" "$1"
	}
	[ "$(tries 'flamegraph --the')" = --theme ]
	[ "$(tries 'flamegraph --theme ' | sort)" = $'auto\nclassic\ndark\nlight' ]
	[ "$(tries 'flamegraph -c ja')" = java ]
	[ "$(tries 'flamegraph --theme=li')" = --theme=light ]
	[ "$(tries 'flamegraph --output pro')" = profile.folded ]
	[ "$(tries 'flamegraph pro')" = profile.folded ]
	[ -z "$(tries 'flamegraph --width pro')" ]
	$fish 'source $argv[1]; complete -C "collapse-perf --time-o"' "$DIR/fish/collapse-perf.fish" |
		grep -q 'one line for each run'
}

# in_zsh LINE : types LINE with its tabs in a zsh on a terminal, and prints the
# arguments that its command then gets.
in_zsh()
{
	cat > .zshrc << 'end'
PS1= PS2= fpath=($DIR/zsh $fpath)
autoload -Uz compinit && compinit -u -D
flamegraph() { print -r "GOT:${(j:|:)@}:" }
flame() { flamegraph "$@" }
end
	timeout 60 zsh -f -c 'zmodload zsh/zpty && zpty t env TERM=dumb zsh -f -i
		zpty -w t "source ./.zshrc; print ready"
		zpty -r t out "*ready*ready*"
		zpty -n -w t "$1"$'"'\n'"'
		zpty -r t out "*GOT:*:*"; print -r -- "${${out##*GOT:}%:*}"; zpty -d t' zsh "$1"
}

@test "zsh completes options, their values, and files" {
	needs zsh
	zsh -f -c 'zmodload zsh/zpty' || skip "no zpty in this zsh"
	: > profile.folded
	[ "$(in_zsh $'flamegraph --them\tli\t')" = '--theme=light' ]
	[ "$(in_zsh $'flamegraph --theme li\t')" = '--theme|light' ]
	[ "$(in_zsh $'flamegraph -c ja\t')" = '-c|java' ]
	[ "$(in_zsh $'flamegraph -o pro\t')" = '-o|profile.folded' ]
	[ "$(in_zsh $'flamegraph pro\t')" = 'profile.folded' ]
	[ "$(in_zsh $'flame -- printe\tx')" = '--|printenv|x' ]
}

@test "each script is valid in its shell" {
	local file
	for file in "$DIR"/bash/*; do bash -n "$file"; done
	if command -v zsh > /dev/null; then for file in "$DIR"/zsh/*; do zsh -f -n "$file"; done; fi
	if command -v fish > /dev/null; then for file in "$DIR"/fish/*; do fish -n "$file"; done; fi
}
