
version=@VERSION@

# Programs that were built or installed together find each other, after those on PATH.
case $0 in
*/*) PATH=$PATH:${0%/*} ;;
esac

# say TEXT... : a message, which -q turns off.
say()
{
	[ -n "$quiet" ] || printf '%s: %s\n' "$self" "$*" >&2
}

# fail STATUS TEXT... : the message of an error; ends the run.
fail()
{
	status=$1; shift
	printf '%s: %s\n' "$self" "$*" >&2
	exit "$status"
}

misuse()
{
	fail 2 "$* (see $self --help)"
}
