
# The programs of flamepipe: those of one's own folder, as PATH may have others of the same
# names (cargo-flamegraph has a flamegraph).

# follow_links FILE : the file that it leads to, which need not be there; in $real.
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

# The folder of this program, by way of links; in $home.
find_home()
{
	case $0 in
	*/*) home=$0 ;;
	*) if [ -e "./$0" ]; then home=./$0; else home=$(command -v -- "$0"); fi ;;
	esac
	follow_links "$home"
	home=$(cd -- "${real%/*}/" && pwd)
}

is_ours()
{
	case $("$1" --version 2>/dev/null < /dev/null) in
	"${1##*/} (flamepipe) "*) ;;
	*) return 1 ;;
	esac
}

# find_own NAME [SUDO] : a program of flamepipe as text for the shell, in $own, and
# its $file. It is the name alone where the shell finds the same file by that; sudo has a PATH
# of its own.
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

# find_elsewhere NAME : sets $own to our NAME on PATH, as flame may have been copied alone.
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
