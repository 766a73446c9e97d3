
# Finding the programs of flamepipe: in our own folder first, because PATH may have other
# programs of the same names (cargo-flamegraph has a flamegraph).

# follow_links FILE : sets $real to the file that a symbolic link leads to; it need not exist.
follow_links()
{
	real=$1
	case $real in
	*/*) ;;
	*) real=./$real ;;
	esac
	while [ -L "$real" ]; do
		target=$(readlink -- "$real")
		case $target in
		/*) real=$target ;;
		*) real=${real%/*}/$target ;;
		esac
	done
}

# find_home : sets $home to the folder of this program, after following links.
find_home()
{
	case $0 in
	*/*) home=$0 ;;
	*) if [ -e "./$0" ]; then home=./$0; else home=$(command -v -- "$0"); fi ;;
	esac
	follow_links "$home"
	home=$(cd -- "${real%/*}/" && pwd)
}

# is_ours FILE : succeeds for a program of flamepipe.
is_ours()
{
	case $("$1" --version 2>/dev/null < /dev/null) in
	"${1##*/} (flamepipe) "*) ;;
	*) return 1 ;;
	esac
}

# find_own NAME [SUDO] : sets $own to a program of flamepipe, quoted for the shell, and $file to its
# path. $own is the name alone if the shell finds the same file by that name, except if SUDO is
# given, because sudo has a PATH of its own.
find_own()
{
	own=$home/$1
	[ -x "$own" ] || find_elsewhere "$1"
	file=$own
	# shellcheck disable=SC3013 # POSIX has -ef since 2024, the shells for long
	if [ -z "${2:-}" ] && [ "$own" -ef "$(command -v "$1")" ]; then
		own=$1
	else
		quote "$own"
		own=$quoted
	fi
}

# find_elsewhere NAME : sets $own to our NAME on PATH, because somebody may have copied flame
# alone.
find_elsewhere()
{
	before_ifs=$IFS IFS=:
	set -f
	for folder in $PATH; do
		own=${folder:-.}/$1
		[ -x "$own" ] && is_ours "$own" && break
		own=
	done
	set +f
	IFS=$before_ifs
	[ -n "$own" ] ||
		fail 1 "$1 of flamepipe is neither in $home nor on PATH: install it beside $self"
}

find_home
